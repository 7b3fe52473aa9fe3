"""Characters of all texts of a page counted at once: one lookup table, cumulative sums, no loop over texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_CJK_TOKEN, _WORD, _STOP, _DOT, _COMMA, _DIGIT, _CAPITAL, _CJK, _AFTER = (1 << bit for bit in range(9))
_STOPS = "。！？!?；;…"
_COMMAS = ",，、：:"
_AFTER_DOT = " \n\t\x00)]\"”’"
_SEPARATOR = "\x00"
_DATE = re.compile(
    r"\b(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}|\b\d{1,2}[/.]\d{1,2}[/.](?:19|20)\d\d|\b\d{1,2}:\d\d\b"
    r"|\b\d+\s(?:minutes?|hours?|days?|weeks?|months?|years?)\sago|[前分时天]前",
    re.I,
)
_ANY_DIGIT = re.compile(r"\d")
_PRICE = re.compile(r"[$€£¥￥]\s?\d|\d\s?(?:元|USD|EUR|GBP|€)")
#: One of these stands in whatever :data:`_RIGHTS` finds, in small letters.
_RIGHTS_MARKS = ("©", "(c)", "copyright", "all rights reserved", "版权", "版權", "备案", "icp")
_RIGHTS = re.compile(r"©|\(c\)|copyright|all rights reserved|版权|版權|备案|ICP", re.I)


@lru_cache(maxsize=1)
def _table() -> NDArray[np.uint16]:
    """Flags of every character of the basic plane."""
    table = np.zeros(65_536, dtype=np.uint16)
    for code in range(65_536):
        if chr(code).isalnum():
            table[code] = _WORD
    table[ord("_")] = _WORD
    for low, high in ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF)):
        table[low : high + 1] = _CJK_TOKEN | _CJK
    table[0x3040:0x3100] |= _CJK
    for flag, characters in ((_STOP, _STOPS), (_DOT, "."), (_COMMA, _COMMAS), (_AFTER, _AFTER_DOT)):
        for character in characters:
            table[ord(character)] |= flag
    table[0x30:0x3A] |= _DIGIT
    table[0x41:0x5B] |= _CAPITAL
    return table


def count(texts: Sequence[str]) -> dict[str, Floats]:
    """Counts of each text.

    Args:
        texts: any number.

    Returns:
        ``chars``; ``tokens`` (a CJK character, or a run of other letters and digits); ``stops``, ``commas``,
        ``digits``, ``cjk``; ``capitals`` (words that begin with one); ``dates``, ``prices``, ``rights`` (how many).
    """
    joined = _SEPARATOR.join(texts) + _SEPARATOR
    sizes = np.array([len(text) for text in texts], dtype=np.int64)
    ends = np.cumsum(sizes + 1) - 1
    starts = ends - sizes
    codes = np.frombuffer(joined.encode("utf-32-le", "replace"), dtype=np.uint32)
    flags = _table()[np.where(codes < 65_536, codes, 0xE000).astype(np.uint16)]
    token = (flags & _CJK_TOKEN) > 0
    word = (flags & _WORD) > 0
    before = np.concatenate(([False], word[:-1]))
    letter_before = np.concatenate(([False], (word | token)[:-1]))
    after = np.concatenate(((flags & _AFTER)[1:] > 0, [True]))
    marks = {
        "tokens": token | (word & ~before),
        "stops": ((flags & _STOP) > 0) | (((flags & _DOT) > 0) & after),
        "commas": (flags & _COMMA) > 0,
        "digits": (flags & _DIGIT) > 0,
        "cjk": (flags & _CJK) > 0,
        "capitals": ((flags & _CAPITAL) > 0) & ~letter_before,
    }
    counts: dict[str, Floats] = {"chars": sizes.astype(float)}
    for name, mark in marks.items():
        total = np.concatenate(([0], np.cumsum(mark, dtype=np.int64)))
        counts[name] = (total[ends] - total[starts]).astype(float)
    numbered = [at for at, text in enumerate(texts) if _ANY_DIGIT.search(text)]
    ago = [at for at, text in enumerate(texts) if "前" in text] if "前" in joined else []
    counts["dates"] = _found(_DATE, texts, sorted({*numbered, *ago}))
    counts["prices"] = _found(_PRICE, texts, numbered)
    lowered = joined.lower()
    marks_of_rights = [mark for mark in _RIGHTS_MARKS if mark in lowered]
    claiming = [at for at, text in enumerate(texts) if any(mark in text.lower() for mark in marks_of_rights)]
    counts["rights"] = _found(_RIGHTS, texts, claiming if marks_of_rights else [])
    return counts


def _found(pattern: re.Pattern[str], texts: Sequence[str], among: Sequence[int]) -> Floats:
    """How often a pattern stands in each text; only those *among* can have it."""
    counts = np.zeros(len(texts))
    for at in among:
        counts[at] = len(pattern.findall(texts[at]))
    return counts
