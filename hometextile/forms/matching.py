"""Form tags of the source to the elements of lxml's tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lxml import html

from hometextile.forms.tokens import MARKED, Token

#: How many elements are looked through for a tag before it is taken for missing.
_REACH = 200
_TELLING = ("name", "id", "type", "action", "value", "class")
_Signature = tuple[str | None, ...]


def match_elements(
    tokens: list[Token], tree: html.HtmlElement, read: Mapping[int, Mapping[str, str]]
) -> dict[int, Any]:
    """Elements of lxml's tree by the number of their tag.

    lxml leaves elements in the order of the source but reads what a browser does not (``noscript``), and the other way
    round; tags and elements are matched in order by name and telling attributes.

    Args:
        tokens: the form tags of the source.
        tree: the root of lxml's tree.
        read: the attributes of those tags that have an element in the browser's tree, by number; others are read here.
    """
    matched: dict[int, Any] = {}
    elements: dict[str, list[Any]] = {name: [] for name in MARKED}
    for element in tree.iter(*MARKED):
        elements[element.tag].append(element)
    places = dict.fromkeys(MARKED, 0)
    for token in tokens:
        if token.end:
            continue
        candidates, place = elements[token.name], places[token.name]
        attributes = read.get(token.number)
        wanted = _telling((token.attributes if attributes is None else attributes).get)
        folded: _Signature | None = None
        for index in range(place, min(place + _REACH, len(candidates))):
            there = _telling(candidates[index].get)
            if there != wanted:
                folded = folded or _folded(wanted)
                if _folded(there) != folded:
                    continue
            matched[token.number] = candidates[index]
            places[token.name] = index + 1
            break
    return matched


def _telling(get: Callable[[str], str | None]) -> _Signature:
    return tuple([get(key) for key in _TELLING])


def _folded(values: _Signature) -> _Signature:
    """The same with white space folded, as parsers differ in it; an empty attribute is as none."""
    return tuple([" ".join(value.split()) if value else "" for value in values])
