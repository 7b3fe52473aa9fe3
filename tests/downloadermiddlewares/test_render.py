"""The render middleware: when it draws, what it gives back, what it counts."""

import asyncio
import gzip
import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from hometextile.downloadermiddlewares.render import RenderMiddleware
from hometextile.page.document import Document
from hometextile.page.layout import read_layout

# Shows: a page whose content a script draws.
SHELL = (
    "<html><head><title>花布</title></head><body><div id='app'></div>"
    "<script>document.getElementById('app').innerHTML = '<p>纯棉花布</p>'</script></body></html>"
)
# Shows: a page that says enough without a browser.
PLAIN = "<html><body><p>" + "纯棉四件套，活性印花。" * 40 + "</p><script>1</script></body></html>"


def middleware(render=None, **settings):
    crawler = get_crawler(Spider, {"GUARD_PRIVATE": True, "RENDER_CONCURRENCY": 1, **settings})
    crawler.spider = Spider(name="x")
    if render:
        crawler.spider.site = SimpleNamespace(data=SimpleNamespace(render=render, allow=None))
    return RenderMiddleware.from_crawler(crawler), crawler


def run(one, request, *responses):
    async def go():
        try:
            return [await one.process_response(request, response) for response in responses]
        finally:
            await one.spider_closed(None)

    return asyncio.run(go())


def page(text, encoding="utf-8", **more):
    return HtmlResponse("http://shop.example/a", body=text.encode(encoding), encoding=encoding, **more)


@pytest.mark.browser
def test_drawn_page_carries_its_layout_and_keeps_its_encoding():
    one, crawler = middleware()
    response, _again = run(one, Request("http://shop.example/a"), page(SHELL, "gb18030"), page(SHELL, "gb18030"))
    assert response.encoding == "gb18030"
    assert "<p data-box=" in response.text and "纯棉花布" in response.text
    assert read_layout(Document(response.text, response.url)) is not None
    assert crawler.stats.get_value("render/why/shell") == 2
    assert crawler.stats.get_value("render/pages") == 2
    # From the cache it comes drawn already, and is not drawn again.
    assert run(one, Request("http://shop.example/a"), response) == [response]


@pytest.mark.browser
def test_actions_are_done_and_a_failed_one_is_counted():
    text = "<html><body><button onclick=\"document.body.append('gela' + 'den')\">mehr</button>" + "x" * 3000
    one, crawler = middleware("auto")
    request = Request("http://shop.example/a", meta={"actions": [{"click": "button"}]})
    assert "geladen" in run(one, request, page(text))[0].text
    one, crawler = middleware("auto")
    one._browser.limits.patience = 0.3
    request = Request("http://shop.example/a", meta={"actions": [{"click": "#nowhere"}, {"click": "button"}]})
    response = run(one, request, page(text))[0]
    assert "data-drawn" in response.text and "geladen" not in response.text
    assert crawler.stats.get_value("render/action-failed") == 1
    one, crawler = middleware("auto")
    request = Request("http://shop.example/a", meta={"actions": [{"klick": "button"}]})
    assert "data-drawn" not in run(one, request, page(text))[0].text
    assert crawler.stats.get_value("render/failed/actions") == 1


@pytest.mark.browser
def test_an_empty_page_that_leads_on_by_script_becomes_a_request():
    def answer(script, text="", **meta):
        one, crawler = middleware("always")
        response = page(f"<html><body>{text}<script>{script}</script></body></html>")
        return run(one, Request("http://shop.example/a", meta=meta), response)[0], crawler

    moved, crawler = answer("location.href = '/index.html'")
    assert isinstance(moved, Request)
    assert (moved.url, moved.method) == ("http://shop.example/index.html", "GET")
    assert moved.meta["redirect_urls"] == ["http://shop.example/a"]
    assert crawler.stats.get_value("render/moved") == 1
    # Not away from the site, not from a page that says something, not for ever.
    assert isinstance(answer("location.href = 'http://other.example/'")[0], HtmlResponse)
    assert isinstance(answer("location.href = '/index.html'", "words " * 60)[0], HtmlResponse)
    assert isinstance(answer("location.href = '/index.html'", redirect_times=20)[0], HtmlResponse)


