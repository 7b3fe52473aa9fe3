"""Tells the frontier which request a request came of, and stores a page after its links are known."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.exceptions import CloseSpider

from hometextile.page.page import Page

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response


class FrontierMiddleware:
    """Stands nearest to the engine.

    Pages are held back until the callback has come to its end, so that a page's request is done in one transaction with
    all requests that came of it, in whatever order the callback yielded them.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component."""
        return cls(crawler)

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Requests with their parent's number, then pages; only the last page of a request ends it."""
        number = response.meta.get("request_id")
        pages: list[Page] = []
        try:
            async for each in result:
                if isinstance(each, Page):
                    pages.append(each)
                    continue
                if isinstance(each, Request) and number is not None:
                    each.meta.pop("request_id", None)
                    each.meta["parent_id"] = number
                yield each
        except CloseSpider:
            ledger = getattr(getattr(self.crawler.engine, "scheduler", None), "ledger", None)
            outcome = ledger.outcome(number) if ledger is not None and number is not None else None
            if outcome is not None and not pages:
                # Nothing was made of this page: it is fetched again when the crawl goes on.
                outcome.state = "waiting"
            raise
        for page in pages[:-1]:
            page.request_id = None
        for page in pages:
            yield page
