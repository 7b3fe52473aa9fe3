"""The search index beside the resources: an FTS5 table on SQLite, an array with a GIN index on PostgreSQL.

``search_documents`` holds each resource's canonical text under a key whose order is the order of worth: its upper bits
are relevance, credibility and freshness, its lower bits the resource's number. Both databases walk the matches of a
frequent word in that order and stop early, so the best come first without rating all of them.

FTS5 keeps no copy of the text (``content=''``): a row is taken out by telling it what was put in, and that is what
``search_documents`` holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, text

from hometextile.library import tables as t
from hometextile.library.search.cutting import canonical, is_han, terms
from hometextile.library.search.facets import ALL, date_facets, place_facets, price_facets

#: The values of a resource that the index depends on.
INDEXED = (
    "title", "text", "description", "keywords", "fields", "source", "author", "published", "price", "library",
    "category", "relevance", "credibility", "duplicate_of",
)  # fmt: skip
#: Characters of one resource that are indexed; the rest of a longer text is stored and not found.
MAX_INDEXED = 2_000_000
_ID_BITS = 44
_GRAMS = (2, 3, 4)
_WORTH = {"relevance": 0.55, "credibility": 0.15, "freshness": 0.3}
#: Years between which a date counts for more the later it is; what has no date counts as of a year between.
_YEARS = (2000.0, 2050.0)
_UNDATED = 2010.0

_CREATE = {
    "sqlite": (
        "CREATE VIRTUAL TABLE IF NOT EXISTS search_index USING fts5("
        "title, body, initials, facets, content='', tokenize='ascii', prefix='1')",
    ),
    "postgresql": (
        "CREATE TABLE IF NOT EXISTS search_index ("
        "key BIGINT PRIMARY KEY REFERENCES search_documents (key) ON DELETE CASCADE ON UPDATE CASCADE, "
        "terms TEXT[] NOT NULL)",
        "CREATE INDEX IF NOT EXISTS ix_search_index_terms ON search_index USING gin (terms)",
    ),
}


def create(connection: Connection) -> None:
    """Make the index table, which is not the same on both databases."""
    for statement in _CREATE[connection.dialect.name]:
        connection.execute(text(statement))


def worth(relevance: float, credibility: float, published: str) -> float:
    """What a resource is worth whatever is asked, 0 to 1: relevance, credibility and how new it is.

    Freshness counts the date and not the age, so that worth never has to be counted anew.
    """
    year = _UNDATED
    if len(published) >= 4 and published[:4].isdecimal():
        year = float(published[:4])
        if len(published) >= 7 and published[5:7].isdecimal():
            year += (min(12, int(published[5:7])) - 0.5) / 12
        if len(published) >= 10 and published[8:10].isdecimal():
            year += min(31, int(published[8:10])) / 372 - 1 / 24
    freshness = min(1.0, max(0.0, (year - _YEARS[0]) / (_YEARS[1] - _YEARS[0])))
    parts = {"relevance": relevance, "credibility": credibility, "freshness": freshness}
    return sum(_WORTH[name] * min(1.0, max(0.0, value)) for name, value in parts.items())


def key_of(resource_id: int, value: float) -> int:
    """The key of a resource in the index: its worth in 16 bits above its number."""
    return (round(value * 0xFFFF) << _ID_BITS) | resource_id


def worth_of(key: int) -> float:
    """The worth that stands in a key, 0 to 1."""
    return (key >> _ID_BITS) / 0xFFFF


@lru_cache(maxsize=65536)
def _initial(run: str) -> str:
    from pypinyin import Style, lazy_pinyin

    letters = lazy_pinyin(run, style=Style.FIRST_LETTER, errors=lambda chars: "-" * len(chars))
    return "".join(letters)


def initials(canon: str) -> str:
    """The pinyin initials of the Chinese runs of a canonical title: ``家纺 2023 布艺展`` gives ``jf byz``."""
    return " ".join(_initial(run[:200]) for run in canon.split() if is_han(run[0]))


def initial_grams(letters: str) -> Iterable[str]:
    """All pieces of 2 to 4 letters of each run of initials, once each, in order."""
    seen: dict[str, None] = {}
    for run in letters.split():
        for size in _GRAMS:
            for start in range(len(run) - size + 1):
                seen[run[start : start + size]] = None
    return seen


def _flat(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _flat(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _flat(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def document(resource_id: int, row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of ``search_documents`` for a resource.

    Args:
        resource_id: its number.
        row: its stored values.
    """
    parts = [row["text"]]
    if row["description"] and row["description"] not in row["text"]:
        parts.append(row["description"])
    parts += [row["source"], row["author"], *_flat(row["keywords"]), *_flat(row["fields"])]
    title = canonical(row["title"][:MAX_INDEXED])
    facets = [ALL, *place_facets(row["site_id"], row["library"], row["category"])]
    facets += [*date_facets(row["published"]), *price_facets(row["price"])]
    return {
        "key": key_of(resource_id, worth(row["relevance"], row["credibility"], row["published"])),
        "resource_id": resource_id,
        "published": row["published"],
        "price": row["price"],
        "facets": " ".join(facets),
        "title": title,
        "initials": initials(title),
        "body": canonical("\n".join(part for part in parts if part)[:MAX_INDEXED]),
    }


