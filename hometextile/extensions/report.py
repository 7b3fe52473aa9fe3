"""The end of a crawl: a table by step and by library, or, after a preview, what would have been stored."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from scrapy import signals
from scrapy.exceptions import NotConfigured

from hometextile.page.page import Page
from hometextile.spiders.site import SiteSpider
from hometextile.text.messages import N_, _, locale_name

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

#: Rows of the table: what is counted, and the counters' beginning.
_ROWS = (
    ("fetch", "page/", "downloader/response_status_count/", "guard/", "link/refused/"),
    ("render", "render/"),
    ("forms", "form/"),
    ("blocks", "block/"),
    ("extract", "extract/"),
    ("topic", "topic/"),
    ("dedup", "dedup/"),
    ("store", "store/"),
    ("integrate", "integrate/"),
)


class Report:
    """Prints the table on standard error; a preview's pages on standard output."""

    def __init__(self, crawler: Crawler) -> None:
        if not isinstance(crawler.spider, SiteSpider):
            raise NotConfigured
        self.crawler = crawler
        self._previewed: list[Page] = []

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component."""
        report = cls(crawler)
        crawler.signals.connect(report.item_scraped, signals.item_scraped)
        crawler.signals.connect(report.spider_closed, signals.spider_closed)
        return report

    def item_scraped(self, item: Any, spider: SiteSpider) -> None:
        """Keep the pages of a preview, which are few."""
        if spider.arguments.preview and isinstance(item, Page):
            self._previewed.append(item)

    def spider_closed(self, spider: SiteSpider, reason: str) -> None:
        """Print."""
        if spider.arguments.preview:
            self._preview(spider)
        console = Console(file=sys.stderr, width=None if sys.stderr.isatty() else 110)
        console.print(self._steps(reason))
        counts = spider.workshop.library.counts()
        if counts and not spider.arguments.preview:
            console.print(self._libraries(spider, counts))

    def _steps(self, reason: str) -> Table:
        stats = self.crawler.stats.get_stats()
        table = Table(
            title=_("What each step did (the crawl ended: {reason})").format(reason=reason), title_justify="left"
        )
        table.add_column(_("step"))
        table.add_column(_("counted"))
        table.add_column(_("number"), justify="right")
        for name, *beginnings in _ROWS:
            first = True
            for key in sorted(stats):
                if any(key.startswith(beginning) for beginning in beginnings) and isinstance(stats[key], int | float):
                    table.add_row(name if first else "", _label(key), f"{stats[key]:,}")
                    first = False
        return table

    def _libraries(self, spider: SiteSpider, counts: dict[str, Any]) -> Table:
        libraries = spider.workshop.pack.libraries
        table = Table(title=_("What the library holds now"), title_justify="left")
        table.add_column(_("library"))
        table.add_column(_("resources"), justify="right")
        for key, number in sorted(counts.get("by_library", {}).items()):
            name = spider.workshop.pack.library_name(key, locale_name()[:2]) if key in libraries else key
            table.add_row(name or _("(none)"), f"{number:,}")
        return table

    def _preview(self, spider: SiteSpider) -> None:
        console = Console(width=None if sys.stdout.isatty() else 110)
        console.print(_("Preview of {site}: nothing was stored.").format(site=spider.site.name))
        for page in self._previewed:
            kept = [resource for resource in page.resources if resource.duplicate_of is None]
            if page.dropped or not kept:
                why = _why_dropped(page.dropped or "duplicate")
                console.print(
                    f"— {page.url}\n    " + _("not stored: {reason}").format(reason=why),
                    markup=False,
                    highlight=False,
                )
                continue
            for resource in kept:
                console.print(f"+ {page.url}", markup=False, highlight=False, style="bold")
                rows = {
                    _("title"): resource.title,
                    _("published"): resource.published,
                    _("source"): resource.source,
                    _("library"): f"{resource.library} / {resource.category}",
                    _("relevance"): f"{resource.relevance:.2f}",
                    _("images"): len(resource.images),
                    _("text"): _shorten(resource.text, 160),
                    **resource.fields,
                }
                for name, value in rows.items():
                    if value not in ("", None, [], 0):
                        console.print(f"    {name}: {_shorten(str(value), 200)}", markup=False, highlight=False)


def _label(key: str) -> str:
    return key.removeprefix("downloader/response_status_count/").replace("/", " · ").replace("_", " ")


def _shorten(text: str, length: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1] + "…"


#: Why a page is not stored, by the code that is counted (``page/dropped/CODE``).
_WHY_DROPPED = {
    "duplicate": N_("the library has it"),
    "list": N_("a list, whose entries count"),
    "off-topic": N_("not on the topic"),
    "no-content": N_("nothing to store on it"),
    "required-field-missing": N_("a field that the site file requires is missing"),
}


def _why_dropped(code: str) -> str:
    return _(_WHY_DROPPED[code]) if code in _WHY_DROPPED else code
