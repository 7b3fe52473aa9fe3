"""Form tags of the source to the elements of lxml's tree."""

from __future__ import annotations

from typing import Any

from lxml import html

from hometextile.forms.source import MARKED, Token

#: How many elements are looked through for a tag before it is taken for missing.
_REACH = 200
_TELLING = ("name", "id", "type", "action", "value", "class")


def match_elements(tokens: list[Token], tree: html.HtmlElement) -> dict[int, Any]:
    """Elements of lxml's tree by the number of their tag.

    lxml leaves elements in the order of the source but reads what a browser does not (``noscript``), and the other way
    round; tags and elements are matched in order by name and telling attributes.
    """
    matched: dict[int, Any] = {}
    elements: dict[str, list[tuple[tuple[str, ...], Any]]] = {name: [] for name in MARKED}
    for element in tree.iter(*MARKED):
        elements[element.tag].append((_signature(element.attrib), element))
    places = dict.fromkeys(MARKED, 0)
    for token in tokens:
        if token.end:
            continue
        candidates, place = elements[token.name], places[token.name]
        wanted = _signature(token.attributes)
        for index in range(place, min(place + _REACH, len(candidates))):
            if candidates[index][0] == wanted:
                matched[token.number] = candidates[index][1]
                places[token.name] = index + 1
                break
    return matched


def _signature(attributes: Any) -> tuple[str, ...]:
    get = attributes.get
    return tuple([" ".join(value.split()) if (value := get(key)) else "" for key in _TELLING])
