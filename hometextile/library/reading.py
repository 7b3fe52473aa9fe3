"""Resources, pages and counts read from the database, in batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Select, func, select

from hometextile.library import contents
from hometextile.library import tables as t
from hometextile.library.database import Database
from hometextile.page.page import Page, Way
from hometextile.text.faults import Fault
from hometextile.text.messages import _

FILTERS = (
    "site", "library", "category", "since", "until", "price_from", "price_to", "mark", "withdrawn", "duplicates",
    "changed_since", "ids", "limit", "newest",
)  # fmt: skip


def resources(database: Database, batch: int, filters: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """See :meth:`hometextile.library.library.Library.resources`."""
    unknown = sorted(set(filters) - set(FILTERS))
    if unknown:
        raise Fault(
            _("there is no filter {name}").format(name=unknown[0]),
            remedy=_("use one of: {names}").format(names=", ".join(FILTERS)),
        )
    return _resources(database, batch, filters)


def _resources(database: Database, batch: int, filters: dict[str, Any]) -> Iterator[dict[str, Any]]:
    query = _filtered(select(t.resources, t.sites.c.name.label("site")).join(t.sites), filters)
    newest = bool(filters.get("newest"))
    left = filters.get("limit")
    number = t.resources.c.id
    last: int | None = None
    while left is None or left > 0:
        part = query.order_by(number.desc() if newest else number)
        part = part.limit(batch if left is None else min(batch, left))
        if last is not None:
            part = part.where(number < last if newest else number > last)
        rows = database.read(lambda connection, part=part: connection.execute(part).mappings().all())  # type: ignore[misc]
        for row in rows:
            yield {**row, "class": row["category"]}
        if not rows:
            return
        last = rows[-1]["id"]
        left = None if left is None else left - len(rows)


def _filtered(query: Select[Any], filters: dict[str, Any]) -> Select[Any]:
    r = t.resources.c
    for name, value in filters.items():
        if value in (None, "") and name != "mark":
            continue
        match name:
            case "site":
                query = query.where(t.sites.c.name == value)
            case "library" | "category":
                query = query.where(r[name] == value)
            case "mark" if value is not None:
                query = query.where(r.mark == value)
            case "since":
                early = func.substr(value, 1, func.length(r.published)) == r.published
                query = query.where(r.published != "", (r.published >= value) | early)
            case "until":
                query = query.where(r.published != "", r.published <= f"{value}~")
            case "price_from":
                query = query.where(r.price >= value)
            case "price_to":
                query = query.where(r.price <= value)
            case "withdrawn":
                query = query.where(r.withdrawn.is_not(None) if value else r.withdrawn.is_(None))
            case "changed_since":
                query = query.where(func.coalesce(r.changed, r.first_seen) >= value)
            case "ids":
                query = query.where(r.id.in_(value))
    if not filters.get("duplicates"):
        query = query.where(r.duplicate_of.is_(None))
    return query


def pages(database: Database, site: str | None, ids: list[int] | None, after: int) -> Iterator[Page]:
    """See :meth:`hometextile.library.library.Library.pages`."""
    p = t.pages.c
    query = select(t.pages, t.sites.c.name.label("site")).join(t.sites)
    if site is not None:
        query = query.where(t.sites.c.name == site)
    if ids is not None:
        query = query.where(p.id.in_(ids))
    last = after
    while True:
        part = query.where(p.id > last).order_by(p.id).limit(50)

        def ask(connection: Connection, part: Select[Any] = part) -> list[Page]:
            return [_page(connection, row) for row in connection.execute(part).mappings()]

        found = database.read(ask)
        yield from found
        if not found:
            return
        last = found[-1].story["page_id"]


def _decoded(body: bytes, encoding: str) -> str:
    """A body as text; its own text was either equal to this or over the limits."""
    try:
        return body.decode(encoding, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def _page(connection: Connection, row: Any) -> Page:
    body = contents.read(connection, row["body_hash"])
    if row["text_hash"] is None and body:
        text = _decoded(body, row["encoding"])
    else:
        text = contents.read(connection, row["text_hash"]).decode("utf-8", "surrogatepass")
    way = Way(
        kind=row["way"],
        form=row["form"],
        keyword=row["keyword"],
        values=[(name, value) for name, value in row["sent"] or []],
        referrer=row["referrer"],
        anchor=row["anchor"],
        depth=row["depth"],
    )
    return Page(
        site=row["site"],
        url=row["url"],
        text=text,
        encoding=row["encoding"],
        status=row["status"],
        headers=row["headers"],
        body=body,
        rendered=bool(row["rendered"]),
        way=way,
        fetched=row["fetched"],
        crawl_id=row["crawl_id"],
        template=row["template"],
        dropped=row["dropped"],
        story={**row["story"], "page_id": row["id"]},
        fingerprint=row["fingerprint"],
    )


def counts(connection: Connection) -> dict[str, Any]:
    """See :meth:`hometextile.library.library.Library.counts`."""
    names = ("sites", "crawls", "pages", "forms", "queries", "resources", "versions", "duplicates", "files", "errors")
    found: dict[str, Any] = {}
    for name in names:
        table = t.metadata.tables[name]
        found[name] = connection.execute(select(func.count()).select_from(table)).scalar_one()
    r = t.resources.c
    kept = r.duplicate_of.is_(None)
    for label, column in (("by_library", r.library), ("by_class", r.category)):
        query = select(column, func.count()).where(kept).group_by(column).order_by(func.count().desc(), column)
        found[label] = {str(name): number for name, number in connection.execute(query)}
    query = (
        select(t.sites.c.name, func.count())
        .select_from(t.resources.join(t.sites))
        .where(kept)
        .group_by(t.sites.c.name)
        .order_by(func.count().desc(), t.sites.c.name)
    )
    found["by_site"] = {str(name): number for name, number in connection.execute(query)}
    query = select(t.pages.c.dropped, func.count()).where(t.pages.c.dropped.is_not(None)).group_by(t.pages.c.dropped)
    found["dropped"] = {str(name): number for name, number in connection.execute(query)}
    return found
