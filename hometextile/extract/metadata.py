"""Title, date, source, author and the rest of what a page says about itself.

What machines are told (JSON-LD, meta elements) is believed first where it is specific, but a title is only believed
when the page shows it, and a date only when it is not in the future and not the page's clock. Labels are those of
Chinese sites and the government's page standard (``ArticleTitle``, ``PubDate``, ``ContentSource``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urljoin, urlsplit

from hometextile.extract.titles import read_title
from hometextile.page.document import Document
from hometextile.page.embedded import Embedded, embedded, types_of
from hometextile.page.reading import text_of
from hometextile.text.dates import read_date
from hometextile.text.normalise import squeeze

#: schema.org types whose headline, date and author speak of the page itself.
_WORKS = frozenset(
    {"article", "newsarticle", "blogposting", "report", "scholarlyarticle", "techarticle", "webpage", "itempage",
     "product", "recipe", "creativework", "book", "dataset", "event", "exhibitionevent", "videoobject", "visualartwork",
     "discussionforumposting", "qapage", "collectionpage", "aboutpage", "reportagenewsarticle", "analysisnewsarticle",
     "liveblogposting", "socialmediaposting", "productgroup", "review", "howto", "course"}
)  # fmt: skip
_LESS = frozenset({"webpage", "itempage", "collectionpage", "review"})
_DATE_METAS = (
    "article:published_time", "datepublished", "pubdate", "publishdate", "publish_date", "publish-date", "og:published_time",
    "article:create_at", "og:release_date", "citation_publication_date", "citation_date", "citation_online_date",
    "dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date", "dc.date.created", "parsely-pub-date",
    "sailthru.date", "weibo: article:create_at", "weibo:article:create_at", "_pubtime", "publishtime", "pubtime",
    "firstpublishedtime", "releasedate", "article.published", "bt:pubdate", "date", "createdate", "apub:time", "og:time",
)  # fmt: skip
_AUTHOR_METAS = (
    "article:author", "author", "citation_author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author",
    "byl", "og:author", "article:author_name", "twitter:creator",
)  # fmt: skip
_SOURCE_METAS = ("contentsource", "source", "article:source", "og:source", "mediaid", "dc.source", "citation_journal_title")
_KEYWORD_METAS = ("keywords", "news_keywords", "article:tag", "citation_keywords", "dc.subject", "parsely-tags", "sailthru.tags")
_DESCRIPTION_METAS = ("description", "og:description", "dc.description", "dcterms.abstract", "citation_abstract", "twitter:description")
_DATE_LABEL = re.compile(
    r"(?:发布|發佈|發布|发表|發表|发稿|發稿|刊发|刊登|公布|公開|上传|录入|添加|上架|更新|创建|入库|成文|颁布|印发|采编|编辑)\s?"
    r"(?:时间|時間|日期|于|於)|发文日期|公开日期"
    r"|\b(?:published|posted|date published|publication date|released|updated)(?:\s+(?:on|date|at))?\s*[:：]?\s*(?=[\dA-Z])",
    re.I,
)
_ANY_LABEL = re.compile(r"(?:时\s{0,4}间|時\s{0,4}間|日\s{0,4}期|最后更新|最後更新)\s{0,3}(?=[:：\d])|\bdate\s*[:：]", re.I)
_UPDATED = re.compile(r"更新|updated|modified", re.I)
_CLOCK = re.compile(r"今天是|今日是|当前时间|现在是|现在时间|北京时间\s?[:：]|系统时间|today is|current time|copyright|©|版权所有|\(c\)|备案|ICP", re.I)
_NO_PUBLISHING = re.compile(
    r"(?:截止|截至|开始|结束|生日|出生|会议|活动|开幕|展览|展期|举办|举行|有效|到货|发货|交货|实施|施行|生效|注册|登录|最后回复|"
    r"回复于|评论于|上市|上映|出版|拍摄|创作|营业|服务|办公|开放|工作|成立|建立|演出|比赛|报名|考试|播出|首播|创刊|加入|访问|"
    r"deadline|expires?|born|joined|event|starts?|ends?)\s?(?:时间|時間|日期|于|於|on|date)?\s?[:：]?\s?$", re.I
)  # fmt: skip
_STAMP = re.compile(r"\d{4}\s?[-年/.]\s?\d{1,2}\s?[-月/.]\s?\d{1,2}|\d{1,2}月\d{1,2}日|\d{1,2}[-/]\d{1,2}\s|\d+\s?(?:分钟|小时|天)")
_DAY_AND_TIME = re.compile(r"\d{4}\s?[-年/.]\s?\d{1,2}\s?[-月/.]\s?\d{1,2}\s?日?\D{0,4}\d{1,2}\s?[:：时]\s?\d{2}")
_SOURCE = re.compile(
    r"(?:(?:新闻|文章|信息|稿件|稿|内容|资料|本文|作品)?\s{0,2}(?:来\s{0,4}源|來\s{0,4}源)(?:于|於|自)?|出\s{0,2}处|转自|摘自|稿源|信息提供)\s{0,3}[:：]\s{0,6}"
    r"(?P<v>[^\s|｜丨/,，;；。:：（(【\[<>]{2,40}(?:\s?(?=[A-Za-z])[A-Za-z. ]{1,30})?)"
)
_AUTHOR = re.compile(
    r"(?:作\s{0,4}者|文/图|文图|撰文|撰稿|文\s?[/／|]|记者|设计师|主讲人?)\s{0,3}[:：/／]\s{0,6}(?P<v>[^|｜丨/,，;；。:：（(【\[<>\n]{2,40})"
)
_BYLINE = re.compile(r"^\s*(?:written\s+|posted\s+|story\s+|text\s+)?by:?\s+(?P<v>[A-Z][^\n|•·,]{2,60})", re.I)
_NO_VALUE = re.compile(r"(?:本站|未知|佚名|不详|网络|admin\w*|互联网|原创|点击|浏览|责任?编辑|编辑|发布|时间|日期|字号|字体|打印|admin)$", re.I)
_STOP = re.compile(
    r"\s{2,}|\s(?=\S{1,6}[:：])|(?:发布|发表|更新)?(?:时间|日期)|作者|来源|编辑|点击|浏览|阅读|字号|字体|打印|评论|分享|责编|人气|\d{4}[-年/.]|\d{2}-\d{2}"
)
_URL_DATE = re.compile(
    r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<s>[-/_]?)(?P<m>0[1-9]|1[0-2])(?P=s)(?P<d>0[1-9]|[12]\d|3[01])(?!\d)"
    r"|(?<!\d)(?P<y2>(?:19|20)\d\d)[-/](?P<m2>0[1-9]|1[0-2]|[1-9])[-/](?P<d2>0?[1-9]|[12]\d|3[01])(?=/)"
    r"|(?<!\d)(?P<y3>(?:19|20)\d\d)-(?P<m3>0[1-9]|1[0-2])/(?P<d3>0[1-9]|[12]\d|3[01])(?!\d)"
)
_SPLIT = re.compile(r"\s*[,，;；、|]\s*")
_HAN, _KANA, _LATIN = re.compile("[\u4e00-\u9fff]"), re.compile("[\u3040-\u30ff]"), re.compile("[A-Za-z]")
_CLASS_DATE = re.compile(r"(?:^|[\W_])(?:pub\w*|post\w*|article\w*|news\w*|info|source|time|date|meta|byline|entry)(?:[\W_]|$)", re.I)
_CLASS_AUTHOR = re.compile(r"(?:^|[\W_])(?:author|byline|writer)(?:[\W_]?name)?(?:[\W_]|$)", re.I)


@dataclass
class Metadata:
    """What a page says about itself; empty where it does not say.

    Attributes:
        title: its title, without the site's name.
        published: ISO 8601, as exact as said.
        source: who says so: the newspaper, firm or museum named as the source, else the publisher or site.
        author: who wrote or made it; several joined by ", ".
        description: its own summary.
        keywords: its own keywords.
        language: ``zh``, ``en``, or what the page declares.
        image: absolute address of its main picture.
        canonical: absolute address under which it wants to be known.
    """

    title: str = ""
    published: str = ""
    source: str = ""
    author: str = ""
    description: str = ""
    keywords: list[str] = field(default_factory=list)
    language: str = ""
    image: str = ""
    canonical: str = ""


def metadata(document: Document, *, now: datetime | None = None, use_embedded: bool = True) -> Metadata:
    """What a page says about itself.

    Args:
        document: the page.
        now: when it was fetched; dates after it are not believed.
        use_embedded: whether JSON-LD, microdata and OpenGraph are read (benchmarks read pages without them).
    """
    key = f"metadata.{use_embedded}"
    known = document.derived.get(key) if now is None else None
    if isinstance(known, Metadata):
        return known
    data = embedded(document) if use_embedded else Embedded()
    works = list(_works(data))
    lines = _lines(document)
    title = read_title(document, data)
    out = Metadata(
        title=title,
        published=_published(document, data, works, lines, title, now),
        source=_source(document, data, works, lines),
        author=_author(document, data, works, lines),
        description=_first(data, _DESCRIPTION_METAS) or _property(works, "description"),
        keywords=_keywords(data, works),
        language=language_of(document),
        image=_image(document, data, works),
        canonical=_canonical(document),
    )
    if now is None:
        document.derived[key] = out
    return out


def _works(data: Embedded) -> Iterator[dict[str, Any]]:
    """What is told of the page itself, the most specific first."""
    found = [item for item in data.json_ld if {name.lower() for name in types_of(item)} & _WORKS]
    found.extend(item for item in data.of_type(*_WORKS) if item not in found)
    yield from sorted(found, key=lambda item: bool({name.lower() for name in types_of(item)} & _LESS))


def _lines(document: Document) -> list[str]:
    known = document.derived.get("metadata.lines")
    if known is None:
        body = document.tree.find("body")
        text = text_of(document.tree if body is None else body, cells="  ")
        known = document.derived["metadata.lines"] = [line for line in text.split("\n") if line.strip()]
    assert isinstance(known, list)
    return known


def _first(data: Embedded, names: tuple[str, ...]) -> str:
    return next((value for name in names if (value := squeeze(data.meta.get(name, "")))), "")


def _text(value: Any) -> str:
    """A property's text: of a list the first, of an object its name."""
    if isinstance(value, list):
        return next((text for item in value if (text := _text(item))), "")
    if isinstance(value, dict):
        return _text(value.get("name") or value.get("@value") or value.get("url") or "")
    return squeeze(str(value)) if isinstance(value, str | int | float) else ""


