"""What a site repeats on every page: headers, slogans, notices, boxes of links. It matters on none of them.

A page alone does not tell a slogan from a sentence; a site's pages together do (template detection after Bar-Yossef and
Rajagopalan, WWW 2002; Yi and others, KDD 2003). A block whose text stood on several other pages is chrome, unless it is
a label: the short text of a row or a list whose other half changes from page to page.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from hometextile.blocks.block import Block

#: So many other pages make a text chrome.
PAGES = 3
#: Texts remembered of a site.
MOST_TEXTS = 50_000
#: A list or table of facts is no longer than this; a layout table is.
_FACTS_CHARS = 1_500
#: Nor is a line with its label.
_LINE_CHARS = 60
_LISTS = {"table", "dl", "ul", "ol"}
_BOXES = {"p", "div", "section", "article", "aside", "td", "form", "body", "header", "footer", "nav", "main"}


class Chrome:
    """Remembers on how many pages of a site each text stood.

    Args:
        pages: so many other pages make a text chrome.
        most: texts remembered; the oldest go first.
    """

    def __init__(self, *, pages: int = PAGES, most: int = MOST_TEXTS) -> None:
        self._pages = pages
        self._most = most
        self._seen: OrderedDict[bytes, set[bytes]] = OrderedDict()

    def mark(self, blocks: Sequence[Block]) -> list[Block]:
        """Learn a page and set its chrome to noise.

        Args:
            blocks: of one page, rated.

        Returns:
            The blocks that were main or related and are noise now.
        """
        page = _page_mark(blocks)
        repeated = {block.id for block in blocks if self._stood_elsewhere(block, page)}
        self._learn(blocks, page)
        changed = []
        whole: dict[Any, bool] = {}
        by_element = {id(element): block for block in blocks for element in block.elements}
        for block in blocks:
            if block.id in repeated and block.level != "noise" and not _is_label(block, by_element, repeated, whole):
                block.level = "noise"
                changed.append(block)
        return changed

    def _stood_elsewhere(self, block: Block, page: bytes) -> bool:
        seen = self._seen.get(_text_mark(block.text))
        return seen is not None and len(seen - {page}) >= self._pages

    def _learn(self, blocks: Sequence[Block], page: bytes) -> None:
        for block in blocks:
            if not block.text.strip():
                continue
            mark = _text_mark(block.text)
            seen = self._seen.setdefault(mark, set())
            self._seen.move_to_end(mark)
            if len(seen) <= self._pages:
                seen.add(page)
        while len(self._seen) > self._most:
            self._seen.popitem(last=False)


def _text_mark(text: str) -> bytes:
    return blake2b("".join(text.split()).encode("utf-8", "replace"), digest_size=8).digest()


def _page_mark(blocks: Sequence[Block]) -> bytes:
    """Tells pages apart by what they are about: the same page under another address is the same page."""
    longest = max((block.text for block in blocks if block.in_text), key=len, default="")
    return _text_mark(longest or "\n".join(block.text for block in blocks))


def _is_label(block: Block, by_element: dict[int, Block], repeated: set[int], whole: dict[Any, bool]) -> bool:
    """Whether the block belongs to facts of which others change from page to page: a label, or a frequent value.

    The list or table that it lies in counts as one; outside of such, the line.
    """
    if not block.elements:
        return False
    ancestors = [block.elements[0], *block.elements[0].iterancestors()]
    for up in ancestors:
        if up.tag in _LISTS:
            if _chars(up) > _FACTS_CHARS or next(up.iterdescendants("table"), None) is not None:
                break
            return not _all_repeated(up, by_element, repeated, whole)
    box = next((up for up in ancestors[1:] if up.tag in _BOXES), None)
    return box is not None and _chars(box) <= _LINE_CHARS and not _all_repeated(box, by_element, repeated, whole)


def _chars(element: Any) -> int:
    return sum(len("".join(text.split())) for text in element.itertext())


def _all_repeated(root: Any, by_element: dict[int, Block], repeated: set[int], whole: dict[Any, bool]) -> bool:
    if root not in whole:
        whole[root] = all(
            by_element[id(element)].id in repeated for element in root.iter() if id(element) in by_element
        )
    return whole[root]
