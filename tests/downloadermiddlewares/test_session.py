"""Headers and cookies come from outside and go to the site's own hosts only."""

from __future__ import annotations

import pytest
from scrapy import Request

from hometextile.downloadermiddlewares.session import SessionMiddleware, read_cookies
from hometextile.sites import Site, parse_site
from hometextile.text.faults import Fault


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("SHOP_KEY", "s3cret")
    monkeypatch.setenv("SHOP_COOKIES", "sid=1; lang=zh")
    text = "start: [https://shop.cn/]\nsession: {headers: {X-Key: 'env:SHOP_KEY'}, cookies: 'env:SHOP_COOKIES'}\n"
    return parse_site(text, "shop", "shop.yaml")


def test_the_sites_own_host_gets_them(site: Site) -> None:
    middleware = SessionMiddleware(site)
    first, second = Request("https://shop.cn/a"), Request("https://shop.cn/b")
    middleware.process_request(first)
    middleware.process_request(second)
    assert first.headers[b"X-Key"] == second.headers[b"X-Key"] == b"s3cret"
    assert [(c["name"], c["value"]) for c in first.cookies] == [("sid", "1"), ("lang", "zh")]  # type: ignore[union-attr]
    assert not second.cookies  # the jar has them; what the site set since must win


def test_another_host_gets_nothing_even_by_a_redirect(site: Site) -> None:
    middleware = SessionMiddleware(site)
    redirected = Request("https://evil.example/", headers={"X-Key": "s3cret"})
    middleware.process_request(redirected)
    assert b"X-Key" not in redirected.headers
    assert not redirected.cookies


def test_cookies_txt() -> None:
    cookies = read_cookies(".shop.cn\tTRUE\t/\tTRUE\t0\tsid\tabc\n", "shop.yaml")
    assert cookies == [{"name": "sid", "value": "abc", "domain": ".shop.cn", "path": "/", "secure": True}]


@pytest.mark.parametrize("text", ["a line without an equals sign", "x\ty"])
def test_unreadable_cookies_are_told_without_their_text(text: str) -> None:
    with pytest.raises(Fault) as caught:
        read_cookies(text, "shop.yaml")
    assert text not in str(caught.value)
    assert "session.cookies" in str(caught.value)
