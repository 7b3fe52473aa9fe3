"""What robots.txt forbids is not fetched, however many requests wait for it at once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

from scrapy.settings import Settings

from hometextile.addon import Addon

RULES = b"User-agent: *\nDisallow: /private/\n"

# ten requests wait for robots.txt together, half of them for forbidden pages
CRAWL = """
import sys
from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess

class Waiting(Spider):
    name = "waiting"
    async def start(self):
        for n in range(5):
            yield Request(f"{sys.argv[1]}/private/{n}")
            yield Request(f"{sys.argv[1]}/open/{n}")
    def parse(self, response):
        pass

ours = {
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "hometextile.downloadermiddlewares.robots.RobotsMiddleware": 100,
}
process = CrawlerProcess(
    {"ROBOTSTXT_OBEY": True, "DOWNLOADER_MIDDLEWARES": ours, "CONCURRENT_REQUESTS": 16, "DOWNLOAD_DELAY": 0,
     "CONCURRENT_REQUESTS_PER_DOMAIN": 8, "LOG_LEVEL": "ERROR", "RETRY_ENABLED": False, "TELNETCONSOLE_ENABLED": False}
)
process.crawl(Waiting)
process.start()
"""


def crawl(server: Any) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-c", CRAWL, f"http://127.0.0.1:{server.port}"], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    return sorted(path for _method, path, _head, _body in server.seen)


def test_all_that_wait_for_robots_txt_obey_it(server: Any) -> None:
    async def late(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.5)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(RULES), RULES))
        await writer.drain()

    server.pages["/robots.txt"] = late
    assert crawl(server) == [*(f"/open/{n}" for n in range(5)), "/robots.txt"]


def test_without_rules_all_that_waited_are_fetched(server: Any) -> None:
    assert len(crawl(server)) == 11


def test_a_server_that_fails_to_give_its_rules_is_asked_for_nothing_else(server: Any) -> None:
    server.pages["/robots.txt"] = (503, {}, b"try later")
    assert crawl(server) == ["/robots.txt"]


def test_a_connection_that_breaks_is_no_permission(server: Any) -> None:
    async def hang_up(writer: asyncio.StreamWriter) -> None:
        writer.close()

    server.pages["/robots.txt"] = hang_up
    assert set(crawl(server)) == {"/robots.txt"}


def test_the_add_on_puts_it_where_scrapys_own_stood() -> None:
    settings = Settings()
    Addon().update_settings(settings)
    middlewares = settings["DOWNLOADER_MIDDLEWARES"]
    assert middlewares["scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware"] is None
    assert middlewares["hometextile.downloadermiddlewares.robots.RobotsMiddleware"] == 100
