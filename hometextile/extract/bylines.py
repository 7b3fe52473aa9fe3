"""Who says so (the source) and who wrote it (the author).

Chinese sites label both (``来源：``, ``作者：``), put the newspaper's name behind the date, or open the text
with a byline (``（记者 …）``, ``【聯合報╱記者…／台北報導】``). A ``<meta name="author">`` is often the site or its
software, and then tells nothing.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from hometextile.page.document import Document
from hometextile.page.embedded import Embedded
from hometextile.page.reading import text_of
from hometextile.text.normalise import fold, squeeze

_AUTHOR_METAS = (
    "article:author", "author", "citation_author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author",
    "byl", "og:author", "article:author_name", "twitter:creator",
)  # fmt: skip
_SOURCE_METAS = (
    "contentsource",
    "source",
    "article:source",
    "og:source",
    "mediaid",
    "dc.source",
    "citation_journal_title",
)
_SOURCE = re.compile(
    r"(?:(?:新闻|文章|信息|稿件|稿|内容|资料|本文|作品)?\s{0,2}(?:来\s{0,4}源|來\s{0,4}源)(?:于|於|自)?"
    r"|出\s{0,2}处|转自|摘自|稿源|信息提供)"
    r"\s{0,3}[:：]\s{0,6}(?P<v>[^\s|｜丨/,，;；。:：（()）【】\[\]<>]{2,40}(?:\s?(?=[A-Za-z])[A-Za-z. ]{1,30})?)"
)
_LOOSE_SOURCE = re.compile(r"(?:^|\s)(?:本文)?(?:来源|來源)(?:于|於|自)?\s{0,3}[《\s](?P<v>[^\s|:：》,，。]{2,20})")
_PRESS = (
    r"(?:网|網|报|報|社|台|臺|新闻|新聞|在线|在線|线上|線上|频道|頻道|周刊|週刊|杂志|雜誌|博客|财经|財經|科技|体育|"
    r"论坛|論壇|客户端|出版社|通讯)"
)
#: Date and time, then the newspaper's name: 2012年01月12日18:52人民网我要评论(0)
_AFTER_DATE = re.compile(
    rf"\d{{4}}\s?[-年/.]\s?\d{{1,2}}\s?[-月/.]\s?\d{{1,2}}\s?日?\s{{0,3}}(?:\d{{1,2}}:\d{{2}}(?::\d{{2}})?)?\s{{0,4}}"
    rf"(?P<v>(?:[A-Za-z0-9·-]{{0,6}}[\u4e00-\u9fff]{{1,10}}?){_PRESS})(?![\u4e00-\u9fff]{{0,1}}(?:讯|訊|记者))"
)
#: A name alone before the date: 孚镇口述史小组　2025.06.13
_BEFORE_DATE = re.compile(
    r"^(?P<v>[^\d\s:：|,，。!?！？>›»/]{1,15}[^\d\s:：日期间于在自])\s{1,4}(?:19|20)\d\d\s?[-./年]\s?\d{1,2}\s?[-./月]"
)
_CLASS_SOURCE = re.compile(r"(?:^|[\s_-])(?:source|laiyuan|from|publisher)(?:[_-]?name)?(?:$|\s)", re.I)
_MARKED_SOURCE = (
    "//body//@class[contains(., 'ource') or contains(., 'laiyuan') or contains(., 'from')"
    " or contains(., 'ublisher')]/.."
)
_ONLY_PRESS = re.compile(rf"[\u4e00-\u9fffA-Za-z·-]{{1,12}}{_PRESS}")
_AUTHOR = re.compile(
    r"(?:作\s{0,4}者|文/图|文图|图文|撰文|撰稿|文\s?[/／|]|^文|设计师|設計師|设计者|主讲人?|编著"
    r"|著者)\s{0,3}[:：/／]\s{0,6}"
    r"(?P<v>[^|｜丨/／,，;；。:：（(【\[<>\n]{2,40})"
)
#: 【聯合報╱記者蔡容喬／即時報導】, 【王己由／台北報導】, 邱俐穎／台北報導
_SLASHED = re.compile(
    r"^[【〔\[（(]?(?:(?P<s>[^╱／/【】\s]{2,8})[╱／/])?(?:記者"
    r"|记者)?(?P<a>[\u4e00-\u9fff、]{2,12})[╱／/][\u4e00-\u9fff]{2,6}(?:報導|报道|電|讯)"
)
_REPORTER = re.compile(
    r"[（(]\s{0,2}(?:本报|本網|本网|见习|实习|特约|[\u4e00-\u9fff]{2,6}[报网社])?(?:记者"
    r"|記者)\s{0,2}[:：]?\s{0,2}(?P<v>[\u4e00-\u9fff·、 ]{2,20}?)(?:\s?(?:通讯员|实习生|摄影|文"
    r"|图)[^)）]{0,40})?[)）]")  # fmt: skip
_LABELLED_REPORTER = re.compile(r"(?:本报|本网)?(?:记者|記者)\s{0,2}[:：]\s{0,4}(?P<a>[\u4e00-\u9fff、 ]{2,30})")
_BYLINE = re.compile(r"^\s*(?:written\s+|posted\s+|story\s+|text\s+|words\s+)?by:?\s*(?P<v>[A-Z][^\n|•·,]{2,60})", re.I)
_NO_VALUE = re.compile(
    r"(?:本站|未知|佚名|不详|不詳|网络|網路|网友|admin\w*|administrator|互联网|原创|本站原创|转载|转载文章|综合"
    r"|网络整理|点击|浏览|"
    r"责任?编辑|责任|编辑|发布|时间|日期|字号|字体|打印|管理员|https?|none|null|unknown|webmaster|editor|staff"
    r"|n/a|站长|小编|会员|昵称|匿名|楼主|搜狐号|百家号)", re.I
)  # fmt: skip
_SOFTWARE = re.compile(
    r"discuz|comsenz|wordpress|dedecms|phpcms|empirecms|joomla|drupal|microsoft|frontpage"
    r"|hexo|generator|copyright|www\.|\.com\b|\.cn\b", re.I)  # fmt: skip
_STOP = re.compile(
    r"\s{2,}|\s(?=\S{1,6}[:：])|(?:发布|发表|更新)?(?:时间|日期)|作者|来源|來源|摘自|编辑|編輯|点击|浏览|阅读"
    r"|字号|字體|字体|文字|打印|评论|評論|"
    r"分享|责编|人气|访问|微博|我要|我来说|跟贴|稿源|通讯员|已有|参与|有\d|收藏|关注|報導|报道|\d{4}[-年/.]|\d{2}-\d{2}"
)
_CLASS_AUTHOR = re.compile(r"(?:^|[\W_])(?:author|byline|writer|zuozhe)(?:[\W_]?name)?(?:[\W_]|$)", re.I)
_NO_BYLINE = frozenset({"html", "body", "meta", "link", "script", "article", "main", "section", "form", "img"})
_SPOKEN_OF = re.compile("author|byline|writer|zuozhe", re.I)
_MARKED = " | ".join(
    f"//@{name}[contains(., 'uthor') or contains(., 'yline') or contains(., 'riter') or contains(., 'uozhe')]/.."
    for name in ("class", "id", "itemprop", "rel")
)
_REPORTER_WORD = re.compile(r"^(?:本报|本网)?(?:记者|記者)\s{0,3}")
_PLACES = frozenset(
    {"北京", "上海", "天津", "重庆", "广州", "深圳", "南京", "杭州", "台北", "台北市", "高雄", "台中", "台南", "香港",
     "综合", "綜合"}
)  # fmt: skip
_HAN = re.compile("[\u4e00-\u9fff]")


def _clean(value: str, *, words: int = 6) -> str:
    stop = _STOP.search(value)
    value = squeeze(value[: stop.start()] if stop else value)
    value = re.split(r"[|｜丨]", value)[0].strip(" :：-—·,，。\"'“”《》[]【】()（）〔〕")
    if _NO_VALUE.fullmatch(value) or len(value) < 2 or len(value.split()) > words or value.startswith(("http", "//")):
        return ""
    return value


def near_title(lines: list[str], title: str, *, most: int = 8) -> list[str]:
    """The lines that follow the title where the page shows it, over all its places."""
    wanted = title.replace(" ", "")
    out: list[str] = []
    if len(wanted) < 2:
        return out
    for place, line in enumerate(lines):
        flat = line.replace(" ", "")
        if wanted in flat or (len(flat) >= 6 and wanted.startswith(flat)):
            out.extend(lines[place : place + most])
        if len(out) > 10 * most:
            break
    return out


def read_source(
    data: Embedded,
    lines: list[str],
    title: str,
    publisher: str = "",
    site: str = "",
    document: Document | None = None,
) -> str:
    """Who says so: told to machines, labelled, behind the date, in the byline; else the publisher, else the site.

    Args:
        data: what the page tells machines.
        lines: its visible text, line by line.
        title: its title.
        publisher: the publisher of its JSON-LD, if any.
        site: what the site calls itself.
        document: the page; elements whose class names a source are looked at.
    """
    told = _clean(next((value for name in _SOURCE_METAS if (value := squeeze(data.meta.get(name, "")))), ""))
    if told:
        return told
    near = near_title(lines, title)
    for some in (near, lines):
        for line in some:
            for found in _SOURCE.finditer(line) if len(line) <= 300 else ():
                if value := _clean(found["v"]):
                    return value
    return _source_near(near) or (_marked_source(document) if document is not None else "") or publisher or site


def _marked_source(document: Document) -> str:
    """What an element whose class says so names as the source."""
    for element in document.tree.xpath(_MARKED_SOURCE):
        marks = element.get("class") or ""
        if element.tag in _NO_BYLINE or not _CLASS_SOURCE.search(marks):
            continue
        value = _clean(re.sub(r"^(?:来源|來源|source)\s?[:：]?", "", text_of(element), flags=re.I))
        if 2 <= len(value) <= 30 and not re.search(r"[\n©]|^\d+$", value):
            return value
    return ""


def _source_near(near: list[str]) -> str:
    for place, line in enumerate(near):
        if len(line) > 160:
            continue
        for pattern in (_AFTER_DATE, _LOOSE_SOURCE, _SLASHED, _BEFORE_DATE):
            found = pattern.search(line)
            value = _clean((found["s"] if pattern is _SLASHED else found["v"]) or "") if found else ""
            if value:
                return value
        # The newspaper's name alone on a line, next to the date.
        if 0 < place < len(near) - 1 and _ONLY_PRESS.fullmatch(line.strip()) and re.search(r"\d{4}", near[place - 1]):
            return line.strip()
    return ""


def read_author(
    document: Document, data: Embedded, told: list[str], lines: list[str], title: str, site: str = ""
) -> str:
    """Who wrote or made it; several are joined by ", ".

    Args:
        document: the page.
        data: what it tells machines.
        told: the authors of its JSON-LD and microdata.
        lines: its visible text, line by line.
        title: its title.
        site: what the site calls itself.
    """
    if told:
        return ", ".join(told)
    meta = data.opengraph.get("citation_author") or [
        next((value for name in _AUTHOR_METAS if (value := squeeze(data.meta.get(name, "")))), "")
    ]
    names = [name for value in meta if (name := _person(value, document, site))]
    if names:
        return ", ".join(names)
    near = near_title(lines, title)
    for some in (near, lines):
        for line in some:
            for found in _AUTHOR.finditer(line) if len(line) <= 300 else ():
                if value := _name(found["v"]):
                    return value
    return _marked_author(document) or _reporter(near)


def _person(value: str, document: Document, site: str) -> str:
    """A meta element's author, unless it is the site, its software or a list of keywords."""
    host = (urlsplit(document.url).hostname or "").split(".")
    key = fold(value).replace(" ", "")
    if (
        not _clean(value, words=8)
        or _SOFTWARE.search(value)
        or value.startswith(("http", "@", "//"))
        or len(value) > 80
    ):
        return ""
    if key in host or (site and (key in fold(site) or fold(site) in key)) or value.count(",") + value.count("，") > 3:
        return ""
    if _HAN.search(value) and re.search(r"(?:网|網|频道|公司|中心|_)$|[_，]", value):
        return ""
    return value


