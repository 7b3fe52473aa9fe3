"""The render middleware: when it draws, what it gives back, what it counts."""

import asyncio
import os
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
