"""The outline of a page: its elements as arrays, its text as runs between line-breaking boundaries.

One walk over the tree, then everything that a feature needs is a difference of two cumulative sums: a subtree covers a
contiguous range of runs. Segmentation, features, regions, records and the text all read the same outline.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from types import MappingProxyType
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from hometextile.blocks.counting import count
from hometextile.blocks.paths import Paths
from hometextile.blocks.tags import BREAKING, UNREAD
from hometextile.page.document import Document

#: A token is one CJK character or one run of other letters and digits: Chinese and English are counted alike.
TOKEN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\W\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")

_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_BOLD = frozenset(("b", "strong"))
#: Of an element without any.
NO_ATTRIBUTES: Mapping[str, str] = MappingProxyType({})
_SPACES = re.compile(r"[ \t\r\f\v\n\u00a0\u200b\u3000\ufeff]+")
_STATED = re.compile(r'"(description|articleBody|reviewBody|text)"\s{0,5}:\s{0,5}"((?:[^"\\]|\\.){20,40000})"')
_TAG = re.compile(r"<[^>]{0,500}>")
#: Stands for ``<br>`` while a run is read: no page has it, since the parser takes no such character.
_BREAK = "\x1e"

#: Pages with more elements are read so far and no further.
MAX_NODES = 60_000
#: Longer runs are cut: a run is a paragraph, not a data dump.
MAX_RUN_CHARS = 60_000


@dataclass(slots=True)
class Run:
    """Text between two line-breaking boundaries, or a picture that stands alone.

    Attributes:
        node: index of the line-breaking element that it stands in.
        text: white space folded, ``<br>`` kept as a line break.
        inline: indices of the inline elements inside, in document order (the first twelve).
        link_chars: characters (not white space) inside links.
        links: links that begin in it.
        images: images in it.
        bold: characters inside strong emphasis.
        ordinal: number of the text node in its parent where the run begins, from 1; 0 when it begins in an element.
    """

    node: int
    text: str
    inline: list[int] = field(default_factory=list)
    link_chars: int = 0
    links: int = 0
    images: int = 0
    bold: int = 0
    ordinal: int = 0


class Outline:
    """Elements and runs of one page.

    Attributes:
        elements: lxml elements in document order; every list below has one entry for each.
        parent: index of the parent element, -1 for the root.
        tag: lower-case tag.
        depth: from 0.
        first, last: the range of runs inside the element, half open.
        attributes: of each element, by name.
        hidden: whether the element's own attributes hide it.
        runs: the text.
        title: the page's ``<title>``.
        stated: the page's own descriptions (meta, OpenGraph, JSON-LD), as lines.
        stated_text: texts that its JSON-LD gives (article body, review body), as lines.
        truncated: the page had more than :data:`MAX_NODES` elements.
        frames: it is a frame set, whose text is elsewhere.
    """

    def __init__(self, document: Document) -> None:
        self.url = document.url
        self.elements: list[Any] = []
        self.parent: list[int] = []
        self.tag: list[str] = []
        self.depth: list[int] = []
        self.first: list[int] = []
        self.last: list[int] = []
        self.attributes: list[Mapping[str, str]] = []
        self.hidden: list[bool] = []
        self.runs: list[Run] = []
        self.truncated = False
        self.frames = False
        self.title = ""
        self.stated, self.stated_text = stated(document)
        #: What others worked out about this outline and may use again, by their own key.
        self.derived: dict[str, Any] = {}
        self._paths = Paths()
        _Walk(self).run(document.tree)

    @cached_property
    def index(self) -> dict[Any, int]:
        """Element to its number."""
        return {element: number for number, element in enumerate(self.elements)}

    @cached_property
    def tokens(self) -> NDArray[np.float64]:
        """Tokens of each run."""
        return self.counts["tokens"]

    @cached_property
    def counts(self) -> dict[str, NDArray[np.float64]]:
        """Counts of characters of each run, see :func:`hometextile.blocks.counting.count`."""
        return count([run.text for run in self.runs])

    def path(self, node: int) -> str:
        """XPath of an element: every step with its position, so that it stays true when siblings are added behind."""
        return self._paths.of(self.elements[node])

    def run_path(self, number: int) -> str:
        """XPath of a run: of its element, or of the text node where it begins when the element holds more."""
        run = self.runs[number]
        path = self.path(run.node)
        if self.last[run.node] - self.first[run.node] == 1:
            return path
        if run.ordinal:
            return f"{path}/text()[{run.ordinal}]"
        return self.path(run.inline[0]) if run.inline else path


def outline(document: Document) -> Outline:
    """The page's outline, made once and kept with the document."""
    made = document.derived.get("outline")
    if not isinstance(made, Outline):
        made = document.derived["outline"] = Outline(document)
    return made


