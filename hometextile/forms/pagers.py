"""Pagers: how an answer or a list goes on.

A next page is a link (``rel=next``, a word or an arrow that says so, or the number after the current one), a form sent
again with another page number (a button, a ``javascript:`` link that sets a hidden control), or an ASP.NET post back.
Links that choose a page's size or order are not pages (autopager #2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import parse_qsl, urljoin, urlsplit

import lxml.html

from hometextile.forms.form import Control, Form, Query
from hometextile.forms.loading import LOADS
from hometextile.page.document import Document

MAX_LINKS = 5_000

_NEXT = re.compile(
    r"(?:^|\b|[^一-鿿])(?:next(?:\s+(?:page|\d+|results?))?|suivante?|weiter|nächste[rs]?|siguiente|próxim[ao]|"
    r"successiv[ao]|volgende|следующ\w+|далее|dalej|następna|sonraki|další|nästa|neste|næste|seuraava)\s*(?:$|\b)|"
    r"下一?[页頁]|下一(?:个|張|张)?$|后一?[页頁]|後一?[頁页]|次(?:へ|の?ページ)|다음|下页|往后|向后",
    re.IGNORECASE,
)
_PREVIOUS = re.compile(
    r"\b(?:prev(?:ious)?|précédente?|zurück|vorherige|anterior|precedente|vorige|предыдущ\w+|назад)\b|"
    r"上一?[页頁]|前一?[页頁]|前へ|前のページ|이전|上页",
    re.IGNORECASE,
)
_OLDER = re.compile(
    r"\bolder\s+(?:posts?|entries|articles|stories|comments|news)\b|更早|较早|以前的|以前の|過去の|"
    r"entradas\s+(?:antiguas|anteriores)|articles?\s+(?:plus\s+anciens|précédents)|ältere\s+(?:beiträge|einträge)",
    re.IGNORECASE,
)
_NEWER = re.compile(
    r"\bnewer\s+(?:posts?|entries|articles|stories|comments|news)\b|较新|更新的|新しい(?:投稿|記事)|"
    r"entradas\s+(?:recientes|siguientes)|articles?\s+plus\s+récents|neuere\s+(?:beiträge|einträge)",
    re.IGNORECASE,
)
_BACK, _FORTH = re.compile(r"[←«‹<]"), re.compile(r"[→»›>]")
_FIRST = re.compile(r"^\W*(?:first(?: page)?|首\s*[页頁]|第一[页頁]|最初)\W*$", re.IGNORECASE)
_LAST = re.compile(r"^\W*(?:last(?: page)?|尾\s*[页頁]|末\s*[页頁]|最后一[页頁]|最後)\W*$", re.IGNORECASE)
_NEXT_SIGN = re.compile(r"^[\s]*(?:>|›|→|»|>>|＞|▶|►|⇒|❯|⟩|下)[\s]*$")
_LAST_SIGN = re.compile(r"^\s*(?:>\||⇥|⏭|>>\||»»|>>>)\s*$")
_PREVIOUS_SIGN = re.compile(r"^\s*(?:<|‹|←|«|<<|＜|◀|❮|⟨)\s*$")
_NUMBER = re.compile(r"^\s*(?:\[|\(|第|page\s*)?\s*([0-9]{1,6})\s*(?:\]|\)|[页頁])?\s*$", re.IGNORECASE)
_SIZE = re.compile(
    r"每\s*[页頁]|per\s*page|results\s*per|items\s*per|rows|显示\s*(?:条|数)|show\s*:|\bview\s*:", re.IGNORECASE
)
_PAGING = re.compile(r"pag(?:e|ing|ination|er|inat)|nav-?links|fanye|fenye|pages|分页|next", re.IGNORECASE)
_NOT_A_PAGE = re.compile(
    r"\b(?:article|post|story|photo|slide|chapter|topic|thread|entry|day|month|week|year|match|video)\b|"
    r"[一-鿿]*(?:篇|条|張|张|章|节|节目|月|周|年|日|天|主题|图|集)",
    re.IGNORECASE,
)
_PAGE_CONTROL = re.compile(
    r"^(?:.*[_.$\-])?(?:page|pageno|pageindex|pagenum|pagenumber|currentpage|curpage|cpage|"
    r"currpage|topage|gopage|pn|p|pageid|nowpage|thispage|dangqianye|yema)$",
    re.IGNORECASE,
)
_DO_POST_BACK = re.compile(r"__doPostBack\(\s*['\"]([^'\"]*)['\"]\s*,\s*['\"]([^'\"]*)['\"]")
_CALL_WITH_NUMBER = re.compile(r"([\w.$]+)\s*\(\s*(?:['\"]?)(\d{1,6})(?:['\"]?)\s*(?:,[^)]*)?\)")


@dataclass
class PageLink:
    """A link of a pager.

    Attributes:
        href: as written in the page.
        url: absolute, without fragment; empty for script links.
        text: its words.
        number: the page it leads to, if it says so.
        element: the lxml element.
    """

    href: str
    url: str
    text: str
    number: int | None
    element: lxml.html.HtmlElement


@dataclass
class Pager:
    """How a list goes on.

    Attributes:
        next: the link that says it leads to the next page.
        older: the link to older entries, whichever way its arrow points: blogs put it left or right.
        head: ``<link rel=next>`` of the page's head.
        query: the form to send again for the next page, where that is how it goes on.
        current: number of this page, where it is shown.
        previous, first, last: likewise links.
        numbered: links with page numbers.
    """

    next: PageLink | None = None
    older: PageLink | None = None
    head: PageLink | None = None
    query: Query | None = None
    current: int | None = None
    previous: PageLink | None = None
    first: PageLink | None = None
    last: PageLink | None = None
    numbered: list[PageLink] = field(default_factory=list)

    @property
    def urls(self) -> set[str]:
        """The addresses of all its links."""
        links = (self.next, self.older, self.head, self.previous, self.first, self.last, *self.numbered)
        return {link.url for link in links if link is not None}

    @property
    def onward(self) -> PageLink | None:
        """The link by which the list goes on: what says so, else the number after this page's, else the head's."""
        following = (link for link in self.numbered if self.current is not None and link.number == self.current + 1)
        by_number = next((link for link in following if link.url), None)
        return self.older or self.next or by_number or self.head


def read_pager(document: Document, forms: Iterable[Form] = ()) -> Pager:
    """Find the pager of a page.

    Args:
        document: the page.
        forms: the forms read from it, for pagers that send one again.
    """
    pager = Pager()
    numbers: list[PageLink] = []
    script_links: list[PageLink] = []
    for link in _links(document):
        _sort_in(link, pager, numbers, script_links, document)
    pager.current, pager.numbered = _numbered(numbers, document)
    here = document.url.partition("#")[0]
    pager.next, pager.older, pager.head = (
        None if link is None or link.url == here else link for link in (pager.next, pager.older, pager.head)
    )
    if pager.onward is None:
        pager.query = _by_form(document, list(forms), pager.current, script_links)
    return pager


def _links(document: Document) -> list[PageLink]:
    found = []
    for element in document.tree.iter("a", "link", "area"):
        href = (element.get("href") or "").strip()
        if (
            element.tag == "link"
            and "next" not in (element.get("rel") or "").lower().split()
            and "prev" not in (element.get("rel") or "").lower().split()
        ):
            continue
        text = " ".join(_words(element).split())
        if not href and not element.get("onclick"):
            continue
        url = ""
        if href and not href.lower().startswith(("javascript:", "mailto:", "tel:", "data:", "#")):
            try:
                url = urljoin(document.base_url, href).partition("#")[0]
            except ValueError:
                continue
        match = _NUMBER.match(text)
        found.append(PageLink(href, url, text, int(match[1]) if match else None, element))
        if len(found) >= MAX_LINKS:
            break
    return found


def _words(element: lxml.html.HtmlElement) -> str:
    text = element.text_content()
    if text.strip():
        return str(text)
    parts = [image.get("alt") or image.get("title") or "" for image in element.iter("img", "input")]
    return " ".join([*parts, element.get("title") or "", element.get("aria-label") or ""])


def _sort_in(
    link: PageLink, pager: Pager, numbers: list[PageLink], script_links: list[PageLink], document: Document
) -> None:
    rel = (link.element.get("rel") or "").lower().split()
    hint = " ".join(filter(None, (link.element.get("title"), link.element.get("aria-label"))))
    marks = " ".join(filter(None, (link.element.get("class"), link.element.get("id"))))
    if not link.url:
        script_links.append(link)
        if link.number is not None:
            numbers.append(link)
        return
    if link.number is not None:
        numbers.append(link)
        return
    if link.element.tag == "link":
        if "next" in rel and pager.head is None:
            pager.head = link
        return
    short = len(link.text) <= 30
    if _LAST.match(link.text) or _LAST_SIGN.match(link.text):
        pager.last = pager.last or link
    elif _FIRST.match(link.text):
        pager.first = pager.first or link
    elif short and (_OLDER.search(link.text) or _NEWER.search(link.text)):
        _by_age(link, pager, marks)
    elif _says(link, _PREVIOUS, _PREVIOUS_SIGN, "prev" in rel, hint, marks, short):
        pager.previous = pager.previous or link
    elif pager.next is None and (
        _says(link, _NEXT, _NEXT_SIGN, "next" in rel, hint, marks, short) or (short and LOADS.fullmatch(link.text))
    ):
        pager.next = link


def _by_age(link: PageLink, pager: Pager, marks: str) -> None:
    """Older entries are the next page, unless arrow or class says previous; newer ones the previous one, likewise."""
    parent = link.element.getparent()
    marks = f"{marks} {parent.get('class') or ''}" if parent is not None else marks
    back = bool(_BACK.search(link.text)) or "prev" in marks.lower()
    forth = bool(_FORTH.search(link.text)) or "next" in marks.lower()
    older = bool(_OLDER.search(link.text))
    if older:
        pager.older = pager.older or link
    if (older and not back) or (not older and forth):
        pager.next = pager.next or link
    else:
        pager.previous = pager.previous or link


def _says(
    link: PageLink, words: re.Pattern[str], sign: re.Pattern[str], rel: bool, hint: str, marks: str, short: bool
) -> bool:
    """Whether the link's words, or its sign in a pager's surroundings, say so."""
    if not short and not rel:
        return False
    text = link.text
    if words.search(text) and not _NOT_A_PAGE.search(words.sub("", text)):
        return True
    around = _PAGING.search(marks + " " + _around(link.element))
    if rel and (around or not text or len(text) < 12):
        return True
    if sign.match(text) and around:
        return True
    if words is _NEXT:
        return bool(around and re.search(r"\bnext\b", marks + " " + hint, re.IGNORECASE) and len(text) < 20)
    return bool(around and re.search(r"\bprev", marks + " " + hint, re.IGNORECASE) and len(text) < 20)


def _around(element: lxml.html.HtmlElement, levels: int = 4) -> str:
    """Classes and ids of the element's ancestors, and the text of a small one."""
    words = []
    for n, parent in enumerate(element.iterancestors()):
        if n >= levels or parent.tag in {"body", "html"}:
            break
        words += [parent.get("class") or "", parent.get("id") or ""]
    return " ".join(words)


