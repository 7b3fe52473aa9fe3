"""A page and all that came of it, saved in one transaction that may be repeated.

Identity makes a resource the same on the next visit. What a resource was before a change is kept as a version: which of
its values changed, until when they were true, and what they were.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from hometextile.blocks.block import Block
from hometextile.extract.resource import Resource
from hometextile.library import contents
from hometextile.library import tables as t
from hometextile.library.limits import Limits
from hometextile.library.search import index
from hometextile.library.upserting import upsert
from hometextile.library.values import clean, clean_all, digest, now, pack
from hometextile.library.views import Place, view
from hometextile.page.page import Page
from hometextile.text.messages import _
from hometextile.text.prices import read_price

logger = logging.getLogger(__name__)

#: The values whose change makes a new version. Links and Markdown follow from them; classes and ratings are ours.
CONTENT = (
    "title", "published", "source", "author", "text", "description", "keywords", "images", "videos", "fields", "url",
)  # fmt: skip
_KINDS_WITH_VALUES = {"answer", "next"}
_JSON_COLUMNS = ("keywords", "fields", "images", "videos", "links", "rules", "blocks", "provenance")
_BLOCK_BEGINNING = 300


@dataclass(frozen=True)
class Saved:
    """What became of a resource.

    Attributes:
        id: its number in the library; of the original, where it is a duplicate.
        identity: its identity.
        what: ``new``, ``changed``, ``same`` or ``duplicate``.
        changed: the names of the values that changed.
        cut: whether something was longer than the limits and was cut.
    """

    id: int
    identity: str
    what: str
    changed: tuple[str, ...] = ()
    cut: bool = False


# Statements made once: making them anew for every page takes longer than running them.
_SITE = select(t.sites.c.id).where(t.sites.c.name == bindparam("site"))
_PAGE = select(
    *(t.pages.c[name] for name in ("id", "crawl_id", "body_hash", "text_hash", "fetched", "visits", "changes")),
).where(t.pages.c.site_id == bindparam("site"), t.pages.c.fingerprint == bindparam("print"))
_NEW_PAGE = insert(t.pages).returning(t.pages.c.id)
_SAME_PAGE = update(t.pages).where(t.pages.c.id == bindparam("number"))
_NO_BLOCKS = delete(t.blocks).where(t.blocks.c.page_id == bindparam("page"))
_RESOURCE = select(t.resources).where(t.resources.c.identity_hash == bindparam("hash"))
_NEW_RESOURCE = insert(t.resources).returning(t.resources.c.id)
_SAME_RESOURCE = update(t.resources).where(t.resources.c.id == bindparam("number"))
_SEEN = update(t.resources).where(t.resources.c.id == bindparam("number")).values(last_seen=bindparam("seen"))
_NO_DUPLICATE = delete(t.duplicates).where(t.duplicates.c.identity_hash == bindparam("hash"))


def site_id(connection: Connection, name: str) -> int:
    """The number of a site; a row is made for a new one."""
    found = connection.execute(_SITE, {"site": name}).scalar()
    if found is None:
        statement = upsert(connection, t.sites).on_conflict_do_nothing(index_elements=["name"])
        connection.execute(statement, {"name": name, "first_crawled": now()})
        found = connection.execute(_SITE, {"site": name}).scalar_one()
    return int(found)


def page_fingerprint(page: Page) -> str:
    """What makes it the same page on the next visit.

    The request's fingerprint where the page carries one, else the address and, for answers of a query, what was sent.
    """
    if page.fingerprint:
        return page.fingerprint[:64]
    sent = json.dumps(page.way.values, ensure_ascii=True) if page.way.kind in _KINDS_WITH_VALUES else ""
    return digest(page.url, sent)


def _body_says_it(page: Page) -> bool:
    """Whether the page's text is its body decoded, so that the body alone need be kept."""
    if page.rendered or not page.body:
        return False
    try:
        return page.body.decode(page.encoding) == page.text
    except (LookupError, UnicodeDecodeError):
        return False


def save_page(connection: Connection, page: Page, limits: Limits) -> list[Saved]:
    """Store a page, its blocks, its resources and how they were come by.

    Args:
        connection: inside a transaction.
        page: after its last step.
        limits: how much of one thing is stored.
    """
    when = page.fetched or now()
    site = site_id(connection, page.site)
    place = _save_row(connection, page, site, when, limits)
    _save_blocks(connection, place.id, page.blocks[: limits.blocks])
    return [_save_resource(connection, resource, page, site, place, when, limits) for resource in page.resources]


