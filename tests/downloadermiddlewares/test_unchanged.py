"""A 304 becomes the page that the library has."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse

from hometextile.downloadermiddlewares.unchanged import UnchangedMiddleware
from hometextile.fingerprinter import CanonicalFingerprinter
from hometextile.library.library import Library
from hometextile.page.page import Page, Way

URL = "http://site.example/1"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(f"sqlite:///{tmp_path / 'library.db'}") as opened:
        yield opened


@pytest.fixture
def middleware(library: Library) -> UnchangedMiddleware:
    shop = SimpleNamespace(library=library, site=SimpleNamespace(name="example"))
    crawler: Any = SimpleNamespace(
        spider=SimpleNamespace(workshop=shop), stats=None, request_fingerprinter=CanonicalFingerprinter()
    )
    return UnchangedMiddleware.from_crawler(crawler)


def keep(library: Library, **values: Any) -> None:
    fingerprint = CanonicalFingerprinter().fingerprint(Request(URL)).hex()
    known: dict[str, Any] = {
        "site": "example", "url": URL, "text": "<p>宋锦 ♥</p>", "encoding": "gbk", "fingerprint": fingerprint,
        "headers": {"content-type": "text/html; charset=gb2312", "etag": '"x"', "content-encoding": "gzip"},
        "way": Way("result"), "fetched": "2026-01-05T10:00:00.000000Z",
    }  # fmt: skip
    library.save(Page(**{**known, **values}))


def ask(middleware: UnchangedMiddleware, status: int = 304, **meta: Any) -> Any:
    request = Request(URL, headers={"If-None-Match": '"x"'}, meta=meta)
    return asyncio.run(middleware.process_response(request, Response(URL, status=status, request=request)))


def test_the_stored_page_comes_with_its_encoding(library: Library, middleware: UnchangedMiddleware) -> None:
    keep(library)
    response = ask(middleware, conditional=True)
    assert isinstance(response, HtmlResponse)
    assert response.status == 200
    assert response.encoding == "gbk"
    assert "宋锦" in response.text
    assert "&#9829;" in response.text
    assert "unchanged" in response.flags
    assert "Content-Encoding" not in response.headers


def test_a_stored_file_comes_with_its_bytes(library: Library, middleware: UnchangedMiddleware) -> None:
    keep(library, text="", body=b"%PDF-1.4\x00\x01\xff", headers={"content-type": "application/pdf"})
    response = ask(middleware, conditional=True)
    assert response.body == b"%PDF-1.4\x00\x01\xff"
    assert not isinstance(response, TextResponse)


def test_a_page_that_is_not_stored_is_fetched_without_a_condition(middleware: UnchangedMiddleware) -> None:
    request = ask(middleware, conditional=True)
    assert isinstance(request, Request)
    assert "If-None-Match" not in request.headers
    assert "conditional" not in request.meta
    assert request.dont_filter


def test_other_answers_go_through(library: Library, middleware: UnchangedMiddleware) -> None:
    keep(library)
    assert ask(middleware, 304).status == 304
    assert ask(middleware, 200, conditional=True).status == 200
