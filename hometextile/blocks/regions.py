"""Regions: what a person would draw a box around.

A block is fine (a paragraph, a price); a region is a text, a navigation bar, a group of cards, a footer. From the top:
an element is cut while it holds different things. It stays whole when it is small, when its children are records of
one list, or when it is text. Small neighbours of one sort are one region.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from hometextile.blocks.outline import Outline
from hometextile.blocks.tags import BREAKING

#: An element with fewer tokens is not cut.
_SMALL = 24
#: Nor is one with a smaller share of the page's tokens.
_SHARE = 0.015
_FLOW = frozenset(
    (
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "dl",
        "blockquote",
        "pre",
        "figure",
        "table",
        "hr",
        "br",
        "center",
    )
)
_WHOLE = frozenset(("p", "ul", "ol", "dl", "pre", "blockquote", "nav", "figure", "select", "dialog"))


@dataclass(frozen=True)
class Region:
    """A range of runs with its elements.

    Attributes:
        first, last: runs, half open.
        path: XPath of the first element.
        to: XPath of the last element; the same as ``path`` for one element.
    """

    first: int
    last: int
    path: str
    to: str


def regions(out: Outline) -> list[Region]:
    """The regions of a page in document order; together they hold every run once."""
    cutter = _Cutter(out)
    return [cutter.named(piece) for piece in cutter.cut()]


def ranges(out: Outline) -> list[tuple[int, int]]:
    """The runs of each region, half open, without the names that :func:`regions` gives them."""
    return [(first, last) for first, last, _start, _end in _Cutter(out).cut()]


class _Cutter:
    def __init__(self, out: Outline) -> None:
        self.out = out
        self.children: dict[int, list[int]] = {}
        for number, (up, first, last) in enumerate(zip(out.parent, out.first, out.last, strict=True)):
            if last > first and up >= 0:
                self.children.setdefault(up, []).append(number)
        self.sums: list[float] = [0.0, *out.tokens.cumsum().tolist()]
        self.links = [0, *itertools.accumulate([run.link_chars for run in out.runs])]
        self.chars = [0, *itertools.accumulate([len(run.text) for run in out.runs])]
        self.floor = max(_SMALL, _SHARE * self.sums[-1])

    def tokens(self, first: int, last: int) -> float:
        return self.sums[last] - self.sums[first]

    def link_share(self, first: int, last: int) -> float:
        return (self.links[last] - self.links[first]) / max(self.chars[last] - self.chars[first], 1)

    def named(self, piece: tuple[int, int, int, int]) -> Region:
        """A piece as a region."""
        first, last, start, end = piece
        return Region(first, last, self._path(first, start), self._path(last - 1, end))

    def cut(self) -> list[tuple[int, int, int, int]]:
        """First and last run, first and last element of each region; cut from the root with a stack of elements still
        to be looked at."""
        pieces: list[tuple[int, int, int, int]] = []
        stack = [0] if self.out.runs else []
        while stack:
            node = stack.pop()
            first, last = self.out.first[node], self.out.last[node]
            if self._whole(node, first, last):
                pieces.append((first, last, node, node))
                continue
            at = first
            for child in self._breaking(node):
                pieces.extend((run, run + 1, -1, -1) for run in range(at, self.out.first[child]))
                stack.append(child)
                at = self.out.last[child]
            pieces.extend((run, run + 1, -1, -1) for run in range(at, last))
        pieces.sort()
        return self._join(pieces)

    def _path(self, run: int, node: int) -> str:
        return self.out.path(node) if node >= 0 else self.out.run_path(run)

    def _breaking(self, node: int) -> list[int]:
        """Children that cover runs of their own; an inline child is passed through."""
        found = []
        for child in self.children.get(node, ()):
            first, last = self.out.first[child], self.out.last[child]
            if last > first and (self.out.tag[child] in BREAKING or "-" in self.out.tag[child] or last - first > 1):
                found.append(child)
        return found

    def _whole(self, node: int, first: int, last: int) -> bool:
        if last - first <= 1 or self.out.tag[node] in _WHOLE:
            return True
        children = self._breaking(node)
        if not children:
            return True
        if len(children) == 1 and (self.out.first[children[0]], self.out.last[children[0]]) == (first, last):
            return False
        if self.tokens(first, last) < self.floor:
            return True
        if self.out.tag[node] == "tr" and all(self.out.last[c] - self.out.first[c] == 1 for c in children):
            # a row of facts; one whose cells hold several things lays out the page
            return True
        return self._list_of_records(children, first, last)

    def _list_of_records(self, children: list[int], first: int, last: int) -> bool:
        """Whether the children are many, alike, and all there is."""
        out = self.out
        if len(children) < 4:
            return False
        names = [(out.tag[child], (out.attributes[child].get("class") or "").split(" ")[0]) for child in children]
        commonest = max(names.count(name) for name in set(names))
        sizes = sorted(self.tokens(out.first[child], out.last[child]) for child in children)
        even = sizes[-1] <= 8 * max(sizes[len(sizes) // 2], 4)
        return commonest >= 0.8 * len(children) and even and names[0][0] not in {"p", "section", "table"}

    def _join(self, pieces: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
        """Neighbours that flow on (paragraphs, headings, lists of one parent, of one density of links) become one."""
        joined: list[tuple[int, int, int, int]] = []
        for piece in pieces:
            if joined and self._flows(joined[-1], piece):
                before = joined[-1]
                joined[-1] = (before[0], piece[1], before[2], piece[3])
            elif piece[1] > piece[0]:
                joined.append(piece)
        return joined

    def _flows(self, one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
        out = self.out
        up = [out.parent[n] if n >= 0 else out.runs[at].node for n, at in ((one[3], one[1] - 1), (other[2], other[0]))]
        if up[0] != up[1]:
            return False
        tags = [out.tag[n] if n >= 0 else "p" for n in (one[3], other[2])]
        small = all(self.tokens(a, b) < _SMALL for a, b, _start, _end in (one, other))
        flow = all(tag in _FLOW for tag in tags)
        if not (flow or small):
            return False
        shares = [self.link_share(a, b) for a, b, _start, _end in (one, other)]
        return abs(shares[0] - shares[1]) < 0.5
