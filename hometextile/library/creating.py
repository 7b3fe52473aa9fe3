"""A new library made, an existing one looked at before it is used."""

from __future__ import annotations

from sqlalchemy import Connection, inspect, text

from hometextile.library import tables
from hometextile.library.database import APPLICATION_ID, Database, shown
from hometextile.library.search import index
from hometextile.text.faults import Fault
from hometextile.text.messages import _


def place(database: Database) -> str:
    """The file or the address, for messages."""
    return str(database.path) if database.path is not None else shown(database.url)


def ready(database: Database, *, create: bool) -> None:
    """See to it that the database is a library of this program's revision.

    Args:
        database: just addressed.
        create: whether to make a library where there is none.

    Raises:
        Fault: it is not; it was not touched.
    """
    found = database.look()
    if found in {"other", "ours"} and _has_no_tables(database):
        # An empty SQLite database, or one whose making was cut off and rolled back.
        found = "empty"
    if found == "other":
        raise Fault(
            _("is a database of something else; it was left as it is"),
            file=place(database),
            remedy=_("name another file or database"),
        )
    if found != "ours":
        if not create:
            raise Fault(
                _("there is no library here yet"), file=place(database), remedy=_("crawl first: scrapy crawl SITE")
            )
        database.write(make, patience=database.wait)
    check_revision(database)
    if create:
        # An older library, too: the program that made it may have been killed before it came to this.
        database.use_wal()


def _has_no_tables(database: Database) -> bool:
    """Whether a SQLite file has no tables yet."""
    return database.sqlite and not database.read(lambda connection: inspect(connection).get_table_names())


def check_revision(database: Database) -> None:
    """See to it that the database stands at this program's revision.

    Raises:
        Fault: it is older or newer.
    """
    revision = database.revision()
    if revision == tables.REVISION:
        return
    if revision is None:
        raise Fault(_("the library was never finished"), file=place(database), remedy=_("run scrapy library upgrade"))
    if revision > tables.REVISION:
        raise Fault(
            _("the library was made by a newer version of this program ({theirs}, not {ours})").format(
                theirs=revision, ours=tables.REVISION
            ),
            file=place(database),
            remedy=_("update hometextile"),
        )
    raise Fault(
        _("the library is of an older version ({theirs}, not {ours}); it was left as it is").format(
            theirs=revision, ours=tables.REVISION
        ),
        file=place(database),
        remedy=_("make a copy, then run scrapy library upgrade"),
    )


def make(connection: Connection) -> None:
    """Make all tables, in one transaction: a half-made library can't be.

    Repeatable: two crawls that begin at once come here one after the other.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": APPLICATION_ID})
    if inspect(connection).has_table(tables.VERSION_TABLE):
        return
    if connection.dialect.name == "sqlite":
        connection.execute(text(f"PRAGMA application_id = {APPLICATION_ID}"))
    tables.metadata.create_all(connection)
    index.create(connection)
    connection.execute(text(f"CREATE TABLE {tables.VERSION_TABLE} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    connection.execute(
        text(f"INSERT INTO {tables.VERSION_TABLE} (version_num) VALUES (:number)"), {"number": tables.REVISION}
    )
