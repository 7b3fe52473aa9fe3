"""What can be reached how: the surface by links alone, the deep records by their forms alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import quote, urljoin, urlsplit

from lxml import html

from hometextile.demo.call import Reply
from hometextile.demo.content import DEEP, items
from hometextile.demo.site import Site
from hometextile.demo.truth import truth

WORDS = [
    "家纺", "床品", "布艺", "纺织", "织物", "面料", "窗帘", "印花", "提花", "刺绣", "绣", "锦",
    "毯", "毛毯", "地毯", "被", "枕", "毛巾", "沙发垫", "桌布", "抱枕", "四件套", "蚕丝", "羽绒",
    "云锦", "宋锦", "缂丝", "蓝印花布", "蚊帐", "浴帘", "凉席", "绗缝", "纹样", "花型", "cotton",
    "carpet", "bedding", "weave", "blanket", "curtain", "fabric",
]  # fmt: skip
START = "http://demo/"


def _get(site: Site, url: str) -> Reply:
    parts = urlsplit(url)
    target = quote(parts.path, safe="/;=%") + (f"?{parts.query}" if parts.query else "")
    return site.reply("GET", target)


def _walk(site: Site) -> set[str]:
    """Every address that links lead to, the endless ones cut off, robots.txt obeyed, no form sent."""
    seen: set[str] = set()
    todo = ["/", "/sitemap.xml"]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        reply = _get(site, path)
        for _ in range(2):
            if reply.status == 500:
                reply = _get(site, path)
        if reply.status in (301, 302):
            continue
        if reply.text is None or "html" not in reply.content_type:
            continue
        for found in html.fromstring(reply.text.encode(), parser=html.HTMLParser(encoding="utf-8")).iter("a"):
            url = urlsplit(urljoin(START + path.lstrip("/"), found.get("href", "")))
            if url.netloc != "demo" or url.path.startswith(("/private/", "/museum/calendar/", "/news/archive/")):
                continue
            query = re.sub(r"&?PHPSESSID=\w+|&?(utm_\w+|from|ref)=\w+", "", url.query)
            if "print=1" in query or "/archive/" in url.path:
                continue
            todo.append(url.path.split(";")[0] + (f"?{query}" if query else ""))
    return seen


def test_links_lead_to_all_of_the_surface_and_none_of_the_deep() -> None:
    site = Site(slow=0)
    seen = _walk(site)
    rows = [row for row in truth() if row["kind"] == "resource"]
    assert {row["url"] for row in rows if not row["deep"]} <= seen
    assert not {row["url"] for row in rows if row["deep"]} & seen
    assert site.violations == []


def _links(text: str) -> set[str]:
    return {unescape(link) for link in re.findall(r'href="([^"]+)"', text)}


def _answers(site: Site, section: str, word: str) -> set[str]:
    """The links of all answer pages to a word, as a person at that form would get them."""
    found: set[str] = set()
    ask: dict[str, Callable[[int], Reply]] = {
        "product": lambda n: site.reply(
            "POST", "/product/search.asp",
            f"keyword={quote(word.encode('gbk'))}&kind=&act=search&page={n}".encode(),
        ),
        "dir": lambda n: site.reply(
            "GET", f"/dir/find.asp?name={quote(word.encode('gbk'))}&cls=&go.x=3&go.y=2&page={n}"
        ),
        "std": lambda n: site.reply("GET", f"/std/search?kw={quote(word)}&type=&field=&state=&page={n}"),
        "lit": lambda n: site.reply("GET", f"/lit/search?words={quote(word)}&go=&page={n}"),
        "museum": lambda n: site.reply("GET", f"/museum/search?w={quote(word)}&lang=zh&page={n}"),
        "gallery": lambda n: site.reply("GET", f"/gallery/data/find?w={quote(word)}&p={n}"),
    }  # fmt: skip
    for page in range(1, 40):
        text = ask[section](page).text or ""
        links = _links(text) | set(re.findall(r'"url": "([^"]+)"', text))
        records = {link for link in links if "/search" not in link and "find" not in link}
        if records <= found:
            break
        found |= records
    return found


def test_about_forty_textile_words_reach_every_deep_record() -> None:
    for visit in (1, 2, 3):
        site = Site(visit=visit, slow=0)
        for section in DEEP:
            wanted = {item.path for item in items(section, visit) if not item.off_topic}
            for word in WORDS:
                if not wanted:
                    break
                wanted -= _answers(site, section, word)
            assert wanted == set(), (visit, section)
        assert site.violations == []


def test_a_nonsense_word_brings_nothing_but_the_frame() -> None:
    site = Site(slow=0)
    for section in sorted(DEEP - {"gallery"}):
        links = _answers(site, section, "qxzvwk")
        assert len({link for link in links if link.startswith("/")}) > 3
        assert not {item.path for item in items(section, 1)} & links


def test_two_words_give_different_answers() -> None:
    site = Site(slow=0)
    for section in sorted(DEEP):
        assert _answers(site, section, "家纺") != _answers(site, section, "锦")
