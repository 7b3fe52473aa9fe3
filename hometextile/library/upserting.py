"""INSERT ... ON CONFLICT, which both databases know and SQLAlchemy spells twice."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite


def upsert(connection: Connection, table: Any) -> Any:
    """An INSERT that knows ON CONFLICT, for the database at hand."""
    return (sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert)(table)
