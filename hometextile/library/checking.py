"""Whether a library is whole: the database's own check, rows that hang in the air, contents that are what they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, or_, select, text

from hometextile.library import tables as t
from hometextile.library.database import Database
from hometextile.library.search import index
from hometextile.library.values import digest, unpack
from hometextile.text.messages import _


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        what: what it is, in the user's language.
        count: how many were wrong; how many there are, for a figure.
        wrong: whether the count is of wrong things.
        note: the first of them, or what it means.
    """

    what: str
    count: int
    wrong: bool = False
    note: str = ""


def check(database: Database) -> Iterator[Finding]:
    """Look at everything, one finding after the other, as each is done.

    Args:
        database: opened; it is only read.
    """
    if database.sqlite:
        yield database.read(_integrity)
    for what, query in _orphans():
        yield database.read(lambda connection, what=what, query=query: _count(connection, what, query))  # type: ignore[misc]
    yield database.read(_contents)
    yield from database.read(_search)
    yield database.read(_unread)
    for table in t.metadata.sorted_tables:
        query = select(func.count()).select_from(table)
        count = database.read(lambda connection, query=query: connection.execute(query).scalar_one())  # type: ignore[misc]
        yield Finding(table.name, count)


def _integrity(connection: Connection) -> Finding:
    rows = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check(20)"))]
    rows = [row for row in rows if row != "ok"]
    rows += [f"{row[0]} {row[1]} -> {row[2]}" for row in connection.execute(text("PRAGMA foreign_key_check"))][:20]
    return Finding(_("damage that SQLite itself sees"), len(rows), True, rows[0] if rows else "")


def _orphans() -> list[tuple[str, Any]]:
    """What hangs in the air: a description, and the query for what should not be."""
    r, p, c, v = t.resources.c, t.pages.c, t.contents.c, t.versions.c
    used = select(p.id).where(or_(p.body_hash == c.hash, p.text_hash == c.hash)).exists()
    gave = select(t.ways.c.id).where(t.ways.c.resource_id == r.id).exists()
    numbers = select(func.count()).select_from(t.versions).where(v.resource_id == r.id).scalar_subquery()
    return [
        (_("resources that no page gave"), select(r.identity).where(~gave)),
        (_("resources whose versions are not complete"), select(r.identity).where(r.version != numbers + 1)),
        (_("contents of no page"), select(c.hash).where(~used)),
        (
            _("classes set by hand without a class"),
            select(r.identity).where(r.classed_by == "person", r.category == ""),
        ),
    ]


def _count(connection: Connection, what: str, query: Any) -> Finding:
    count = connection.execute(select(func.count()).select_from(query.subquery())).scalar_one()
    first = connection.execute(query.limit(1)).scalar() if count else ""
    return Finding(what, count, True, str(first or ""))


def _contents(connection: Connection) -> Finding:
    """Contents that can't be unpacked or are not what their hash says."""
    wrong = []
    rows = connection.execution_options(yield_per=50).execute(select(t.contents.c.hash, t.contents.c.data))
    for row in rows:
        try:
            right = digest(unpack(row.data)) == row.hash
        except ValueError:
            right = False
        if not right:
            wrong.append(row.hash)
    return Finding(_("contents that are damaged"), len(wrong), True, wrong[0] if wrong else "")


def _search(connection: Connection) -> list[Finding]:
    """Whether the search index holds every resource as it is now."""
    r, d = t.resources.c, t.search_documents.c
    columns = [t.resources.c[name] for name in ("id", "site_id", *index.INDEXED)]
    rows = connection.execution_options(yield_per=200).execute(
        select(*columns, d.key, d.title.label("indexed_title"), d.body.label("indexed_body"))
        .select_from(t.resources.outerjoin(t.search_documents, d.resource_id == r.id))
        .where(r.duplicate_of.is_(None))
    )
    stale = []
    for row in rows.mappings():
        wanted = index.document(row["id"], dict(row))
        if (row["key"], row["indexed_title"], row["indexed_body"]) != (wanted["key"], wanted["title"], wanted["body"]):
            stale.append(row["id"])
    where = "" if not stale else _("resource {id}; run scrapy library check --reindex").format(id=stale[0])
    findings = [Finding(_("resources that the search does not know as they are"), len(stale), True, where)]
    if connection.dialect.name == "postgresql":
        missing = connection.execute(
            text("SELECT count(*) FROM search_documents d LEFT JOIN search_index i USING (key) WHERE i.key IS NULL")
        ).scalar_one()
    else:
        missing = connection.execute(
            text(
                "SELECT count(*) FROM search_documents WHERE key NOT IN "
                "(SELECT rowid FROM search_index WHERE search_index MATCH 'facets : \"a\"')"
            )
        ).scalar_one()
    findings.append(Finding(_("documents that are not in the search index"), missing, True))
    return findings


def _unread(connection: Connection) -> Finding:
    p = t.pages.c
    query = select(func.count()).select_from(t.pages).where(p.body_hash.is_(None), p.text_hash.is_(None))
    return Finding(_("pages whose content was not kept"), connection.execute(query).scalar_one())