def stated(document: Document) -> tuple[str, str]:
    """The page's own descriptions, and the texts in its JSON-LD.

    JSON is not parsed for this: pages break it, and only the strings are wanted.
    """
    descriptions = []
    for meta in document.tree.iter("meta"):
        name = (meta.get("name") or meta.get("property") or "").lower()
        if name in {"description", "og:description", "twitter:description"}:
            descriptions.append(meta.get("content") or "")
    texts: list[str] = []
    if "ld+json" in document.text:
        scripts = [script for script in document.tree.iter("script") if "ld+json" in (script.get("type") or "").lower()]
        said = "\n".join(script.text or "" for script in scripts)
        for found in _STATED.finditer(said):
            value = found.group(2)
            if "\\" in value:
                try:
                    value = str(json.loads(f'"{value}"', strict=False))
                except ValueError:
                    continue
            value = _TAG.sub(" ", unescape(value))
            (descriptions if found.group(1) == "description" else texts).append(value)
            if len(texts) + len(descriptions) > 60:
                break
    return "\n".join(descriptions), "\n".join(texts)


def _hidden(attributes: Mapping[str, str]) -> bool:
    """Whether an element's own attributes hide it."""
    if "hidden" in attributes:
        return True
    return _HIDING.search(attributes.get("style", "")) is not None


