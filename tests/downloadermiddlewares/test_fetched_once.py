"""A document asked for twice, as a page and as a file: one fetch, whatever the order, also at one moment."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.settings import Settings
from scrapy.utils.request import RequestFingerprinter

from hometextile.downloadermiddlewares.fetched_once import FetchedOnceMiddleware
from hometextile.library.library import Library

URL = "http://site.example/gb.pdf"


def crawler_of(library: Library, *, download: tuple[str, ...] = ("files",), preview: bool = False) -> Any:
    crawl = library.begin_crawl("site", {})
    spider = SimpleNamespace(
        name="site",
        site=SimpleNamespace(name="site", hosts={"site.example"}, data=SimpleNamespace(download=download)),
        arguments=SimpleNamespace(preview=preview),
        workshop=SimpleNamespace(library=library, crawl_id=crawl.id),
    )
    crawler: Any = SimpleNamespace(
        spider=spider, settings=Settings({"DOWNLOAD_TIMEOUT": 5}), stats=None, request_fingerprinter=None
    )
    crawler.request_fingerprinter = RequestFingerprinter.from_crawler(crawler)
    spider.crawler = crawler
    return crawler


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(f"sqlite:///{tmp_path / 'library.db'}") as opened:
        yield opened


def answer(url: str = URL, kind: type[Response] = Response, status: int = 200) -> Response:
    return kind(url, status=status, body=b"%PDF-1.7 a standard", headers={"Content-Type": "application/pdf"})


def test_the_second_one_is_answered_from_the_library(library: Library) -> None:
    async def ask() -> None:
        middleware = FetchedOnceMiddleware(crawler_of(library))
        first = Request(URL)
        assert await middleware.process_request(first) is None
        middleware.process_response(first, answer())
        second = await middleware.process_request(Request(URL, headers={"Referer": "http://site.example/"}))
        assert second is not None
        assert (second.body, second.flags, second.status) == (b"%PDF-1.7 a standard", ["cached"], 200)
        assert b"application/pdf" in (second.headers["Content-Type"] or b"")

    asyncio.run(ask())


def test_one_asked_for_meanwhile_waits_and_asks_itself_where_nothing_came(library: Library) -> None:
    async def ask() -> None:
        middleware = FetchedOnceMiddleware(crawler_of(library))
        first, second, third = Request(URL), Request(URL), Request(URL)
        assert await middleware.process_request(first) is None
        waiting = asyncio.ensure_future(middleware.process_request(second))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        middleware.process_exception(first, TimeoutError())
        assert await waiting is None
        waiting = asyncio.ensure_future(middleware.process_request(third))
        await asyncio.sleep(0.05)
        middleware.process_response(second, answer())
        found = await waiting
        assert found is not None and found.body

    asyncio.run(ask())


@pytest.mark.parametrize(
    "request_, response",
    [
        (Request(URL), answer(kind=HtmlResponse)),
        (Request(URL), answer(status=404)),
        (Request("http://site.example/page.html"), answer("http://site.example/page.html")),
        (Request("http://other.example/gb.pdf"), answer("http://other.example/gb.pdf")),
        (Request(URL, method="POST"), answer()),
    ],
    ids=["a page", "gone", "no file", "a host that is not followed", "a form's answer"],
)
def test_what_is_not_both_is_fetched_as_ever(library: Library, request_: Request, response: Response) -> None:
    async def ask() -> None:
        middleware = FetchedOnceMiddleware(crawler_of(library))
        for _time in range(2):
            assert await middleware.process_request(request_.copy()) is None
            middleware.process_response(request_, response)
            middleware._coming.clear()

    asyncio.run(ask())


def test_an_earlier_visit_answers_nothing(library: Library) -> None:
    async def ask() -> None:
        middleware = FetchedOnceMiddleware(crawler_of(library))
        first = Request(URL)
        await middleware.process_request(first)
        middleware.process_response(first, answer())
        library.end_crawl(middleware._spider.workshop.crawl_id, state="finished", reason="finished")
        await asyncio.sleep(0.01)
        assert await FetchedOnceMiddleware(crawler_of(library)).process_request(Request(URL)) is None

    asyncio.run(ask())


def test_off_unless_a_site_file_says_so(library: Library) -> None:
    for crawler in (crawler_of(library, download=("images",)), crawler_of(library, preview=True)):
        with pytest.raises(NotConfigured):
            FetchedOnceMiddleware(crawler)