def put(connection: Connection, resource_id: int, row: Mapping[str, Any]) -> None:
    """Index a resource anew; one that repeats another is taken out.

    Args:
        connection: inside a write transaction.
        resource_id: its number.
        row: its stored values.
    """
    remove(connection, [resource_id])
    if row["duplicate_of"] is None:
        put_documents(connection, [document(resource_id, row)])


def put_documents(connection: Connection, documents: list[dict[str, Any]]) -> None:
    """Add rows of :func:`document`."""
    if not documents:
        return
    connection.execute(insert(t.search_documents), documents)
    if connection.dialect.name == "sqlite":
        connection.execute(_FTS_IN, [_fts_row(one) for one in documents])
    else:
        connection.execute(_ARRAY_IN, [{"key": one["key"], "terms": array_terms(one)} for one in documents])


_NUMBERS = t.search_documents.c.resource_id.in_(bindparam("numbers", expanding=True))
_INDEXED_ROWS = select(t.search_documents).where(_NUMBERS)
_NO_ROWS = delete(t.search_documents).where(_NUMBERS)
_FTS_IN = text(
    "INSERT INTO search_index (rowid, title, body, initials, facets) VALUES (:key, :title, :body, :initials, :facets)"
)
_FTS_OUT = text(
    "INSERT INTO search_index (search_index, rowid, title, body, initials, facets) "
    "VALUES ('delete', :key, :title, :body, :initials, :facets)"
)
_ARRAY_IN = text("INSERT INTO search_index (key, terms) VALUES (:key, :terms)")


def remove(connection: Connection, resource_ids: list[int]) -> None:
    """Take resources out of the index; no harm if they are not in it."""
    rows = connection.execute(_INDEXED_ROWS, {"numbers": resource_ids}).mappings().all()
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        connection.execute(_FTS_OUT, [_fts_row(dict(row)) for row in rows])
    connection.execute(_NO_ROWS, {"numbers": resource_ids})


def _fts_row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "key": row["key"],
        "title": " ".join(terms(row["title"])),
        "body": " ".join(terms(row["body"])),
        "initials": " ".join(initial_grams(row["initials"])),
        "facets": row["facets"],
    }


def array_terms(row: Mapping[str, Any]) -> list[str]:
    """The terms of a document on PostgreSQL, once each: characters, bigrams, words; ``~`` initials, ``#`` facets."""
    found: set[str] = set()
    for canon in (row["title"], row["body"]):
        for run in canon.split():
            if is_han(run[0]):
                found.update(run)
                found.update(run[start : start + 2] for start in range(len(run) - 1))
            else:
                found.add(run)
    found.update("~" + gram for gram in initial_grams(row["initials"]))
    found.update("#" + one for one in row["facets"].split())
    return sorted(found)


def rebuild(connection: Connection, *, batch: int = 500) -> int:
    """Make the whole index anew from the resources.

    Args:
        connection: inside a write transaction.
        batch: resources at a time.

    Returns:
        How many resources are in it.
    """
    # A GIN index is made much faster over all rows at once than row by row; PostgreSQL makes it at the end.
    connection.execute(text("DROP TABLE IF EXISTS search_index"))
    connection.execute(delete(t.search_documents))
    making = _CREATE[connection.dialect.name]
    connection.execute(text(making[0]))
    last, count = 0, 0
    columns = [t.resources.c[name] for name in ("id", "site_id", *INDEXED)]
    while True:
        query = select(*columns).where(t.resources.c.id > last).order_by(t.resources.c.id).limit(batch)
        rows = connection.execute(query).mappings().all()
        if not rows:
            break
        documents = [document(row["id"], dict(row)) for row in rows if row["duplicate_of"] is None]
        put_documents(connection, documents)
        last, count = rows[-1]["id"], count + len(documents)
    for statement in making[1:]:
        connection.execute(text(statement))
    if connection.dialect.name == "postgresql":
        # Without figures of how frequent each term is, its planner can't tell a rare word from a frequent one.
        connection.execute(text("ANALYZE search_index, search_documents"))
    return count
