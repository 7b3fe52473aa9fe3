"""A document that a page links to is fetched once, though it is two things: a page of the crawl and a resource's file.

On where a site file says ``download: [files]``. Whichever of the two comes first is kept in the library's store of
pages, as Scrapy's HTTP cache would keep it, and answers the other one for as long as the crawl lasts.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from sqlalchemy import select

from hometextile.cache_storage import LibraryCacheStorage
from hometextile.library import tables as t
from hometextile.pipelines.files import suffix_of, types_of
from hometextile.text.faults import Fault

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

_OK = 200


class FetchedOnceMiddleware:
    """Stands outside Scrapy's HTTP cache. Counts ``files/fetched-once``."""

    def __init__(self, crawler: Crawler) -> None:
        spider: Any = crawler.spider
        site = getattr(spider, "site", None)
        if site is None or "files" not in site.data.download or spider.arguments.preview:
            raise NotConfigured
        self.crawler = crawler
        self._hosts = site.hosts
        self._types = types_of(crawler.settings)
        self._store = LibraryCacheStorage(crawler.settings)
        self._store.expiration = 0
        self._patience = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        self._begun: float | None = None
        #: Fingerprint to what is to be waited for: the same document asked for twice at one moment.
        self._coming: dict[bytes, asyncio.Future[None]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component."""
        return cls(crawler)

    async def process_request(self, request: Request) -> Response | None:
        """The document, if this crawl has fetched it."""
        if not self._meant(request):
            return None
        key = self._key(request)
        if key in self._coming:
            await asyncio.wait([self._coming[key]], timeout=self._patience)
        found = self._kept(request)
        if found is None:
            request.meta["coming"] = self._coming[key] = asyncio.get_running_loop().create_future()
            return None
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value("files/fetched-once")
        return found.replace(flags=["cached"])

    def process_response(self, request: Request, response: Response) -> Response:
        """Keep a document that came."""
        if not self._meant(request):
            return response
        if response.status == _OK and response.body and not response.flags and not isinstance(response, HtmlResponse):
            self._begin()
            self._store.store_response(self._spider, request, response)
        self._came(request)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Nothing came: who waits asks for itself."""
        if self._meant(request):
            self._came(request)

    def _meant(self, request: Request) -> bool:
        """Whether it may be both: a file's address on a host whose pages are followed."""
        try:
            return (
                request.method == "GET"
                and urlsplit(request.url).hostname in self._hosts
                and suffix_of(request.url) in self._types
            )
        except ValueError:
            return False

    def _key(self, request: Request) -> bytes:
        assert self.crawler.request_fingerprinter
        return self.crawler.request_fingerprinter.fingerprint(request)

    @property
    def _spider(self) -> Any:
        return self.crawler.spider

    def _begin(self) -> float:
        """When the crawl began; the library is there only once the spider is opened."""
        if self._begun is None:
            shop = self._spider.workshop
            self._store.open_spider(self._spider)
            query = select(t.crawls.c.started).where(t.crawls.c.id == shop.crawl_id)
            started = shop.library.database.read(lambda connection: connection.execute(query).scalar_one())
            self._begun = datetime.fromisoformat(started).timestamp()
        return self._begun

    def _kept(self, request: Request) -> Response | None:
        try:
            begun = self._begin()
            found = self._store.retrieve_response(self._spider, request)
        except Fault:
            # The library is away: who stores the page will say so.
            return None
        when = request.meta.pop("cache_timestamp", 0.0)
        return found if found is not None and found.status == _OK and when >= begun else None

    def _came(self, request: Request) -> None:
        coming = request.meta.pop("coming", None)
        if coming is not None:
            if self._coming.get(self._key(request)) is coming:
                del self._coming[self._key(request)]
            coming.set_result(None)