def _property(works: list[dict[str, Any]], *names: str) -> str:
    for work in works:
        for name in names:
            if text := _text(work.get(name)):
                return text
    return ""


# ------------------------------------------------------------------------------------------------------ published


def _published(
    document: Document, data: Embedded, works: list[dict[str, Any]], lines: list[str], title: str, now: datetime | None
) -> str:
    latest = ((now or datetime.now(UTC)).replace(tzinfo=None) + timedelta(days=1)).date().isoformat()
    languages = ["zh"] if language_of(document) == "zh" else None

    def fit(text: str, *, day: bool = True, relative: bool = False) -> str:
        found = read_date(text, now=now, languages=languages, relative=relative) if text else ""
        return found if "1990" <= found <= latest + "~" and (not day or len(found) >= 10) else ""

    candidates: list[str] = []
    candidates.extend(fit(_text(work.get(name))) for work in works for name in ("datePublished", "uploadDate", "dateCreated"))
    candidates.extend(fit(data.meta.get(name, "")) for name in _DATE_METAS)
    told = next((found for found in candidates if found), "")
    if told:
        return told
    return (
        _time_element(document, fit)
        or _labelled_date(lines, _DATE_LABEL, fit)
        or _near_title(lines, title, fit)
        or _labelled_date(lines, _ANY_LABEL, fit)
        or _before_text(lines, fit)
        or _url_date(document.url, latest)
        or _labelled_date(lines, _DATE_LABEL, partial(fit, relative=True))
        or _near_title(lines, title, partial(fit, relative=True), longest=40)
        or next((found for name in _DATE_METAS if (found := fit(data.meta.get(name, ""), day=False))), "")
    )