def _numbered(links: list[PageLink], document: Document) -> tuple[int | None, list[PageLink]]:
    """The run of numbers that is a pager, and the number of this page."""
    groups: dict[lxml.html.HtmlElement, list[PageLink]] = {}
    for link in links:
        parent = link.element.getparent()
        while parent is not None and len(parent) == 1 and parent.getparent() is not None:
            parent = parent.getparent()
        if parent is not None:
            groups.setdefault(parent, []).append(link)
    best: tuple[int | None, list[PageLink]] = (None, [])
    for parent, group in groups.items():
        text = " ".join(str(parent.text_content()).split())
        before = _before(parent)
        if _SIZE.search(text[:40]) or _SIZE.search(before):
            continue
        values = [link.number for link in group if link.number is not None]
        if (
            len(values) > 1
            and len(set(values)) > 1
            and not any(b - a == 1 for a, b in pairwise(values))
            and 1 not in values
            and 2 not in values
        ):
            continue
        if len(values) == 1 and not _PAGING.search(_around(group[0].element)) and values[0] != 2:
            continue
        if not _same_shape(group):
            continue
        current = _current(parent, values, document)
        if len(group) > len(best[1]) or (best[0] is None and current is not None):
            best = (current, group)
    return best


def _before(element: lxml.html.HtmlElement) -> str:
    """The end of the words before an element."""
    previous = element.getprevious()
    if previous is None:
        return ""
    text = previous.text_content() if isinstance(previous.tag, str) else ""
    return f"{text}{previous.tail or ''}"[-40:]


