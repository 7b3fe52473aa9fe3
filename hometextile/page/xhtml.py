"""A page cleaned to well-formed XHTML, for XSLT (paper 2's cleaner).

Script, meta, style and comments go, and so does presentation; links keep all attributes. Beyond the paper, what rules
stand on stays: ``id``, ``class``, ``itemprop``, ``data-*``, ``src``, ``alt`` and their like. Embedded data must be read
before (:mod:`hometextile.page.embedded`). No namespace is written, so that ``//p`` finds a ``p``.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from hometextile.page.document import Document

_GONE = frozenset({"script", "style", "meta", "link", "base", "noscript", "template", "object", "applet", "embed",
                   "frame", "frameset", "noframes", "basefont", "bgsound"})  # fmt: skip
_KEPT = frozenset(
    {"id", "class", "itemprop", "itemscope", "itemtype", "itemid", "src", "srcset", "alt", "href", "title",
     "name", "value", "type", "rel", "lang", "datetime", "content", "colspan", "rowspan", "headers", "scope",
     "for", "action", "method", "poster", "role", "property", "typeof", "resource", "about", "label"}
)  # fmt: skip
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_FLAT = {"font", "big", "small", "blink", "marquee", "tt", "basefont", "center"}
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def clean_tree(document: Document) -> Any:
    """The page as a new tree of plain elements that is well-formed XML when it is written out.

    Args:
        document: the page; its own tree is not touched.
    """
    source = document.tree
    root = etree.Element("html")
    _set(root, _attributes(source, "html"))
    _text(root, source.text)
    copies: list[tuple[Any, Any]] = [(source, root)]
    while copies:
        element, copy = copies.pop()
        for child in element:
            tag = _tag(child)
            if tag is None:
                _tail(copy, child.tail)
                continue
            made = etree.SubElement(copy, tag)
            _set(made, _attributes(child, tag))
            _text(made, child.text)
            if child.tail:
                made.tail = _UNFIT.sub("", child.tail)
            copies.append((child, made))
    return root


def to_xhtml(document: Document) -> str:
    """The page as well-formed XHTML without namespace and declaration: elements and attributes lower case, text
    escaped, every element closed.

    Args:
        document: the page.
    """
    return str(etree.tostring(clean_tree(document), encoding="unicode", method="xml"))


def _tag(element: Any) -> str | None:
    """The element's name as it is written, None for what goes."""
    if not isinstance(element.tag, str):
        return None
    tag = element.tag.rpartition("}")[2].rpartition(":")[2].lower()
    if tag in _GONE:
        return None
    if tag in _FLAT:
        return "div" if tag == "center" else "span"
    # <o:p>, <1>, <{foo}>: what XML has no name for becomes a span, its content stays.
    return tag if _NAME.match(tag) else "span"


def _attributes(element: Any, tag: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for name, value in element.attrib.items():
        name = name.rpartition("}")[2].lower()
        if not _NAME.match(name) or name.startswith(("on", "xmlns")) or name == "xml":
            continue
        if name in _KEPT or name.startswith("data-") or (tag == "a" and name != "style"):
            out.setdefault(name, _UNFIT.sub("", value))
    return out


def _set(element: Any, attributes: dict[str, str]) -> None:
    for name, value in attributes.items():
        element.set(name, value)


def _text(element: Any, text: str | None) -> None:
    if text:
        element.text = _UNFIT.sub("", text)


def _tail(parent: Any, tail: str | None) -> None:
    """The text after an element that goes, hung on what stands before it."""
    if not tail:
        return
    tail = _UNFIT.sub("", tail)
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
