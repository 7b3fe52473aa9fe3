"""A page that is as it was (304): the stored one goes its way again, without having been sent again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import Headers, Request, Response, TextResponse
from scrapy.responsetypes import responsetypes
from sqlalchemy import select

from hometextile.library import tables as t
from hometextile.library.library import Library
from hometextile.page.page import Page
from hometextile.scheduler import CONDITIONS

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler



class UnchangedMiddleware:
    """Replaces a 304 to a question of the scheduler's by the page that the library has.

    So a changed rule or model sees it, its links count as seen, and its forms are asked again. Where the library let go
    of the page's content, it is fetched once more without a condition. Counts ``frontier/unchanged``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component."""
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        """The stored page, or the request without its condition."""
        if response.status != 304 or not request.meta.get("conditional"):
            return response
        shop = getattr(self.crawler.spider, "workshop", None)
        page = self._stored(shop.library, shop.site.name, request) if shop is not None else None
        if page is None:
            again = request.copy()
            again.meta.pop("conditional")
            for name in CONDITIONS:
                again.headers.pop(name, None)
            again.dont_filter = True
            return again
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value("frontier/unchanged")
        return as_response(page, request)

    def _stored(self, library: Library, site: str, request: Request) -> Page | None:
        assert self.crawler.request_fingerprinter
        fingerprint = self.crawler.request_fingerprinter.fingerprint(request).hex()
        p = t.pages.c
        query = (
            select(p.id)
            .select_from(t.pages.join(t.sites))
            .where(t.sites.c.name == site, p.fingerprint == fingerprint, p.status == 200)
        )
        number = library.database.read(lambda connection: connection.execute(query).scalar())
        page = library.page(number) if number is not None else None
        return page if page is not None and (page.text or page.body) else None


def as_response(page: Page, request: Request) -> Response:
    """A stored page as the response it was made from, with the flag ``unchanged``.

    Args:
        page: from the library.
        request: whose answer it is.
    """
    headers = Headers({name: value for name, value in page.headers.items() if name != "content-encoding"})
    flags = ["unchanged", *(["rendered"] if page.rendered else [])]
    if not page.text:
        made = responsetypes.from_args(headers=headers, url=page.url, body=page.body)
        return made(page.url, status=page.status, headers=headers, body=page.body, flags=flags, request=request)
    made = responsetypes.from_args(headers=headers, url=page.url)
    if not issubclass(made, TextResponse):
        made = TextResponse
    # The page keeps its encoding: it is what its forms are submitted in.
    body = page.body or page.text.encode(page.encoding, "xmlcharrefreplace")
    return made(
        page.url, status=page.status, headers=headers, body=body, flags=flags, encoding=page.encoding, request=request
    )
