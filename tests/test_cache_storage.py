"""Scrapy's HTTP cache on the library: the same bytes come back, and a page and its cached response are one row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.settings import Settings

from hometextile.cache_storage import LibraryCacheStorage
from hometextile.fingerprinter import CanonicalFingerprinter
from hometextile.library.library import Library
from hometextile.library.limits import Limits
from tests.library.conftest import page

_URL = "http://site.example/1"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Library]:
    with Library.open(f"sqlite:///{tmp_path / 'library.db'}") as library:
        yield library


def spider_of(library: Library | None) -> Any:
    crawler = SimpleNamespace(request_fingerprinter=CanonicalFingerprinter())
    workshop = {} if library is None else {"workshop": SimpleNamespace(library=library)}
    return SimpleNamespace(name="example", crawler=crawler, **workshop)


def opened(library: Library, **settings: Any) -> tuple[LibraryCacheStorage, Any]:
    storage, spider = LibraryCacheStorage(Settings(settings)), spider_of(library)
    storage.open_spider(spider)
    return storage, spider


def response(body: bytes = "<p>家纺</p>".encode("gb18030")) -> HtmlResponse:
    headers = {"Content-Type": "text/html; charset=gbk", "Set-Cookie": ["a=1", "b=2"], "ETag": '"x"'}
    return HtmlResponse(_URL, body=body, headers=headers)


def test_what_was_stored_comes_back(shelf: Library) -> None:
    storage, spider = opened(shelf)
    assert storage.retrieve_response(spider, Request(_URL)) is None
    storage.store_response(spider, Request(_URL), response())
    request = Request(_URL)
    back = storage.retrieve_response(spider, request)
    assert isinstance(back, HtmlResponse)
    assert (back.body, back.text, back.status) == (response().body, "<p>家纺</p>", 200)
    assert back.headers.getlist("Set-Cookie") == [b"a=1", b"b=2"]
    assert request.meta["cache_timestamp"] > 1_700_000_000
    assert storage.retrieve_response(spider, Request(_URL, method="POST", body=b"q=1")) is None


def test_a_page_and_its_response_are_one_row(shelf: Library) -> None:
    storage, spider = opened(shelf)
    storage.store_response(spider, Request(_URL), response())
    print_ = CanonicalFingerprinter().fingerprint(Request(_URL)).hex()
    shelf.save(page(1, fingerprint=print_, body=response().body, text="<p>家纺</p>", encoding="gb18030"))
    assert shelf.counts()["pages"] == 1
    stored = next(iter(shelf.pages()))
    assert (stored.text, stored.way.kind) == ("<p>家纺</p>", "result")
    back = storage.retrieve_response(spider, Request(_URL))
    assert back is not None
    assert back.body == response().body
    storage.store_response(spider, Request(_URL), response("<p>新</p>".encode()))
    assert next(iter(shelf.pages())).text == "<p>新</p>".encode().decode("gb18030", "replace")


def test_a_page_of_which_the_text_is_kept_comes_back_as_utf_8(shelf: Library) -> None:
    storage, spider = opened(shelf)
    print_ = CanonicalFingerprinter().fingerprint(Request(_URL)).hex()
    headers = {"content-type": "text/html; charset=gbk", "etag": "x"}
    shelf.save(page(1, fingerprint=print_, body=b"", text="<p>家纺</p>", encoding="gb18030", headers=headers))
    back = storage.retrieve_response(spider, Request(_URL))
    assert isinstance(back, HtmlResponse)
    assert (back.text, back.headers["ETag"]) == ("<p>家纺</p>", b"x")


def test_too_old_is_fetched_again(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    storage, spider = opened(shelf, HTTPCACHE_EXPIRATION_SECS=60)
    storage.store_response(spider, Request(_URL), response())
    assert storage.retrieve_response(spider, Request(_URL)) is not None
    monkeypatch.setattr("hometextile.cache_storage.time", lambda: 1e12)
    assert storage.retrieve_response(spider, Request(_URL)) is None


def test_over_the_limit_is_not_stored(shelf: Library) -> None:
    shelf.limits = Limits(page=10)
    storage, spider = opened(shelf)
    storage.store_response(spider, Request(_URL), response(b"x" * 11))
    assert storage.retrieve_response(spider, Request(_URL)) is None
    assert shelf.counts()["pages"] == 0


def test_a_spider_of_another_project_gets_a_library(tmp_path: Path) -> None:
    storage = LibraryCacheStorage(Settings({"LIBRARY_URL": f"sqlite:///{tmp_path / 'own.db'}"}))
    spider = spider_of(None)
    storage.open_spider(spider)
    storage.store_response(spider, Request(_URL), response())
    storage.close_spider(spider)
    with Library.open(f"sqlite:///{tmp_path / 'own.db'}", create=False) as library:
        assert library.counts()["pages"] == 1
