"""The value beside a label: ``产地：江苏``, a cell and its neighbour, ``dt`` and ``dd``, two spans side by side.

The label is known here, so that hardly anything is asked of the page's shape; :mod:`hometextile.extract.facts` finds
labels that nobody named.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import Any

from hometextile.page.reading import LINES, UNSHOWN, text_of
from hometextile.text.normalise import fold, squeeze

_END = re.compile(r"\s*[:：]?\s*\Z")
_COLON = re.compile(r"\s*[:：]\s*")
_NEXT_LABEL = re.compile(r"[\s,，;；|]{1,10}[^\s:：,，;；|/]{1,12}\s?[:：](?!//)|[;；|]\s*(?=\S{1,12}[:：])")
_MAX_VALUE = 2000


def bare(label: str) -> str:
    """A label as it is compared: folded, without inner white space (``产 地``), without its colon."""
    return _END.sub("", fold(label)).replace(" ", "").strip("·•*-—【】[]()（）")


def values_beside(root: Any, labels: Iterable[str], skip: Container[Any] = ()) -> list[str]:
    """The values beside a label, in document order.

    Args:
        root: the element to look in.
        labels: the label in its several wordings; its colon may be there or not.
        skip: elements whose subtrees are not looked into.
    """
    wanted = {bare(label) for label in labels}
    out: list[str] = []
    longest = max(len(label) for label in wanted) * 3 + 20
    for element in _elements(root, skip):
        for place, text in _pieces(element):
            if not text or not any(_begins(text, label) for label in wanted):
                continue
            value = _value(element, place, text, wanted, longest, root)
            if value:
                out.append(value[:_MAX_VALUE])
                break
    return out


def _elements(root: Any, skip: Container[Any]) -> Iterable[Any]:
    stack = [root]
    while stack:
        element = stack.pop()
        if not isinstance(element.tag, str) or element.tag in UNSHOWN or element in skip:
            continue
        yield element
        stack.extend(reversed(element))


def _pieces(element: Any) -> Iterable[tuple[Any | None, str]]:
    """The texts that lie in *element* itself: its own (None) and the tails of its children."""
    if element.text:
        yield None, element.text
    for child in element:
        if child.tail:
            yield child, child.tail


def _begins(text: str, label: str) -> bool:
    head = bare(text[: len(label) * 3 + 20])
    return head.startswith(label) or f"{label}:" in bare(text[:400])


def _value(element: Any, place: Any | None, text: str, wanted: set[str], longest: int, root: Any) -> str:
    folded = squeeze(text)
    for label in wanted:
        # 产 地：江苏: white space within the label counts for nothing.
        loose = r"[\s\u3000]*".join(re.escape(c) for c in label)
        found = re.search(rf"(?:^|[\s,，;；|（(【·•]){loose}\s*(?P<colon>[】\]]?\s*[:：]|[】\]])?\s*", folded, re.I)
        if not found:
            continue
        rest = folded[found.end() :]
        if rest and (found["colon"] or found.end() > found.start() + len(label)):
            if found["colon"]:
                return _cut(rest)
            continue
        if not rest:
            return _following(element, place, root)
    return ""


def _cut(value: str) -> str:
    following = _NEXT_LABEL.search(value)
    return (value[: following.start()] if following else value).strip(" :：,，;；|\u3000")


def _following(element: Any, place: Any | None, root: Any) -> str:
    """What comes after the label: the rest of its line, or else the next cell or element."""
    rest = _rest_of_line(element if place is None else place, inside=place is None)
    if rest:
        return _cut(rest)
    here = element
    for _step in range(4):
        if here is root or here.getparent() is None:
            return ""
        following = here.getnext()
        inline = here.tag not in LINES and here.tag not in {"td", "th"}
        # Two of a kind side by side are label and value; else the value is the rest of the line.
        if (here.tail and squeeze(here.tail).strip(" :：")) or (
            inline and following is not None and following.tag != here.tag and _rest_of_line(here, inside=False)
        ):
            return _cut(_COLON.sub("", squeeze(_rest_of_line(here, inside=False)), count=1))
        while following is not None and (not isinstance(following.tag, str) or following.tag in {"br", "hr", "script"}):
            if following.tail and squeeze(following.tail).strip(" :："):
                return _cut(squeeze(following.tail))
            following = following.getnext()
        if following is not None:
            return text_of(following).strip(" :：\n")
        here = here.getparent()
    return ""


def _rest_of_line(start: Any, *, inside: bool) -> str:
    """The text after a place up to the end of its line: inline siblings and their tails."""
    out: list[str] = []
    node = start[0] if inside and len(start) else None
    if not inside:
        out.append(start.tail or "")
        node = start.getnext()
    while node is not None:
        if isinstance(node.tag, str):
            if node.tag in LINES or node.tag in {"br", "td", "th"}:
                break
            if node.tag not in UNSHOWN:
                out.append(text_of(node))
        out.append(node.tail or "")
        node = node.getnext()
    return squeeze("".join(out)).strip(" :：")
