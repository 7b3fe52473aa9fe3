"""The part of a text where the words stand, with marks around them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from hometextile.library.search.asking import Clause
from hometextile.library.search.cutting import _simplified, is_han

_WHITE = re.compile(r"\s+")
_LOOK = 200_000
_PLACES = 200


@lru_cache(maxsize=1)
def _written() -> dict[str, str]:
    """Simplified character to all characters that come to it."""
    table: dict[str, str] = {}
    for old, new in _simplified().items():
        table[new] = table.get(new, new) + chr(old)
    return table


def _letter(char: str) -> str:
    ways = _written().get(char, char)
    if char.isascii() and char.isalnum():
        wide = chr(ord(char) + 0xFEE0)
        ways += wide + wide.upper()
    return "[" + re.escape(ways) + "]" if len(ways) > 1 else re.escape(char)


def pattern_of(clauses: Sequence[Clause]) -> re.Pattern[str] | None:
    """What finds the wanted words in a text as it is written: either script, letter case, full width."""
    parts = []
    for clause in clauses:
        if clause.excluded or clause.initials:
            continue
        written = []
        for run in clause.runs:
            letters = "".join(_letter(char) for char in run)
            written.append(letters if is_han(run[0]) else rf"(?<![a-zA-Z0-9]){letters}(?![a-zA-Z0-9])")
        parts.append(r"\W*".join(written))
    parts.sort(key=len, reverse=True)
    # Words that touch (很好 for 很 and 好) are marked as one.
    return re.compile(f"(?:{'|'.join(parts)})+", re.IGNORECASE) if parts else None


def marked(text: str, pattern: re.Pattern[str] | None, marks: tuple[str, str]) -> str:
    """The text with marks around what was found."""
    if pattern is None:
        return text
    return pattern.sub(lambda found: f"{marks[0]}{found[0]}{marks[1]}", text)


def _end(text: str, start: int, width: int) -> int:
    """Where so many columns of text end; a Chinese character takes two."""
    left = width
    for place in range(start, min(len(text), start + width)):
        left -= 1 if text[place] < "\u1100" else 2
        if left < 0:
            return place
    return min(len(text), start + width)


def snippet(text: str, pattern: re.Pattern[str] | None, marks: tuple[str, str], *, width: int = 160) -> str:
    """The stretch of a text with the most found words, on one line.

    Args:
        text: of the resource.
        pattern: from :func:`pattern_of`.
        marks: before and after each found word.
        width: columns on a terminal, about.
    """
    text = _WHITE.sub(" ", text[:_LOOK]).strip()
    size = width if text[:400].isascii() else width // 2
    places = [found.start() for found in islice(pattern.finditer(text), _PLACES)] if pattern else []
    start = 0
    if places and places[-1] >= size * 3 // 4:
        inside = [bisect_left(places, place + size * 3 // 4) - at for at, place in enumerate(places)]
        start = max(0, places[inside.index(max(inside))] - size // 6)
    end = _end(text, start, width)
    return ("…" if start else "") + marked(text[start:end], pattern, marks) + ("…" if end < len(text) else "")