def test_without_a_browser_the_crawl_goes_on(caplog, monkeypatch):
    monkeypatch.setitem(os.environ, "HOMETEXTILE_BROWSER", "none")
    one, crawler = middleware()
    first, second = page(SHELL), page(SHELL)
    assert run(one, Request("http://shop.example/a"), first, second) == [first, second]
    assert crawler.stats.get_value("render/failed/no-browser") == 2
    assert len([r for r in caplog.records if "No browser" in r.getMessage()]) == 1


@pytest.mark.parametrize(
    ("mode", "meta", "response"),
    [
        ("never", {}, page(SHELL)),
        ("never", {"actions": [{"scroll": 1}]}, page(SHELL)),
        ("always", {"render": "never"}, page(SHELL)),
        ("auto", {}, page(PLAIN)),
        ("always", {}, Response("http://shop.example/a.pdf", body=b"%PDF")),
        ("always", {}, page(SHELL, status=304)),
        ("always", {}, page(SHELL, status=503)),
        ("always", {}, page("<html data-drawn='1280 800 1280 800'>")),
    ],
)
def test_left_alone(mode, meta, response, monkeypatch):
    monkeypatch.setitem(os.environ, "HOMETEXTILE_BROWSER", "none")
    one, crawler = middleware(mode)
    assert run(one, Request("http://shop.example/a", meta=meta), response) == [response]
    assert not [name for name in crawler.stats.get_stats() if name.startswith("render/")]


# A crawl of some addresses with the HTTP cache on; prints what came.
CRAWL = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess

got = []

class One(scrapy.Spider):
    name = "one"

    async def start(self):
        yield scrapy.Request(sys.argv[2] + "/shell")
        yield scrapy.FormRequest(sys.argv[2] + "/answer", formdata={"q": "cotton"})

    def parse(self, response):
        got.append([response.url.rsplit("/", 1)[1], response.encoding, response.text, "cached" in response.flags])

OURS = "hometextile.downloadermiddlewares."
process = CrawlerProcess({
    "DOWNLOADER_MIDDLEWARES": {
        OURS + "guard.GuardMiddleware": 50,
        OURS + "render.RenderMiddleware": 920,
        OURS + "encoding.EncodingMiddleware": 930,
        "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": 940,
    },
    "GUARD_HOSTS": ["127.0.0.1"], "HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": sys.argv[1], "HTTPCACHE_GZIP": True,
    "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False, "LOG_LEVEL": "ERROR",
})
crawler = process.create_crawler(One)
process.crawl(crawler)
process.start()
print(json.dumps([sorted(got), crawler.stats.get_stats()], default=str))
"""


@pytest.mark.browser
@pytest.mark.network
def test_in_a_crawl_the_cache_keeps_the_page_as_drawn(server, tmp_path):
    script = "<div id=app></div><script>document.getElementById('app').textContent = '提花' + 'drawn'</script>"
    body = f"<meta charset=gbk><title>花型</title>{script}".encode("gbk")
    head = {"Content-Type": "text/html; charset=gbk", "Content-Encoding": "gzip", "Set-Cookie": "seen=1"}
    server.pages = {"/shell": (200, head, gzip.compress(body)), "/answer": (200, head, gzip.compress(body))}
    command = [sys.executable, "-c", CRAWL, str(tmp_path / "cache"), server.url]

    def crawl():
        done = subprocess.run(command, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout.splitlines()[-1])

    first, stats = crawl()
    assert [(name, cached) for name, _encoding, _text, cached in first] == [("answer", False), ("shell", False)]
    assert stats["render/pages"] == 2
    # A POST is sent once: the browser draws the answer that came.
    assert [method for method, path, _head, _body in server.seen if path == "/answer"] == ["POST"]
    for _name, encoding, text, _cached in first:
        assert encoding in {"gbk", "gb18030"}
        assert "提花drawn" in text and "data-box" in text
    asked = len(server.seen)
    second, stats = crawl()
    assert [row[3] for row in second] == [True, True]
    assert [row[:3] for row in second] == [row[:3] for row in first]
    assert "render/pages" not in stats
    assert len(server.seen) == asked