def _time_element(document: Document, fit: Any) -> str:
    found = []
    for element in document.tree.iter("time"):
        value = fit(element.get("datetime") or text_of(element))
        if value:
            if element.get("pubdate") is not None or "publish" in (element.get("itemprop") or "").lower():
                return str(value)
            found.append(value)
    # Many times are those of comments or of a list of links: none of them speaks of the page.
    return str(found[0]) if 0 < len(found) <= 3 else ""


def _labelled_date(lines: list[str], labels: re.Pattern[str], fit: Any) -> str:
    updated = ""
    for line in lines:
        if len(line) > 400 or _CLOCK.search(line):
            continue
        for label in labels.finditer(line):
            if _NO_PUBLISHING.search(line[max(0, label.start() - 8) : label.start()]):
                continue
            value = fit(line[label.end() : label.end() + 40].lstrip(" :：　"))
            if not value:
                continue
            if not _UPDATED.search(label.group()):
                return str(value)
            updated = updated or value
    return updated


def _near_title(lines: list[str], title: str, fit: Any, *, longest: int = 160) -> str:
    """The first full date within a few short lines after the title."""
    wanted = squeeze(title).replace(" ", "")
    if len(wanted) < 2:
        return ""
    for place, line in enumerate(lines):
        flat = line.replace(" ", "")
        # A title broken into two lines is found by its first half.
        if wanted not in flat and not (len(flat) >= 6 and wanted.startswith(flat)):
            continue
        for following in lines[place : place + 7]:
            rest = squeeze(following).replace(title, " ")
            if len(rest) > longest or _CLOCK.search(rest):
                continue
            if value := _stamped(rest, fit):
                return value
    return ""


