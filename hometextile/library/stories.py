"""How a resource came into the library: form, keyword, page, blocks kept and dropped, rules, duplicates, versions."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, Table, select

from hometextile.library import tables as t
from hometextile.library.values import unpack


def _rows(connection: Connection, query: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(query).mappings()]


def story(connection: Connection, number: int) -> dict[str, Any] | None:
    """See :meth:`hometextile.library.library.Library.story`.

    Returns:
        ``resource``, ``ways`` (newest first), ``page``, ``blocks``, ``form``, ``queries``, ``versions``,
        ``duplicates``, ``files``.
    """
    resource = (
        connection.execute(
            select(t.resources, t.sites.c.name.label("site")).join(t.sites).where(t.resources.c.id == number)
        )
        .mappings()
        .one_or_none()
    )
    if resource is None:
        return None
    ways = _rows(connection, select(t.ways).where(t.ways.c.resource_id == number).order_by(t.ways.c.id.desc()))
    page = _page(connection, resource["page_id"])
    kept = set(resource["blocks"] or [])
    query = select(t.blocks).where(t.blocks.c.page_id == resource["page_id"]).order_by(t.blocks.c.number)
    blocks = [{**block, "used": block["number"] in kept} for block in _rows(connection, query)]
    form_key = next((way["form"] for way in ways if way["form"]), None)
    form = None
    if form_key:
        f = t.forms.c
        found = _rows(connection, select(t.forms).where(f.fingerprint == form_key, f.site_id == resource["site_id"]))
        form = found[0] if found else {"fingerprint": form_key}
    return {
        "resource": dict(resource),
        "ways": ways,
        "page": page,
        "blocks": blocks,
        "form": form,
        "queries": _queries(connection, resource["site_id"], ways),
        "versions": _versions(connection, number),
        "duplicates": _of(connection, t.duplicates, number),
        "files": _of(connection, t.files, number),
    }


def _page(connection: Connection, number: int | None) -> dict[str, Any] | None:
    found = _rows(connection, select(t.pages).where(t.pages.c.id == number)) if number is not None else []
    return found[0] if found else None


def _queries(connection: Connection, site: int, ways: list[dict[str, Any]]) -> list[dict[str, Any]]:
    asked = {(way["form"], way["keyword"]) for way in ways if way["form"]}
    q = t.queries.c
    found = []
    for form, keyword in sorted(asked):
        condition = (q.site_id == site, q.form == form, q.keyword == keyword if keyword else q.keyword.is_(None))
        found += _rows(connection, select(t.queries).where(*condition).order_by(q.id.desc()).limit(3))
    return found


def _versions(connection: Connection, number: int) -> list[dict[str, Any]]:
    query = select(t.versions).where(t.versions.c.resource_id == number).order_by(t.versions.c.number.desc())
    return [{**row, "before": json.loads(unpack(row["before"]))} for row in _rows(connection, query)]


def _of(connection: Connection, table: Table, number: int) -> list[dict[str, Any]]:
    return _rows(connection, select(table).where(table.c.resource_id == number).order_by(table.c.id))
