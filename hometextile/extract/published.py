"""When a page was published.

Told to machines, marked by ``<time>``, labelled (``发布时间：``), standing by the title, before the text, in the
address: in that order. Never later than the fetch, never the clock at the top of a page, never the date of an event.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from hometextile.page.document import Document
from hometextile.page.embedded import Embedded
from hometextile.page.reading import text_of
from hometextile.text.dates import read_date
from hometextile.text.normalise import squeeze

_DATE_METAS = (
    "article:published_time", "datepublished", "pubdate", "publishdate", "publish_date", "publish-date",
    "og:published_time", "article:create_at", "og:release_date", "citation_publication_date", "citation_date",
    "citation_online_date",
    "dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date", "dc.date.created", "parsely-pub-date",
    "sailthru.date", "weibo: article:create_at", "weibo:article:create_at", "_pubtime", "publishtime", "pubtime",
    "firstpublishedtime", "releasedate", "article.published", "bt:pubdate", "date", "createdate", "apub:time",
    "og:time",
)  # fmt: skip
_DATE_LABEL = re.compile(
    r"(?:发布|發佈|發布|发表|發表|发稿|發稿|刊发|刊登|公布|公開|上传|录入|添加|上架|更新|创建|入库|成文|颁布"
    r"|印发|采编|编辑)\s?"
    r"(?:时间|時間|日期|于|於)|发文日期|(?:授权)?(?:公告|公开|颁布|发布)(?:日期|日)(?=[\s:：])"
    r"|\b(?:published|posted|date published|publication date|released|updated)(?:\s+(?:on|date"
    r"|at))?\s*[:：]?\s*(?=[\dA-Z])",
    re.I,
)
_ANY_LABEL = re.compile(
    r"(?:时\s{0,4}间|時\s{0,4}間|日\s{0,4}期|最后更新|最後更新)\s{0,3}(?=[:：\d])|\bdate\s*[:：]", re.I
)
_UPDATED = re.compile(r"更新|updated|modified", re.I)
_CLOCK = re.compile(
    r"今天是|今日是|当前时间|现在是|现在时间|北京时间\s?[:：]|系统时间|today is|current time|copyright|©"
    r"|版权所有|\(c\)|备案|ICP",
    re.I,
)
_NO_PUBLISHING = re.compile(
    r"(?:申请|优先权|受理|会期|征文|截止|截至|开始|结束|生日|出生|会议|活动|开幕|展览|展期|举办|举行|有效|到货|发货|交货|实施|施行|生效"
    r"|注册|登录|最后回复|"
    r"回复于|评论于|上市|上映|出版|拍摄|创作|营业|服务|办公|开放|工作|成立|建立|演出|比赛|报名|考试|播出|首播"
    r"|创刊|加入|访问|"
    r"deadline|expires?|born|joined|event|starts?|ends?)\s?(?:时间|時間|日期|于|於|on|date)?\s?[:：]?\s?$", re.I
)  # fmt: skip
_STAMP = re.compile(
    r"\d{4}\s?[-年/.]\s?\d{1,2}\s?[-月/.]\s?\d{1,2}|\d{1,2}月\d{1,2}日|\d{1,2}[-/]\d{1,2}\s|\d+\s?(?:分钟|小时|天)"
)
_DAY_AND_TIME = re.compile(r"\d{4}\s?[-年/.]\s?\d{1,2}\s?[-月/.]\s?\d{1,2}\s?日?\D{0,4}\d{1,2}\s?[:：时]\s?\d{2}")
_URL_DATE = re.compile(
    r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<s>[-/_]?)(?P<m>0[1-9]|1[0-2])(?P=s)(?P<d>0[1-9]|[12]\d|3[01])(?!\d)"
    r"|(?<!\d)(?P<y2>(?:19|20)\d\d)[-/](?P<m2>0[1-9]|1[0-2]|[1-9])[-/](?P<d2>0?[1-9]|[12]\d|3[01])(?=/)"
    r"|(?<!\d)(?P<y3>(?:19|20)\d\d)-(?P<m3>0[1-9]|1[0-2])/(?P<d3>0[1-9]|[12]\d|3[01])(?!\d)"
)


def read_published(
    document: Document,
    data: Embedded,
    told: list[str],
    lines: list[str],
    title: str,
    *,
    now: datetime | None = None,
    chinese: bool = False,
) -> str:
    """The date of publication in ISO 8601, as exact as the page says, empty where it does not say.

    Args:
        document: the page.
        data: what it tells machines.
        told: the dates in its JSON-LD and microdata, best first.
        lines: its visible text, line by line.
        title: its title.
        now: when it was fetched; the clock if None.
        chinese: whether short dates are read the Chinese way (year first).
    """
    latest = ((now or datetime.now(UTC)).replace(tzinfo=None) + timedelta(days=1)).date().isoformat()
    languages = ["zh"] if chinese else None

    def fit(text: str, *, day: bool = True, relative: bool = False) -> str:
        found = read_date(text, now=now, languages=languages, relative=relative) if text else ""
        return found if "1990" <= found <= latest + "~" and (not day or len(found) >= 10) else ""

    told = [*told, *(data.meta.get(name, "") for name in _DATE_METAS)]
    return (
        next((found for text in told if (found := fit(text))), "")
        or _time_element(document, fit)
        or _labelled_date(lines, _DATE_LABEL, fit)
        or _near_title(lines, title, fit)
        or _labelled_date(lines, _ANY_LABEL, fit)
        or _labelled_date(lines, _DATE_LABEL, partial(fit, day=False))
        or _before_text(lines, fit)
        or _url_date(document.url, latest)
        or _labelled_date(lines, _DATE_LABEL, partial(fit, relative=True))
        or _near_title(lines, title, partial(fit, relative=True), longest=40)
        or next((found for text in told if (found := fit(text, day=False))), "")
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
        text_follows = any(len(following) >= 60 for following in lines[place + 1 : place + 5])
        if text_follows and (value := _stamped(line, fit)):
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
