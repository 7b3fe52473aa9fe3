"""Requests for links are scored by topic before they reach the frontier."""

from __future__ import annotations

import re
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response, TextResponse
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from w3lib.html import remove_tags, remove_tags_with_content, replace_entities

from hometextile.text.pack import Pack
from hometextile.topic.links import LinkMemory, link_score
from hometextile.topic.relevance import topic_vector

#: A sure link stays below the answers of forms (20), which are what the crawl is for.
_HIGHEST = 18
#: A link that nothing speaks for goes behind everything else.
_SUNK = -20
_MAX_CHARS = 300_000
_TITLE = re.compile(r"<title[^>]*>(.{0,500}?)</title", re.IGNORECASE | re.DOTALL)


class LinkPriorityMiddleware(BaseSpiderMiddleware):
    """Adds to the priority of each request that follows a link how likely it leads to something on topic.

    What the spider knows of a link is read from the request's ``meta``: ``way`` (``kind``, ``anchor``), ``around`` (the
    text around it), ``block`` (the level of its block). Counts ``link/scored`` and ``link/sunk``.
    """

    _seen: tuple[str, float] = ("", 0.0)

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._memory = LinkMemory()

    def get_processed_request(self, request: Request, response: Response | None) -> Request | None:
        """The request with its priority raised, or sunk."""
        way = request.meta.get("way") or {}
        pack = getattr(getattr(self.crawler.spider, "workshop", None), "pack", None)
        if way.get("kind") != "link" or pack is None:
            return request
        score = link_score(
            request.url,
            way.get("anchor") or "",
            request.meta.get("around") or "",
            pack,
            self._memory.seen(request.url, self._parent_relevance(response, pack)),
            block=request.meta.get("block"),
        )
        sunk = score < pack.settings.link_relevance
        self._count("link/sunk" if sunk else "link/scored")
        raised: Any = request.replace(priority=request.priority + (_SUNK if sunk else round(_HIGHEST * score)))
        return raised if isinstance(raised, Request) else request

    def _parent_relevance(self, response: Response | None, pack: Pack) -> float:
        if not isinstance(response, TextResponse):
            return 0.0
        if self._seen[0] != response.url:
            self._seen = (response.url, text_relevance(response.text, pack))
        return self._seen[1]

    def _count(self, key: str) -> None:
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value(key)


def text_relevance(html: str, pack: Pack) -> float:
    """A quick relevance of a page, before it is segmented: all its text, navigation included.

    Args:
        html: the page.
        pack: the domain pack.
    """
    html = html[:_MAX_CHARS]
    found = _TITLE.search(html)
    title = replace_entities(found[1]).strip() if found else ""
    text = replace_entities(remove_tags(remove_tags_with_content(html, ("script", "style", "title"))))
    return topic_vector(pack).relevance(title=title, text=text)
