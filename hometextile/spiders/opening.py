"""Opens what a crawl needs: library, pack, model. Each fault is one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hometextile.library.library import Library
from hometextile.steps import Workshop

if TYPE_CHECKING:
    from hometextile.spiders.site import SiteSpider

#: A preview stores nothing: its library is in memory and gone afterwards.
IN_MEMORY = "sqlite://"


def open_workshop(spider: SiteSpider) -> Workshop:
    """The workshop of a crawl, its crawl begun in the library.

    Raises:
        Fault: the library, the pack or the model is not to be had.
    """
    settings = spider.crawler.settings
    url = IN_MEMORY if spider.arguments.preview else settings["LIBRARY_URL"]
    library = Library.open(url)
    stats = spider.crawler.stats
    shop = Workshop.open(spider.site, library, model=settings["IMPORTANCE_MODEL"],
                         count=lambda name, n=1: stats.inc_value(name, n))
    shop.begin(spider.arguments.model_dump(exclude_defaults=True))
    return shop
