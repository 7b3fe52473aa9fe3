"""The tags of a page's source that forms are made of, each given a number.

Which form owns a control is decided while a page is parsed (WHATWG HTML, 13.2.6.1, "create an element for the token":
the form element pointer), and cannot be read off the finished tree: a control moved out of a table, or one that
follows a form popped off the stack inside a table, is owned by a form that is not its ancestor. Parsers do not tell.
So the source's form and control tags are numbered before it is parsed: a number found again in the tree ties the
element to its place in the source.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

#: The attribute that carries the number in the marked source.
MARK = "data-form-token"

#: Elements that are numbered.
MARKED = frozenset({"form", "input", "select", "textarea", "button"})

_SPACE = r"[\t\n\f\r ]"
# An attribute as the tokenizer reads it (13.2.5.32 to 13.2.5.40); possessive, so that broken input costs linear time.
_ATTRIBUTE = (
    r"(?P<key>[^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rf"(?:{_SPACE}*+={_SPACE}*+"
    r"(?:\"(?P<double>[^\"]*+)(?:\"|\Z)|'(?P<single>[^']*+)(?:'|\Z)|(?P<bare>[^\t\n\f\r >\"'][^\t\n\f\r >]*+)|(?=>)))?+"
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_NAMELESS = re.sub(r"\?P<\w+>", "?:", _ATTRIBUTE)
_TAG = re.compile(
    r"<!--(?P<comment>-?>|)|<(?P<bogus>[!?]|/(?=[^a-zA-Z]))"
    rf"|<(?P<end>/?)(?P<name>[a-zA-Z][^\t\n\f\r />]*+)(?P<attributes>(?:[\t\n\f\r /]++|{_NAMELESS})*+)(?P<close>>|\Z)"
)
_COMMENT_END = re.compile(r"--!?>")
#: Elements whose content is text, in a browser that runs scripts.
_RAW = frozenset(
    {"script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "textarea", "title", "plaintext"}
)
#: Elements whose content takes no part in the page's forms and is left out of the marked source.
_LEFT_OUT = frozenset({"noscript", "template"})


@dataclass(frozen=True)
class Token:
    """A start or end tag.

    Attributes:
        number: its place among the numbered tags of the source.
        name: lower case.
        end: True for an end tag (of forms only).
        attributes: name to value, the first of each name, references resolved.
    """

    number: int
    name: str
    end: bool
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class MarkedSource:
    """A page's source with its form tags numbered, and those tags in order."""

    text: str
    tokens: list[Token]


def mark(source: str) -> MarkedSource:
    """Number the form tags of a page.

    Comments, scripts, and the contents of ``noscript`` (a browser that runs scripts reads it as text) and ``template``
    (whose controls belong to no form of the page) hold no tags; the latter two are left out.
    """
    tokens: list[Token] = []
    pieces: list[str] = []
    kept = 0  # source up to here is in pieces
    position = 0
    while (match := _TAG.search(source, position)) is not None:
        position = match.end()
        name = match["name"]
        if name is None:
            position = _after_comment(source, match)
            continue
        if not match["close"]:
            break  # cut off inside a tag: the tokenizer drops it
        name = name.lower()
        if match["end"]:
            if name == "form":
                tokens.append(Token(len(tokens), name, True))
            continue
        if name in MARKED:
            pieces += [source[kept : match.end("name")], f' {MARK}="{len(tokens)}" ']
            kept = match.end("name")
            tokens.append(Token(len(tokens), name, False, read_attributes(match["attributes"])))
        if name == "template":
            end = _after_template(source, position)
        elif name in _RAW:
            end = _end_of(name, source, position)
        else:
            continue
        if name in _LEFT_OUT:
            pieces.append(source[kept:position])
            kept = end
        position = end
    pieces.append(source[kept:])
    return MarkedSource("".join(pieces), tokens)


def read_attributes(text: str) -> dict[str, str]:
    """The attributes of a start tag: of equal names the first counts."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTES.finditer(text):
        value = match["double"] or match["single"] or match["bare"] or ""
        found.setdefault(match["key"].lower(), html.unescape(value) if "&" in value else value)
    return found


def _after_comment(source: str, match: re.Match[str]) -> int:
    if match["bogus"] is not None:
        end = source.find(">", match.end())
        return len(source) if end < 0 else end + 1
    if match["comment"]:
        return match.end()
    closing = _COMMENT_END.search(source, match.end())
    return len(source) if closing is None else closing.end()


def _end_of(name: str, source: str, position: int) -> int:
    """Where the end tag of a raw text element begins; the end of the source if there is none."""
    if name == "plaintext":
        return len(source)
    match = re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE).search(source, position)
    return len(source) if match is None else match.start()


def _after_template(source: str, position: int) -> int:
    """Where the end tag of a template begins, templates inside it passed over."""
    depth = 1
    for match in re.finditer(r"<(/?)template(?=[\t\n\f\r />])", source[position:], re.IGNORECASE):
        depth += -1 if match[1] else 1
        if depth == 0:
            return position + match.start()
    return len(source)
