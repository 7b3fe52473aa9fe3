"""Log lines without whole pages in them."""

from __future__ import annotations

import logging
from typing import Any

from scrapy.logformatter import LogFormatter as ScrapyLogFormatter
from scrapy.logformatter import LogFormatterResult

from hometextile.page.page import Page
from hometextile.text.faults import Fault


class LogFormatter(ScrapyLogFormatter):
    """Names a page by its address; an item error keeps its traceback and loses the page's text.

    That the library can't take a page is no error of the item: the scheduler says it once, and ends the crawl.
    """

    def scraped(self, item: Any, response: Any, spider: Any) -> LogFormatterResult:
        """One line a page: what it gave, or why nothing."""
        if not isinstance(item, Page):
            return super().scraped(item, response, spider)
        return {
            "level": logging.DEBUG,
            "msg": "Page %(url)s: %(what)s",
            "args": {"url": item.url, "what": item.dropped or f"{len(item.resources)} resources"},
        }

    def item_error(self, item: Any, exception: BaseException, response: Any, spider: Any) -> LogFormatterResult:
        """The address instead of the whole page."""
        if not isinstance(item, Page):
            return super().item_error(item, exception, response, spider)
        away = isinstance(exception, Fault)
        return {
            "level": logging.DEBUG if away else logging.ERROR,
            "msg": "Not stored: %(url)s" if away else "Error processing %(url)s",
            "args": {"url": item.url},
        }
