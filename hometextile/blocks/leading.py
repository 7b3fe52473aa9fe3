"""Pages that lead to resources and are none: front pages of sections, further pages of lists, pages that are a form.

The kind of a page is told from its structure alone (:mod:`hometextile.blocks.kinds`); here its address has a say too. A
front page with a paragraph of welcome looks like an article; its address, ``/museum/`` or ``list_3.html``, does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from hometextile.blocks.block import Block
from hometextile.blocks.records import Record, find_records
from hometextile.page.document import Document

_INDEX = re.compile(
    r"(?:^|/)(?:(?:index|default|home|main|list|lists|search|category|class|column|node|page|so|find|result)s?"
    r"[-_]?\d{0,5}(?:[-_]\d{1,5})*)?(?:\.\w{2,5})?$",
    re.IGNORECASE,
)
_PAGE = re.compile(r"^(?:p|page|pageno|pageindex|pagenum|paged|start|offset|pn)$", re.IGNORECASE)
_QUERY = re.compile(r"^(?:q|kw|wd|s|key|query|search|keyword|keywords|word|words)$", re.IGNORECASE)
#: Kinds of pages that lead to resources and are none (:mod:`hometextile.blocks.kinds`).
LIST_KINDS = frozenset(("listing", "collection"))
#: So many records in main blocks make a page with such an address a list.
RECORDS = 3
#: Tokens outside of links and records that a text has and a welcome has not.
PROSE = 60
_TOKEN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]|[^\W\d_\u3400-\u4dbf\u4e00-\u9fff]+")
_ASKS_FOR_MORE = frozenset(("password", "file"))
_NOT_PROSE = ("a", "button", "option", "label")


def is_index_address(url: str) -> bool:
    """Whether an address is that of a folder, a list or a page of one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    names = {name for name, _value in parse_qsl(parts.query)}
    if any(_PAGE.match(name) or _QUERY.match(name) for name in names):
        return True
    return not names and _INDEX.search(parts.path or "/") is not None


def leads_only(document: Document, blocks: Sequence[Block], kind: str = "") -> str | None:
    """Why the page is none itself: ``list`` or ``form``; None if nothing says so.

    Args:
        document: the page.
        blocks: its blocks, rated.
        kind: its kind, where that is known; a list by its structure is one unless it has a text of its own.
    """
    main = [block for block in blocks if block.in_text]
    if _is_form(document, main):
        return "form"
    if kind not in LIST_KINDS and not is_index_address(document.url):
        return None
    linked = _linked_records(document, main)
    prose = sum(_own_tokens(block) for block in main if not _inside(block, linked))
    listed = sum(len(_TOKEN.findall(block.text)) for block in main if _inside(block, linked))
    return "list" if prose < max(PROSE, listed) else None


def _is_form(document: Document, main: Sequence[Block]) -> bool:
    """Whether the main part is little more than a form that asks for a password or a file."""
    if sum(_own_tokens(block) for block in main) >= PROSE:
        return False
    places = {element for block in main for element in block.elements}
    for field in document.tree.iter("input"):
        if (field.get("type") or "").strip().lower() in _ASKS_FOR_MORE:
            form = next(field.iterancestors("form"), field)
            if any(element in places for element in (*form.iter(), *form.iterancestors())):
                return True
    return False


def _own_tokens(block: Block) -> int:
    """Tokens of a block (a Chinese character, a word; no numbers) that are not in links, buttons or options."""
    inside = sum(
        len(_TOKEN.findall(part))
        for element in block.elements
        for link in ([element] if element.tag in _NOT_PROSE else element.iter(*_NOT_PROSE))
        for part in link.itertext()
    )
    return max(0, len(_TOKEN.findall(block.text)) - inside)


def _linked_records(document: Document, main: Sequence[Block]) -> set[Any]:
    """Elements of the largest list of which most records are main and lead somewhere."""
    places = {element for block in main for element in block.elements}
    best: list[Record] = []
    for found in find_records(document):
        linked = [
            record
            for record in found.records
            if record.link
            and any(
                part in places for element in record.elements for part in (*element.iter(), *element.iterancestors())
            )
        ]
        if len(linked) * 2 >= len(found.records) and len(linked) > len(best):
            best = linked
    return {element for record in best for element in record.elements} if len(best) >= RECORDS else set()


def _inside(block: Block, elements: set[Any]) -> bool:
    """Whether a block lies in one of the elements, or holds them."""
    return any(
        part in elements for element in block.elements for part in (element, *element.iterancestors(), *element.iter())
    )