def _same_shape(group: list[PageLink]) -> bool:
    """Whether the links differ in numbers only, as pages do and days of several months do not."""
    shapes = {re.sub(r"[0-9]+", "0", link.href) for link in group if link.url}
    return len(shapes) <= 2 or any(not link.url for link in group)


def _current(parent: lxml.html.HtmlElement, values: list[int], document: Document) -> int | None:
    linked = set(values)
    for element in parent.iter():
        if not isinstance(element.tag, str) or element.tag in {"script", "style", "option", "select"}:
            continue
        marks = f"{element.get('class') or ''} {element.get('id') or ''}".lower()
        text = " ".join(str(element.text_content()).split())
        match = _NUMBER.match(text)
        if match and (
            element.get("aria-current") or re.search(r"\b(?:current|active|selected|on|cur|now|this)\b", marks)
        ):
            return int(match[1])
        if (
            match
            and len(element) == 0
            and element.tag != "a"
            and not any(a.tag == "a" and a.get("href") for a in element.iterancestors())
            and int(match[1]) not in linked
            and _beside(int(match[1]), linked)
        ):
            return int(match[1])
    for piece in re.findall(r"(?<![0-9])[0-9]{1,6}(?![0-9])", " ".join(t for t in parent.xpath("./text()"))):
        if int(piece) not in linked and _beside(int(piece), linked):
            return int(piece)
    if linked and min(linked) == 2 and 1 not in linked:
        return 1
    page = next(
        (int(v) for k, v in parse_qsl(urlsplit(document.url).query) if _PAGE_CONTROL.match(k) and v.isdecimal()), None
    )
    return page if page is not None and len(str(page)) < 7 else None


