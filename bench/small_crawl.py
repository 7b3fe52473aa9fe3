"""One crawl of a small source in a process of its own: ``python -m bench.small_crawl '{"address": ...}'``.

The frontier, the store step and its index of near-duplicates are those of every crawl; what lies in between (blocks,
rules, topic) is left out, since it is not what is measured.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import suppress
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response
from sqlalchemy import Engine, event

from hometextile.dedup.content import content_hash
from hometextile.dedup.near import NearIndex
from hometextile.extract.resource import Resource
from hometextile.library.library import Library
from hometextile.page.page import Page, Way
from hometextile.steps import Workshop, store
from hometextile.text.faults import Fault

NAME = "small"


class SmallSpider(scrapy.Spider):
    """Follows all links; a page is one resource."""

    name = NAME
    workshop: Workshop
    frontier = True
    making = True

    async def parse(self, response: Response) -> Any:
        """Links, then the page."""
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href)
        if self.making:
            yield make_page(response, self.workshop)


def make_page(response: Response, shop: Workshop) -> Page:
    """The page with its one resource."""
    assert isinstance(response, HtmlResponse)
    title, text = response.css("title::text").get("") or "", response.css("p::text").get("") or ""
    resource = Resource(identity=response.url, url=response.url, title=title, text=text, relevance=1.0)
    resource.content_hash = content_hash(resource)
    return Page(
        NAME, response.url, response.text, way=Way("link"), resources=[resource], crawl_id=shop.crawl_id,
        request_id=response.meta.get("request_id"), fetched=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    )  # fmt: skip


class StorePipeline:
    """The store step."""

    def __init__(self, crawler: Any) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any) -> StorePipeline:
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        """Store a page."""
        store(item, self.crawler.spider.workshop)
        return item


def settings(job: dict[str, Any]) -> dict[str, Any]:
    """Scrapy's settings for a crawl.

    Args:
        job: ``address``, ``library`` (None: Scrapy's own scheduler in memory), ``delay``, ``concurrency``, ``lease``,
            ``patience``, ``store``.
    """
    found: dict[str, Any] = {
        "LOG_LEVEL": job.get("log", "ERROR"),
        "LOG_FORMATTER": "hometextile.log_formatter.LogFormatter",
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "DOWNLOAD_DELAY": job.get("delay", 0),
        "RANDOMIZE_DOWNLOAD_DELAY": False,
        "DOWNLOAD_DELAY_JITTER": 0,
        "CONCURRENT_REQUESTS": job.get("concurrency", 16),
        "CONCURRENT_REQUESTS_PER_DOMAIN": job.get("concurrency", 16),
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
    }
    if job.get("library"):
        found.update(
            SCHEDULER="hometextile.scheduler.FrontierScheduler",
            LIBRARY_URL=job["library"],
            LIBRARY_PATIENCE=job.get("patience", 60),
            FRONTIER_LEASE=job.get("lease", 30),
            SPIDER_MIDDLEWARES={"hometextile.spidermiddlewares.frontier.FrontierMiddleware": 10},
        )
    if job.get("store"):
        found["ITEM_PIPELINES"] = {"bench.small_crawl.StorePipeline": 1}
    return found


def crawl(job: dict[str, Any]) -> dict[str, Any]:
    """Run it.

    Returns:
        Scrapy's counters.
    """
    process = CrawlerProcess(settings(job))
    spider = type("Small", (SmallSpider,), {"making": bool(job.get("store"))})
    crawler = process.create_crawler(spider)
    attributes: dict[str, Any] = {"start_urls": [job["address"] + "/0"]}
    library = None
    if job.get("store"):
        library = Library.open(job["library"], patience=job.get("patience", 60))
        site: Any = type("Site", (), {"name": NAME})()
        nothing: Any = None
        shop = Workshop(site, nothing, nothing, library, NearIndex(library.near_store()))
        shop.begin({}, settings(job))
        attributes["workshop"] = shop
        attributes["closed"] = lambda reason: _close(library, shop.crawl_id or 0, reason)
    if job.get("die"):
        _die(*job["die"])
    begun = time.monotonic()
    process.crawl(crawler, **attributes)
    process.start()
    stats = dict(crawler.stats.get_stats()) if crawler.stats else {}
    stats["seconds"] = time.monotonic() - begun
    if library is not None:
        library.close()
    return stats


def _close(library: Library, crawl: int, reason: str) -> None:
    with suppress(Fault):  # said by the scheduler
        library.end_crawl(crawl, state="finished" if reason == "finished" else "stopped", reason=reason)


def _die(moment: str, number: int) -> None:
    """Kill this process at its *number*-th commit or inside a transaction, after a statement that writes."""
    left = [number]

    def at_commit(_connection: Any) -> None:
        left[0] -= 1
        if left[0] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def after_statement(_c: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if statement.startswith(("INSERT INTO frontier", "UPDATE frontier", "INSERT INTO resources")):
            at_commit(None)

    if moment == "commit":
        event.listen(Engine, "commit", at_commit)
    else:
        event.listen(Engine, "after_cursor_execute", after_statement)


if __name__ == "__main__":
    found = crawl(json.loads(sys.argv[1]))
    print(json.dumps(found, default=str))
    # As `scrapy crawl` does.
    sys.exit(1 if found.get("library/away") else 0)
