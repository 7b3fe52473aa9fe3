"""Simplified and traditional Chinese characters (OpenCC's tables)."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

#: Characters of a text that are looked at.
_MOST = 20_000
#: Fewer characters of one script only tell nothing.
_LEAST = 5


def is_traditional(text: str) -> bool:
    """Whether a text is written in traditional characters: it has some, and far more than of simplified ones.

    Args:
        text: of a page, say; most characters are the same in both.
    """
    traditional, simplified = _characters()
    text = text[:_MOST]
    old = sum(char in traditional for char in text)
    return old >= _LEAST and old > 3 * sum(char in simplified for char in text)


def to_traditional(text: str) -> str:
    """A text of simplified characters in traditional ones; words that are written in another way are known."""
    return str(_converter().convert(text))


@lru_cache(maxsize=1)
def _converter() -> Any:
    import opencc

    return opencc.OpenCC("s2t")


@lru_cache(maxsize=1)
def _characters() -> tuple[frozenset[str], frozenset[str]]:
    """Characters that only traditional, and that only simplified texts have."""
    traditional, simplified = (_changed(name) for name in ("TSCharacters.txt", "STCharacters.txt"))
    return traditional - simplified, simplified - traditional


def _changed(name: str) -> frozenset[str]:
    """Characters that the other script does not have: those that none of their own counterparts is."""
    lines = files("opencc").joinpath("dictionary", name).read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if "\t" in line)
    return frozenset(pair[0] for pair in pairs if pair[0] not in pair[1].split())