def _beside(number: int, linked: set[int]) -> bool:
    return number - 1 in linked or number + 1 in linked


def _by_form(document: Document, forms: list[Form], current: int | None, script_links: list[PageLink]) -> Query | None:
    for link in script_links:
        code = link.href + " " + (link.element.get("onclick") or "")
        if not (
            _NEXT.search(link.text)
            or _NEXT_SIGN.match(link.text)
            or (current is not None and link.number == current + 1)
        ):
            continue
        query = _post_back(code, forms) or _call(code, forms, document, current)
        if query is not None:
            return query
    for form in forms:
        query = _button(form, current)
        if query is not None:
            return query
    return None


def _post_back(code: str, forms: list[Form]) -> Query | None:
    match = _DO_POST_BACK.search(code)
    if not match:
        return None
    for form in forms:
        names = {control.name for control in form.controls}
        if "__VIEWSTATE" in names or "__EVENTTARGET" in names:
            values = {"__EVENTTARGET": [match[1]], "__EVENTARGUMENT": [match[2]]}
            return Query(form, values, url=form.url, by_script=True)
    return None


def _call(code: str, forms: list[Form], document: Document, current: int | None) -> Query | None:
    match = _CALL_WITH_NUMBER.search(code)
    if not match:
        return None
    number = match[2]
    for form in forms:
        for control in form.controls:
            if control.kind in {"hidden", "text", "number"} and _PAGE_CONTROL.match(control.name):
                return Query(form, {control.name: [number]}, url=form.url, by_script=True)
    return None


def _button(form: Form, current: int | None) -> Query | None:
    """A form whose button says "next page"."""
    for control in form.controls:
        if control.kind not in {"submit", "image"}:
            continue
        said = " ".join(control.element.itertext()) if control.element is not None else ""
        words = f"{control.value} {said} {control.attributes.get('alt', '')}"
        if not _NEXT.search(words) or control.disabled:
            continue
        return Query(form, _page_values(form, control, current), submitter=control, url=form.url)
    return None


def _page_values(form: Form, button: Control, current: int | None) -> dict[str, list[str]]:
    """The button sends the page that stands in the form; only where that is this page is it raised by one."""
    for control in form.controls:
        if control.kind == "hidden" and _PAGE_CONTROL.match(control.name) and control.value.isdecimal():
            if current is not None and int(control.value) == current:
                return {control.name: [str(current + 1)]}
            break
    return {}
