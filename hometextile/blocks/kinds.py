"""The kind of a page, from its structure: what is main differs by kind.

Kinds: ``article``, ``forum``, ``product``, ``listing`` (records of text: news, search results), ``collection``
(records of pictures and prices), ``documentation``, ``service``, ``gallery``, ``other``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

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
    cards = _cards(lists, text)
    if stated == "product" and types["product"] + types["productgroup"] <= 2:
        return "product"
    if stated in {"article", "gallery"} and (text.prose > 60 or cards is None):
        return stated
    if cards is not None and text.prose < 250:
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
        self.tokens = 0
        self.prose = 0
        self.long = 0
        self.prices = 0
        self.buys = False
        for block in kept:
            size = len(TOKEN.findall(block.text))
            self.tokens += size
            self.prices += _PRICE.search(block.text) is not None
            if size >= 20 and not _is_link(block):
                self.prose += size
                self.long += 1
        self.buys = any(_BUY.search(run.text) for run in out.runs)
        self.images = sum(run.images for run in out.runs)


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


def _cards(lists: Sequence[RecordList], text: _Text) -> str | None:
    """``listing`` or ``collection`` when records that lead elsewhere make up most of the page's main text."""
    for found in lists[:2]:
        if len(found.records) < 3 or found.linked < 0.7:
            continue
        if len({record.link for record in found.records}) < 0.6 * len(found.records):
            continue
        sizes = [len(TOKEN.findall(record.text)) for record in found.records]
        inside = sum(sizes)
        if inside < 0.4 * max(text.tokens, 1) or max(sizes) > 0.5 * inside:
            continue
        prices = sum(_PRICE.search(record.text) is not None for record in found.records)
        images = sum(any(e.find(".//img") is not None for e in record.elements) for record in found.records)
        few = inside / len(found.records) < 25
        return (
            "collection"
            if prices > 0.5 * len(found.records) or (few and images > 0.7 * len(found.records))
            else "listing"
        )
    return None
