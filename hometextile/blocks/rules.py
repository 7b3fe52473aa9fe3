"""Levels by rule alone: the baseline that papers 1 and 5 compare with, and the fall-back without a model."""

from __future__ import annotations

from collections.abc import Sequence

from hometextile.blocks.outline import Outline

_AWAY = frozenset(("nav", "header", "footer", "aside", "form", "dialog", "button"))


def levels_by_rule(out: Outline) -> list[str]:
    """The level of every run by its length, its links, its punctuation and the elements around it.

    Args:
        out: the page's outline.

    Returns:
        ``main`` for text of ten tokens or more, a third of it links at the most, that has a full stop or is long,
        outside navigation, header, footer and forms; ``related`` for links; ``noise`` for the rest.
    """
    away = [False] * len(out.tag)
    for number, tag in enumerate(out.tag):
        up = out.parent[number]
        away[number] = tag in _AWAY or (up >= 0 and away[up])
    return [_level(out, number, away) for number in range(len(out.runs))]


def _level(out: Outline, number: int, away: Sequence[bool]) -> str:
    run, tokens = out.runs[number], out.tokens[number]
    links = run.link_chars / max(len(run.text), 1)
    stopped = tokens >= 25 or any(stop in run.text for stop in "。！？.!?")
    if not away[run.node] and links < 1 / 3 and tokens >= 10 and stopped:
        return "main"
    return "related" if links >= 0.5 else "noise"