def _stamped(line: str, fit: Any) -> str:
    """The date of a line, unless words before it say that it is another's."""
    stamp = _STAMP.search(line)
    if stamp and _NO_PUBLISHING.search(line[: stamp.start()]):
        return ""
    return str(fit(line))


def _before_text(lines: list[str], fit: Any) -> str:
    """The date and time of a short line that is followed by the text."""
    for place, line in enumerate(lines):
        if len(line) > 100 or not _DAY_AND_TIME.search(line) or _CLOCK.search(line) or line.lstrip()[:1] in "·•・◆■":
            continue
        if any(len(following) >= 60 for following in lines[place + 1 : place + 5]):
            if value := _stamped(line, fit):
                return value
    return ""


def _url_date(url: str, latest: str) -> str:
    parts = urlsplit(url)
    for found in _URL_DATE.finditer(f"{parts.path}?{parts.query}"):
        year, month, day = (found[name] or found[name + "2"] or found[name + "3"] for name in "ymd")
        try:
            value = date(int(year), int(month), int(day)).isoformat()
        except ValueError:
            continue
        if "1995" <= value <= latest:
            return value
    return ""


# --------------------------------------------------------------------------------------------- source and author


def _clean(value: str, *, words: int = 6) -> str:
    stop = _STOP.search(value)
    value = squeeze(value[: stop.start()] if stop else value).strip(" :：-—|·,，。\"'“”《》[]【】")
    if _NO_VALUE.fullmatch(value) or len(value) < 2 or len(value.split()) > words:
        return ""
    return value


def _source(document: Document, data: Embedded, works: list[dict[str, Any]], lines: list[str]) -> str:
    told = _clean(_first(data, _SOURCE_METAS))
    if told and not told.startswith(("http", "//")):
        return told
    for line in lines:
        if len(line) > 300:
            continue
        for found in _SOURCE.finditer(line):
            value = _clean(found["v"])
            if value:
                return value
    return _property(works, "publisher", "sourceOrganization") or squeeze(data.meta.get("og:site_name", ""))


