"""Where an element stands, as an XPath that stays true when siblings are added behind it."""

from __future__ import annotations

import re
from typing import Any

_PLAIN = re.compile(r"[a-z][a-z0-9]*")


def element_path(element: Any) -> str:
    """XPath of an element: every step with its position among its like, ``*[n]`` where the tag is no plain name.

    Args:
        element: an lxml element.
    """
    steps: list[str] = []
    while element is not None:
        parent = element.getparent()
        steps.append(element.tag if parent is None else _step(element))
        element = parent
    return "/" + "/".join(reversed(steps))


def _step(element: Any) -> str:
    tag = element.tag
    if _PLAIN.fullmatch(tag):
        return f"{tag}[{1 + sum(1 for _sibling in element.itersiblings(tag, preceding=True))}]"
    return f"*[{1 + sum(isinstance(sibling.tag, str) for sibling in element.itersiblings(preceding=True))}]"
