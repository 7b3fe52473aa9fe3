"""The text of an element as a person sees it: line breaks where the page has them, nothing that is not shown."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any

from lxml import etree

#: Elements whose content is not shown as text.
UNSHOWN = frozenset(
    {"script", "style", "template", "head", "title", "meta", "link", "noframes", "iframe", "object", "applet", "svg",
     "canvas", "math", "audio", "video", "select", "datalist", "textarea", "input", "button"}
)  # fmt: skip
#: Elements that begin and end a line.
LINES = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir", "div",
     "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
     "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search",
     "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul"}
)  # fmt: skip
_PARAGRAPHS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "dl", "blockquote", "pre"})
_WHITE = re.compile(r"[ \t\r\n\f\u00a0]+")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_SPACES = re.compile("[ \t\u00a0]{2,}|\t|\u00a0")
_AROUND_BREAK = re.compile("[ \t\u3000]*\r?\n[ \t\u3000]*")
_MANY_BREAKS = re.compile("\n{3,}")
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)


def is_hidden(element: Any) -> bool:
    """Whether the element itself says that it is not shown (``hidden``, ``display: none``)."""
    if element.get("hidden") is not None:
        return True
    style = element.get("style")
    return bool(style and _HIDDEN.search(style))


def text_of(
    element: Any,
    *,
    skip: Container[Any] = (),
    unshown: Container[str] = UNSHOWN,
    hidden: bool = False,
    cells: str = " ",
) -> str:
    """The visible text of *element*, line breaks kept.

    Args:
        element: an lxml element; its tail is not read.
        skip: elements whose subtrees are left out.
        unshown: names of elements whose subtrees are left out.
        hidden: whether subtrees that hide themselves are read all the same.
        cells: what stands between two cells of a table row.

    Returns:
        Lines without white space at their ends; a paragraph, a list or a table is set off by its own line, never by
        more than one empty line.
    """
    out: list[str] = []
    pre = 0
    walker = etree.iterwalk(element, events=("start", "end", "comment"))
    for event, node in walker:
        tag = node.tag
        if event == "start":
            if node is not element and (tag in unshown or node in skip or (not hidden and is_hidden(node))):
                walker.skip_subtree()
                continue
            if tag in LINES:
                out.append("\n\n" if tag in _PARAGRAPHS else "\n")
            elif tag in {"td", "th"}:
                out.append(cells)
            pre += tag == "pre"
            if node.text:
                out.append(node.text if pre else _WHITE.sub(" ", node.text))
            continue
        if event == "end":
            shown = node is element or not (tag in unshown or node in skip or (not hidden and is_hidden(node)))
            if shown and tag in LINES:
                out.append("\n\n" if tag in _PARAGRAPHS else "\n")
            elif tag == "br":
                out.append("\n")
            if shown:
                pre -= tag == "pre"
        if node is not element and node.tail:
            out.append(node.tail if pre else _WHITE.sub(" ", node.tail))
    return lines("".join(out))


def lines(text: str) -> str:
    """*text* without white space at the ends of lines and without more than one empty line running."""
    text = _UNSEEN.sub("", text)
    text = _AROUND_BREAK.sub("\n", _SPACES.sub(" ", text))
    return _MANY_BREAKS.sub("\n\n", text).strip()
