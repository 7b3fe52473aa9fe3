"""Facts of a page that nobody named: label and value in table rows, definition lists and lines with a colon.

Used where a site has no rules. Only what lies in blocks that matter is looked at, so that a footer's telephone number is
no fact of a product.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from hometextile.blocks.block import Block
from hometextile.page.document import Document
from hometextile.page.reading import text_of

MAX_FACTS = 60
MAX_VALUE = 400
_LABEL = re.compile(r"[^\W\d_][\w\s/()（）·.-]{0,23}\Z")
_LINE = re.compile(r"^\s*([^\W\d_][^:：\n]{0,15}?)\s*[:：]\s*(\S.*)$")


def facts(document: Document, blocks: Sequence[Block] = ()) -> dict[str, str]:
    """Label to value, in document order; the first value of a label counts.

    Args:
        document: the page.
        blocks: rated blocks; none: the whole page is looked at.
    """
    elements = [element for block in blocks if block.level == "main" for element in block.elements]
    roots = _roots(elements) if blocks else [document.tree]
    found: dict[str, str] = {}
    for label, value in _pairs(roots):
        label, value = " ".join(label.split()).strip(" :：*"), value.strip(" :：")
        if _LABEL.match(label) and value and len(value) <= MAX_VALUE and value != label:
            found.setdefault(label, value)
        if len(found) >= MAX_FACTS:
            break
    return found


def _roots(elements: Sequence[Any]) -> list[Any]:
    """Rows, lists and tables that the elements lie in, or the elements themselves; each once."""
    roots: dict[Any, None] = {}
    for element in elements:
        place = element
        for up in element.iterancestors():
            if up.tag in {"dl", "tr", "table"}:
                place = up
                break
            if up.tag in {"div", "body", "section", "article"}:
                break
        roots[place] = None
    return [root for root in roots if not any(up in roots for up in root.iterancestors())]


def _pairs(roots: Iterable[Any]) -> Iterable[tuple[str, str]]:
    for root in roots:
        for element in root.iter("tr", "dl", "li", "p", "div", "span", "td", "dd"):
            if element.tag == "tr":
                yield from _row(element)
            elif element.tag == "dl":
                yield from _definitions(element)
            elif not any(child.tag in {"p", "div", "li", "table", "ul", "dl"} for child in element):
                for line in text_of(element).splitlines():
                    match = _LINE.match(line)
                    if match and "://" not in line[:40]:
                        yield match[1], match[2]


def _row(row: Any) -> Iterable[tuple[str, str]]:
    """Cells in pairs, label first, where no cell holds a table of its own."""
    cells = [cell for cell in row if cell.tag in {"td", "th"}]
    if len(cells) % 2 or not cells or len(cells) > 8 or row.xpath(".//table"):
        return
    for label, value in zip(cells[::2], cells[1::2], strict=True):
        yield text_of(label), " ".join(text_of(value).split())


def _definitions(element: Any) -> Iterable[tuple[str, str]]:
    label = ""
    for child in element.iter("dt", "dd"):
        if child.tag == "dt":
            label = text_of(child)
        elif label:
            yield label, " ".join(text_of(child).split())
            label = ""
