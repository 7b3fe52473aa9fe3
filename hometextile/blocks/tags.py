"""The six tag classes of paper 5 (table 1), and what a browser makes of a tag.

The printed table is hard to read and dates from HTML 4; tags that came later are put where their use is.
"""

from __future__ import annotations

#: S, root tags: a block at once, whatever is inside; none of these holds text a person reads on the page itself.
ROOT = frozenset(
    [
        "head",
        "script",
        "style",
        "object",
        "applet",
        "iframe",
        "frameset",
        "frame",
        "template",
        "audio",
        "video",
        "canvas",
        "math",
        "datalist",
        "noembed",
    ]
)

#: C, block tags: a block of its own, though a small one is merged with others.
CONTAINER = frozenset(
    [
        "div",
        "td",
        "th",
        "table",
        "form",
        "center",
        "noframes",
        "noscript",
        "pre",
        "body",
        "html",
        "fieldset",
        "article",
        "section",
        "main",
        "aside",
        "header",
        "footer",
        "nav",
        "details",
        "dialog",
        "figure",
        "search",
        "hgroup",
        "tbody",
        "thead",
        "tfoot",
        "tr",
        "caption",
    ]
)

#: B, layout tags: a block when the text inside is long enough, else handed to the parent.
LAYOUT = frozenset(
    [
        "p",
        "ul",
        "ol",
        "dl",
        "dir",
        "li",
        "dt",
        "dd",
        "blockquote",
        "address",
        "br",
        "hr",
        "col",
        "colgroup",
        "menu",
        "select",
        "summary",
        "figcaption",
        "marquee",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "legend",
        "optgroup",
        "option",
        "textarea",
    ]
)

#: Tags that break the line in a browser. Everything else is inline and hands its text up (classes L, D and A).
BREAKING = (CONTAINER | LAYOUT) - {"br", "col", "colgroup", "select", "textarea"}

#: Read for nothing: their text is not the page's.
UNREAD = ROOT - {"frameset", "object", "video", "audio", "canvas", "iframe"} | {"svg", "select", "textarea", "title"}

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def tag_class(tag: str) -> str:
    """The class of a tag: ``S``, ``C``, ``B``, or ``L`` for those that hand their text up.

    Args:
        tag: lower-case tag name. A custom element (with a hyphen) is a container: frameworks use them as such.
    """
    if tag in ROOT:
        return "S"
    if tag in CONTAINER or "-" in tag:
        return "C"
    return "B" if tag in LAYOUT else "L"
