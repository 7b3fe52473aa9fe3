"""What there is to find in the demo source, and what must not be found, from the data that the pages are made of."""

from __future__ import annotations

import re
from typing import Any

from hometextile.demo.content import Item, every_item
from hometextile.demo.sections import craft, directory, documents, gallery, museum, news, product
from hometextile.demo.skins import bureau, cards, portal, table
from hometextile.demo.skins import museum as museum_skin

FRAME: dict[str, tuple[str, ...]] = {
    "news": portal.CHROME + news.NOISE,
    "culture": museum_skin.CHROME + museum.NOISE[:1],
    "museum": museum_skin.CHROME + museum.NOISE[1:],
    "product": table.CHROME + product.NOISE,
    "dir": table.CHROME + directory.NOISE,
    "gallery": cards.CHROME + gallery.NOISE,
    "craft": cards.CHROME + craft.NOISE[:2],
    "custom": cards.CHROME + craft.NOISE[:2],
    "video": cards.CHROME + craft.NOISE[2:],
    "std": bureau.CHROME + documents.NOISE,
    "lit": bureau.CHROME + documents.NOISE,
}
"""Section to the texts of its pages that belong to no resource: navigation, advertisements, comments, copyright."""

DATES = ("发布日期", "公开日", "发表日期")
"""Fields that are a record's date where its page shows no other."""

FORBIDDEN: tuple[dict[str, str], ...] = (
    {"why": "account", "prefix": "/user/"},
    {"why": "calendar", "prefix": "/museum/calendar/"},
    {"why": "private", "prefix": "/private/"},
    {"why": "address", "prefix": "/inner/"},
    {"why": "soft-404", "prefix": "/news/archive/"},
    {"why": "redirect", "prefix": "/go/"},
    {"why": "script-data", "prefix": "/gallery/data/"},
    {"why": "frame", "prefix": "/tools/"},
    {"why": "frame", "url": "/welcome/"},
    {"why": "frame", "url": "/about.html"},
    {"why": "frame", "url": "/contact.html"},
    {"why": "frame", "url": "/sitemap.html"},
    {"why": "list", "url": "/"},
    {"why": "list", "prefix": "/search"},
    *({"why": "list", "url": f"/{name}/"} for name in
      ("news", "product", "dir", "gallery", "std", "lit", "museum", "culture", "craft", "custom", "video")),
    *({"why": "list", "url": f"/news/{name}/"} for name in news.CHANNELS),
    {"why": "list", "url": "/product/search.asp"},
    {"why": "list", "url": "/dir/find.asp"},
    {"why": "list", "url": "/gallery/search"},
    {"why": "list", "url": "/std/search"},
    {"why": "list", "url": "/lit/search"},
    {"why": "list", "url": "/museum/search"},
    {"why": "list", "url": "/craft/list.php"},
)  # fmt: skip
"""Addresses under which no resource may be stored, with any query: the whole address, or all that begin so."""


def _snippet(paragraph: str, language: str) -> str:
    """A piece of a paragraph, without its ends, that no line break of the page can cut."""
    if language == "en":
        words = paragraph.split()
        start = max(0, len(words) // 2 - 3)
        return " ".join(words[start : start + 6])
    start = max(0, len(paragraph) // 2 - 7)
    return paragraph[start : start + 14].strip()


def snippets(item: Item) -> list[str]:
    """Pieces of the record's text that its main text must contain: of its first and of its last paragraph."""
    return list(dict.fromkeys(_snippet(line, item.language) for line in (item.paragraphs[0], item.paragraphs[-1])))


def published(item: Item) -> str:
    """The date its page shows, ISO; empty if it shows none."""
    dates = [item.published, *(item.fields.get(name, "") for name in DATES)]
    return next((date for date in dates if re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?", date)), "")


def other_addresses(item: Item) -> list[str]:
    """Further addresses under which pages link to the same record."""
    if item.section == "news":
        extra = [item.path + "?from=related", item.path + "?from=home"]
        linked = news.address(item)
        return extra if linked == item.path else [linked, *extra]
    if item.section == "culture":
        return [item.path + "?ref=more"]
    if item.section == "craft":
        return [item.path + "&PHPSESSID=*"]
    return []


def _resource(item: Item, visit: int) -> dict[str, Any]:
    change = "new" if item.since == visit > 1 else "changed" if item.modified == visit > 1 else ""
    return {
        "kind": "resource",
        "url": item.path,
        "section": item.section,
        "key": item.key,
        "deep": item.deep,
        "title": item.title,
        "library": item.library,
        "category": item.category,
        "language": item.language,
        "published": published(item),
        "source": item.source,
        "fields": item.fields,
        "with": snippets(item),
        "without": list(FRAME[item.section]),
        "also": other_addresses(item),
        "trap": item.trap,
        "change": change,
    }


def truth(visit: int = 1) -> list[dict[str, Any]]:
    """The truth of one visit, one row a thing.

    Args:
        visit: 1 to 3.

    Returns:
        Rows by ``kind``: ``resource`` (url, section, deep, title, library, category, language, published, source,
        fields, with, without, also, trap, change), ``forbidden`` (why, and url or prefix; of: the original of a
        duplicate), and from the second visit on ``moved`` (url, to) and ``withdrawn`` (url, status).
    """
    rows: list[dict[str, Any]] = []
    every = every_item()
    paths = {(item.section, item.key): now.path for item in every if (now := item.at(visit))}
    for item in every:
        now = item.at(visit)
        if now is None:
            if visit > item.until:
                rows.append({"kind": "withdrawn", "url": item.path, "status": item.gone})
            continue
        if now.path != item.path:
            rows.append({"kind": "moved", "url": item.path, "to": now.path, "of": item.key})
        if now.off_topic:
            rows.append({"kind": "forbidden", "why": "off-topic", "url": now.path, "title": now.title})
        elif now.of:
            original = paths[now.section, now.of]
            rows.append({"kind": "forbidden", "why": "duplicate", "url": now.path, "title": now.title, "of": original})
        else:
            rows.append(_resource(now, visit))
    rows.extend({"kind": "forbidden", **row} for row in FORBIDDEN)
    return rows
