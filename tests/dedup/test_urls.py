"""One address for each page; pages that differ keep theirs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometextile.dedup.urls import canonical_url, host_of

BASE = "http://shop.example.com/list?cat=3&page=2"


@pytest.mark.parametrize(
    "url",
    [
        "HTTP://Shop.Example.COM:80/list?cat=3&page=2",
        "http://shop.example.com./list?page=2&cat=3#top",
        "http://shop.example.com//list?cat=3&page=2",
        "http://shop.example.com/a/../list?cat=3&page=2&",
        "http://shop.example.com/list?cat=3&amp;page=2",
        "http://shop.example.com/list?cat=3&page=2&PHPSESSID=0123456789abcdef0123456789abcdef",
        "http://shop.example.com/list;jsessionid=0A1B2C3D4E5F?cat=3&page=2",
        "http://shop.example.com/(S(lit3py55t21z5v55vlm25s55))/list?cat=3&page=2",
        "http://shop.example.com/list?cat=3&page=2&sid=8f14e45fceea167a5a36dedd4bea2543",
        "http://shop.example.com/list?cat=3&page=2&utm_source=mail&utm_medium=x&gclid=Cj0&spm=a2.1",
        "http://shop.example.com/list?cat=3&page=2&_=1700000000000",
        "http://user:secret@shop.example.com/list?cat=3&page=2",
        "  http://shop.example.com/li\nst?cat=3&page=2 ",
        "shop.example.com/list?cat=3&page=2",
        "//shop.example.com/list?cat=3&page=2",
        "http://shop.example.com/%6Cist?%63at=3&page=2",
    ],
)
def test_the_same_page(url: str) -> None:
    assert canonical_url(url) == BASE


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example.com/list?cat=3&page=2",
        "http://shop.example.com:8080/list?cat=3&page=2",
        "http://www.shop.example.com/list?cat=3&page=2",
        "http://shop.example.com/List?cat=3&page=2",
        "http://shop.example.com/list/?cat=3&page=2",
        "http://shop.example.com/list?cat=3&page=3",
        "http://shop.example.com/list?cat=3&page=2&sid=12",
        "http://shop.example.com/list?cat=3&page=2&s=quilt",
        "http://shop.example.com/list?cat=3&page=2&t=5",
        "http://shop.example.com/list?cat=3&page=2#!/detail/4",
        "http://shop.example.com/list?cat=3&page=2#/detail/4",
    ],
)
def test_another_page(url: str) -> None:
    assert canonical_url(url) != BASE


def test_the_order_of_one_parameter_s_values_stays() -> None:
    assert canonical_url("http://h.com/?b=2&b=1&a=0") == "http://h.com/?a=0&b=2&b=1"


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("http://例子.测试/布 料?词=窗帘", "http://xn--fsqu00a.xn--0zwm56d/%E5%B8%83%20%E6%96%99?%E8%AF%8D=%E7%AA%97%E5%B8%98"),
        ("http://h.com/a%2fb%zz?q=%b2%bc", "http://h.com/a%2Fb%25zz?q=%B2%BC"),
        ("http://[2001:DB8::1]:80/x", "http://[2001:db8::1]/x"),
        ("http://h.com:0080/", "http://h.com/"),
        ("mailto:a@b.c", "mailto:a@b.c"),
    ],
)  # fmt: skip
def test_escapes_and_hosts(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical


@pytest.mark.parametrize("url", ["http://exa%2Xmple.com/", "http://h.com:99999/", "http://a b.com/", "http://[1/"])
def test_no_address(url: str) -> None:
    assert canonical_url(url) == ""


@given(st.text(max_size=300))
def test_any_text_gives_ascii_and_twice_is_once(text: str) -> None:
    once = canonical_url("http://h.com/" + text)
    assert once.isascii()
    assert canonical_url(once) == once


@given(st.text(max_size=200))
def test_nothing_is_raised(text: str) -> None:
    assert isinstance(canonical_url(text), str)
    assert isinstance(host_of(text), str)


def test_a_very_long_address_is_cut() -> None:
    assert len(canonical_url("http://h.com/" + "a" * 1_000_000)) < 10_000
