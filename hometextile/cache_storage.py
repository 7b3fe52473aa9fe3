"""Scrapy's HTTP cache on the library's pages: one store of pages.

``HTTPCACHE_ENABLED = True`` and ``HTTPCACHE_STORAGE = "hometextile.cache_storage.LibraryCacheStorage"`` switch it on.
What a crawl has stored is then not fetched again until ``HTTPCACHE_EXPIRATION_SECS`` have passed (0: never).
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING

from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes

from hometextile.addon import library_url
from hometextile.library.library import Library
from hometextile.library.responses import Stored
from hometextile.text.faults import Fault

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.settings import BaseSettings
    from scrapy.utils.request import RequestFingerprinterProtocol

logger = logging.getLogger(__name__)


class LibraryCacheStorage:
    """Reads and writes responses in the library."""

    def __init__(self, settings: BaseSettings) -> None:
        self.settings = settings
        self.expiration = settings.getint("HTTPCACHE_EXPIRATION_SECS")
        self._library: Library | None = None
        self._own = False
        self._fingerprinter: RequestFingerprinterProtocol

    def open_spider(self, spider: Spider) -> None:
        """Take the crawl's library (a preview's is in memory), or open it for a spider that has none."""
        self._fingerprinter = spider.crawler.request_fingerprinter
        workshop = getattr(spider, "workshop", None)
        self._own = workshop is None
        self._library = (
            Library.of_settings(library_url(self.settings), self.settings) if workshop is None else workshop.library
        )

    def close_spider(self, spider: Spider) -> None:
        """Let go of the library."""
        if self._own and self._library is not None:
            self._library.close()
        self._library = None

    def retrieve_response(self, spider: Spider, request: Request) -> Response | None:
        """The stored response to a request; None where there is none, or one that is too old."""
        assert self._library is not None
        stored = self._library.kept_response(spider.name, self._fingerprinter.fingerprint(request).hex())
        if stored is None:
            return None
        stamp = datetime.fromisoformat(stored.fetched).timestamp()
        if 0 < self.expiration < time() - stamp:
            return None
        request.meta["cache_timestamp"] = stamp
        headers = Headers({name: list(values) for name, values in stored.headers.items()}, encoding="latin-1")
        kind = responsetypes.from_args(headers=headers, url=stored.url, body=stored.body)
        return kind(url=stored.url, status=stored.status, headers=headers, body=stored.body)

    def store_response(self, spider: Spider, request: Request, response: Response) -> None:
        """Store a response. One that can't be stored is fetched again next time, and the crawl goes on."""
        assert self._library is not None
        headers = {
            name.decode("latin-1").lower(): [value.decode("latin-1") for value in values]
            for name, values in response.headers.items()
            if values
        }
        when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        stored = Stored(response.url, response.status, headers, response.body, when)
        try:
            self._library.keep_response(spider.name, self._fingerprinter.fingerprint(request).hex(), stored)
        except Fault as fault:
            logger.warning("%s", fault)
