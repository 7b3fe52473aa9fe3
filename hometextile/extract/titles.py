"""The title of a page, without the site's name.

A heading that the ``<title>`` repeats is the title as the page shows it; what is left of ``<title>`` is the site.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from hometextile.page.document import Document
from hometextile.page.embedded import Embedded, types_of
from hometextile.page.reading import text_of
from hometextile.text.normalise import fold, squeeze

_SEPARATOR = re.compile(
    r"\s*(?:_{1,3}|\||｜|丨|»|«|\s[-–—·•:：<>]\s|--|——|&gt;|-{1,2}(?=[\u4e00-\u9fff])"
    r"|(?<=[\u4e00-\u9fff])-{1,2}|\s-|-\s)\s*"
)
_TITLE_MARK = re.compile(r"(?:^|[\W_])(?:\w*title|headline|h1|bt|biaoti|subject|topic|name|tit)(?:[\W_\d]|$)", re.I)
_NO_TITLE_MARK = re.compile(
    r"sub-?title|site|logo|brand|widget|side|foot|nav|menu|related|tuijian|recommend|comment|block|column"
    r"|box-?title|more",
    re.I,
)
_TITLE_METAS = (
    "articletitle",
    "citation_title",
    "dc.title",
    "dcterms.title",
    "og:title",
    "twitter:title",
    "parsely-title",
)
_WORKS = frozenset(
    {"article", "newsarticle", "blogposting", "report", "scholarlyarticle", "product", "recipe", "book", "event",
     "videoobject", "visualartwork", "discussionforumposting", "techarticle", "productgroup", "exhibitionevent"}
)  # fmt: skip
#: Things of which a page is the page: their name is its title.
_THINGS = frozenset(
    {
        "product",
        "productgroup",
        "recipe",
        "book",
        "visualartwork",
        "event",
        "exhibitionevent",
        "scholarlyarticle",
        "painting",
    }
)
#: How a site's name ends; a short part of <title> that ends so is no title when there is another part.
_SITE_WORD = re.compile(
    r".{0,10}(?:网|網|报|報|站|在线|在線|频道|頻道|社区|论坛|論壇|首页|门户|\.com|\.cn|\.org)", re.I
)
_SHORT_NAME = re.compile(r"[\u4e00-\u9fff]{2,3}")
_GENERIC = re.compile(
    r"\W*(?:首页|主页|home|welcome|index|untitled|无标题文档|新闻中心|新闻|(?:\w{2,4})?详情页?|正文|内容页"
    r"|文章内容|显示|查看|阅读|页面|null)\W*",
    re.I,
)


def read_title(document: Document, data: Embedded) -> str:
    """The title of a page.

    Args:
        document: the page.
        data: what it tells machines.

    Returns:
        The title, empty where the page has none.
    """
    things = [item for item in data.json_ld if {name.lower() for name in types_of(item)} & _THINGS]
    names = {squeeze(item["name"]) for item in things if isinstance(item.get("name"), str) and squeeze(item["name"])}
    if len(names) == 1:
        return html.unescape(names.pop())
    whole = _whole(document)
    headings = list(_headings(document))
    sites = _site_names(document, data)
    shown = _heading_in_title(whole, headings, sites)
    if shown:
        return shown
    for value in _told(data):
        cut = without_site(value, sites)
        if cut and not _says_nothing(cut, sites):
            return cut
    cut = without_site(whole, sites)
    return cut if cut and not _says_nothing(cut, sites) else _first_heading(headings, sites) or cut


def _says_nothing(title: str, sites: set[str]) -> bool:
    """Whether a title is the site's name or a word like 详情."""
    return bool(_GENERIC.fullmatch(title) or _SITE_WORD.fullmatch(_key(title)) or fold(title) in sites)


def _first_heading(headings: list[tuple[int, str]], sites: set[str]) -> str:
    """The heading where <title> says nothing: the only one of the highest rank, else the first marked one."""
    fit = [(rank, text) for rank, text in headings if fold(text) not in sites and len(_key(text)) >= 4]
    first = [text for rank, text in fit if rank == 1]
    if len(first) == 1:
        return first[0]
    return next((text for _rank, text in fit if 6 <= len(_key(text)) <= 100), "")


def _whole(document: Document) -> str:
    for title in document.tree.iter("title"):
        if not any(True for _ in title.iterancestors("svg")):
            text = squeeze(title.xpath("string()"))
            if text:
                return text
    return ""


def _headings(document: Document) -> Iterator[tuple[int, str]]:
    """Headings and what is marked as one: rank and text, in document order."""
    for element in document.tree.iter("h1", "h2", "h3", "h4", "div", "span", "td", "p", "strong", "b", "font", "dt"):
        tag = element.tag
        rank = int(tag[1]) if tag[0] == "h" and tag[1:].isdigit() else 0
        if not rank:
            marks = f"{element.get('class') or ''} {element.get('id') or ''} {element.get('itemprop') or ''}"
            if tag in {"strong", "b", "font"}:
                pass
            elif not _TITLE_MARK.search(marks) or _NO_TITLE_MARK.search(marks):
                continue
        if len(element) > 12:
            continue
        text = squeeze(text_of(element).replace("\n", " "))
        if 2 <= len(text) <= 250:
            yield rank or 5, text


