"""How texts are cut for search: one cut for both databases, for what is stored and what is asked.

A text becomes runs: a run of Chinese characters (kana and hangul count as such) or a word of other letters and digits.
``canonical`` writes the runs with one space between them; all punctuation is gone, traditional characters have become
simplified ones. A Chinese word is found where it stands inside a run, an English word where it is a run.

The index holds every bigram of a Chinese run and its last character alone. So a word of two characters is one term, a
longer one is a phrase of neighbours, and one character is the prefix of a term. The last character alone keeps the
runs apart: ``家纺，纺布`` gives 家纺 纺 纺布 布, where the phrase 家纺 纺布 does not stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from hometextile.library.values import clean
from hometextile.text.normalise import fold

_HAN = (
    "\u2e80-\u2fd5\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003fffd"
)
_RUN = re.compile(f"[{_HAN}]+|[^\\W_{_HAN}]+")
_IS_HAN = re.compile(f"[{_HAN}]")


@lru_cache(maxsize=1)
def _simplified() -> dict[int, str]:
    """Traditional character to simplified, one to one (OpenCC's TSCharacters, first choice).

    Phrases are left out on purpose: what matters is that both scripts come to the same characters, and a table of
    single characters does so for a text and for any part of it.
    """
    table: dict[int, str] = {}
    source = files("opencc").joinpath("dictionary", "TSCharacters.txt").read_text(encoding="utf-8")
    for line in source.splitlines():
        old, found, new = line.partition("\t")
        if found and len(old) == 1 and new.split():
            first = new.split()[0]
            if len(first) == 1:
                table[ord(old)] = first
    return table


def simplify(text: str) -> str:
    """Traditional characters as simplified ones, character by character."""
    return text.translate(_simplified())


def is_han(char: str) -> bool:
    """Whether the character stands in Chinese runs."""
    return _IS_HAN.match(char) is not None


def runs(text: str) -> list[str]:
    """The runs of a text, in order: NFKC, lower case, simplified."""
    return _RUN.findall(simplify(fold(clean(text))))


def canonical(text: str) -> str:
    """The runs of a text with one space between them."""
    return " ".join(runs(text))


def terms(canon: str) -> Iterator[str]:
    """The index terms of a canonical text, in order.

    Args:
        canon: what :func:`canonical` gave.
    """
    for run in canon.split():
        if is_han(run[0]):
            for start in range(len(run) - 1):
                yield run[start : start + 2]
            yield run[-1]
        else:
            yield run