def _name(value: str) -> str:
    """A labelled author; of Chinese words only those that can be names."""
    value = _clean(_REPORTER_WORD.sub("", value.strip()))
    if not _HAN.search(value):
        return value
    kept: list[str] = []
    for word in value.split():
        if len(_HAN.findall(word)) > 8 or (kept and word in _PLACES):
            break
        kept.append(word)
    return " ".join(kept)


def _reporter(near: list[str]) -> str:
    for line in near:
        found = _LABELLED_REPORTER.match(line) or _SLASHED.search(line)
        if found:
            return _name(found["a"].replace("、", " ")).replace(" ", ", ")
        found = _REPORTER.search(line[:200])
        if found:
            names = [name for name in re.split(r"[\s、]+", found["v"].strip()) if name != "通讯员"]
            return ", ".join(names)
    return ""


def _marked_author(document: Document) -> str:
    if not _SPOKEN_OF.search(document.text):
        return ""
    for element in document.tree.xpath(_MARKED):
        if element.tag in _NO_BYLINE:
            continue
        rel = (element.get("rel") or "").lower().split()
        marks = f"{element.get('class') or ''} {element.get('id') or ''} {element.get('itemprop') or ''}"
        if "author" not in rel and not _CLASS_AUTHOR.search(marks):
            continue
        text = text_of(element).split("\n")[0]
        slashed = _SLASHED.search(text)
        if slashed:
            return slashed["a"].replace("、", ", ")
        byline = _BYLINE.match(text)
        # The label of a comment form's field is marked as an author too.
        if text.rstrip().endswith("*"):
            continue
        value = _name(byline["v"] if byline else text)
        if value and len(value) <= (12 if _HAN.search(value) else 60):
            return value
    return ""
