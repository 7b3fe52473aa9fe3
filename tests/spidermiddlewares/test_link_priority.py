"""Requests for links get their priority from the topic."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from hometextile.spidermiddlewares.link_priority import LinkPriorityMiddleware, text_relevance
from hometextile.text.pack import load_pack

PACK = load_pack()
TOPICAL = "<title>家纺城</title><style>.x{}</style><p>床品、窗帘、毛巾与地毯</p><script>var a='衬衫'</script>"


@pytest.fixture
def middleware() -> LinkPriorityMiddleware:
    crawler = get_crawler()
    crawler.spider = SimpleNamespace(workshop=SimpleNamespace(pack=PACK))  # type: ignore[assignment]
    crawler.stats = MemoryStatsCollector(crawler)
    return LinkPriorityMiddleware.from_crawler(crawler)


def request(anchor: str, kind: str = "link", url: str = "http://h.com/1", **meta: Any) -> Request:
    return Request(url, meta={"way": {"kind": kind, "anchor": anchor}, **meta}, priority=5)


def response(html: str = "<p></p>") -> HtmlResponse:
    return HtmlResponse("http://h.com/", body=html.encode(), encoding="utf-8")


def test_topical_links_rise_and_off_topic_links_sink(middleware: LinkPriorityMiddleware) -> None:
    good = middleware.get_processed_request(request("四件套"), response())
    bad = middleware.get_processed_request(request("足球比赛", url="http://h.com/2"), response())
    assert good is not None and bad is not None
    assert 5 < good.priority < 25
    assert bad.priority == -15
    stats = middleware.crawler.stats.get_stats()
    assert (stats["link/scored"], stats["link/sunk"]) == (1, 1)


def test_a_plain_link_on_a_topical_page_is_not_sunk(middleware: LinkPriorityMiddleware) -> None:
    found = middleware.get_processed_request(request("下一页"), response(TOPICAL))
    assert found is not None and found.priority > 5


@pytest.mark.parametrize("kind", ["start", "answer", "result", "next"])
def test_other_requests_stay(middleware: LinkPriorityMiddleware, kind: str) -> None:
    asked = request("足球", kind)
    assert middleware.get_processed_request(asked, response()) is asked


def test_without_a_pack_requests_stay(middleware: LinkPriorityMiddleware) -> None:
    middleware.crawler.spider = None
    asked = request("四件套")
    assert middleware.get_processed_request(asked, response()) is asked


def test_the_text_around_and_the_block_count(middleware: LinkPriorityMiddleware) -> None:
    plain = middleware.get_processed_request(request("窗帘", url="http://h.com/3"), response())
    noise = middleware.get_processed_request(request("窗帘", url="http://h.com/4", block="noise"), response())
    assert plain is not None and noise is not None and noise.priority < plain.priority


def test_script_and_style_are_no_text() -> None:
    assert text_relevance(TOPICAL, PACK) > 0.9
    assert text_relevance("<script>床品 窗帘</script>", PACK) == 0
    assert text_relevance("", PACK) == 0
