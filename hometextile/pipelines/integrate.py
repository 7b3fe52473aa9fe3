"""Pipeline ``integrate``: the mediator, where the site file names a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured

from hometextile.integrating import open_mediator
from hometextile.pipelines.step import StepPipeline

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class IntegratePipeline(StepPipeline):
    """Runs :func:`hometextile.steps.integrate`. A preview writes nothing."""

    name = "integrate"

    def __init__(self, crawler: Crawler) -> None:
        spider: Any = crawler.spider
        site = getattr(spider, "site", None)
        if site is None or site.data.integrate is None or spider.arguments.preview:
            raise NotConfigured
        super().__init__(crawler)

    def open_spider(self) -> None:
        """Open the user's database."""
        spider: Any = self.crawler.spider
        spider.workshop.mediator = open_mediator(spider.site)

    def close_spider(self) -> None:
        """Let go of it."""
        spider: Any = self.crawler.spider
        if spider.workshop.mediator is not None:
            spider.workshop.mediator.close()
            spider.workshop.mediator = None
