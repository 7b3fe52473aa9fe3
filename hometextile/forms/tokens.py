"""The tags that forms are made of, and how much of a page is read."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from hometextile.page.tags import ATTRIBUTE, INSIDE

#: The attribute that carries the number in the marked source.
MARK = "data-form-token"
#: Elements that are numbered.
MARKED = frozenset({"form", "input", "select", "textarea", "button"})
#: Elements whose content takes no part in the page's forms and is left out of the marked source.
LEFT_OUT = frozenset({"noscript", "template"})
#: Chromium's own limit to how deep a tree grows; what lies deeper it flattens, and so is done here.
MOST_DEPTH = 512
#: Form tags read of a page; the rest of the page is left out.
MOST_TOKENS = 50_000
#: Options read of a page; lexbor's time grows with the square of those of one list.
MOST_OPTIONS = 10_000
#: Every paragraph opens all formatting elements again that were left open: a page can grow by the product of both. A
#: page where that comes to more than this many elements is cut off there.
MOST_REOPENED = 2_000_000
#: A page with fewer tags cannot cost much, so that most of them need not be looked at one by one.
FEW_TAGS = 3_000
FORMATTING = frozenset({"b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"})
#: Elements that hold nothing, or that the next of their kind closes: these do not make a tree deep.
FLAT = frozenset(
    {
        *("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "keygen", "link", "meta"),
        *("param", "source", "track", "wbr", "image", "p", "li", "dd", "dt", "option", "optgroup", "tr", "td", "th"),
        *(
            "tbody",
            "thead",
            "tfoot",
            "colgroup",
            "caption",
            "html",
            "head",
            "body",
            "rt",
            "rp",
            "rb",
            "rtc",
            "a",
            "nobr",
        ),
    }
)
_INSIDE = re.compile(rf"{INSIDE}*+")
_ATTRIBUTES = re.compile(ATTRIBUTE)


@dataclass(slots=True)
class Token:
    """A start or end tag.

    Attributes:
        number: its place among the numbered tags of the source.
        name: lower case.
        end: True for an end tag (of forms only).
        source: the page.
        place: where its name ends there.
    """

    number: int
    name: str
    end: bool
    source: str = field(default="", repr=False, compare=False)
    place: int = 0

    @property
    def attributes(self) -> dict[str, str]:
        """Name to value, the first of each name, references resolved."""
        inside = _INSIDE.match(self.source, self.place)
        return read_attributes(inside[0]) if inside is not None else {}


@dataclass(frozen=True)
class MarkedSource:
    """A page's source with its form tags numbered, and those tags in order."""

    text: str
    tokens: list[Token]


def read_attributes(text: str) -> dict[str, str]:
    """The attributes of a start tag: of equal names the first counts."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTES.finditer(text):
        value = match["double"] or match["single"] or match["bare"] or ""
        found.setdefault(match["key"].lower(), html.unescape(value) if "&" in value else value)
    return found
