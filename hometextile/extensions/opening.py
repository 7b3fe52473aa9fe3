"""Opens what a crawl needs before anything else is made: library, pack, model.

A spider is made before settings and counters are final, so that the spider cannot do it itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from hometextile.addon import library_url
from hometextile.library.library import Library
from hometextile.spiders.site import SiteSpider
from hometextile.steps import Workshop

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

#: A preview stores nothing: its library is in memory and gone afterwards.
IN_MEMORY = "sqlite://"


class Opening:
    """Gives the site's spider its workshop; other spiders are none of its business."""

    def __init__(self, crawler: Crawler) -> None:
        spider = crawler.spider
        if not isinstance(spider, SiteSpider):
            raise NotConfigured
        stats = crawler.stats
        address = IN_MEMORY if spider.arguments.preview else library_url(crawler.settings)
        library = Library.of_settings(address, crawler.settings)
        shop = Workshop.open(
            spider.site,
            library,
            model=crawler.settings["IMPORTANCE_MODEL"],
            count=lambda name, n=1: stats.inc_value(name, n),
        )
        shop.begin(spider.arguments.model_dump(exclude_defaults=True), crawler.settings)
        spider.open(shop)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component."""
        return cls(crawler)
