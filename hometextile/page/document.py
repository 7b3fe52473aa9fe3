"""The parsed document: one tree a page, parsed once and handed along."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any
from urllib.parse import urljoin

import lxml.html
from lxml import etree

from hometextile.page.tags import without_crowded_tags

#: What no tree can hold: NUL and other controls, the two codes that are no characters (as bytes: thrice as fast).
_CONTROL = bytes([*range(0x09), 0x0B, *range(0x0E, 0x20)])
_NO_CHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_END = re.compile(r"</(?:html|body)\s*>", re.I)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:-]*)[^<>]*>")
#: Elements that hold nothing, or are closed by the next of their kind.
_NOT_NESTING = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
     "p", "li", "td", "th", "tr", "dt", "dd", "option", "html", "head", "body"}
)  # fmt: skip
#: How deep elements may nest before they are opened: libxml2 gives up at 2,048, browsers at 512.
MAX_DEPTH = 500
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
    def tree(self) -> lxml.html.HtmlElement:
        """The root ``<html>`` element. Comments are kept; an empty page gives an empty ``<html>``.

        What comes after ``</html>`` belongs to the body, as in a browser (libxml2 drops it). Elements nested deeper
        than the parser goes are opened, so that their text is kept; tags with thousands of attributes are left out.
        """
        text = without_crowded_tags(_END.sub("", _XML_DECLARATION.sub("", self.text, count=1)))
        root, too_deep = _parsed(text)
        if too_deep:
            root, _still = _parsed(_flattened(text))
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


def _parsed(text: str) -> tuple[lxml.html.HtmlElement, bool]:
    """The tree, and whether the parser gave up on its depth."""
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True, no_network=True)
    try:
        root = lxml.html.document_fromstring(_fit(text), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        root = lxml.html.document_fromstring(b"<html><head></head><body></body></html>", parser=parser)
    return root, any("depth" in entry.message for entry in parser.error_log)


def _fit(text: str) -> bytes:
    """*text* in UTF-8 without what no tree takes (lone surrogates too)."""
    body = text.encode("utf-8", "ignore").translate(None, _CONTROL)
    for each in _NO_CHARACTERS:
        body = body.replace(each, b"")
    return body


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
