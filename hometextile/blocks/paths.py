"""Where an element stands, as an XPath that stays true when siblings are added behind it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

_PLAIN = re.compile(r"[a-z][a-z0-9-]*")


class Paths:
    """XPaths of a page's elements; what was found once is kept."""

    def __init__(self) -> None:
        self._known: dict[Any, str] = {}
        self._steps: dict[Any, dict[Any, str]] = {}

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
            path = f"{path}/{self._step(one)}"
            self._known[one] = path
        return path

    def _step(self, element: Any) -> str:
        parent = element.getparent()
        if parent is None:
            return str(element.tag)
        steps = self._steps.get(parent)
        if steps is None:
            steps = self._steps[parent] = _steps(parent)
        return steps[element]


def _steps(parent: Any) -> dict[Any, str]:
    """The steps to all children at once: one after another they would be counted from the first each time."""
    steps: dict[Any, str] = {}
    seen: Counter[str] = Counter()
    for number, child in enumerate((child for child in parent if isinstance(child.tag, str)), start=1):
        seen[child.tag] += 1
        steps[child] = f"{child.tag}[{seen[child.tag]}]" if _PLAIN.fullmatch(child.tag) else f"*[{number}]"
    return steps
