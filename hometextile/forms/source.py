"""The tags of a page's source that forms are made of, each given a number.

Which form owns a control is decided while a page is parsed (WHATWG HTML, 13.2.6.1, "create an element for the token":
the form element pointer), and cannot be read off the finished tree: a control moved out of a table, or one that
follows a form popped off the stack inside a table, is owned by a form that is not its ancestor. Parsers do not tell.
So the source's form and control tags are numbered before it is parsed: a number found again in the tree ties the
element to its place in the source.
"""

from __future__ import annotations

import re
from functools import cache

from hometextile.forms.numbering import number
from hometextile.forms.tokens import (
    FEW_TAGS,
    FLAT,
    FORMATTING,
    LEFT_OUT,
    MARK,
    MARKED,
    MOST_DEPTH,
    MOST_OPTIONS,
    MOST_REOPENED,
    MOST_TOKENS,
    MarkedSource,
    Token,
)
from hometextile.page.tags import INSIDE, MAX_ATTRIBUTES, NAMELESS, any_case, crowded, is_tidy

_TAG = re.compile(
    r"<!--(?P<comment>-?>|)|<(?P<bogus>[!?]|/(?=[^a-zA-Z]))"
    rf"|<(?P<end>/?)(?P<name>[a-zA-Z][^\t\n\f\r />]*+)(?P<attributes>(?:[\t\n\f\r /]++|{NAMELESS})*+)(?P<close>>|\Z)"
)
_COMMENT_END = re.compile(r"--!?>")
#: Elements whose content is text, in a browser that runs scripts.
_RAW = frozenset(
    {"script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "textarea", "title", "plaintext"}
)
_SELECT_END = re.compile(r"</?select(?=[\t\n\f\r />])", re.IGNORECASE)
_TEMPLATE = re.compile(r"<(/?)template(?=[\t\n\f\r />])", re.IGNORECASE)
#: Elements that are looked at one by one, and their first letters.
_TOLD = sorted(MARKED | _RAW | {"template"})
_FIRST = "".join(sorted({name[0] + name[0].upper() for name in _TOLD}))
#: Pieces passed over in one step, so that what is found in them takes little memory.
_AT_ONCE = 10_000
#: Text and tags that are nothing to forms, up to that many (possessive), but for tags with very many attributes.
_DULL = re.compile(
    rf"(?:[^<]++|<(?:/(?!{any_case('form')}[\t\n\f\r />])|(?![!/?{_FIRST}])"
    rf"|(?!/|(?:{'|'.join(map(any_case, _TOLD))})[\t\n\f\r />]))"
    rf"[a-zA-Z][^\t\n\f\r />]*+{INSIDE}{{0,{MAX_ATTRIBUTES}}}+>|<(?=[^a-zA-Z!/?])){{0,{_AT_ONCE}}}+"
)
#: One of the tags in there: whether it ends, name, attributes.
_DULL_TAG = re.compile(rf"<(/?)([a-zA-Z][^\t\n\f\r />]*+)({INSIDE}*+)>")


def mark(source: str, *, tidy: bool | None = None) -> MarkedSource:
    """Number the form tags of a page.

    Comments, scripts, and the contents of ``noscript`` (a browser that runs scripts reads it as text) and ``template``
    (whose controls belong to no form of the page) hold no tags; the latter two are left out. So is what would cost a
    parser more than linear time: elements deeper than 512, and the rest of a page with tens of thousands of form tags.

    Args:
        source: the page.
        tidy: what :func:`hometextile.page.tags.is_tidy` says of it, None if that was not asked yet.
    """
    quick = number(source) if (is_tidy(source) if tidy is None else tidy) else None
    return quick or _Marker(source).mark()


class _Marker:
    """One pass over the tags of a page."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._tokens: list[Token] = []
        self._pieces: list[str] = []
        self._kept = 0  # the source up to here is in the pieces, or left out
        self._depth = 0
        self._formatting = 0
        self._reopened = 0
        self._options = 0

    def mark(self) -> MarkedSource:
        source = self._source
        position = 0
        few = source.count("<") <= FEW_TAGS
        quick = True
        while True:
            if quick and (dull := _DULL.match(source, position)) is not None:
                quick = few or self._pass_over(position, dull.end())
                if quick:
                    position = dull.end()
            match = _TAG.search(source, position)
            if match is None:
                break
            position = match.end()
            if match["name"] is None:
                position = _after_comment(source, match)
                continue
            if not match["close"]:
                break  # cut off inside a tag: the tokenizer drops it
            self._reopened += self._formatting
            if len(self._tokens) >= MOST_TOKENS or self._reopened > MOST_REOPENED:
                self._leave_out(match.start(), len(source))
                break
            name = match["name"].lower()
            if match["end"]:
                self._end_tag(name, match)
            else:
                position = self._start_tag(name, match)
        self._pieces.append(source[self._kept :])
        return MarkedSource("".join(self._pieces), self._tokens)

    def _pass_over(self, start: int, end: int) -> bool:
        """Count what the dull tags from *start* to *end* nest; False, and nothing counted, if a limit is among them."""
        depth, formatting, reopened, options = self._depth, self._formatting, self._reopened, self._options
        for closing, name, attributes in _DULL_TAG.findall(self._source, start, end):
            reopened += formatting
            name = name.lower()
            if name in FLAT:
                options += name == "option" and not closing
            elif closing:
                if name in FORMATTING:
                    formatting = max(0, formatting - 1)
                if name not in MARKED:
                    depth = max(0, depth - 1)
            elif name in FORMATTING or not attributes.endswith("/"):
                depth += 1
                if depth > MOST_DEPTH:
                    return False
                formatting += name in FORMATTING
        if reopened > MOST_REOPENED or options > MOST_OPTIONS:
            return False
        self._depth, self._formatting, self._reopened, self._options = depth, formatting, reopened, options
        return True

    def _leave_out(self, start: int, end: int) -> None:
        self._pieces.append(self._source[self._kept : start])
        self._kept = end

    def _end_tag(self, name: str, match: re.Match[str]) -> None:
        if name == "form":
            self._tokens.append(Token(len(self._tokens), name, True))
            return
        if name in FORMATTING:
            self._formatting = max(0, self._formatting - 1)
        if name not in MARKED and name not in FLAT:
            if self._depth > MOST_DEPTH:
                self._leave_out(match.start(), match.end())
            self._depth = max(0, self._depth - 1)

    def _start_tag(self, name: str, match: re.Match[str]) -> int:
        """Where to go on."""
        source, position = self._source, match.end()
        if crowded(match["attributes"]):
            self._leave_out(match.start(), position)
            return position
        if name in MARKED:
            self._pieces += [source[self._kept : match.end("name")], f' {MARK}="{len(self._tokens)}" ']
            self._kept = match.end("name")
            self._tokens.append(Token(len(self._tokens), name, False, source, match.end("name")))
        if name == "template":
            end = _after_template(source, position)
        elif name in _RAW:
            end = _end_of(name, source, position)
        elif name == "option":
            self._options += 1
            if self._options <= MOST_OPTIONS:
                return position
            after = _SELECT_END.search(source, position)
            end = len(source) if after is None else after.start()
            self._leave_out(match.start(), end)
            return end
        else:
            self._nest(name, match)
            return position
        if name in LEFT_OUT:
            self._leave_out(position, end)
        return end

    def _nest(self, name: str, match: re.Match[str]) -> None:
        # An empty-element tag holds nothing in SVG and MathML; elsewhere it is a start tag like any other.
        if name in MARKED or name in FLAT or (name not in FORMATTING and match["attributes"].endswith("/")):
            return
        self._depth += 1
        if self._depth > MOST_DEPTH:
            self._leave_out(match.start(), match.end())
        elif name in FORMATTING:
            self._formatting += 1


def _after_comment(source: str, match: re.Match[str]) -> int:
    if match["bogus"] is not None:
        end = source.find(">", match.end())
        return len(source) if end < 0 else end + 1
    if match["comment"]:
        return match.end()
    closing = _COMMENT_END.search(source, match.end())
    return len(source) if closing is None else closing.end()


@cache
def _raw_end(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE)


def _end_of(name: str, source: str, position: int) -> int:
    """Where the end tag of a raw text element begins; the end of the source if there is none."""
    if name == "plaintext":
        return len(source)
    match = _raw_end(name).search(source, position)
    return len(source) if match is None else match.start()


def _after_template(source: str, position: int) -> int:
    """Where the end tag of a template begins, templates inside it passed over."""
    depth = 1
    for match in _TEMPLATE.finditer(source, position):
        depth += -1 if match[1] else 1
        if depth == 0:
            return match.start()
    return len(source)
