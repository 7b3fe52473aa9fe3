"""A robots.txt that cannot be had is one line in the log.

A site that is down has no robots.txt either. That is no fault of the program, and the traceback that Scrapy logs tells
its user nothing.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy import signals

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

_LOGGERS = ("scrapy.downloadermiddlewares.robotstxt",)


class _OneLine(logging.Filter):
    """Takes the traceback from a record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_text = None
        return True


class LogLines:
    """Sets the filter for the time of a crawl."""

    def __init__(self) -> None:
        self._filter = _OneLine()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component."""
        extension = cls()
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        """Begin."""
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(self._filter)

    def spider_closed(self) -> None:
        """End."""
        for name in _LOGGERS:
            logging.getLogger(name).removeFilter(self._filter)
