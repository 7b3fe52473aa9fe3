"""What is main, related or noise on a rendered page: places given by a person, once for a template.

A site's labels are CSS selectors for each level. The innermost element that one of them names decides; where one is
named twice, a page's own selectors go before its site's, then noise before related and related before main. What is
not seen has no level. The true text is what a
reader sees of main, read here by a walk of its own, so that no fault of the engine hides in the truth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from lxml.cssselect import CSSSelector

from hometextile.blocks.block import LEVELS
from hometextile.blocks.labels import Label
from hometextile.blocks.paths import Paths
from hometextile.page.document import Document

SITES = Path(__file__).with_name("sites.yaml")
#: Who gave the labels that a set carries.
WHO = "template"
_UNSEEN = frozenset(
    ("head", "script", "style", "noscript", "template", "option", "textarea", "svg", "iframe", "object")
)
_INLINE = frozenset(
    ("a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "label",
     "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
     "wbr")
)


@dataclass(frozen=True)
class Entry:
    """A page of the set.

    Attributes:
        id: the page's id in the set: the site's name, a dash, its own.
        path: behind the site's address.
        kind, language: of the page.
        post: values of the form by which it is asked for; None: it is fetched.
        follow: words of the link to it, on the page under *path*; '' where *path* is its own.
        levels: level to selectors that this page has beside the site's.
    """

    id: str
    path: str
    kind: str
    language: str
    post: Mapping[str, str] | None = None
    follow: str = ""
    levels: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Site:
    """A template of the set.

    Attributes:
        name: unique.
        generator: what made it, for the report.
        family: sites that share a generator or an author; they are never on both sides of a fold.
        program: name in :data:`bench.pages.programs.PROGRAMS`; '' for a folder of files.
        package, root: Debian package and folder of files; '' for a program.
        levels: level to selectors.
        rest: level of what no selector names.
        pages: of the set.
    """

    name: str
    generator: str
    family: str
    program: str
    package: str
    root: str
    levels: Mapping[str, Sequence[str]]
    rest: str
    pages: tuple[Entry, ...]


def read_sites(file: Path = SITES) -> list[Site]:
    """The sites of the set.

    Raises:
        ValueError: two pages have one id, or a level is none.
    """
    sites = []
    seen: set[str] = set()
    for row in yaml.safe_load(file.read_text(encoding="utf-8")):
        pages = []
        for page in row["pages"]:
            name = f"{row['site']}-{page['id']}"
            if name in seen:
                raise ValueError(f"two pages {name}")
            seen.add(name)
            pages.append(
                Entry(name, page["path"], page["kind"], page.get("language", row.get("language", "en")),
                      page.get("post"), page.get("follow", ""), _levels(page))
            )
        rest = row.get("rest", "noise")
        if rest not in LEVELS:
            raise ValueError(f"no level {rest!r}")
        sites.append(
            Site(row["site"], row["generator"], row.get("family", row["site"]), row.get("program", ""),
                 row.get("package", ""), row.get("root", ""), _levels(row), rest, tuple(pages))
        )
    return sites


def _levels(row: Mapping[str, Any]) -> dict[str, list[str]]:
    return {level: list(row[level]) for level in LEVELS if level in row}


class Truth:
    """Levels of one page.

    Args:
        document: the page as drawn.
        site: its template.
        entry: the page.

    Attributes:
        marked: element to level, where a selector names it.
        unused: selectors of the page itself that named nothing.
    """

    def __init__(self, document: Document, site: Site, entry: Entry) -> None:
        self.root = document.tree
        self.rest = site.rest
        self.marked: dict[Any, str] = {}
        self.unused: list[str] = []
        for own, selectors in ((False, site.levels), (True, entry.levels)):
            for level in reversed(LEVELS):
                for selector in selectors.get(level, ()):
                    named = CSSSelector(selector)(self.root)
                    self.marked.update(dict.fromkeys(named, level))
                    if own and not named:
                        self.unused.append(selector)

    def text(self, level: str = "main") -> str:
        """What a reader sees of a level, in the order of the document."""
        pieces: list[str] = []
        for piece, said in self._pieces():
            if said == level or said == "":
                pieces.append(piece)
        lines = (" ".join(line.split()) for line in re.sub(r"[\u200b\ufeff]", "", "".join(pieces)).split("\n"))
        return "\n".join(line for line in lines if line)

    def labels(self, page: str) -> list[Label]:
        """The labels of the page, those around others first."""
        paths = Paths()
        body = self.root.find("body")
        found = [] if body is None else [Label(page, paths.of(body), paths.of(body), self.rest, WHO)]
        for element in self.root.iter():
            level = self.marked.get(element)
            if level is not None:
                path = paths.of(element)
                found = [label for label in found if label.path != path]
                found.append(Label(page, path, path, level, WHO))
        return found

    def _pieces(self) -> Iterator[tuple[str, str]]:
        """Pieces of text with their level, and line breaks with none."""
        body = self.root.find("body")
        if body is None:
            return
        # Entries: element with the level around it and whether it is seen, or a piece that is ready.
        stack: list[tuple[Any, str, bool] | tuple[str, str]] = [(body, self.rest, True)]
        while stack:
            entry = stack.pop()
            if len(entry) == 2:
                yield entry
                continue
            element, level, seen = entry
            if element.tag in _UNSEEN or not _drawn(element):
                continue
            style = _style(element)
            seen = style.get("visibility", "visible" if seen else "hidden") == "visible"
            level = self.marked.get(element, level)
            apart = "" if _inline(element, style) else "\n"
            if apart:
                yield apart, ""
            if seen and element.text:
                yield _piece(element, element.text), level
            inside: list[tuple[Any, str, bool] | tuple[str, str]] = []
            for child in element:
                if isinstance(child.tag, str):
                    inside.append((child, level, seen))
                if seen and child.tail:
                    inside.append((_piece(element, child.tail), level))
            stack.append((apart, ""))
            stack.extend(reversed(inside))


def _piece(element: Any, text: str) -> str:
    return text if element.tag == "pre" else text.replace("\n", " ")


def _style(element: Any) -> dict[str, str]:
    items = (item.partition(":") for item in (element.get("data-style") or "").split(";"))
    return {name: value for name, _colon, value in items}


def _inline(element: Any, style: Mapping[str, str]) -> bool:
    display = style.get("display")
    return display == "inline" if display else element.tag in _INLINE


def _drawn(element: Any) -> bool:
    """Whether an element, or what is in it, can be seen: neither ``display:none`` nor moved out of the page."""
    box = element.get("data-box")
    if box is None:
        return False
    style = _style(element)
    x, y, width, height = (float(part) for part in box.split())
    if style.get("display") == "none" or (style.get("position") == "absolute" and width <= 1 and height <= 1):
        return False
    return not (width > 0 and height > 0 and (x + width <= 0 or y + height <= 0))
