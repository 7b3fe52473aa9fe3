"""Fetches one page, politely and guarded, for commands that look at a page before there is a site file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.http import Response, TextResponse

from hometextile.page.page import Page
from hometextile.sites import Allow, Site, SiteFile
from hometextile.spiders.pages import is_drawn

if TYPE_CHECKING:
    from twisted.python.failure import Failure


class LookSpider(Spider):
    """Fetches ``url``; the page is put into ``found``, or the reason into ``failed``.

    Args:
        url: what to look at. Its host may be private: the user named it.
        found: list that takes the page.
        failed: list that takes the reason.
    """

    name = "look"
    #: No step of ours runs on the page, and no library is opened.
    custom_settings: ClassVar[dict[str, Any] | None] = {  # type: ignore[misc]
        "ITEM_PIPELINES": {},
        "EXTENSIONS": {},
        "SPIDER_MIDDLEWARES": {},
        "LOG_LEVEL": "ERROR",
        "DOWNLOAD_DELAY": 0,
        "RETRY_TIMES": 1,
    }

    def __init__(self, url: str, found: list[Page], failed: list[str], render: str = "auto", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.url, self.found, self.failed, self.render = url, found, failed, render
        self.start_urls = [url]
        host = urlsplit(url).hostname or ""
        self.site = Site("look", SiteFile(start=[url], allow=Allow(private=[host])))

    async def start(self) -> AsyncIterator[Any]:
        """The one request."""
        yield Request(self.url, callback=self.parse, errback=self.went_wrong)

    def parse(self, response: Response, **kwargs: Any) -> None:
        """Keep the page."""
        if not isinstance(response, TextResponse):
            self.failed.append((response.headers.get("Content-Type") or b"").decode("latin-1") or "not a page")
            return
        self.found.append(
            Page(
                "look",
                response.url,
                response.text,
                response.meta.get("page_encoding") or response.encoding,
                rendered=is_drawn(response.text),
            )
        )

    def went_wrong(self, failure: Failure) -> None:
        """Keep the reason."""
        self.failed.append(failure.getErrorMessage() or type(failure.value).__name__)
