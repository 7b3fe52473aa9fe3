"""Downloader middleware: bytes to text, believing the page only where its bytes bear it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import Request, Response, TextResponse

from hometextile.text.encodings import decode

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector


class EncodingMiddleware:
    """Replaces a text response by one whose encoding is right.

    Responses that are no text (pictures, archives) go through as they are. The response's ``encoding`` becomes the
    WHATWG name of what a form of the page is submitted in. Counts ``encoding/repaired``.
    """

    def __init__(self, stats: StatsCollector | None) -> None:
        self.stats = stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> EncodingMiddleware:
        return cls(crawler.stats)

    def process_response(self, request: Request, response: Response) -> Response:
        """The response, decoded rightly."""
        if not isinstance(response, TextResponse) or not response.body:
            return response
        header = response.headers.get("Content-Type")
        decoded = decode(response.body, header.decode("latin-1") if header else None)
        if decoded.repaired and self.stats is not None:
            self.stats.inc_value("encoding/repaired")
        if decoded.encoding == response.encoding and not decoded.repaired:
            return response
        return response.replace(encoding=decoded.encoding)
