"""Answers to queries stay on the hosts that may be asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.utils.test import get_crawler

from hometextile.downloadermiddlewares.answers_here import AnswersHereMiddleware


def _middleware() -> tuple[AnswersHereMiddleware, Any]:
    crawler = get_crawler(Spider)
    crawler.spider = Spider(name="x")
    crawler.spider.site = SimpleNamespace(hosts={"museum.example"})  # type: ignore[attr-defined]
    return AnswersHereMiddleware.from_crawler(crawler), crawler


def _redirected(url: str, asked: str, **meta: Any) -> Request:
    return Request(url, meta={"redirect_urls": [asked], **meta})


def test_a_query_is_not_carried_away() -> None:
    one, crawler = _middleware()
    with pytest.raises(IgnoreRequest):
        one.process_request(_redirected("http://evil.example/", "http://museum.example/find", ask={}))
    assert crawler.stats.get_value("form/led-away") == 1


@pytest.mark.parametrize(
    "request_",
    [
        _redirected("http://museum.example/b", "http://museum.example/find", ask={}),
        _redirected("http://other.example/b", "http://other.example/find", ask={}),
        _redirected("http://www.museum.example/", "http://museum.example/"),
        Request("http://other.example/find", meta={"ask": {}}),
    ],
)
def test_others_pass(request_: Request) -> None:
    one, crawler = _middleware()
    one.process_request(request_)
    assert crawler.stats.get_value("form/led-away") is None


def test_spiders_without_a_site_file_are_left_alone() -> None:
    crawler = get_crawler(Spider)
    crawler.spider = Spider(name="x")
    with pytest.raises(NotConfigured):
        AnswersHereMiddleware.from_crawler(crawler)
