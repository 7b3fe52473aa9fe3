"""Alembic migrations; :mod:`hometextile.library.upgrading` runs them, from a folder or from a zipped egg."""
