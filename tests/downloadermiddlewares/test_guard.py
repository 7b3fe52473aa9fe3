"""The guard in a running crawl: what is refused, what is counted, what ends."""

import asyncio
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