def _save_row(connection: Connection, page: Page, site: int, when: str, limits: Limits) -> Place:
    body_hash = contents.keep(connection, page.body, limits.page) if page.body else None
    text_hash = None
    if (page.body or page.text) and not _body_says_it(page):
        text_hash = contents.keep(connection, page.text.encode("utf-8", "surrogatepass"), limits.page)
    story = dict(clean_all(page.story))
    if (page.text or page.body) and body_hash is None and text_hash is None:
        story["not_kept"] = max(len(page.body), len(page.text))
        logger.warning(
            _("%(url)s: over %(limit)d bytes; the page itself is not kept (LIBRARY_MAX_PAGE)"),
            {"url": page.url, "limit": limits.page},
        )
    row = {
        "site_id": site,
        "crawl_id": page.crawl_id,
        "fingerprint": page_fingerprint(page),
        "url": clean(page.url),
        "status": page.status,
        "encoding": clean(page.encoding)[:40],
        "rendered": page.rendered,
        "fetched": when,
        "way": page.way.kind[:20],
        "form": page.way.form,
        "keyword": None if page.way.keyword is None else clean(page.way.keyword),
        "sent": clean_all(page.way.values) or None,
        "referrer": None if page.way.referrer is None else clean(page.way.referrer),
        "anchor": clean(page.way.anchor)[: limits.value],
        "depth": page.way.depth,
        "template": None if page.template is None else clean(page.template),
        "dropped": None if page.dropped is None else clean(page.dropped),
        "headers": clean_all(page.headers),
        "story": story,
        "body_hash": body_hash,
        "text_hash": text_hash,
    }
    known = {"site": site, "print": row["fingerprint"]}
    before = connection.execute(_PAGE, known).one_or_none()
    if before is None:
        made = {**row, "visits": 1, "changes": 0, "first_fetched": when}
        return Place(int(connection.execute(_NEW_PAGE, made).scalar_one()))
    other = (before.body_hash, before.text_hash) != (body_hash, text_hash)
    # The HTTP cache makes rows too; they have no visit yet.
    again = before.fetched != when or not before.visits
    row.update(
        visits=before.visits + again, changes=before.changes + bool(again and other and before.visits), number=before.id
    )
    connection.execute(_SAME_PAGE, row)
    if other:
        contents.drop(connection, {before.body_hash, before.text_hash} - {body_hash, text_hash, None})
    return Place(int(before.id), before.crawl_id)


def _save_blocks(connection: Connection, page_id: int, blocks: list[Block]) -> None:
    connection.execute(_NO_BLOCKS, {"page": page_id})
    if not blocks:
        return
    rows = []
    for block in blocks:
        x, y, width, height = block.box or (None, None, None, None)
        rows.append(
            {
                "page_id": page_id,
                "number": block.id,
                "level": block.level,
                "score": None if block.score is None else float(block.score),
                "path": clean(block.path),
                "coherence": block.doc,
                "x": _number(x),
                "y": _number(y),
                "width": _number(width),
                "height": _number(height),
                "characters": len(block.text),
                "beginning": clean(block.text[:_BLOCK_BEGINNING]),
            }
        )
    connection.execute(insert(t.blocks), rows)


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def price_of(resource: Resource) -> tuple[float | None, str | None]:
    """Amount and currency of the field ``price``, for filters; None where it has none."""
    value = resource.fields.get("price")
    if isinstance(value, list | tuple):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = f"{value.get('amount', '')} {value.get('currency', '') or ''}".strip()
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return float(value), None
    if not isinstance(value, str) or not value.strip() or len(value) > 200:
        return None, None
    price = read_price(value)
    return (None, None) if price is None else (float(price.amount), price.currency)


def resource_row(resource: Resource, limits: Limits) -> tuple[dict[str, Any], bool]:
    """The values of a resource as they are stored, and whether something had to be cut."""
    row: dict[str, Any] = {}
    cut = False
    for name in ("url", "title", "published", "source", "author", "description", "text", "markdown"):
        value = str(getattr(resource, name) or "")
        limit = limits.text if name in {"text", "markdown"} else limits.value
        cut = cut or len(value) > limit
        row[name] = clean(value[:limit])
    for name in _JSON_COLUMNS:
        value = clean_all(getattr(resource, name))
        if len(json.dumps(value, ensure_ascii=False, default=str)) > limits.text:
            value, cut = type(value)(), True
        row[name] = value
    amount, currency = price_of(resource)
    row.update(
        identity=clean(resource.identity),
        identity_hash=digest(clean(resource.identity)),
        published=row["published"][:40],
        library=clean(resource.library)[:40],
        category=clean(resource.category)[:60],
        language=clean(resource.language)[:10],
        relevance=float(resource.relevance),
        credibility=float(resource.credibility),
        content_hash=resource.content_hash[:64],
        duplicate_of=None if resource.duplicate_of is None else clean(resource.duplicate_of),
        price=amount,
        currency=currency and currency[:10],
    )
    return row, cut


