"""Writes the crawl's counters to a JSON file, for programs that start crawls (setting ``STATS_FILE``)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler


class StatsFile:
    """At the end of a crawl; without the setting, nothing."""

    def __init__(self, crawler: Crawler) -> None:
        path = crawler.settings.get("STATS_FILE")
        if not path:
            raise NotConfigured
        self._path = Path(path)
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component."""
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def spider_closed(self, spider: Spider, reason: str) -> None:
        """Write."""
        self._path.write_text(json.dumps(self._stats.get_stats(), default=str, ensure_ascii=False), encoding="utf-8")