def _author(document: Document, data: Embedded, works: list[dict[str, Any]], lines: list[str]) -> str:
    for work in works:
        names = _names(work.get("author") or work.get("creator"))
        if names:
            return ", ".join(names)
    several = data.opengraph.get("citation_author", [])
    told = ", ".join(several) or _first(data, _AUTHOR_METAS)
    if told and not told.startswith(("http", "@")) and not _NO_VALUE.fullmatch(told):
        return told
    for line in lines:
        if len(line) > 300:
            continue
        for found in _AUTHOR.finditer(line):
            value = _clean(found["v"])
            if value:
                return value
    return _marked_author(document)


def _names(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    names: list[str] = []
    for item in values[:20]:
        name = _text(item)
        if name and name not in names and not name.startswith("http"):
            names.append(name)
    return names


def _marked_author(document: Document) -> str:
    for element in document.tree.iter("a", "span", "div", "p", "address", "cite", "strong", "b", "li", "h3", "h4"):
        rel = (element.get("rel") or "").lower().split()
        marks = f"{element.get('class') or ''} {element.get('id') or ''} {element.get('itemprop') or ''}"
        if "author" not in rel and not _CLASS_AUTHOR.search(marks):
            continue
        text = text_of(element).split("\n")[0]
        byline = _BYLINE.match(text)
        value = _clean(byline["v"] if byline else text)
        if value and len(value) <= 60:
            return value
    return ""


# ------------------------------------------------------------------------------------------------------- the rest


def _keywords(data: Embedded, works: list[dict[str, Any]]) -> list[str]:
    raw: list[str] = []
    for name in _KEYWORD_METAS:
        raw.extend(data.opengraph.get(name) or ([data.meta[name]] if name in data.meta else []))
        if raw:
            break
    if not raw:
        for work in works:
            value = work.get("keywords")
            raw.extend(str(item) for item in (value if isinstance(value, list) else [value]) if isinstance(item, str))
    words: list[str] = []
    for text in raw:
        parts = _SPLIT.split(squeeze(text))
        if len(parts) == 1 and len(_HAN.findall(text)) * 2 > len(text):
            parts = parts[0].split()
        words.extend(part for part in parts if part and len(part) <= 60 and part not in words)
    return words[:50]


def language_of(document: Document) -> str:
    """``zh`` or ``en`` by the letters that the page shows, else what it declares (two letters), else empty."""
    known = document.derived.get("metadata.language")
    if isinstance(known, str):
        return known
    declared = (document.tree.get("lang") or document.tree.get("{http://www.w3.org/XML/1998/namespace}lang") or "")
    declared = declared.strip().lower()[:2]
    text = "".join(_lines(document))[:50_000]
    han, kana, latin = (len(pattern.findall(text)) for pattern in (_HAN, _KANA, _LATIN))
    if kana * 10 > han and kana > 20:
        language = "ja"
    elif han * 4 > latin and han >= 4:
        language = "zh"
    elif latin and (not declared or declared == "zh"):
        language = "en"
    else:
        language = declared if re.fullmatch("[a-z]{2}", declared) else ""
    document.derived["metadata.language"] = language
    return language


def _image(document: Document, data: Embedded, works: list[dict[str, Any]]) -> str:
    told = data.meta.get("og:image") or data.meta.get("og:image:url") or data.meta.get("twitter:image") or ""
    if not told:
        for work in works:
            value = work.get("image")
            value = value[0] if isinstance(value, list) and value else value
            told = (value.get("url") or value.get("contentUrl") or "") if isinstance(value, dict) else value
            told = told if isinstance(told, str) else ""
            if told:
                break
    return _absolute(document, told)


def _canonical(document: Document) -> str:
    for link in document.tree.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split():
            return _absolute(document, link.get("href") or "")
    return ""


def _absolute(document: Document, address: str) -> str:
    if not address.strip():
        return ""
    try:
        joined = urljoin(document.base_url, address.strip())
    except ValueError:
        return ""
    return joined if joined.startswith(("http://", "https://")) else ""
