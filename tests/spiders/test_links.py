"""Which links are followed."""

from __future__ import annotations

from collections import Counter

from hometextile.dedup.traps import TrapGuard
from hometextile.page.page import Page, Way
from hometextile.sites import parse_site
from hometextile.spiders.links import Follower

SITE = """start: [http://a.cn/]
allow: {hosts: [b.cn]}
limits: {depth: 3}
follow: {accept: ['a\\.cn/', 'b\\.cn/'], refuse: ['\\?print=']}
"""
PAGE = """<html><body><a href="/n/1.html">one</a><a href="/n/1.html?utm_source=x">again</a>
<a href="http://b.cn/x">b</a><a href="http://c.cn/x">c</a><a href="/n/2.html?print=1">print</a><a href="/p.jpg">picture</a>
<a href="/login" rel="nofollow">login</a><a href="javascript:go()">script</a><a href="mailto:a@b.cn">mail</a>
<div class="pages"><b>1</b> <a href="/n/?p=2">2</a> <a href="/n/?p=3">3</a> <a href="/n/?p=2">下一页</a></div>
</body></html>"""


def _follow(depth: int) -> tuple[list[tuple[str, bool]], Counter[str]]:
    counts: Counter[str] = Counter()

    def count(name: str) -> None:
        counts[name] += 1

    follower = Follower(parse_site(SITE, "s", "s.yaml"), TrapGuard(), count)
    page = Page("s", "http://a.cn/n/", PAGE, way=Way(depth=depth))
    return [(link.url, link.paging) for link in follower.links(page)], counts


def test_links_of_the_site_once_each() -> None:
    links, counts = _follow(0)
    assert links == [
        ("http://a.cn/n/1.html", False),
        ("http://b.cn/x", False),
        ("http://a.cn/n/?p=2", True),
        ("http://a.cn/n/?p=3", True),
    ]
    assert counts["link/refused/file-type"] == 1
    assert counts["link/refused/rule"] == 1


def test_depth_ends_it() -> None:
    links, counts = _follow(3)
    assert links == []
    assert counts["link/refused/depth"] > 0


def test_a_shape_of_pages_that_have_nothing_and_lead_nowhere_is_left() -> None:
    counts: Counter[str] = Counter()

    def count(name: str) -> None:
        counts[name] += 1

    def fetched(number: int, html: str, dropped: str | None = None) -> None:
        page = Page("s", f"http://a.cn/tag/{number}", html, way=Way("link"), dropped=dropped)
        list(follower.links(page))
        follower.came_of(page)

    follower = Follower(parse_site(SITE, "s", "s.yaml"), TrapGuard(), count)
    same = '<a href="/tag/1">one</a>'
    for number in range(70):
        fetched(number, same, "off-topic")
    assert follower.may("http://a.cn/tag/99", 1)
    for number in range(100, 130):
        fetched(number, same, "list")
    fetched(130, '<a href="/new">something new</a>', "list")
    for number in range(131, 190):
        fetched(number, same, "list")
    assert follower.may("http://a.cn/tag/999", 1)
    fetched(190, same, "list")
    assert not follower.may("http://a.cn/tag/999", 1)
    assert counts["link/refused/barren"] == 1
    assert follower.may("http://a.cn/else/1", 1)
