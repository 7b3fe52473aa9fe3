"""Where an element stands, as an XPath that stays true when siblings are added behind it."""

from __future__ import annotations

import re
from typing import Any

_PLAIN = re.compile(r"[a-z][a-z0-9]*")


class Paths:
    """XPaths of a page's elements; what was found once is kept."""

    def __init__(self) -> None:
        self._known: dict[Any, str] = {}

    def of(self, element: Any) -> str:
        """XPath of an element: every step with its position among its like, ``*[n]`` where the tag is no plain name.

        Args:
            element: an lxml element.
        """
        todo = []
        while element is not None and element not in self._known:
            todo.append(element)
            element = element.getparent()
        path = "" if element is None else self._known[element]
        for one in reversed(todo):
            path = f"{path}/{_step(one)}"
            self._known[one] = path
        return path


def _step(element: Any) -> str:
    tag = element.tag
    if element.getparent() is None:
        return str(tag)
    if _PLAIN.fullmatch(tag):
        return f"{tag}[{1 + sum(1 for _sibling in element.itersiblings(tag, preceding=True))}]"
    return f"*[{1 + sum(isinstance(sibling.tag, str) for sibling in element.itersiblings(preceding=True))}]"
