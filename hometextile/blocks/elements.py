"""What each element of a page is like and hands down to the blocks inside: one pass over the outline's elements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hometextile.blocks.outline import Outline
from hometextile.blocks.words import Names, class_words, names_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LISTS = frozenset(("ul", "ol", "dl"))
#: Tokens a cell, on average, in a table of facts; runs in the longest list that is drawn together.
_SHORT_CELL = 12
_MOST_OF_LIST = 80
#: Bits that an element hands down to all inside.
INSIDE: dict[str, tuple[str, ...]] = {
    "article": ("article",),
    "main": ("main",),
    "nav": ("nav", "navigation"),
    "header": ("header", "banner"),
    "footer": ("footer", "contentinfo"),
    "aside": ("aside", "complementary"),
    "form": ("form", "search"),
    "table": ("table",),
    "list": ("ul", "ol", "dl", "list"),
    "noscript": ("noscript",),
    "quote": ("blockquote",),
    "pre": ("pre",),
    "dialog": ("dialog", "alertdialog"),
    "figure": ("figure",),
    "section": ("section", "region"),
    "details": ("details",),
    "heading": ("h1", "h2", "h3", "h4", "h5", "h6", "heading"),
    "tabs": ("tabpanel",),
}
_BITS = {word: bit for bit, words in enumerate(INSIDE.values()) for word in words}
_HIDDEN_BIT = len(INSIDE)
#: What ``itemprop`` may say of a block.
PROPS = ("articlebody", "description", "reviewbody", "text", "name", "offers", "review")


def _siblings(parent: list[int]) -> tuple[Floats, Floats]:
    """For each element how many of its siblings stand before it, and how many children it has."""
    up = np.array(parent, dtype=np.int64) + 1
    children = np.bincount(up, minlength=len(up) + 1)
    order = np.argsort(up, kind="stable")
    position = np.empty(len(up))
    position[order] = np.arange(len(up)) - np.repeat(np.cumsum(children) - children, children)[: len(up)]
    position[up == 0] = 0.0
    return position, children[1:].astype(float)


class Elements:
    """The elements of a page; those without a run inside are passed over.

    Args:
        out: the page's outline.
        tokens: sums of the tokens of its runs up to each, one more than there are runs.

    Attributes:
        words: of each element's tag and attributes.
        mask: bits of :data:`INSIDE`, and one for hidden, of an element and all around it.
        grow: the next element around it that holds more runs.
        position, children: siblings before it; children.
        sign: elements with the same number have the same tags and classes up the tree.
        props: 1 and the place in :data:`PROPS` of the innermost ``itemprop``, 0 for none.
        first, last: its runs, half open.
        depth: how deep it stands.
        group: the innermost list, or table of facts, that it stands in, -1 for none.
    """

    def __init__(self, out: Outline, tokens: Floats) -> None:
        self._out = out
        parent, tags, first, last = out.parent, out.tag, out.first, out.last
        size = len(tags)
        mask, grow = [0] * size, [0] * size
        position, children = _siblings(parent)
        words: list[Names | None] = [None] * size
        props = [0] * size
        alike: dict[tuple[int, str, str], int] = {}
        sign = [0] * size
        for number in range(size):
            if first[number] == last[number]:
                # no run is inside, so that no block and no ancestor of one is this element
                continue
            up = parent[number]
            tag = tags[number]
            attributes = out.attributes[number]
            names = names_of(attributes)
            words[number] = class_words(tag, names)
            bits = mask[up] if up >= 0 else 0
            bit = _BITS.get(tag)
            if bit is not None:
                bits |= 1 << bit
            if names:
                role = attributes.get("role")
                if role:
                    bit = _BITS.get(role.lower())
                    if bit is not None:
                        bits |= 1 << bit
                prop = attributes.get("itemprop")
                if prop and prop.lower() in PROPS:
                    props[number] = 1 + PROPS.index(prop.lower())
            if out.hidden[number]:
                bits |= 1 << _HIDDEN_BIT
            mask[number] = bits
            if up >= 0:
                grow[number] = up if (first[up], last[up]) != (first[number], last[number]) else grow[up]
                if not props[number]:
                    props[number] = props[up]
            key = (sign[up] if up >= 0 else -1, tag, attributes.get("class") or "")
            sign[number] = alike.setdefault(key, len(alike))
        self.words = words
        self.mask = np.array(mask, dtype=np.int64)
        self.grow = np.array(grow, dtype=np.int64)
        self.position, self.children = position, children
        self.sign = np.array(sign, dtype=np.int64)
        self.props = np.array(props, dtype=np.int64)
        self.first = np.array(first, dtype=np.int64)
        self.last = np.array(last, dtype=np.int64)
        self.depth = np.array(out.depth, dtype=float)
        self.group = self._groups(tokens)

    def _groups(self, sums: Floats) -> Ints:
        """For each element the innermost list, or table of short cells without a table inside, that it stands in."""
        out = self._out
        tags, parents = out.tag, out.parent
        filled = np.flatnonzero(self.last > self.first).tolist()
        nested = set()
        table_above = [-1] * len(tags)
        for number in filled:
            up = parents[number]
            above = table_above[up] if up >= 0 else -1
            if tags[number] == "table":
                nested.add(above)
                above = number
            table_above[number] = above
        tokens = (sums[self.last] - sums[self.first]).tolist()
        runs = (self.last - self.first).tolist()
        group = [-1] * len(tags)
        for number in filled:
            up, tag = parents[number], tags[number]
            group[number] = group[up] if up >= 0 else -1
            facts = tag == "table" and number not in nested and tokens[number] < _SHORT_CELL * runs[number]
            if (tag in _LISTS or facts) and 1 < runs[number] <= _MOST_OF_LIST:
                group[number] = number
        return np.array(group, dtype=np.int64)
