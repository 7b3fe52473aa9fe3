"""Responses in the store of pages, for Scrapy's HTTP cache: a page that was fetched is kept once, for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, insert, select, update

from hometextile.library import contents
from hometextile.library import tables as t
from hometextile.library.saving import site_id
from hometextile.library.values import clean, clean_all


@dataclass(frozen=True)
class Stored:
    """A response.

    Attributes:
        url: its address.
        status: HTTP status.
        headers: name to values.
        body: its bytes.
        fetched: ISO 8601 time, UTC.
    """

    url: str
    status: int
    headers: Mapping[str, Sequence[str]]
    body: bytes = field(repr=False)
    fetched: str


def put(connection: Connection, site: str, fingerprint: str, response: Stored, limit: int) -> bool:
    """Store a response under its request's fingerprint.

    Args:
        connection: inside a write transaction.
        site: the site's name.
        fingerprint: of the request, in hex.
        response: to be stored.
        limit: bytes; a larger one is not stored.

    Returns:
        Whether it was stored.
    """
    number = site_id(connection, clean(site))
    body_hash = contents.keep(connection, response.body, limit)
    if body_hash is None:
        return False
    p = t.pages.c
    row = {
        "url": clean(response.url),
        "status": response.status,
        "headers": clean_all(
            {name: list(each) if len(each) > 1 else each[0] for name, each in response.headers.items()}
        ),
        "fetched": response.fetched,
        "body_hash": body_hash,
        "text_hash": None,
    }
    known = (p.site_id == number, p.fingerprint == fingerprint)
    before = connection.execute(select(p.id, p.body_hash, p.text_hash).where(*known)).one_or_none()
    if before is None:
        made = {"site_id": number, "fingerprint": fingerprint, "visits": 0, "first_fetched": response.fetched}
        connection.execute(insert(t.pages), {**row, **made, "encoding": "", "way": "cache", "story": {}})
        return True
    if before.body_hash != body_hash:
        connection.execute(update(t.pages).where(p.id == before.id).values(row))
        contents.drop(connection, {before.body_hash, before.text_hash} - {body_hash, None})
    else:
        # The text that a step made of the same bytes stays.
        same = {name: value for name, value in row.items() if name not in {"text_hash", "body_hash"}}
        connection.execute(update(t.pages).where(p.id == before.id).values(same))
    return True


def get(connection: Connection, site: str, fingerprint: str) -> Stored | None:
    """The response to a request; None where its bytes are not stored."""
    p = t.pages.c
    query = (
        select(p.url, p.status, p.headers, p.fetched, p.body_hash, p.text_hash)
        .select_from(t.pages.join(t.sites))
        .where(t.sites.c.name == clean(site), p.fingerprint == fingerprint)
    )
    row = connection.execute(query).one_or_none()
    if row is None or (row.body_hash or row.text_hash) is None:
        return None
    headers = {name: each if isinstance(each, list) else [each] for name, each in row.headers.items()}
    if row.body_hash is None:
        # Of a decoded or drawn page the text is kept, in UTF-8 whatever its headers said.
        kind = " ".join(headers.get("content-type", [])).partition(";")[0].strip() or "text/html"
        headers["content-type"] = [f"{kind}; charset=utf-8"]
    return Stored(row.url, row.status, headers, contents.read(connection, row.body_hash or row.text_hash), row.fetched)
