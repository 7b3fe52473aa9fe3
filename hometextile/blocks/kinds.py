"""The kind of a page, from its structure: what is main differs by kind.

Kinds: ``article``, ``forum``, ``product``, ``listing`` (records of text: news, search results), ``collection``
(records of pictures and prices), ``documentation``, ``service``, ``gallery``, ``other``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hometextile.blocks.block import Block
from hometextile.blocks.outline import TOKEN, Outline, outline
from hometextile.blocks.records import RecordList, find_records
from hometextile.page.document import Document
from hometextile.page.embedded import embedded, types_of

KINDS = ("article", "forum", "product", "listing", "collection", "documentation", "service", "gallery", "other")

_TYPES = {
    "article": "article",
    "newsarticle": "article",
    "blogposting": "article",
    "report": "article",
    "scholarlyarticle": "article",
    "discussionforumposting": "forum",
    "qapage": "forum",
    "product": "product",
    "productgroup": "product",
    "collectionpage": "collection",
    "searchresultspage": "listing",
    "techarticle": "documentation",
    "recipe": "article",
    "imagegallery": "gallery",
}
_STRONG = (
    "discussionforumposting",
    "qapage",
    "newsarticle",
    "article",
    "blogposting",
    "product",
    "productgroup",
    "imagegallery",
    "searchresultspage",
)
_FORUM_WORDS = re.compile(
    r"\b(?:forums?|threads?|topic|posts?|viewtopic|showthread|bbs|tieba|discuss|questions?|comments)\b", re.I
)
_POST = re.compile(
    r"(?:^|[\s_-])(?:post|message|reply|comment|floor|answer|postlist)(?:[\s_-]|\d|$|body|content)", re.I
)
_PRICE = re.compile(r"[$€£¥￥]\s?\d|\d\s?元|\b(?:USD|EUR|CNY|RMB)\s?\d")
_BUY = re.compile(r"add to (?:cart|bag|basket)|buy now|in stock|加入购物车|立即购买|库存|起订量|询价|供货", re.I)
_DOCS = re.compile(r"\b(?:docs?|documentation|manual|reference|api|readthedocs|man)\b", re.I)


def page_kind(document: Document, blocks: Sequence[Block]) -> str:
    """The kind of the page.

    Args:
        document: the page.
        blocks: rated, or not yet.

    Returns:
        one of :data:`KINDS`.
    """
    out = outline(document)
    data = embedded(document)
    types = Counter(name.lower() for item in data.json_ld for name in types_of(item))
    for item in data.microdata:
        types.update(name.rpartition("/")[2].lower() for name in item["type"])
    lists = find_records(document)
    text = _Text(out, blocks)
    stated = next((_TYPES[name] for name in _STRONG if types[name] == 1), None)
    if stated == "forum" or (_looks_like_forum(out, document.url) and text.long >= 2):
        return "forum"
    cards, prose = _cards(lists, text)
    if stated == "product" and types["product"] + types["productgroup"] <= 2:
        return "product"
    if stated in {"article", "gallery"} and (text.prose > 60 or cards is None):
        return stated
    if cards is not None and prose < 250:
        return cards
    if text.prose < 400 and text.prices and (text.buys or "og:product" in " ".join(data.opengraph)):
        return "product"
    opengraph = " ".join(data.opengraph.get("og:type", [])).lower()
    if opengraph.startswith("product"):
        return "product"
    if _DOCS.search(document.url) and text.prose > 40:
        return "documentation"
    if text.prose > 40:
        return "article"
    if cards is not None:
        return cards
    if text.images >= 4:
        return "gallery"
    return "article" if text.prose > 15 else "other"


class _Text:
    """Counts that the kinds are told by."""

    def __init__(self, out: Outline, blocks: Sequence[Block]) -> None:
        rated = any(block.in_text for block in blocks)
        kept = [block for block in blocks if block.in_text] if rated else list(blocks)
        self.kept: list[tuple[Block, int]] = []
        self.tokens = 0
        self.prose = 0
        self.long = 0
        self.prices = 0
        self.buys = False
        for block in kept:
            size = len(TOKEN.findall(block.text))
            self.kept.append((block, size))
            self.tokens += size
            self.prices += _PRICE.search(block.text) is not None
            if _is_prose(block, size):
                self.prose += size
                self.long += 1
        self.buys = any(_BUY.search(run.text) for run in out.runs)
        self.images = sum(run.images for run in out.runs)


def _is_prose(block: Block, size: int) -> bool:
    return size >= 20 and not _is_link(block)


def _is_link(block: Block) -> bool:
    return (
        any(element.tag == "a" or element.find(".//a") is not None for element in block.elements)
        and len(block.text) < 200
    )


def _looks_like_forum(out: Outline, url: str) -> bool:
    posts: Counter[str] = Counter()
    for number, element in enumerate(out.elements):
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        if len(names) > 1 and _POST.search(names) and out.last[number] - out.first[number] > 1:
            posts[f"{out.tag[number]} {element.get('class') or 'id'}"] += 1
    many = bool(posts) and posts.most_common(1)[0][1] >= 3
    return many and bool(_FORUM_WORDS.search(url))


def _cards(lists: Sequence[RecordList], text: _Text) -> tuple[str | None, int]:
    """``listing`` or ``collection`` when records that lead elsewhere make up much of what was kept of the page.

    Returns:
        the kind, or None; and how many tokens of prose were kept beside the records.
    """
    for found in lists[:2]:
        if len(found.records) < 3 or found.linked < 0.7:
            continue
        if len({record.link for record in found.records}) < 0.6 * len(found.records):
            continue
        sizes = [len(TOKEN.findall(record.text)) for record in found.records]
        inside, beside = _kept_of(found, text)
        # A list of other articles stands beside many a text that is kept: it makes no listing of the page.
        if min(inside, sum(sizes)) < 0.4 * max(text.tokens, 1) or max(sizes) > 0.5 * sum(sizes):
            continue
        prices = sum(_PRICE.search(record.text) is not None for record in found.records)
        images = sum(any(e.find(".//img") is not None for e in record.elements) for record in found.records)
        few = sum(sizes) / len(found.records) < 25
        pictured = prices > 0.5 * len(found.records) or (few and images > 0.7 * len(found.records))
        return ("collection" if pictured else "listing"), beside
    return None, text.prose


def _kept_of(found: RecordList, text: _Text) -> tuple[int, int]:
    """Tokens of the kept blocks that stand in a list's records or hold one, and tokens of prose in the others."""
    records = {element for record in found.records for element in record.elements}
    around = {above for element in records for above in element.iterancestors()}
    inside = beside = 0
    for block, size in text.kept:
        elements = block.elements or [element for element, _ordinal in block.texts]
        if any(_stands_in(one, records) or (block.doc is not None and one in around) for one in elements):
            inside += size
        elif _is_prose(block, size):
            beside += size
    return inside, beside


def _stands_in(element: Any, records: set[Any]) -> bool:
    return element in records or any(above in records for above in element.iterancestors())
