"""One database by URL, SQLite or PostgreSQL: opened with care, written with patience, its troubles told plainly.

A SQLite file is looked at by its header before SQLite itself touches it, so that a file of someone else stays as it is,
byte for byte. Every write is one transaction that can be repeated; a lock, a server that is gone for a while or a full
disk is waited out as long as ``patience`` says.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import StaticPool

from hometextile.library import tables
from hometextile.text.faults import Fault
from hometextile.text.messages import _

T = TypeVar("T")

#: "HTLB" in the header of every SQLite file that is ours.
APPLICATION_ID = 0x48544C42
_MAGIC = b"SQLite format 3\x00"
#: Troubles that may pass by themselves.
_PASSING = {"busy", "gone", "full", "io"}
#: Two workers wrote the same at once, so often at most; more often it is a mistake of ours.
_CLASHES = 5


def read_url(url: str | URL) -> URL:
    """The address of a library.

    Raises:
        Fault: it is no database URL, or of a database that the library doesn't run on.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise Fault(
            _("the database address is not a URL"),
            remedy=_("write sqlite:///library.db or postgresql+psycopg://user@host/database"),
        ) from error
    if parsed.drivername in {"postgresql", "postgres", "postgresql+psycopg"}:
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername in {"sqlite", "sqlite+pysqlite"}:
        return parsed.set(drivername="sqlite")
    raise Fault(
        _("the library does not run on {name}").format(name=parsed.drivername),
        remedy=_("write sqlite:///library.db or postgresql+psycopg://user@host/database"),
    )


def shown(url: URL) -> str:
    """The address without its password."""
    return url.render_as_string(hide_password=True)


