"""What came back: results, nothing, an error page, a login page, a captcha, or the same page again.

Paper 1, section 2.2.3, step 5, takes three links or more for results. Navigation has more than three links on any page,
so that results are records: each row or card of a list that the answer to a nonsense word lacks gives its own link
(:mod:`hometextile.forms.results`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import islice

from hometextile.forms.form import Form
from hometextile.forms.loading import loading_button
from hometextile.forms.pagers import Pager, read_pager
from hometextile.forms.results import Baseline, ResultLink, page_lines, page_links, result_links
from hometextile.page.document import Document
from hometextile.text.strict_yaml import load_yaml

#: Paper 1: "three links or more".
RESULT_LINKS = 3
#: Numbers looked at that may be the count of records.
_MAX_COUNTS = 200

__all__ = ["RESULT_LINKS", "Answer", "Baseline", "ResultLink", "judge_answer", "page_links"]


@dataclass
class Answer:
    """An answer, judged.

    Attributes:
        kind: ``results``, ``none``, ``error``, ``login``, ``captcha`` or ``same``.
        links: result links, in document order, each address once.
        pager: how it goes on.
        more: selector of the button by which a script loads more into it, where that is how it goes on.
        count: the number of results that the page claims, if it does.
        why: a short English reason, for counting.
    """

    kind: str
    links: list[ResultLink] = field(default_factory=list)
    pager: Pager = field(default_factory=Pager)
    count: int | None = None
    why: str = ""
    more: str = ""


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
    links = result_links(document, baseline, canonical, pager, keyword)
    # What a record says of itself ("7 items", "3 hits") is no count of records.
    count = _count(text, words, " ".join(link.card for link in links))
    if len(text) < 6_000 or not links:
        if len(links) < RESULT_LINKS and _any(words["captcha"], title + "\n" + text):
            return Answer("captcha", why="captcha")
        if len(links) < RESULT_LINKS and _any(words["error"], title):
            return Answer("error", why="error-page")
        if not links and _any(words["broken"], text):
            return Answer("error", why="broken-down")
    if count == 0 or (_any(words["none"], text) and len(links) < RESULT_LINKS):
        return Answer("none", pager=Pager(), count=0, why="says-none")
    if len(links) < least and _has_password(document) and _any(words["login"], title + "\n" + text):
        return Answer("login", why="login-page")
    if len(links) >= least:
        more = loading_button(document) if pager.onward is None and pager.query is None else ""
        return Answer("results", links, pager, count, more=more)
    if not links and not set(page_lines(document)) - baseline.lines:
        return Answer("same", why="nothing-new")
    return Answer("none", links, pager, count, why="few-new-links")


def _visible(document: Document) -> str:
    return "\n".join(page_lines(document))


def _has_password(document: Document) -> bool:
    return any((element.get("type") or "").strip().lower() == "password" for element in document.tree.iter("input"))


def _count(text: str, words: dict[str, list[re.Pattern[str]]], cards: str) -> int | None:
    for pattern in words["count"]:
        for match in islice(pattern.finditer(text), _MAX_COUNTS):
            if re.search(r"(?<!\d)" + r"\s*".join(map(re.escape, match[0].split())), cards):
                continue
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
