"""Progress of a crawl: a bar on a terminal, plain lines in a log."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.file_proxy import FileProxy
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from scrapy import signals
from scrapy.exceptions import NotConfigured

from hometextile.spiders.site import SiteSpider
from hometextile.text.messages import _

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)
#: Seconds between two plain lines.
INTERVAL = 15.0


class Progress:
    """Pages done of pages known, queries asked, resources stored."""

    def __init__(self, crawler: Crawler) -> None:
        if not isinstance(crawler.spider, SiteSpider):
            raise NotConfigured
        self.crawler = crawler
        wanted = crawler.settings["PROGRESS"]
        self._terminal = sys.stderr.isatty() if wanted is None else crawler.settings.getbool("PROGRESS")
        self._bar: Bar | None = None
        self._redirected: list[tuple[logging.StreamHandler, object]] = []
        self._ticker: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component."""
        progress = cls(crawler)
        crawler.signals.connect(progress.spider_opened, signals.spider_opened)
        crawler.signals.connect(progress.spider_closed, signals.spider_closed)
        return progress

    async def spider_opened(self, spider: SiteSpider) -> None:
        """Begin."""
        if self._terminal:
            console = Console(file=sys.stderr)
            self._bar = Bar(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.completed}/{task.total}"),
                TextColumn("{task.fields[more]}"),
                TimeElapsedColumn(),
                console=console,
                transient=True,
            )
            self._task = self._bar.add_task(spider.name, total=None, more="")
            self._bar.start()
            for handler in logging.root.handlers:
                if isinstance(handler, logging.StreamHandler) and handler.stream is sys.__stderr__:
                    self._redirected.append((handler, handler.setStream(FileProxy(console, sys.__stderr__))))
        self._ticker = asyncio.ensure_future(self._tick())

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(0.5 if self._bar else INTERVAL)
            self._show()

    def _show(self) -> None:
        stats = self.crawler.stats
        done = stats.get_value("response_received_count", 0)
        known = stats.get_value("scheduler/enqueued", 0)
        queries = stats.get_value("form/queries", 0)
        stored = stats.get_value("store/new", 0)
        if self._bar is not None:
            more = _("{queries} queries, {stored} stored").format(queries=queries, stored=stored)
            self._bar.update(self._task, completed=done, total=max(known, done), more=more)
        else:
            logger.info(
                _("{done} pages fetched, {known} known, {queries} queries, {stored} resources stored").format(
                    done=done, known=known, queries=queries, stored=stored
                )
            )

    def spider_closed(self, spider: SiteSpider) -> None:
        """End; a last plain line."""
        if self._ticker is not None:
            self._ticker.cancel()
        if self._bar is not None:
            self._bar.stop()
            for handler, stream in self._redirected:
                handler.setStream(stream)
            self._bar = None
        self._show()
