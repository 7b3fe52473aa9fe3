"""Numbering the form tags of a tidy source: what :func:`hometextile.forms.source.mark` does, several times as fast.

In a tidy source (:func:`hometextile.page.tags.is_tidy`) what looks like a tag is one, unless it stands in a comment or
in raw text, so that only these and the form tags need be looked at.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from hometextile.forms.tokens import (
    FEW_TAGS,
    FLAT,
    FORMATTING,
    MARK,
    MARKED,
    MOST_DEPTH,
    MOST_OPTIONS,
    MOST_REOPENED,
    MOST_TOKENS,
    MarkedSource,
    Token,
)
from hometextile.page.tags import RAW, any_case

_AFTER_NAME = r"(?=[\t\n\f\r />])"
#: Elements of raw text of which nothing is needed, and those that are passed over.
_DROPPED = ("script", "style", "noscript")
_KEPT = tuple(name for name in RAW if name not in _DROPPED and name not in MARKED)
_COMMENT = r"!--(?:-?>|(?:[^-]++|-(?!->))*+-->)"


def _raw(name: str) -> str:
    """An element of raw text up to its end tag; its start tag has no ``<`` in a tidy source."""
    word = any_case(name)
    return rf"{word}{_AFTER_NAME}(?:[^<]++|<(?!/{word}))*+"


def _units() -> tuple[re.Pattern[str], list[str]]:
    """What is looked at, by its first letter, so that most tags are passed over at that; and what each group is."""
    ways: dict[str, list[tuple[str, str]]] = {
        "/": [("end", f"/{any_case('form')}{_AFTER_NAME}")],
        "!": [("dropped", _COMMENT)],
    }
    for name in (*_DROPPED, *_KEPT, *sorted(MARKED)):
        kind = name if name in MARKED else "dropped" if name in _DROPPED else "kept"
        ways.setdefault(name[0], []).append((kind, any_case(name) + _AFTER_NAME if name in MARKED else _raw(name)))
    sorted_ = "|".join(
        f"(?=[{first}{first.upper()}])(?:{'|'.join(f'({pattern})' for _kind, pattern in some)})"
        for first, some in ways.items()
    )
    return re.compile(f"<(?:{sorted_})"), ["", *(kind for some in ways.values() for kind, _pattern in some)]


_UNITS, _KINDS_OF_UNIT = _units()
_TEXTAREA = re.compile(rf"(?:[^<]++|<(?!/{any_case('textarea')}))*+")
_NAMES = re.compile(r"<(/?[a-zA-Z][^\t\n\f\r />]*+)")


def number(source: str) -> MarkedSource | None:
    """Number the form tags of a tidy source.

    Args:
        source: a tidy source.

    Returns:
        None for a page that could be over one of the limits, or whose nesting cannot be counted in one go.
    """
    pieces: list[str] = []
    tokens: list[Token] = []
    kept = position = 0
    holds_tags = False
    while (match := _UNITS.search(source, position)) is not None:
        position = match.end()
        kind = _KINDS_OF_UNIT[match.lastindex or 0]
        if kind == "dropped":
            pieces.append(source[kept : match.start()])
            kept = position
        elif kind == "kept":
            holds_tags = holds_tags or "<" in source[match.start() + 1 : position]
        elif kind == "end":
            tokens.append(Token(len(tokens), "form", True))
        else:
            pieces += [source[kept:position], f' {MARK}="{len(tokens)}" ']
            kept = position
            tokens.append(Token(len(tokens), kind, False, source, position))
            if kind == "textarea" and (content := _TEXTAREA.match(source, position)) is not None:
                position = content.end()
                holds_tags = holds_tags or "<" in content[0]
    pieces.append(source[kept:])
    text = "".join(pieces)
    if len(tokens) > MOST_TOKENS or (source.count("<") > FEW_TAGS and (holds_tags or _over_limits(text))):
        return None
    return MarkedSource(text, tokens)


def _over_limits(text: str) -> bool:
    """Whether elements may nest too deep, formatting elements be opened again too often, or options be too many.

    An empty-element tag, which nests nothing in SVG, counts as any start tag: what is no limit so is none at all.
    """
    names = _NAMES.findall(text)
    kinds = np.fromiter(map(_KINDS.__getitem__, names), dtype=np.int8, count=len(names))
    if int((kinds == _OPTION).sum()) > MOST_OPTIONS:
        return True
    deep = int(_heights(_DEPTH[kinds]).max(initial=0)) > MOST_DEPTH
    return deep or int(_heights(_OPEN[kinds]).sum()) > MOST_REOPENED


def _heights(steps: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The height after each step, where none goes below the ground."""
    sums = steps.cumsum()
    return np.asarray(sums - np.minimum(np.minimum.accumulate(sums), 0))


_PLAIN, _OPENS, _CLOSES, _OPENS_FORMAT, _CLOSES_FORMAT, _OPTION = range(6)
#: What a tag of each kind adds to the depth, and to the open formatting elements.
_DEPTH = np.array([0, 1, -1, 1, -1, 0])
_OPEN = np.array([0, 0, 0, 1, -1, 0])
#: Names remembered; a hostile page may have very many.
_REMEMBERED = 5_000


class _Kinds(dict[str, int]):
    """The kind of a tag by its name, after a slash if it ends; each name is looked at once."""

    def __missing__(self, tag: str) -> int:
        name, ends = tag.lstrip("/").lower(), tag.startswith("/")
        if name == "option" and not ends:
            kind = _OPTION
        elif name in FLAT or name in MARKED:
            kind = _PLAIN
        elif name in FORMATTING:
            kind = _CLOSES_FORMAT if ends else _OPENS_FORMAT
        else:
            kind = _CLOSES if ends else _OPENS
        if len(self) < _REMEMBERED:
            self[tag] = kind
        return kind


_KINDS = _Kinds()