def _told(data: Embedded) -> list[str]:
    out = []
    for item in data.json_ld:
        if {name.lower() for name in types_of(item)} & _WORKS:
            for name in ("headline", "name"):
                value: Any = item.get(name)
                if isinstance(value, str) and squeeze(value):
                    out.append(squeeze(value))
                    break
    out.extend(squeeze(data.meta[name]) for name in _TITLE_METAS if squeeze(data.meta.get(name, "")))
    return out


def _heading_in_title(whole: str, headings: list[tuple[int, str]], sites: set[str]) -> str:
    """The heading that <title> repeats: one that a segment begins with before any other, the longest, the highest."""
    key = _key(whole)
    segments = [_key(segment) for segment in _SEPARATOR.split(whole) if _key(segment)]
    names = {_key(site) for site in sites}
    if len(segments) > 1:
        likely = {segment for segment in segments if _SITE_WORD.fullmatch(segment)}
        names |= likely if len(likely) < len(segments) else set()
        segments = [segment for segment in segments if segment not in names] or segments
    best: tuple[tuple[bool, bool, int, int], str] | None = None
    for rank, text in headings:
        heading = _key(text)
        # A short name (云锦) is the title where it is the page's heading and a part of <title> by itself.
        short = len(heading) < 4 and not (rank == 1 and heading in segments)
        if (heading != key and (short or heading in names)) or _says_nothing(text, sites):
            continue
        if heading in key:
            covered = len(heading)
        elif len(key) >= 6 and heading.startswith(key) and len(heading) <= 2 * len(key) + 20:
            covered = len(key)
        else:
            continue
        # A site's name is a heading too, and the last of several segments.
        last = len(segments) > 1 and heading == segments[-1] and len(heading) < max(map(len, segments))
        begins = any(segment.startswith(heading) or heading.startswith(segment) for segment in segments)
        if not begins and not 1 <= rank <= 2:
            continue
        # A word of the navigation may stand in a title too: it is too little of its part.
        part = min((len(segment) for segment in segments if heading in segment), default=0)
        if covered * 20 < part * (3 if begins else 8):
            continue
        score = (not last, begins, covered, -rank)
        if best is None or score > best[0]:
            best = (score, text)
    if best is None or (best[0][0] is False and len(segments[0]) >= 4):
        return ""
    first = [text for rank, text in headings if rank == 1]
    if best[0][3] < -1 and len(_key(best[1])) <= 6 and len(first) == 1 and len(_key(first[0])) >= 8:
        return first[0]
    return best[1]


def _key(text: str) -> str:
    return re.sub(r"[\W_]+", "", fold(text))


def site_name(document: Document, data: Embedded) -> str:
    """What the site calls itself: told to machines, or the last part of ``<title>``; empty where neither is there."""
    told = squeeze(data.meta.get("og:site_name", "") or data.meta.get("application-name", ""))
    if told:
        return told
    segments = [segment for segment in _SEPARATOR.split(_whole(document)) if segment.strip()]
    if len(segments) > 1 and _SITE_WORD.fullmatch(segments[0]) and not _SITE_WORD.fullmatch(segments[-1]):
        return segments[0].strip("《》 ")
    last = segments[-1].strip("《》 ") if len(segments) > 1 else ""
    return last if 2 <= len(last) <= 20 and len(last) < len(segments[0]) + 12 else ""


def _site_names(document: Document, data: Embedded) -> set[str]:
    names = {data.meta.get("og:site_name", ""), data.meta.get("application-name", ""), data.meta.get("sitename", "")}
    for item in data.json_ld:
        publisher = item.get("publisher")
        if isinstance(publisher, dict) and isinstance(publisher.get("name"), str):
            names.add(publisher["name"])
    host = urlsplit(document.url).hostname or ""
    names.update(part for part in host.split(".") if len(part) > 3)
    names.add(host.removeprefix("www."))
    return {fold(name) for name in names if fold(name)}


def without_site(title: str, sites: set[str]) -> str:
    """*title* without the site's name and its sections.

    Args:
        title: as in ``<title>``: ``标题_频道_站名``, ``Title | Site``.
        sites: folded names of the site, where known.
    """
    title = squeeze(title)
    segments = [segment for segment in _SEPARATOR.split(title) if segment]
    if len(segments) < 2:
        return title
    keys = {_key(site) for site in sites}
    kept = [s for s in segments if _key(s) not in keys and not _SITE_WORD.fullmatch(_key(s))]
    if not kept:
        return segments[0]
    first = kept[0]
    if len(_key(first)) >= 4 or len(kept) == 1:
        # A hyphen within the title is no border of the site's name: only what follows the last separator goes.
        end = title.find(first) + len(first)
        if len(kept) > 2 or kept[-1] != segments[-1]:
            return title[title.find(first) : end]
        return first
    if len(kept) == 2 and _SHORT_NAME.fullmatch(first) and not _GENERIC.fullmatch(first):
        return first
    return max(kept, key=lambda s: len(_key(s)))
