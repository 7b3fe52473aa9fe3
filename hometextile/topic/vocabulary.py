"""Finding a list's words and phrases in a text, the longest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hometextile.text.words import Cutter, is_chinese

_Phrase = tuple[str, ...]


class Vocabulary:
    """Words and phrases to look for.

    English words are found in the singular and the plural. A Chinese word counts too where it begins or ends a longer
    one that is not in the list (遮光窗帘 ends in 窗帘), and where the cutter cuts it up.

    Args:
        terms: what to look for, lower case.
        cutter: cuts the terms, and cut the texts.
    """

    def __init__(self, terms: Iterable[str], cutter: Cutter) -> None:
        self._phrases: dict[str, dict[_Phrase, str]] = {}
        self._words: set[str] = set()
        self._longest = 2
        for term in terms:
            phrase = tuple(stem(word) for word in cutter.cut(term))
            if phrase:
                self._phrases.setdefault(phrase[0], {})[phrase] = term
            if is_chinese(term):
                self._words.add(term)
                self._longest = max(self._longest, len(term))
        self._lengths = {
            first: sorted({len(phrase) for phrase in phrases}, reverse=True) for first, phrases in self._phrases.items()
        }

    def find(self, words: Sequence[str]) -> Counter[str]:
        """The terms that stand in a text and how often.

        Args:
            words: the text as the cutter cuts it.
        """
        found: Counter[str] = Counter()
        stems = [stem(word) for word in words]
        at = 0
        while at < len(stems):
            term, length = self._at(stems, at)
            if term is not None:
                found[term] += 1
            at += length
        return found

    def _at(self, stems: list[str], at: int) -> tuple[str | None, int]:
        first = stems[at]
        for length in self._lengths.get(first, ()):
            term = self._phrases[first].get(tuple(stems[at : at + length]))
            if term is not None:
                return term, length
        return self._inside(first), 1

    def _inside(self, word: str) -> str | None:
        if len(word) < 3 or not is_chinese(word):
            return None
        for length in range(min(len(word) - 1, self._longest), 1, -1):
            for part in (word[-length:], word[:length]):
                if part in self._words:
                    return part
        return None


def stem(word: str) -> str:
    """An English noun in the singular, by its ending; other words as they are."""
    if len(word) < 4 or not word.isascii() or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1].removesuffix("'")
