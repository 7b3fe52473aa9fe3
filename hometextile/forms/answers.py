"""What came back: results, nothing, an error page, a login page, a captcha, or the same page again.

Paper 1, section 2.2.3, step 5, takes three links or more for results. Navigation has more than three links on any page,
so that links count only if neither the answer to a nonsense word nor the page with the form has them too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from urllib.parse import urljoin

import lxml.html

from hometextile.forms.form import Form
from hometextile.forms.pagers import Pager, read_pager
from hometextile.page.document import Document
from hometextile.text.strict_yaml import load_yaml

#: Paper 1: "three links or more".
RESULT_LINKS = 3
MAX_LINKS = 5_000
_SKIPPED = ("script", "style", "noscript", "template", "head")


@dataclass
class ResultLink:
    """A link that only this answer has."""

    url: str
    text: str
    element: lxml.html.HtmlElement = field(repr=False)


@dataclass
class Baseline:
    """What every answer of a form has: links and lines of the page with the form and of the answer to nonsense."""

    links: set[str] = field(default_factory=set)
    lines: set[str] = field(default_factory=set)

    def add(self, document: Document, canonical: Callable[[str], str]) -> None:
        """Take in what *document* has."""
        self.links.update(canonical(url) for url, _text, _element in page_links(document))
        self.lines.update(_lines(document))


@dataclass
class Answer:
    """An answer, judged.

    Attributes:
        kind: ``results``, ``none``, ``error``, ``login``, ``captcha`` or ``same``.
        links: result links, in document order, each address once.
        pager: how it goes on.
        count: the number of results that the page claims, if it does.
        why: a short English reason, for counting.
    """

    kind: str
    links: list[ResultLink] = field(default_factory=list)
    pager: Pager = field(default_factory=Pager)
    count: int | None = None
    why: str = ""


def judge_answer(
    document: Document,
    baseline: Baseline,
    *,
    canonical: Callable[[str], str],
    keyword: str = "",
    status: int = 200,
    forms: Iterable[Form] = (),
    least: int = RESULT_LINKS,
) -> Answer:
    """Judge the answer to a query.

    Args:
        document: the answer.
        baseline: what every answer has.
        canonical: makes addresses comparable.
        keyword: what was asked.
        status: HTTP status of the answer.
        forms: forms read from the answer, for its pager.
        least: how many result links make it results; 1 once the form is known to be a query interface.
    """
    words = _answer_words()
    text = _visible(document)
    title = " ".join(document.tree.xpath("string(//head/title)").split())
    if status >= 400:
        return Answer("error", why=f"status-{status}")
    pager = read_pager(document, forms)
    links = _result_links(document, baseline, canonical, pager)
    count = _count(text, words)
    if len(text) < 6_000 or not links:
        if len(links) < RESULT_LINKS and _any(words["captcha"], title + "\n" + text):
            return Answer("captcha", why="captcha")
        if len(links) < RESULT_LINKS and _any(words["error"], title):
            return Answer("error", why="error-page")
    if count == 0 or (_any(words["none"], text) and len(links) < RESULT_LINKS):
        return Answer("none", pager=Pager(), count=0, why="says-none")
    if len(links) < least and _has_password(document) and _any(words["login"], title + "\n" + text):
        return Answer("login", why="login-page")
    if len(links) >= least:
        return Answer("results", links, pager, count)
    if not links and not _lines(document) - baseline.lines:
        return Answer("same", why="nothing-new")
    return Answer("none", links, pager, count, why="few-new-links")


def page_links(document: Document) -> list[tuple[str, str, lxml.html.HtmlElement]]:
    """Address, words and element of each link of a page, in document order."""
    found = []
    for element in document.tree.iter("a", "area"):
        href = (element.get("href") or "").strip()
        if not href or href.lower().startswith(("javascript:", "mailto:", "tel:", "data:", "#")):
            continue
        try:
            url = urljoin(document.base_url, href).partition("#")[0]
        except ValueError:
            continue
        if not url.startswith(("http://", "https://")):
            continue
        text = " ".join(str(element.text_content()).split())
        if not text:
            text = " ".join(" ".join(image.get("alt") or "" for image in element.iter("img")).split())
        found.append((url, text, element))
        if len(found) >= MAX_LINKS:
            break
    return found


def _result_links(
    document: Document, baseline: Baseline, canonical: Callable[[str], str], pager: Pager
) -> list[ResultLink]:
    paging = {link.url for link in (pager.next, pager.previous, pager.first, pager.last, *pager.numbered) if link}
    seen: set[str] = {canonical(document.url)}
    found: list[ResultLink] = []
    for url, text, element in page_links(document):
        key = canonical(url)
        if url in paging or key in baseline.links:
            continue
        if key in seen:
            if text:
                for link in found:
                    if canonical(link.url) == key and len(text) > len(link.text):
                        link.text = text
            continue
        seen.add(key)
        found.append(ResultLink(url, text, element))
    return found


def _visible(document: Document) -> str:
    return "\n".join(_lines_in_order(document))


def _lines_in_order(document: Document) -> list[str]:
    body = document.tree.find("body")
    root = body if body is not None else document.tree
    lines = []
    for element in root.iter():
        if not isinstance(element.tag, str) or element.tag in _SKIPPED:
            text = ""
        else:
            text = " ".join((element.text or "").split())
        tail = " ".join((element.tail or "").split()) if element is not root else ""
        lines += [line for line in (text, tail) if line]
    return lines


def _lines(document: Document) -> set[str]:
    return set(_lines_in_order(document))


def _has_password(document: Document) -> bool:
    return any((element.get("type") or "").strip().lower() == "password" for element in document.tree.iter("input"))


def _count(text: str, words: dict[str, list[re.Pattern[str]]]) -> int | None:
    for pattern in words["count"]:
        match = pattern.search(text)
        if match:
            digits = re.sub(r"[^0-9]", "", match.group("n"))
            if digits and len(digits) < 12:
                return int(digits)
    return None


def _any(patterns: list[re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


@lru_cache(maxsize=1)
def _answer_words() -> dict[str, list[re.Pattern[str]]]:
    data = files("hometextile.forms").joinpath("answer_words.yaml")
    loaded = load_yaml(data.read_text(encoding="utf-8"), "answer_words.yaml").data
    return {kind: [re.compile(pattern, re.IGNORECASE) for pattern in patterns] for kind, patterns in loaded.items()}