class _Walk:
    """The one walk: keeps the run that is being read."""

    def __init__(self, out: Outline) -> None:
        self.out = out
        self.stack: list[int] = []
        self.breaking: list[int] = []
        self.pieces: list[str] = []
        self.inline: list[int] = []
        self.link = 0
        self.bold = 0
        self.pre = 0
        self.link_chars = self.links = self.images = self.bold_chars = 0
        self.ordinal = 0
        self.texts: list[int] = []
        self.breaks = False
        self.blank = False

    def run(self, root: Any) -> None:
        walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
        # the loop goes round twice for each element of a page: what it uses is looked up once
        elements, skip, start, end, text = self.out.elements, walker.skip_subtree, self._start, self._end, self._text
        skipping: Any = None
        for event, element in walker:
            if event == "start":
                if skipping is not None:
                    continue
                tag = element.tag
                if tag in UNREAD:
                    self._unread(tag, element)
                    skip()
                    skipping = element
                    continue
                if len(elements) >= MAX_NODES:
                    self.out.truncated = True
                    break
                start(tag if isinstance(tag, str) else "?", element)
                continue
            if event == "end":
                if skipping is None:
                    end()
                elif element is skipping:
                    skipping = None
                else:
                    continue
            elif skipping is not None:
                continue
            tail = element.tail
            if tail and self.stack:
                text(tail)
        self._flush()
        while self.stack:
            self.out.last[self.stack.pop()] = len(self.out.runs)

    def _unread(self, tag: str, element: Any) -> None:
        if tag == "title" and not self.out.title and not any(self.out.tag[i] == "svg" for i in self.stack):
            self.out.title = _SPACES.sub(" ", element.text or "").strip()
        elif tag == "head":
            for title in element.iter("title"):
                if not self.out.title:
                    self.out.title = _SPACES.sub(" ", title.text or "").strip()
        elif tag == "frame":
            self.out.frames = True
        elif tag == "svg":
            for text in element.iter("text", "{*}text"):
                words = _SPACES.sub(" ", "".join(text.itertext())).strip()
                if words and self.stack:
                    self._text(words + " ")

    def _start(self, tag: str, element: Any) -> None:
        out, stack = self.out, self.stack
        number = len(out.elements)
        breaking = tag in BREAKING or "-" in tag
        if breaking:
            self._flush()
        out.elements.append(element)
        out.parent.append(stack[-1] if stack else -1)
        out.tag.append(tag)
        out.depth.append(len(stack))
        out.first.append(len(out.runs))
        out.last.append(0)
        stack.append(number)
        self.texts.append(0)
        # one call for all of an element's attributes: each costs as much as this
        items = element.items()
        attributes = dict(items) if items else NO_ATTRIBUTES
        out.attributes.append(attributes)
        out.hidden.append(("style" in attributes or "hidden" in attributes) and _hidden(attributes))
        if breaking:
            self.breaking.append(number)
            self.pre += tag == "pre"
        else:
            self._inline(tag, number, attributes)
        text = element.text
        if text:
            self._text(text)

    def _inline(self, tag: str, number: int, attributes: Mapping[str, str]) -> None:
        if tag == "br":
            if self.blank:
                self._flush()
            elif self.pieces:
                self.pieces.append("\n" if self.pre else _BREAK)
                self.breaks = self.blank = True
            return
        if tag in {"img", "amp-img"}:
            self.images += 1
        elif tag == "a":
            self.link += 1
            self.links += "href" in attributes
        elif tag in _BOLD:
            self.bold += 1
        elif tag == "frameset":
            self.out.frames = True
        if len(self.inline) < 12:
            self.inline.append(number)

    def _end(self) -> None:
        out = self.out
        number = self.stack.pop()
        self.texts.pop()
        tag = out.tag[number]
        if self.breaking and self.breaking[-1] == number:
            self._flush()
            self.breaking.pop()
            self.pre -= tag == "pre"
        elif tag == "a":
            self.link -= 1
        elif tag in _BOLD:
            self.bold -= 1
        out.last[number] = len(out.runs)

    def _text(self, text: str) -> None:
        if self.texts:
            self.texts[-1] += 1
        words = text.split()
        if not words:
            if self.pieces:
                self.pieces.append(text if self.pre else " ")
            return
        size = sum(map(len, words))
        self.blank = False
        if not self.pieces and self.breaking and self.stack[-1] == self.breaking[-1]:
            self.ordinal = self.texts[-1]
        self.pieces.append(text)
        if self.link:
            self.link_chars += size
        if self.bold:
            self.bold_chars += size

    def _flush(self) -> None:
        if not self.pieces and not self.images:
            self.inline = []
            self.links = 0
            return
        if self.breaking:
            text = self._read()
            if text or self.images:
                sizes = (self.link_chars, self.links, self.images, self.bold_chars, self.ordinal)
                self.out.runs.append(Run(self.breaking[-1], text, self.inline, *sizes))
        self.pieces = []
        self.inline = []
        self.breaks = self.blank = False
        self.link_chars = self.links = self.images = self.bold_chars = self.ordinal = 0

    def _read(self) -> str:
        """The pieces as a person reads them."""
        text = "".join(self.pieces)[:MAX_RUN_CHARS]
        if "\u200b" in text or "\ufeff" in text:
            text = text.replace("\u200b", "").replace("\ufeff", "")
        if self.pre:
            return text.strip("\n\r") if text.strip() else ""
        if self.breaks:
            return "\n".join(" ".join(line.split()) for line in text.split(_BREAK)).strip()
        return " ".join(text.split())
