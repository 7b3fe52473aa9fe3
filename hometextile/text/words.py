"""Words of a text: one function cuts, so that every room cuts alike.

rjieba (jieba-rs) does the work, with the pack's dictionary added; where there is no wheel for it, jieba does (the same
dictionary, the same words but for a few, thirty times slower). English words come out whole; punctuation and white
space do not come out at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Protocol

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CHINESE = re.compile(f"[{_HAN}]")
_RUN = re.compile(f"[{_HAN}]+|[^\\W{_HAN}_]+(?:['’][^\\W{_HAN}_]+)?")
#: Where jieba lacks a frequency for a word of the dictionary, this one wins over its parts.
_FREQUENCY = 20_000


class _Engine(Protocol):
    def cut(self, text: str) -> list[str]: ...

    def cut_for_search(self, text: str) -> list[str]: ...


def _rjieba(dictionary: list[str]) -> _Engine | None:
    try:
        import rjieba
    except ImportError:
        return None
    engine: _Engine = rjieba.Jieba()
    for word in dictionary:
        engine.add_word(word, _FREQUENCY, None)  # type: ignore[attr-defined]
    return engine


def _jieba(dictionary: list[str]) -> _Engine:
    import logging

    import jieba

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    for word in dictionary:
        tokenizer.add_word(word, _FREQUENCY)

    class Slow:
        def cut(self, text: str) -> list[str]:
            return list(tokenizer.cut(text))

        def cut_for_search(self, text: str) -> list[str]:
            return list(tokenizer.cut_for_search(text))

    return Slow()


class Cutter:
    """Cuts text into words.

    Args:
        dictionary: words that the general dictionary lacks; each is kept whole.
        engine: ``rjieba``, ``jieba``, or None for rjieba where there is one.
    """

    def __init__(self, dictionary: Iterable[str] = (), *, engine: str | None = None) -> None:
        words = list(dict.fromkeys(word.strip() for word in dictionary if _CHINESE.search(word)))
        found = _rjieba(words) if engine in (None, "rjieba") else None
        self._engine: _Engine = found or _jieba(words)

    def cut(self, text: str) -> list[str]:
        """The words of *text* in order: NFKC, lower case, without punctuation and white space."""
        return self._words(text, search=False)

    def cut_for_search(self, text: str) -> list[str]:
        """The same, and the shorter words inside long ones too (蓝印花布 gives 印花, 花布, 蓝印花布)."""
        return self._words(text, search=True)

    def _words(self, text: str, *, search: bool) -> list[str]:
        words: list[str] = []
        for run in _RUN.findall(unicodedata.normalize("NFKC", text).lower()):
            if not _CHINESE.match(run):
                words.append(run)
            elif search:
                words.extend(self._engine.cut_for_search(run))
            else:
                words.extend(self._engine.cut(run))
        return words


def is_chinese(text: str) -> bool:
    """Whether *text* holds a Chinese character."""
    return _CHINESE.search(text) is not None


def language_of(text: str, *, share: float = 0.2) -> str:
    """``zh``, ``en`` or empty: the language that the letters of *text* are of.

    Args:
        text: any text.
        share: the share of Chinese characters among its letters from which it counts as Chinese (English brand names
            and sizes are frequent in Chinese pages, Chinese characters in English ones are not).
    """
    chinese = len(_CHINESE.findall(text))
    latin = sum(1 for char in text if char.isascii() and char.isalpha())
    if not chinese and not latin:
        return ""
    # A Chinese character says about as much as four letters.
    return "zh" if chinese * 4 >= share * (chinese * 4 + latin) else "en"


def bigrams(text: str) -> list[str]:
    """Overlapping pairs of characters of *text* in order, for search and for near-duplicates.

    Letters and digits count, whatever stands between them does not; a text of one character gives that character.
    """
    return grams(text, 2)


def grams(text: str, n: int) -> list[str]:
    """Overlapping runs of *n* characters of *text*, as :func:`bigrams`."""
    kept = "".join(_RUN.findall(unicodedata.normalize("NFKC", text).lower()))
    if len(kept) <= n:
        return [kept] if kept else []
    return [kept[at : at + n] for at in range(len(kept) - n + 1)]
