"""The one store of bytes: bodies and texts of pages by their hash, for as long and as large as settings say."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, bindparam, delete, func, or_, select, update

from hometextile.library import tables as t
from hometextile.library.upserting import upsert
from hometextile.library.values import digest, now, pack, unpack

_KNOWN = select(t.contents.c.hash).where(t.contents.c.hash == bindparam("key"))


def keep(connection: Connection, data: bytes, limit: int) -> str | None:
    """Store bytes once, by their hash.

    Args:
        connection: inside a write transaction.
        data: the bytes.
        limit: more bytes than this are not stored.

    Returns:
        The hash; None where nothing was stored.
    """
    if len(data) > limit:
        return None
    key = digest(data)
    if connection.execute(_KNOWN, {"key": key}).scalar() is None:
        row = {"hash": key, "size": len(data), "stored": now(), "data": pack(data)}
        connection.execute(upsert(connection, t.contents).on_conflict_do_nothing(), row)
    return key


def read(connection: Connection, key: str | None) -> bytes:
    """Stored bytes by their hash; empty where they were not kept."""
    if key is None:
        return b""
    data = connection.execute(select(t.contents.c.data).where(t.contents.c.hash == key)).scalar()
    return b"" if data is None else unpack(data)


def drop(connection: Connection, keys: Iterable[str]) -> None:
    """Delete contents that no page has any more."""
    p, c = t.pages.c, t.contents.c
    used = select(p.id).where(or_(p.body_hash == c.hash, p.text_hash == c.hash)).exists()
    for key in sorted(keys):
        connection.execute(delete(t.contents).where(c.hash == key, ~used))


def prune(connection: Connection, days: float | None, limit: int | None) -> int:
    """Delete the contents of pages that are too old or too many; their rows and resources stay.

    Args:
        connection: inside a write transaction.
        days: since the page was last fetched; None for no limit.
        limit: bytes that all contents may take, compressed; None for no limit.

    Returns:
        How many pages lost their content.
    """
    p = t.pages.c
    has = or_(p.body_hash.is_not(None), p.text_hash.is_not(None))
    lost = 0
    if days is not None:
        before = (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        gone = update(t.pages).where(has, p.fetched < before).values(body_hash=None, text_hash=None)
        lost += connection.execute(gone).rowcount
        _drop_unused(connection)
    while limit is not None and _size(connection) > limit:
        pages = connection.execute(select(func.count()).select_from(t.pages).where(has)).scalar_one()
        # A fiftieth of them at a time: near enough to the limit, and not one pass over all contents for each page.
        query = select(p.id).where(has).order_by(p.fetched, p.id).limit(max(1, pages // 50))
        oldest = connection.execute(query).scalars().all()
        if not oldest:
            break
        connection.execute(update(t.pages).where(p.id.in_(oldest)).values(body_hash=None, text_hash=None))
        lost += len(oldest)
        _drop_unused(connection)
    return lost


def _size(connection: Connection) -> int:
    return int(connection.execute(select(func.coalesce(func.sum(func.length(t.contents.c.data)), 0))).scalar_one())


def _drop_unused(connection: Connection) -> None:
    p, c = t.pages.c, t.contents.c
    used = select(p.id).where(or_(p.body_hash == c.hash, p.text_hash == c.hash)).exists()
    connection.execute(delete(t.contents).where(~used))
