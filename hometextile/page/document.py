"""The parsed document: one tree a page, parsed once and handed along."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any
from urllib.parse import urljoin

import lxml.html
from lxml import etree

from hometextile.page.tags import any_case, is_tidy, without_crowded_tags

#: What no tree can hold: NUL and other controls (as bytes: thrice as fast), the two codes that are no characters.
_CONTROL = bytes([*range(0x09), 0x0B, *range(0x0E, 0x20)])
_NO_CHARACTERS = ("\ufffe", "\uffff")
_END = re.compile(rf"</(?:{any_case('html')}|{any_case('body')})\s*>")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:-]*)[^<>]*>")
#: Elements that hold nothing, or are closed by the next of their kind.
_NOT_NESTING = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
     "p", "li", "td", "th", "tr", "dt", "dd", "option", "html", "head", "body"}
)  # fmt: skip
#: How deep elements may nest before they are opened: libxml2 gives up at 2,048, browsers at 512.
MAX_DEPTH = 500
#: Every element is a plain ``HtmlElement``: lxml's own choice of a class by tag is made in Python, element by element.
_ONE_CLASS = etree.ElementDefaultClassLookup(
    element=lxml.html.HtmlElement,
    comment=lxml.html.HtmlComment,
    pi=lxml.html.HtmlProcessingInstruction,
    entity=lxml.html.HtmlEntity,
)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


class Document:
    """An HTML page as a tree.

    Args:
        text: the decoded page.
        url: the address it came from, after redirects.
        encoding: the WHATWG name of the page's encoding (what a form is submitted in).
        max_chars: longer pages are cut there and :attr:`truncated` is set.
    """

    def __init__(self, text: str, url: str, encoding: str = "utf-8", *, max_chars: int = 20_000_000) -> None:
        self.url = url
        self.encoding = encoding
        self.truncated = len(text) > max_chars
        self.text = text[:max_chars] if self.truncated else text
        #: What an engine worked out about this page and others may use again, by the engine's own key.
        self.derived: dict[str, Any] = {}

    @cached_property
    def _end(self) -> int:
        """Where the first ``</body>`` or ``</html>`` stands, or the page ends."""
        end = _END.search(self.text)
        return end.start() if end is not None else len(self.text)

    @cached_property
    def _tidy_until_end(self) -> bool:
        return is_tidy(self.text[: self._end])

    @cached_property
    def tidy(self) -> bool:
        """Whether tags, comments and scripts are where anybody would look for them (:func:`is_tidy`)."""
        return self._tidy_until_end and is_tidy(self.text[self._end :])

    @cached_property
    def tree(self) -> lxml.html.HtmlElement:
        """The root ``<html>`` element. Comments are kept; an empty page gives an empty ``<html>``.

        What comes after ``</html>`` belongs to the body, as in a browser (libxml2 drops it). Elements nested deeper
        than the parser goes are opened, so that their text is kept; tags with thousands of attributes are left out.
        """
        rest = _END.sub("", self.text[self._end :])
        body, changed = _fit(_XML_DECLARATION.sub("", self.text[: self._end] + rest, count=1))
        # What was left out may have stood between "<" and a name, so that it is a tag only now.
        if changed or not (self._tidy_until_end and is_tidy(rest)):
            body = without_crowded_tags(body.decode()).encode()
        root, too_deep = _parsed(body)
        if too_deep:
            root, _still = _parsed(_flattened(body.decode()).encode())
        return root

    @cached_property
    def base_url(self) -> str:
        """What relative addresses are resolved against: the first ``<base href>``, itself resolved, or the URL."""
        for base in self.tree.iter("base"):
            href = base.get("href")
            if href is not None:
                try:
                    joined = urljoin(self.url, href.strip())
                except ValueError:
                    return self.url
                return joined if joined.startswith(("http://", "https://")) else self.url
        return self.url


def _parsed(body: bytes) -> tuple[lxml.html.HtmlElement, bool]:
    """The tree, and whether the parser gave up on its depth."""
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True, no_network=True)
    parser.set_element_class_lookup(_ONE_CLASS)
    try:
        root = lxml.html.document_fromstring(body, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        root = lxml.html.document_fromstring(b"<html><head></head><body></body></html>", parser=parser)
    # it ends the page, so it is the last; the whole log is copied entry by entry when it is asked for
    last = parser.error_log.last_error
    return root, last is not None and "depth" in last.message


def _fit(text: str) -> tuple[bytes, bool]:
    """*text* in UTF-8 without what no tree takes (lone surrogates too), and whether it had controls."""
    for each in _NO_CHARACTERS:
        if each in text:
            text = text.replace(each, "")
    body = text.encode("utf-8", "ignore")
    fit = body.translate(None, _CONTROL)
    return fit, len(fit) < len(body)


def _flattened(text: str) -> str:
    """*text* without the tags that nest deeper than :data:`MAX_DEPTH`; their content stays."""
    out: list[str] = []
    place = depth = dropped = 0
    for tag in _TAG.finditer(text):
        name = tag.group(2).lower()
        if name in _NOT_NESTING or tag.group(0).endswith("/>"):
            continue
        if not tag.group(1):
            keep = depth < MAX_DEPTH
            depth += keep
            dropped += not keep
        else:
            keep = not dropped
            dropped -= not keep
            depth -= keep and depth > 0
        if not keep:
            out.append(text[place : tag.start()])
            place = tag.end()
    out.append(text[place:])
    return "".join(out)
