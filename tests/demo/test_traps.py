"""Pages that misbehave, each in its own way."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest

from hometextile.demo.site import Site


def test_500_twice_and_then_the_page() -> None:
    site = Site()
    assert [site.reply("GET", "/news/2026/n03.html").status for _ in range(4)] == [500, 500, 200, 200]


def test_slow_page() -> None:
    assert Site(slow=1.5).reply("GET", "/news/2026/n06.html").delay == 1.5


def test_says_utf8_and_is_gbk() -> None:
    reply = Site().reply("GET", "/news/2026/n07.html")
    body = reply.payload()
    assert b'<meta charset="utf-8">' in body and "utf-8" in reply.content_type
    with pytest.raises(UnicodeDecodeError):
        body.decode("utf-8")
    assert "支数" in body.decode("gb18030")


def test_says_gb2312_and_is_big5() -> None:
    body = Site().reply("GET", "/news/2026/n36.html").payload()
    assert b'<meta charset="gb2312">' in body
    assert "織物洗滌標籤" in body.decode("big5")


def test_calendar_has_always_another_month() -> None:
    site = Site()
    path = "/museum/calendar/2026/12.html"
    for _ in range(30):
        text = site.reply("GET", path).text or ""
        path = "/museum/calendar/" + text.split("/museum/calendar/", 3)[3].split('"')[0]
    assert path == "/museum/calendar/2029/6.html"
    assert site.reply("GET", "/museum/calendar/2026/13.html").status == 404


def test_soft_404_leads_ever_deeper() -> None:
    site = Site()
    url = "/news/archive/2009/index.html"
    for _ in range(3):
        reply = site.reply("GET", url)
        assert reply.status == 200 and "离家出走" in (reply.text or "")
        url = urljoin(url, "archive/more/index.html")
    assert url.count("archive/") == 4
    assert "离家出走" in (site.reply("GET", "/news/2024/nowhere.html").text or "")


def test_redirects_inwards() -> None:
    site = Site()
    where = [site.reply("GET", f"/go/{name}", headers={"host": "127.0.0.1:81"}).headers["Location"]
             for name in ("partner", "meta", "intranet", "loop")]  # fmt: skip
    assert where == [
        "http://10.255.255.1/inner/partner.html",
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost:81/inner/status.html",
        "/go/loop2",
    ]


def test_cookie_wall() -> None:
    site = Site()
    first = site.reply("GET", "/welcome/")
    assert first.status == 302 and first.headers["Location"] == "/welcome/"
    assert site.reply("GET", "/welcome/", headers={"cookie": "demo_seen=1"}).status == 200


def test_session_ids_lead_to_the_same_page() -> None:
    site = Site()
    one, other = (site.reply("GET", "/craft/list.php").text or "" for _ in range(2))
    assert one != other and "PHPSESSID=" in one
    plain = site.reply("GET", "/craft/show.php?id=k01").text
    assert site.reply("GET", "/craft/show.php?id=k01&PHPSESSID=abc").text == plain
    assert (
        site.reply("GET", "/news/2026/n01.html;jsessionid=00A1").text
        == site.reply("GET", "/news/2026/n01.html?utm_source=list").text
    )
