"""The results of an answer: records, each with its own link.

An answer has links that are no results: navigation, facets, sort heads, exports, lists of what is popular that change
from one answer to the next. Results are the records of the page's best list that the answer to a nonsense word lacks.
Where an answer has one result only, and so no list, its links that no other answer has are taken, less those that only
put the same question in another way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl, unquote_plus, unquote_to_bytes, urljoin, urlsplit

import lxml.html

from hometextile.blocks.records import Record, RecordList, find_records
from hometextile.forms.encoders import encode
from hometextile.forms.pagers import Pager
from hometextile.forms.travelling import Travelling
from hometextile.page.document import Document

MAX_LINKS = 5_000
#: Elements whose text is read. What a page with more says further down is no longer told from what every answer has.
MAX_ELEMENTS = 100_000
#: Characters kept of a record's text.
MAX_CARD = 1_000
_SKIPPED = ("script", "style", "noscript", "template", "head")
_AWAY = frozenset({"nav", "aside", "footer", "header"})
_CARDS = frozenset({"li", "tr", "article", "dd", "dt", "p", "section", "div", "td"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt"})
#: What stands between words of a query that is repeated, and around them.
_BETWEEN = re.compile(rb"[\s,;*\"'+-]+")
#: Share of a list's records that must lead somewhere new.
_NEW = 0.5


@dataclass
class ResultLink:
    """A result.

    Attributes:
        url: where the record leads.
        text: the link's words.
        element: the link.
        card: the record's text.
    """

    url: str
    text: str
    element: lxml.html.HtmlElement = field(repr=False)
    card: str = ""


@dataclass
class Baseline:
    """What answers have that are none.

    Attributes:
        links: of the page with the form, and of the answer to a nonsense word.
        lines: likewise.
        everywhere: links that the answer to a nonsense word has: navigation.
        lists: marks of its record lists.
        echoes: names of parameters of results that repeat what was asked.
        travelling: which of their parameters say how one came to them.
    """

    links: set[str] = field(default_factory=set)
    lines: set[str] = field(default_factory=set)
    everywhere: set[str] = field(default_factory=set)
    lists: set[str] = field(default_factory=set)
    echoes: set[str] = field(default_factory=set)
    travelling: Travelling = field(default_factory=Travelling)

    def add(self, document: Document, canonical: Callable[[str], str], *, nonsense: bool = False) -> None:
        """Take in what *document* has.

        Args:
            document: the page with the form, or the answer to nonsense.
            canonical: makes addresses comparable.
            nonsense: whether it is the answer to nonsense.
        """
        links = {canonical(url) for url, _text, _element in page_links(document)}
        self.links |= links
        self.lines.update(page_lines(document))
        if nonsense:
            self.everywhere |= links
            self.lists.update(_mark(one) for one in find_records(document))


def page_links(document: Document) -> list[tuple[str, str, lxml.html.HtmlElement]]:
    """Address, words and element of each link of a page, in document order."""
    return list(islice(_links_in(document.tree.iter("a", "area"), document.base_url), MAX_LINKS))


def _links_in(elements: Iterable[Any], base: str) -> Iterable[tuple[str, str, lxml.html.HtmlElement]]:
    for element in elements:
        href = (element.get("href") or "").strip()
        if not href or href.lower().startswith(("javascript:", "mailto:", "tel:", "data:", "#")):
            continue
        try:
            url = urljoin(base, href).partition("#")[0]
        except ValueError:
            continue
        if not url.startswith(("http://", "https://")):
            continue
        text = " ".join(str(element.text_content()).split())
        if not text:
            text = " ".join(" ".join(image.get("alt") or "" for image in element.iter("img")).split())
        yield url, text, element


def page_lines(document: Document) -> list[str]:
    """The visible pieces of text of a page, in document order; of a very long page those it begins with."""
    body = document.tree.find("body")
    root = body if body is not None else document.tree
    lines: list[str] = []
    for element in islice(root.iter(), MAX_ELEMENTS):
        if not isinstance(element.tag, str) or element.tag in _SKIPPED:
            text = ""
        else:
            text = " ".join((element.text or "").split())
        tail = " ".join((element.tail or "").split()) if element is not root else ""
        lines += [line for line in (text, tail) if line]
    return lines


def result_links(
    document: Document, baseline: Baseline, canonical: Callable[[str], str], pager: Pager, keyword: str = ""
) -> list[ResultLink]:
    """The results of an answer, in document order, each address once.

    Args:
        document: the answer.
        baseline: what every answer has.
        canonical: makes addresses comparable.
        pager: the answer's; its links are none.
        keyword: what was asked; links that put it again are none.
    """
    return _Reader(document, baseline, canonical, pager, keyword).results()


class _Reader:
    def __init__(
        self,
        document: Document,
        baseline: Baseline,
        canonical: Callable[[str], str],
        pager: Pager,
        keyword: str,
    ) -> None:
        self.document, self.baseline, self.canonical = document, baseline, canonical
        self.keyword = keyword.lower()
        # A page in GBK may have links in UTF-8.
        self.words = set().union(*(_parted(encode(keyword, name)) for name in (document.encoding, "utf-8")))
        self.paging = pager.urls
        self.here = urlsplit(document.url)
        self.asked = set(parse_qsl(self.here.query))
        #: Parameters that have what was asked.
        self.boxes = {name for name, value in _pieces(self.here.query) if _words_of(value) & self.words}

    def results(self) -> list[ResultLink]:
        chosen = self._chosen()
        found = [link for one in chosen for link in self._of_list(one)] if chosen else self._lone()
        self._leave_out_what_was_asked(found)
        firsts = self.baseline.travelling.known((link.url, link.card or link.text) for link in found)
        for link, first in zip(found, firsts, strict=True):
            link.url = first
        seen: dict[str, ResultLink] = {}
        for link in found:
            seen.setdefault(self.canonical(link.url), link)
        return list(seen.values())

    def _leave_out_what_was_asked(self, found: list[ResultLink]) -> None:
        """Pages that light up what was asked for have an address for each keyword, and are one page.

        Several results tell which parameters do that: those without which they are still told apart. A result by
        itself may be named by what was asked (``/define?word=velvet``).
        """
        echoing = [(link, url, names) for link in found for url, names in [self._without_keyword(link.url)] if names]
        before, after = {link.url for link, _url, _names in echoing}, {url for _link, url, _names in echoing}
        if len(after) < len(before):
            return
        if len(before) > 1:
            self.baseline.echoes.update(name for _link, _url, names in echoing for name in names)
        for link, url, names in echoing:
            if names <= self.baseline.echoes:
                link.url = url

    def _without_keyword(self, url: str) -> tuple[str, set[str]]:
        """The address without the parameters that only repeat what was asked, and their names."""
        parts = urlsplit(url)
        kept, names = [], set()
        for piece in parts.query.split("&"):
            name, _equals, value = piece.partition("=")
            words = _words_of(value)
            if words and words <= self.words:
                names.add(name)
            else:
                kept.append(piece)
        return (parts._replace(query="&".join(kept)).geturl() if names else url), names

    def _chosen(self) -> list[RecordList]:
        """The lists of results: the best that the answer to nonsense lacks, and those that go on with it."""
        fitting = []
        for one in find_records(self.document):
            links = [self._own(record, self.baseline.everywhere) for record in one.records]
            new = {self.canonical(link.url) for link in links if link is not None}
            if len(new) >= 2 and sum(link is not None for link in links) >= _NEW * len(links):
                fitting.append((one, _mark(one), {_shape(link.url) for link in links if link is not None}))
        fresh = [each for each in fitting if each[1] not in self.baseline.lists] or fitting
        if not fresh:
            return []
        _best, mark, shapes = fresh[0]
        return [one for one, other, theirs in fresh if other == mark or theirs & shapes]

    def _of_list(self, one: RecordList) -> Iterable[ResultLink]:
        for record in one.records:
            link = self._own(record, self.baseline.everywhere)
            if link is not None:
                yield link

    def _own(self, record: Record, known: set[str]) -> ResultLink | None:
        """The link that a record stands for: its heading's, else the one with most words; on this host if it can be."""
        best: tuple[float, ResultLink] | None = None
        for element in record.elements:
            anchors = [element] if element.tag == "a" else list(element.iter("a", "area"))
            for number, (url, text, anchor) in enumerate(_links_in(anchors[:40], self.document.base_url)):
                if url in self.paging or self.canonical(url) in known or self._asks_again(url):
                    continue
                above = anchor.getparent()
                headed = (above is not None and above.tag in _HEADINGS) or any(c.tag in _HEADINGS for c in anchor)
                value = 1.0 + min(len(text), 80) + 60 * headed + 8 * (number == 0)
                value += 200 * (urlsplit(url).netloc == self.here.netloc)
                if best is None or value > best[0]:
                    best = (value, ResultLink(url, text, anchor, record.text[:MAX_CARD]))
        return best[1] if best else None

    def _lone(self) -> list[ResultLink]:
        """Links that only this answer has, where it has no list."""
        found = []
        for url, text, element in page_links(self.document):
            if url in self.paging or self.canonical(url) in self.baseline.links or self._asks_again(url):
                continue
            if any(parent.tag in _AWAY for parent in element.iterancestors()) or not urlsplit(url).path.strip("/"):
                continue
            found.append(ResultLink(url, text, element, _card(element)))
        # Links that carry the keyword are exports and facets, if there are others.
        plain = [link for link in found if not self._carries(link.url)]
        return plain or found

    def _carries(self, url: str) -> bool:
        return bool(self.keyword) and self.keyword in unquote_plus(urlsplit(url).query).lower()

    def _asks_again(self, url: str) -> bool:
        """Whether a link is this answer in another order or size, or a narrower one: all that was asked is in it."""
        if self.canonical(url) == self.canonical(self.document.url):
            return True
        parts = urlsplit(url)
        if parts.path != self.here.path or parts.netloc != self.here.netloc:
            return False
        if self.asked:
            return self.asked <= set(parse_qsl(parts.query)) or self._puts_it_otherwise(parts.query)
        return self._carries(url)

    def _puts_it_otherwise(self, query: str) -> bool:
        """Whether a link has what was asked in the same parameter otherwise: as a phrase, as a word's beginning."""
        for name, value in _pieces(query):
            words = _words_of(value)
            if words and name in self.boxes and (words <= self.words or self.words <= words):
                return True
        return False


