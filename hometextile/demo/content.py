"""What the demo source holds: every resource, read from ``content/*.yaml``, and what becomes of it visit by visit.

A record's keys: ``key`` (its slug), ``class`` (one of the pack's classes), ``title``, ``text`` (a paragraph a line),
``date``, ``source``, ``fields``, ``lang``, ``trap``; ``since``, ``until`` with ``gone`` (404 or 410), ``change`` and
``move`` for the visits; ``off_topic`` for what is off topic; ``of`` for a reprint of another record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

LIBRARIES: dict[str, tuple[str, ...]] = {
    "culture": ("history", "traditional_craft", "traditional_pattern", "brand_culture", "museum_collection"),
    "information": ("news", "policy", "industry_analysis", "knowledge", "exhibition", "competition"),
    "directory": ("company", "studio", "designer"),
    "academic": ("standard", "patent", "book", "literature", "conference"),
    "design": ("pattern_image", "style_image", "fabric_image", "exhibition_image"),
    "craft": ("conventional_craft", "special_craft", "decorative_craft"),
    "customisation": ("full_custom", "partial_custom", "self_custom"),
    "trade": ("product", "quotation", "technology"),
    "video": ("teaching_video", "exhibition_video", "general_video"),
}
"""The nine libraries and their 35 classes, under the pack's keys."""

LIBRARY_OF = {name: library for library, names in LIBRARIES.items() for name in names}

PATHS: dict[str, str] = {
    "news": "/news/{year}/{slug}.html",
    "culture": "/culture/{slug}.html",
    "museum": "/museum/object/{slug}",
    "product": "/product/show.asp?id={slug}",
    "gallery": "/gallery/p/{slug}.html",
    "std": "/std/detail?no={slug}",
    "lit": "/lit/{slug}.html",
    "dir": "/dir/card.asp?id={slug}",
    "craft": "/craft/show.php?id={slug}",
    "custom": "/custom/{slug}/",
    "video": "/video/play/{slug}.html",
}
"""Section to the address of its records."""

DEEP = frozenset({"museum", "product", "gallery", "std", "lit", "dir"})
"""Sections whose records are reached through a form only."""

LAST_VISIT = 3


@dataclass(frozen=True)
class Item:
    """One record of the demo source as it stands at one visit.

    Attributes:
        key: its slug at the first visit, unique in its section.
        section: one of :data:`PATHS`.
        category: class of the pack; empty for what is off topic.
        title: as its page shows it.
        paragraphs: its text.
        fields: label to value, in the order shown.
        published: ISO date, empty if the page shows none.
        source: who says so, empty if the page does not tell.
        language: ``zh`` or ``en``.
        trap: how its page misbehaves: ``flaky``, ``slow``, ``mislabelled``, ``big5``; empty for a plain page.
        of: key of the record it reprints, in the same section.
        off_topic: it has nothing to do with home textiles.
        slug: its slug at this visit.
        since: first visit it is there.
        until: last visit it is there.
        gone: status after that.
        modified: the visit of its last change.
    """

    key: str
    section: str
    category: str
    title: str
    paragraphs: tuple[str, ...]
    fields: dict[str, str] = field(default_factory=dict)
    published: str = ""
    source: str = ""
    language: str = "zh"
    trap: str = ""
    of: str = ""
    off_topic: bool = False
    slug: str = ""
    since: int = 1
    until: int = LAST_VISIT
    gone: int = 404
    modified: int = 1
    changes: tuple[tuple[int, dict[str, Any]], ...] = ()
    moves: tuple[tuple[int, str], ...] = ()

    @property
    def library(self) -> str:
        """Its library, empty for what is off topic."""
        return LIBRARY_OF.get(self.category, "")

    @property
    def path(self) -> str:
        """The canonical address, without the host."""
        return PATHS[self.section].format(slug=self.slug, year=self.published[:4])

    @property
    def deep(self) -> bool:
        """Whether a form is the only way to it."""
        return self.section in DEEP

    @property
    def lasting(self) -> bool:
        """Whether it is there, under one address and title, at every visit, so that other pages can link to it."""
        retitled = any("title" in change for _, change in self.changes)
        return self.since == 1 and self.until == LAST_VISIT and not self.moves and not retitled

    @property
    def text(self) -> str:
        """The paragraphs, one a line."""
        return "\n".join(self.paragraphs)

    @property
    def number(self) -> int:
        """A number that stays the same, for pictures, clicks and the like."""
        return sum(ord(c) * (i + 7) for i, c in enumerate(self.section + self.key))

    def matches(self, words: str) -> bool:
        """Whether each of the blank-separated words is in its title, text or fields (letter case ignored)."""
        hay = "\n".join((self.title, self.text, *self.fields.values())).lower()
        return all(word in hay for word in words.lower().split())

    def at(self, visit: int) -> Item | None:
        """The record as it stands at a visit, None when it is not there."""
        if not self.since <= visit <= self.until:
            return None
        item = self
        for when, change in self.changes:
            if when <= visit:
                text = change.get("text")
                item = replace(
                    item,
                    title=change.get("title", item.title),
                    paragraphs=_paragraphs(text) if text else item.paragraphs,
                    fields=item.fields | {k: str(v) for k, v in change.get("fields", {}).items()},
                    modified=max(item.modified, when),
                )
        for when, slug in self.moves:
            if when <= visit:
                item = replace(item, slug=slug)
        return item


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


