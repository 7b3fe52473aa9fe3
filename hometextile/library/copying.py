"""A library copied into another database, row by row, and compared afterwards."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text, update

from hometextile.library import tables as t
from hometextile.library.creating import place
from hometextile.library.database import Database
from hometextile.library.library import Library
from hometextile.library.search import index
from hometextile.text.faults import Fault
from hometextile.text.messages import _

_BATCH = 300
#: Made anew from the resources.
_DERIVED = {"search_documents"}


def copy(source: Library, url: str, told: Callable[[str, int], None] = lambda _table, _rows: None) -> dict[str, int]:
    """Copy a library into a new database, in one transaction there: all of it or nothing.

    Args:
        source: opened; crawls may go on writing to it, what they add afterwards is not copied.
        url: of the new database.
        told: called with each table and its number of rows, when the table is done.

    Returns:
        Rows by table.

    Raises:
        Fault: there is something in the other database; a table came out different.
    """
    with Library.open(url, wait=source.database.wait) as target:
        if source.database.url == target.database.url:
            raise Fault(_("that is the same database"), file=place(target.database))
        if any(target.counts()[name] for name in ("sites", "pages", "resources")):
            raise Fault(
                _("there is a library with something in it already"),
                file=place(target.database),
                remedy=_("name a new file or an empty database"),
            )
        options = {} if source.database.sqlite else {"isolation_level": "REPEATABLE READ"}
        with source.database.reading() as plain:
            reader = plain.execution_options(**options)

            def work(writer: Connection) -> dict[str, int]:
                return _copy(reader, writer, target.database, told)

            return target.database.write(work, patience=0)


def _copy(reader: Connection, writer: Connection, target: Database, told: Callable[[str, int], None]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for table in t.metadata.sorted_tables:
        if table.name in _DERIVED:
            continue
        counts[table.name] = _copy_table(reader, writer, table)
        told(table.name, counts[table.name])
    if not target.sqlite:
        _set_sequences(writer)
    index.rebuild(writer)
    for table in t.metadata.sorted_tables:
        if _fingerprint(reader, table) != _fingerprint(writer, table):
            raise Fault(
                _("table {name} came out different; nothing was kept").format(name=table.name), file=place(target)
            )
    return counts


def _order(table: Table) -> list[Any]:
    keys = list(table.primary_key.columns)
    return keys or [table.c.page_id, table.c.number]


def _rows(connection: Connection, table: Table) -> Iterator[dict[str, Any]]:
    query = select(table).order_by(*_order(table)).execution_options(yield_per=_BATCH)
    for row in connection.execute(query).mappings():
        yield dict(row)


def _copy_table(reader: Connection, writer: Connection, table: Table) -> int:
    # A row may name one of its own table that comes later; such columns are filled in at the end.
    later = [column.name for column in table.columns if column.references(table.c.get("id", column))]
    later = [name for name in later if name != "id"]
    links: list[dict[str, Any]] = []
    batch: list[dict[str, Any]] = []
    count = 0
    for row in _rows(reader, table):
        for name in later:
            if row[name] is not None:
                links.append({"key": row["id"], name: row[name]})
                row[name] = None
        batch.append(row)
        count += 1
        if len(batch) >= _BATCH:
            writer.execute(insert(table), batch)
            batch = []
    if batch:
        writer.execute(insert(table), batch)
    for link in links:
        values = {name: value for name, value in link.items() if name != "key"}
        writer.execute(update(table).where(table.c.id == link["key"]).values(values))
    return count


def _set_sequences(writer: Connection) -> None:
    """New rows of PostgreSQL must not get numbers that were copied."""
    for table in t.metadata.sorted_tables:
        if "id" in table.c:
            most = writer.execute(select(func.max(table.c.id))).scalar()
            if most is not None:
                writer.execute(
                    text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :most)"),
                    {"name": table.name, "most": most},
                )


def _fingerprint(connection: Connection, table: Table) -> str:
    """SHA-256 of all rows in the order of their keys."""
    state = hashlib.sha256()
    for row in _rows(connection, table):
        for name, value in row.items():
            state.update(f"{name}={bytes(value) if isinstance(value, memoryview) else value!r};".encode())
    return state.hexdigest()