def _pieces(query: str) -> list[tuple[str, str]]:
    """Name and value of each parameter of an address, as they stand there."""
    return [(name, value) for piece in query.split("&") for name, _equals, value in [piece.partition("=")]]


def _words_of(value: str) -> set[bytes]:
    """The words of a parameter's value."""
    return _parted(unquote_to_bytes(value.replace("+", " ")))


def _parted(text: bytes) -> set[bytes]:
    return {word for word in _BETWEEN.split(text.lower()) if word}


def _mark(one: RecordList) -> str:
    """What a list is known by on other answers: the tags, ids and classes of what holds it."""
    parent = one.records[0].elements[0].getparent()
    words = [one.records[0].elements[0].tag]
    for element in [] if parent is None else [parent, *parent.iterancestors()][:4]:
        words.append(f"{element.tag}#{element.get('id') or ''}.{element.get('class') or ''}")
    return "/".join(words)


def _shape(url: str) -> str:
    """An address without what differs from record to record."""
    parts = urlsplit(url)
    head, _, last = parts.path.rpartition("/")
    names = "&".join(sorted(name for name, _value in parse_qsl(parts.query)))
    return f"{parts.netloc}{re.sub(r'[0-9]+', '0', head)}/{'' if not names else last}?{names}"


def _card(element: Any) -> str:
    """The text of the smallest element around a link that says more than the link."""
    own = len(" ".join(str(element.text_content()).split()))
    for parent in element.iterancestors():
        text = " ".join(str(parent.text_content()).split())
        if len(text) > MAX_CARD or parent.tag in {"body", "html"}:
            break
        if parent.tag in _CARDS and len(text) > own:
            return text
    return " ".join(str(element.text_content()).split())[:MAX_CARD]