KEYS = frozenset(
    {"key", "class", "title", "text", "date", "source", "fields", "lang", "trap", "of", "off_topic"}
    | {"since", "until", "gone", "change", "move"}
)


def _item(section: str, record: dict[str, Any]) -> Item:
    unknown = set(record) - KEYS
    if unknown:
        raise ValueError(f"unknown keys {sorted(unknown)} of {section}/{record.get('key')}")
    return Item(
        key=str(record["key"]),
        section=section,
        category=record.get("class", ""),
        title=record["title"],
        paragraphs=_paragraphs(record["text"]),
        fields={k: str(v) for k, v in record.get("fields", {}).items()},
        published=str(record.get("date", "")),
        source=record.get("source", ""),
        language=record.get("lang", "zh"),
        trap=record.get("trap", ""),
        of=str(record.get("of", "")),
        off_topic=bool(record.get("off_topic")),
        slug=str(record["key"]),
        since=record.get("since", 1),
        until=record.get("until", LAST_VISIT),
        gone=record.get("gone", 404),
        modified=record.get("since", 1),
        changes=tuple(sorted(record.get("change", {}).items())),
        moves=tuple(sorted(record.get("move", {}).items())),
    )


def _files() -> Iterator[tuple[str, str]]:
    room = files("hometextile.demo").joinpath("content")
    for file in sorted(room.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".yaml"):
            yield file.name.split(".")[0].split("-")[0], file.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def every_item() -> tuple[Item, ...]:
    """All records of ``content/SECTION.yaml`` and ``content/SECTION-*.yaml``, as at their first visit.

    Raises:
        ValueError: two records of a section share a key, or a class is unknown.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    items = [_item(section, record) for section, text in _files() for record in yaml.load(text, Loader=loader)]
    seen: set[tuple[str, str]] = set()
    for item in items:
        if (item.section, item.key) in seen:
            raise ValueError(f"doubled key {item.section}/{item.key}")
        if not item.off_topic and item.category not in LIBRARY_OF:
            raise ValueError(f"unknown class {item.category!r} of {item.section}/{item.key}")
        seen.add((item.section, item.key))
    return tuple(items)


@lru_cache(maxsize=64)
def items(section: str, visit: int) -> tuple[Item, ...]:
    """The records of a section at a visit, newest first where they have dates, else in the order written."""
    there = [now for item in every_item() if item.section == section and (now := item.at(visit)) is not None]
    if section == "news":
        there.sort(key=lambda item: (item.published, item.key), reverse=True)
    return tuple(there)


@dataclass(frozen=True)
class Found:
    """What stands under an address: the record, or where it went, or that it is gone (a status)."""

    item: Item | None = None
    moved: str = ""
    gone: int = 0


def look_up(section: str, slug: str, visit: int) -> Found:
    """The record under a slug at a visit; ``Found()`` when there never was one."""
    for item in every_item():
        if item.section != section or slug not in (item.slug, *(new for _, new in item.moves)):
            continue
        now = item.at(visit)
        if now is None:
            return Found(gone=item.gone) if visit > item.until and slug == item.slug else Found()
        if now.slug == slug:
            return Found(item=now)
        old = [item.slug, *(new for when, new in item.moves if when <= visit)]
        return Found(moved=now.path) if slug in old else Found()
    return Found()


def search(section: str, words: str, visit: int) -> list[Item]:
    """The records of a section that have all of the words; none for no words."""
    if not words.strip():
        return []
    return [item for item in items(section, visit) if item.matches(words)]
