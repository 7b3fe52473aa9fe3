"""An older library brought to this program's revision, in one transaction: all of it or nothing.

Alembic reads its migrations from a folder; in an egg there is none, so they are copied out for the time it takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, text

from hometextile.library import tables
from hometextile.library.creating import check_revision, place
from hometextile.library.database import APPLICATION_ID, Database
from hometextile.library.search import index
from hometextile.text.faults import Fault
from hometextile.text.messages import _


@contextmanager
def migrations() -> Iterator[Path]:
    """A folder with the migrations, as Alembic wants it."""
    with TemporaryDirectory(prefix="hometextile-migrations-") as name:
        versions = Path(name) / "versions"
        versions.mkdir()
        for file in files("hometextile.library.migrations").joinpath("versions").iterdir():
            if file.name.endswith(".py") and file.name[0].isdigit():
                (versions / file.name).write_bytes(file.read_bytes())
        yield Path(name)


def migrate(connection: Connection, target: str = "head") -> None:
    """Run the migrations that are missing.

    Args:
        connection: inside a write transaction, which covers all of them.
        target: the revision to reach.
    """
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    with migrations() as folder:
        script = ScriptDirectory(str(folder))

        def steps(revision: Any, _context: Any) -> Any:
            return script._upgrade_revs(target, revision)

        with EnvironmentContext(Config(), script, fn=steps, destination_rev=target) as environment:
            environment.configure(connection=connection, version_table=tables.VERSION_TABLE, transactional_ddl=True)
            environment.run_migrations()


def upgrade(url: str, *, wait: float = 30.0) -> tuple[str, str]:
    """Bring a library to this program's revision and build its search index anew.

    Args:
        url: of the library.
        wait: seconds to wait for a lock.

    Returns:
        The revision before and after; equal where there was nothing to do.

    Raises:
        Fault: there is no library, it is of a newer version, it is locked. It is untouched.
    """
    database = Database(url, wait=wait, patience=wait)
    try:
        found = database.look()
        if found == "other":
            raise Fault(_("is a database of something else; it was left as it is"), file=place(database))
        if found != "ours":
            raise Fault(_("there is no library here yet"), file=place(database))
        before = database.revision() or ""
        if before > tables.REVISION:
            check_revision(database)
        if before == tables.REVISION:
            return before, before
        database.write(_upgrade)
        check_revision(database)
        database.use_wal()
        return before, tables.REVISION
    finally:
        database.close()


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": APPLICATION_ID})
    migrate(connection)
    index.rebuild(connection)
