"""From Scrapy's response to a page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy.http import Response, TextResponse

from hometextile.page.page import Page, Way

if TYPE_CHECKING:
    from hometextile.spiders.site import SiteSpider


def is_drawn(text: str) -> bool:
    """Whether a page carries a layout: the drawing script marks its root element."""
    return "data-drawn=" in text[:2_000]


def page_of(response: Response, spider: SiteSpider) -> Page:
    """The page that *response* is, with its way here.

    Args:
        response: after the encoding and render middlewares.
        spider: the site's spider.
    """
    known = spider.crawler.request_fingerprinter
    text = response.text if isinstance(response, TextResponse) else ""
    drawn = is_drawn(text)
    return Page(
        site=spider.site.name,
        url=response.url,
        text=text,
        encoding=response.meta.get("page_encoding") or getattr(response, "encoding", None) or "utf-8",
        status=response.status,
        headers={
            name.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
            for name, values in response.headers.items()
        },
        # What a server sent is kept as it came; what the browser drew is kept as text.
        body=b"" if drawn else response.body,
        rendered=drawn,
        way=Way(**response.meta.get("way", {})),
        fetched=datetime.now(UTC).isoformat(timespec="seconds"),
        request_id=response.meta.get("request_id"),
        crawl_id=spider.workshop.crawl_id,
        # The frontier and the HTTP cache know the request by it: one request, one page in the library.
        fingerprint=known.fingerprint(response.request).hex() if response.request else "",
    )
