"""What was asked of a form is not carried to another host by a redirect.

A form may be sent to hosts of its site, or where a site file says ``elsewhere``. Its requests are marked
``dont_filter``, since whether a query is asked again is not the duplicate filter's business; Scrapy's offsite
middleware lets such requests pass, those that a redirect makes of them too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.exceptions import IgnoreRequest, NotConfigured

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler


class AnswersHereMiddleware:
    """Drops redirects of queries to hosts that are neither the site's nor the one asked. Counts ``form/led-away``."""

    def __init__(self, crawler: Crawler) -> None:
        site: Any = getattr(crawler.spider, "site", None)
        if site is None:
            raise NotConfigured
        self._crawler = crawler
        self._hosts: set[str] = set(site.hosts)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Raise ``IgnoreRequest`` where a redirect leads away.

        Args:
            request: any; looked at if it has ``ask`` and ``redirect_urls`` in its ``meta``.
        """
        gone = request.meta.get("redirect_urls")
        if "ask" not in request.meta or not gone:
            return
        host = urlsplit(request.url).hostname or ""
        if host in self._hosts or host == urlsplit(gone[0]).hostname:
            return
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value("form/led-away")
        raise IgnoreRequest(f"an answer leads to another host: {host}")
