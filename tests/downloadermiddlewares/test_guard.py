"""The guard in a running crawl: what is refused, what is counted, what ends."""

import asyncio
import json
import subprocess
import sys
from types import SimpleNamespace

import pytest
from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.utils.test import get_crawler
from twisted.internet import defer
from twisted.internet.error import DNSLookupError

from hometextile.downloadermiddlewares.guard import AddressRefused, GuardedResolver, GuardMiddleware, make_guard
from hometextile.text.faults import Fault


def middleware(private=(), **settings):
    crawler = get_crawler(Spider, settings)
    crawler.spider = Spider(name="x")
    crawler.spider.site = SimpleNamespace(data=SimpleNamespace(allow=SimpleNamespace(private=list(private))))
    return GuardMiddleware.from_crawler(crawler), crawler


def test_refused_counted_and_logged_once_a_host(caplog):
    one, crawler = middleware()
    for url in ("http://127.0.0.1/a", "http://127.0.0.1/b", "http://10.0.0.1/", "ftp://x.example/"):
        with pytest.raises(AddressRefused):
            asyncio.run(one.process_request(Request(url)))
    assert crawler.stats.get_value("guard/refused/loopback") == 2
    assert crawler.stats.get_value("guard/refused/private") == 1
    assert crawler.stats.get_value("guard/refused/scheme") == 1
    assert len([r for r in caplog.records if "127.0.0.1" in r.getMessage()]) == 1


def test_site_file_allows_its_host():
    one, _crawler = middleware(["127.0.0.1:8000"])
    asyncio.run(one.process_request(Request("http://127.0.0.1:8000/")))
    with pytest.raises(AddressRefused):
        asyncio.run(one.process_request(Request("http://127.0.0.1:8001/")))


def test_websocket_is_no_request_of_ours():
    one, _crawler = middleware(GUARD_PRIVATE=True)
    with pytest.raises(AddressRefused):
        asyncio.run(one.process_request(Request("ws://public.example/")))


def test_answer_from_a_private_address_is_dropped():
    one, _crawler = middleware()
    response = Response("http://public.example/", ip_address="127.0.0.1")
    with pytest.raises(AddressRefused):
        one.process_response(Request("http://public.example/"), response)
    behind_proxy = Request("http://public.example/", meta={"proxy": "http://127.0.0.1:3128"})
    assert one.process_response(behind_proxy, response) is response
    public = Response("http://public.example/", ip_address="93.184.216.34")
    assert one.process_response(Request("http://public.example/"), public) is public


def test_wrong_entry_is_a_fault():
    crawler = get_crawler(Spider, {"GUARD_HOSTS": ["not a host"]})
    with pytest.raises(Fault, match="not a host"):
        make_guard(crawler)


def test_resolver_refuses_what_a_name_became(monkeypatch):
    answers = {"rebind.example": "127.0.0.1", "public.example": "93.184.216.34", "ours.example": "10.0.0.1"}
    monkeypatch.setattr(
        "scrapy.resolver.CachingThreadedResolver.getHostByName",
        lambda self, name, timeout=(): defer.succeed(answers[name]),
    )
    _one, crawler = middleware(["ours.example:8000"], DNSCACHE_ENABLED=False)
    resolver = GuardedResolver.from_crawler(crawler, SimpleNamespace())
    results = {}
    for name in answers:
        resolver.getHostByName(name).addCallbacks(
            lambda address, name=name: results.__setitem__(name, address),
            lambda failure, name=name: results.__setitem__(name, failure.type),
        )
    assert results == {"rebind.example": DNSLookupError, "public.example": "93.184.216.34", "ours.example": "10.0.0.1"}


# Crawls a handful of addresses and prints what came and what was counted.
CRAWL = """
import json, sys, time
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import IgnoreRequest

ends = {}

class One(scrapy.Spider):
    name = "one"

    async def start(self):
        for url in sys.argv[3:]:
            yield scrapy.Request(url, callback=self.parse, errback=self.failed, cb_kwargs={"begun": time.monotonic()})

    def parse(self, response, begun):
        ends[response.request.meta.get("redirect_urls", [response.url])[0]] = ["came", time.monotonic() - begun]

    def failed(self, failure):
        request = failure.request
        first = request.meta.get("redirect_urls", [request.url])[0]
        ends[first] = [failure.type.__name__, time.monotonic() - request.cb_kwargs["begun"]]

process = CrawlerProcess({
    "DOWNLOADER_MIDDLEWARES": {"hometextile.downloadermiddlewares.guard.GuardMiddleware": 50},
    "TWISTED_DNS_RESOLVER": "hometextile.downloadermiddlewares.guard.GuardedResolver",
    "GUARD_HOSTS": [sys.argv[1]], "DOWNLOAD_TIMEOUT": 2, "DOWNLOAD_MAXSIZE": 1_000_000, "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False, "ROBOTSTXT_OBEY": sys.argv[2] == "robots",
    "LOG_LEVEL": "ERROR", "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
})
crawler = process.create_crawler(One)
process.crawl(crawler)
process.start()
print(json.dumps([ends, crawler.stats.get_stats()], default=str))
"""


@pytest.mark.network
def test_in_a_crawl(server, canary):
    async def trickle(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.1)

    async def flood(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n")
        while True:
            writer.write(b"x" * 100_000)
            await writer.drain()

    html = {"Content-Type": "text/html"}
    server.pages = {
        "/good": (200, html, b"<p>good"),
        "/moved": (302, {"Location": f"{canary.url}/moved"}, b""),
        "/refresh": (200, html, f'<meta http-equiv=refresh content="0;url={canary.url}/refresh">'.encode()),
        "/file": (302, {"Location": "file:///etc/passwd"}, b""),
        "/trickle": trickle,
        "/flood": flood,
        "/large": (200, {"X": "y"}, b"x" * 2_000_000),
        "/robots.txt": (302, {"Location": f"{canary.url}/robots.txt"}, b""),
    }
    paths = ["good", "moved", "refresh", "file", "trickle", "flood", "large"]
    urls = [f"{server.url}/{path}" for path in paths] + [f"{canary.url}/direct"]
    command = [sys.executable, "-c", CRAWL, f"127.0.0.1:{server.port}", "robots", *urls]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-2000:]
    ends, stats = json.loads(done.stdout.splitlines()[-1])
    by_path = {url.rsplit("/", 1)[1]: end for url, end in ends.items()}
    assert canary.connections == 0
    assert by_path["good"][0] == "came"
    assert by_path["moved"][0] == by_path["refresh"][0] == by_path["direct"][0] == "AddressRefused"
    assert stats["guard/refused/loopback"] >= 3
    assert by_path["trickle"][0] == "DownloadTimeoutError"
    assert by_path["trickle"][1] < 10
    assert by_path["flood"][0] == by_path["large"][0] == "DownloadCancelledError"
    # Scrapy itself follows no redirect to a file; the answer is what it is.
    assert by_path["file"][0] != "came" or "root:" not in done.stdout
