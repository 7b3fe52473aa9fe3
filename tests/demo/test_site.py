"""The source without a server: encodings, conditional requests, log and violations."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from hometextile.demo.site import Site
from hometextile.demo.truth import truth


def test_product_answers_are_gbk_and_ten_a_page() -> None:
    site = Site()
    body = f"keyword={quote('床品'.encode('gbk'))}&kind=&act=search".encode()
    reply = site.reply("POST", "/product/search.asp", body)
    page = reply.payload().decode("gbk")
    assert "charset=gb2312" in page
    assert page.count("/product/show.asp?id=") == 10
    assert 'name="page" value="2"' in page and 'name="keyword" value="床品"' in page
    second = site.reply("POST", "/product/search.asp", body + b"&page=2").payload().decode("gbk")
    assert "第2页" in second


def test_a_word_sent_in_the_wrong_encoding_finds_nothing() -> None:
    reply = Site().reply("POST", "/product/search.asp", f"keyword={quote('床品')}&kind=".encode())
    assert "没有找到相关记录" in (reply.text or "")


def test_search_pages_must_be_asked_in_their_encoding() -> None:
    site = Site()
    assert "查到 <b>0</b>" not in (site.reply("GET", f"/dir/find.asp?name={quote('窗帘'.encode('gbk'))}").text or "")
    assert "没有找到相关记录" in (site.reply("GET", f"/dir/find.asp?name={quote('窗帘')}").text or "")


def test_standards_by_radio_and_select_lists() -> None:
    site = Site()
    patents = site.reply("GET", f"/std/search?kw={quote('窗帘')}&type=patent&field=&state=").text or ""
    assert "no=t003" in patents and "no=s001" not in patents
    old = site.reply("GET", f"/std/search?kw=&type=standard&field=&state={quote('废止')}").text or ""
    assert "no=s007" in old and "no=s008" not in old


def test_gallery_answers_are_an_empty_shell() -> None:
    page = Site().reply("GET", f"/gallery/search?q={quote('石榴')}").text or ""
    assert "g01" not in page and "fetch('/gallery/data/find" in page
    data = json.loads(Site().reply("GET", f"/gallery/data/find?w={quote('石榴')}&p=1").text or "")
    assert "/gallery/p/g01.html" in [one["url"] for one in data["list"]]


def test_conditional_requests() -> None:
    site = Site()
    first = site.reply("GET", "/culture/c01.html")
    etag, modified = first.headers["ETag"], first.headers["Last-Modified"]
    assert site.reply("GET", "/culture/c01.html", headers={"if-none-match": f'W/"x", {etag}'}).status == 304
    assert site.reply("GET", "/culture/c01.html", headers={"if-modified-since": modified}).status == 304
    assert site.reply("GET", "/culture/c01.html", headers={"if-modified-since": "yesterday"}).status == 200
    site.visit = 2
    old = site.reply("GET", "/news/2026/n17.html")
    assert site.reply("GET", "/news/2026/n17.html", headers={"if-modified-since": modified}).status == 200
    assert old.headers["Last-Modified"] != modified
    assert [row["conditional"] for row in site.log].count(True) == 4


@pytest.mark.parametrize("visit", [2, 3])
def test_what_did_not_change_stays_304_on_the_next_visit(visit: int) -> None:
    site = Site(visit=visit - 1, slow=0)
    changed = {row["url"] for row in truth(visit) if row["kind"] == "resource" and row["change"]}
    kept = {row["url"] for row in truth(visit) if row["kind"] == "resource"} - changed
    stale = []
    for path in sorted(kept):
        site.visit = visit - 1
        replies = [site.reply("GET", path) for _ in range(3)]
        if replies[2].status != 200:  # it moved only now
            continue
        headers = {"if-none-match": replies[2].headers["ETag"]}
        site.visit = visit
        if site.reply("GET", path, headers=headers).status != 304:
            stale.append(path)
    assert stale == []


def test_moved_and_gone() -> None:
    site = Site(visit=2)
    assert site.reply("GET", "/culture/c13.html").headers["Location"] == "/culture/c13-tanmian.html"
    assert site.reply("GET", "/culture/c13-tanmian.html").status == 200
    assert site.reply("GET", "/news/2026/n13.html").status == 410
    assert site.reply("GET", "/gallery/p/e02.html").status == 404


@pytest.mark.parametrize("name", ["login", "register", "forgot", "upload", "subscribe", "comment", "order", "vote"])
def test_each_forbidden_form_is_recorded(name: str) -> None:
    site = Site()
    site.reply("POST", f"/user/{name}", b"a=1")
    assert [row["path"] for row in site.violations] == [f"/user/{name}"]
    assert json.loads(site.reply("GET", "/_demo/violations").text or "") == site.violations


def test_robots_are_watched_and_looking_is_free() -> None:
    site = Site()
    for path in ("/", "/robots.txt", "/user/login", "/news/2026/n01.html"):
        assert site.reply("GET", path).status == 200
    assert site.violations == []
    site.reply("GET", "/private/price.html")
    site.reply("GET", "/news/2026/n01.html?print=1")
    site.reply("GET", "/inner/status.html")
    assert [row["what"] for row in site.violations] == ["robots", "robots", "address"]
    assert "Disallow: /private/" in (site.reply("GET", "/robots.txt").text or "")


def test_log_tells_path_method_agent() -> None:
    site = Site()
    site.reply("GET", "/news/?a=1", headers={"user-agent": "me"})
    site.reply("GET", "/_demo/log")
    assert [(row["path"], row["method"], row["agent"], row["status"]) for row in site.log] == [
        ("/news/?a=1", "GET", "me", 200)
    ]


@pytest.mark.parametrize(
    "target",
    ["/%00", "/%ff%fe", "/news/index_99999.html", "/product/show.asp?id=%B4", "/museum/object/../x", "//", "/lit/.html",
     "/std/search?page=-1&kw=%", "/dir/find.asp?name=%FF&page=0", "/museum/calendar/0000/1.html", "/tools/count?tex=0",
     "/img/x-99999999999.jpg", "/_demo/nothing", "/go/nowhere", "/search?q=" + "a" * 5000],
)  # fmt: skip
def test_broken_requests_get_an_answer(target: str) -> None:
    for method in ("GET", "POST", "HEAD"):
        assert Site().reply(method, target, b"\xff=%zz&page=x").status < 500