def _save_resource(
    connection: Connection, resource: Resource, page: Page, site: int, place: Place, when: str, limits: Limits
) -> Saved:
    row, cut = resource_row(resource, limits)
    if cut:
        logger.warning(
            _("%(url)s: longer than the library takes; the rest was cut off (LIBRARY_MAX_TEXT, LIBRARY_MAX_VALUE)"),
            {"url": resource.url},
        )
    before = connection.execute(_RESOURCE, {"hash": row["identity_hash"]}).one_or_none()
    original = None if row["duplicate_of"] is None else _original(connection, row["duplicate_of"])
    if original is None or (before is not None and original == before.id):
        # The original is not in the library (its page was never saved), or is itself this one: it stands for itself.
        row["duplicate_of"] = original = None
    if before is None and original is not None:
        _save_duplicate(connection, resource, row, original, place.id, when)
        _save_way(connection, original, page, place.id, when)
        return Saved(original, row["identity"], "duplicate", cut=cut)
    if before is None:
        new = {**row, "site_id": site, "page_id": place.id, "first_seen": when, "last_seen": when}
        number = int(connection.execute(_NEW_RESOURCE, new).scalar_one())
        connection.execute(_NO_DUPLICATE, {"hash": row["identity_hash"]})
        saved = Saved(number, row["identity"], "new", cut=cut)
        index.put(connection, number, new)
    else:
        saved = _update(connection, before, row, page, place, when, cut)
    _save_way(connection, saved.id, page, place.id, when)
    return saved


def _update(
    connection: Connection, before: Any, row: dict[str, Any], page: Page, place: Place, when: str, cut: bool
) -> Saved:
    old = before._mapping
    seen = max(when, old["last_seen"])
    what = view(connection, page, place, old, row)
    if what == "beside":
        connection.execute(_SEEN, {"number": before.id, "seen": seen})
        return Saved(before.id, row["identity"], "same")
    changed = tuple(name for name in CONTENT if old[name] != row[name]) if what == "speaks" else ()
    new: dict[str, Any] = {**row, "page_id": place.id, "last_seen": seen}
    new["withdrawn"] = old["withdrawn"] if old["mark"] == "withdrawn" else None
    if old["classed_by"] == "person":
        new.update(library=old["library"], category=old["category"])
    if changed:
        # A stored page that is run through again by other rules changes now, not when it was fetched.
        then = when if when > old["last_seen"] else now()
        values = {name: old[name] for name in changed}
        version = {
            "resource_id": before.id,
            "crawl_id": page.crawl_id,
            "number": old["version"],
            "until": then,
            "changed": list(changed),
            "content_hash": old["content_hash"],
            "before": pack(json.dumps(values, ensure_ascii=False).encode()),
        }
        connection.execute(insert(t.versions), version)
        new.update(version=old["version"] + 1, changed=then)
    connection.execute(_SAME_RESOURCE, {**new, "number": before.id})
    if any(old[name] != new.get(name, old[name]) for name in index.INDEXED):
        index.put(connection, before.id, {**old, **new})
    return Saved(before.id, row["identity"], "changed" if changed else "same", changed, cut)


def _original(connection: Connection, identity: str) -> int | None:
    r, d = t.resources.c, t.duplicates.c
    key = digest(identity)
    found = connection.execute(select(r.id).where(r.identity_hash == key)).scalar()
    if found is None:
        found = connection.execute(select(d.resource_id).where(d.identity_hash == key)).scalar()
    return None if found is None else int(found)


def _save_duplicate(
    connection: Connection, resource: Resource, row: dict[str, Any], original: int, page_id: int, when: str
) -> None:
    likeness = resource.extra.get("likeness", resource.extra.get("similarity"))
    values = {
        "resource_id": original,
        "page_id": page_id,
        "identity_hash": row["identity_hash"],
        "identity": row["identity"],
        "url": row["url"],
        "title": row["title"],
        "kind": str(resource.extra.get("duplicate_kind", "content" if likeness is None else "near"))[:20],
        "similarity": _number(likeness),
        "found": when,
    }
    statement = upsert(connection, t.duplicates).values(values)
    connection.execute(statement.on_conflict_do_update(index_elements=["identity_hash"], set_=values))


def _save_way(connection: Connection, resource_id: int, page: Page, page_id: int, when: str) -> None:
    way = page.way
    values = {
        "resource_id": resource_id,
        "page_id": page_id,
        "crawl_id": page.crawl_id,
        "kind": way.kind[:20],
        "form": way.form or "",
        "keyword": clean(way.keyword or ""),
        "referrer": clean(way.referrer or ""),
        "anchor": clean(way.anchor)[:1000],
        "depth": way.depth,
        "found": when,
        "key": digest(str(page_id), way.kind, way.form or "", way.keyword or ""),
    }
    statement = upsert(connection, t.ways).on_conflict_do_nothing(index_elements=["resource_id", "key"])
    connection.execute(statement, values)
