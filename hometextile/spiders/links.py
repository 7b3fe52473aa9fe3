"""Which links of a page are followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import re2

from hometextile.dedup.traps import TrapGuard
from hometextile.dedup.urls import canonical_url
from hometextile.forms.answers import page_links
from hometextile.forms.pagers import read_pager
from hometextile.page.page import Page
from hometextile.sites import Site

#: What is no page and no document.
_SKIPPED = tuple(
    f".{ending}"
    for line in (
        "jpg jpeg png gif webp bmp ico svg tif tiff psd css js json rss atom woff woff2 ttf mp3 wav",
        "mp4 avi flv wmv mov mkv webm zip rar 7z gz tar exe apk dmg msi iso",
    )
    for ending in line.split()
)

#: Addresses by which it is told whether a page has new links.
MAX_KNOWN = 300_000
#: Why a page is dropped that has something to say.
_IN_EARNEST = "off-topic"


@dataclass
class Link:
    """A link to follow."""

    url: str
    text: str
    around: str
    paging: bool = False


class Follower:
    """Decides on links by the site file and by what traps look like.

    Args:
        site: the site.
        traps: remembers the shapes of addresses.
        count: called with a counter's name.
    """

    def __init__(self, site: Site, traps: TrapGuard, count: Callable[[str], object]) -> None:
        self._site = site
        self._traps = traps
        self._count = count
        self._known: set[int] = set()
        self._accept = [re2.compile(pattern) for pattern in site.data.follow.accept]
        self._refuse = [re2.compile(pattern) for pattern in site.data.follow.refuse]

    def may(self, url: str, depth: int) -> bool:
        """Whether an address may be fetched: host, depth, the site file's patterns, traps. Refusals are counted."""
        reason = self._refusal(url, depth)
        if reason:
            self._count(f"link/refused/{reason}")
        return not reason

    def _refusal(self, url: str, depth: int) -> str:
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
        except ValueError:
            return "bad-address"
        if host not in self._site.hosts:
            return "other-host"
        if depth > self._site.data.limits.depth:
            return "depth"
        if parts.path.lower().endswith(_SKIPPED):
            return "file-type"
        if any(pattern.search(url) for pattern in self._refuse):
            return "rule"
        return self._traps.check(url) or ""

    def links(self, page: Page) -> Iterator[Link]:
        """The links of a page that are to be followed, each address once; the page's story says how many are new."""
        seen = {canonical_url(page.url)}
        pager = read_pager(page.document)
        depth = page.way.depth + 1
        for url, text, element in page_links(page.document):
            key = canonical_url(url)
            if key in seen or "nofollow" in (element.get("rel") or "").lower():
                continue
            seen.add(key)
            if self._accept and not any(pattern.search(url) for pattern in self._accept):
                continue
            if self.may(url, depth):
                page.story["new_links"] = page.story.get("new_links", 0) + self._is_new(key)
                yield Link(url, text, _around(element), url in pager.urls)

    def _is_new(self, key: str) -> bool:
        mark = hash(key)
        if mark in self._known:
            return False
        if len(self._known) >= MAX_KNOWN:
            self._known.clear()  # what is known already is taken for new once more, which refuses nothing
        self._known.add(mark)
        return True

    def came_of(self, page: Page) -> None:
        """Learn from a page that a link led to, once its steps are done: one of a trap has nothing and leads nowhere.

        Args:
            page: with what came of it. A page that gave something off the topic is one in earnest.
        """
        gave = bool(page.resources) or page.dropped == _IN_EARNEST
        self._traps.learn(page.url, new=gave or page.story.get("new_links", 0) > 0)


def _around(element: object) -> str:
    """The words beside a link: its parent's, shortened."""
    parent = element.getparent()  # type: ignore[attr-defined]
    return " ".join(str(parent.text_content()).split())[:200] if parent is not None else ""