class Database:
    """An opened database.

    Args:
        url: ``sqlite:///file``, ``sqlite://`` (in memory) or ``postgresql+psycopg://user@host/name``.
        wait: seconds that one statement waits for a lock.
        patience: seconds that a write is tried again when the database is locked, away or full.
    """

    def __init__(self, url: str | URL, *, wait: float = 30.0, patience: float = 60.0) -> None:
        self.url = read_url(url)
        self.wait = wait
        self.patience = patience
        #: Whether reads wait out a passing trouble as writes do: a crawl does, a person at a terminal is told at once.
        self.patient = False
        self.sqlite = self.url.drivername == "sqlite"
        self.engine = self._make_engine()

    @property
    def path(self) -> Path | None:
        """The file of a SQLite database; None in memory and for PostgreSQL."""
        name = self.url.database
        if not self.sqlite or not name or name == ":memory:":
            return None
        return Path(name.removeprefix("file:").split("?")[0]) if name.startswith("file:") else Path(name)

    def _make_engine(self) -> Engine:
        try:
            if not self.sqlite:
                return create_engine(
                    self.url,
                    pool_pre_ping=True,
                    pool_size=4,
                    max_overflow=8,
                    connect_args={"connect_timeout": max(2, round(min(self.wait, 10)))},
                )
            options: dict[str, Any] = {"connect_args": {"timeout": self.wait, "check_same_thread": False}}
            if self.path is None:
                options["poolclass"] = StaticPool
            engine = create_engine(self.url, **options)
        except (NoSuchModuleError, ImportError) as error:
            raise Fault(
                _("the driver for PostgreSQL is not installed"), remedy=_("pip install 'hometextile[postgresql]'")
            ) from error
        event.listen(engine, "connect", self._prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine

    def _prepare_sqlite(self, connection: sqlite3.Connection, record: object) -> None:
        # The module's own transactions begin too late (at the first INSERT) and never cover DDL.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {round(self.wait * 1000)}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA cache_size = -32000")

    # -- opening

    def look(self) -> str:
        """What is there, found without touching it: ``none``, ``empty``, ``ours`` or ``other``.

        Raises:
            Fault: a directory stands there, the file is no SQLite database, the server can't be reached.
        """
        if not self.sqlite:
            return self._look_at_server()
        path = self.path
        if path is None:
            return "ours" if self._has_version_table() else "empty"
        if path.is_dir():
            raise Fault(_("is a directory, not a database"), file=path, remedy=_("name a file"))
        if not path.exists():
            if not path.absolute().parent.is_dir():
                raise Fault(_("there is no such directory"), file=path.absolute().parent, remedy=_("make it first"))
            return "none"
        try:
            with path.open("rb") as file:
                header = file.read(100)
        except OSError as error:
            raise Fault(_("can't be read: {why}").format(why=error.strerror), file=path) from error
        if not header:
            return "empty"
        if not header.startswith(_MAGIC) or len(header) < 100:
            raise Fault(_("is not a SQLite database; it was left as it is"), file=path, remedy=_("name another file"))
        return "ours" if int.from_bytes(header[68:72], "big") == APPLICATION_ID else "other"

    def _look_at_server(self) -> str:
        names = self.read(lambda connection: set(inspect(connection).get_table_names()))
        if tables.VERSION_TABLE in names:
            return "ours"
        return "other" if names & set(tables.metadata.tables) else "empty"

    def _has_version_table(self) -> bool:
        return self.read(lambda connection: inspect(connection).has_table(tables.VERSION_TABLE))

    def revision(self) -> str | None:
        """The migration that the database stands at; None where it says nothing."""
        statement = f"SELECT version_num FROM {tables.VERSION_TABLE}"

        def ask(connection: Connection) -> str | None:
            if not inspect(connection).has_table(tables.VERSION_TABLE):
                return None
            value = connection.exec_driver_sql(statement).scalar()
            return None if value is None else str(value)

        return self.read(ask)

    def use_wal(self) -> None:
        """Readers and the writer no longer wait for each other (SQLite's write-ahead log).

        SQLite does not wait for others when it changes the journal, whatever its timeout says: several crawls that
        open a new library at once would stop with "database is locked".

        Raises:
            Fault: the file is locked and stays so, or can't be written.
        """
        if not self.sqlite or self.path is None:
            return
        deadline, pause = time.monotonic() + self.wait, 0.005
        with self.engine.connect() as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, sqlite3.Connection)
            while True:
                try:
                    if raw.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                        raw.execute("PRAGMA journal_mode = WAL")
                    return
                except sqlite3.Error as error:
                    if trouble_of(error) != "busy" or time.monotonic() + pause > deadline:
                        raise self._told(error) from error
                time.sleep(pause)
                pause = min(pause * 2, 0.5)

    # -- reading and writing

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection with one view of the data.

        Raises:
            Fault: the database is locked, away or damaged.
        """
        try:
            with self.engine.connect() as connection:
                yield connection
        except (DBAPIError, sqlite3.Error) as error:
            raise self._told(error) from error

    def read(self, work: Callable[[Connection], T]) -> T:
        """Call *work* with a connection; once again if the connection had gone stale.

        With :attr:`patient`, again and again while the trouble may pass, as :meth:`write` does.

        Raises:
            Fault: the database is locked, away or damaged.
        """
        deadline = time.monotonic() + self.patience
        pause, stale = 0.05, False
        while True:
            try:
                with self.engine.connect() as connection:
                    return work(connection)
            except (DBAPIError, sqlite3.Error) as error:
                again = self.patient and trouble_of(error) in _PASSING and time.monotonic() + pause <= deadline
                if not again and (stale or not getattr(error, "connection_invalidated", False)):
                    raise self._told(error) from error
                stale = not again
            if not stale:
                time.sleep(pause)
                pause = min(pause * 2, 5.0)

    def write(self, work: Callable[[Connection], T], *, patience: float | None = None) -> T:
        """Call *work* in one transaction; the whole of it again when the trouble may pass.

        Args:
            work: must be repeatable: it is called again after a roll-back.
            patience: seconds to go on trying; the database's own if None.

        Raises:
            Fault: the trouble stayed; nothing of *work* is in the database.
        """
        deadline = time.monotonic() + (self.patience if patience is None else patience)
        pause = 0.05
        clashes = 0
        while True:
            try:
                with self.engine.connect().execution_options(library_write=True) as connection, connection.begin():
                    return work(connection)
            except (DBAPIError, sqlite3.Error) as error:
                trouble = trouble_of(error)
                clashes += trouble == "clash"
                again = trouble in _PASSING or (trouble == "clash" and clashes <= _CLASHES)
                if not again or time.monotonic() + pause > deadline:
                    raise self._told(error) from error
            time.sleep(pause)
            pause = min(pause * 2, 5.0)

    def _told(self, error: DBAPIError | sqlite3.Error) -> Exception:
        trouble = trouble_of(error)
        if trouble not in _TROUBLES:
            return error
        place = str(self.path) if self.path is not None else shown(self.url)
        problem, remedy = _TROUBLES[trouble]()
        if trouble == "gone":
            # Why a server refuses (no such database, wrong password, no route) only its driver knows.
            why = " ".join(str(getattr(error, "orig", error)).split())
            problem = f"{problem} ({why[:300]})"
        return Fault(problem, remedy=remedy, file=place)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its lock at once: a transaction that reads first and writes later can't wait for the lock.
    write = connection.get_execution_options().get("library_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def trouble_of(error: Exception) -> str | None:
    """What went wrong, in one word: ``busy``, ``gone``, ``full``, ``io``, ``readonly``, ``damaged``, ``clash`` ...

    None for what is a mistake of the program (a constraint, a syntax error) and no trouble of the database.
    """
    origin = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(origin, sqlite3.Error):
        name = getattr(origin, "sqlite_errorname", "") or ""
        for start, trouble in _SQLITE_TROUBLES.items():
            if name.startswith(start):
                return trouble
        return None
    if not isinstance(error, DBAPIError):
        return None
    state = getattr(origin, "sqlstate", None)
    if state is None:
        return "gone" if error.connection_invalidated or type(origin).__name__ == "OperationalError" else None
    for start, trouble in _STATES.items():
        if str(state).startswith(start):
            return trouble
    return "gone" if error.connection_invalidated else None


_SQLITE_TROUBLES = {
    "SQLITE_BUSY": "busy",
    "SQLITE_LOCKED": "busy",
    "SQLITE_FULL": "full",
    "SQLITE_READONLY": "readonly",
    "SQLITE_PERM": "readonly",
    "SQLITE_CANTOPEN": "unopened",
    "SQLITE_NOTADB": "damaged",
    "SQLITE_CORRUPT": "damaged",
    "SQLITE_IOERR": "io",
}
_STATES = {
    "08": "gone",
    "57P": "gone",
    "53100": "full",
    "53": "busy",
    "55P03": "busy",
    "40": "busy",
    "23503": "clash",
    "23505": "clash",
    "25006": "readonly",
    "42501": "forbidden",
    "28": "forbidden",
    "3D000": "absent",
    "58": "io",
    "XX": "damaged",
}
_TROUBLES: dict[str, Callable[[], tuple[str, str]]] = {
    "busy": lambda: (
        _("the database is locked by another program"),
        _("wait until that one is done, or stop it"),
    ),
    "gone": lambda: (_("the database can't be reached"), _("start it, or correct the address")),
    "full": lambda: (_("the disk is full; nothing was changed"), _("make room and run it again")),
    "io": lambda: (_("the disk can't be read or written"), _("look at the disk and run it again")),
    "readonly": lambda: (_("the database is read-only; nothing was changed"), _("allow writing, or copy it")),
    "unopened": lambda: (_("the database file can't be opened"), _("look at its permissions and its directory's")),
    "damaged": lambda: (
        _("the database is damaged"),
        _("run scrapy library check, or take the last copy"),
    ),
    "forbidden": lambda: (_("the database refuses this user"), _("correct the user, or grant the rights")),
    "absent": lambda: (_("there is no such database on the server"), _("create it first (createdb)")),
}
