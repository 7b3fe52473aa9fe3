"""The pack's words as keywords: which of them is worth asking, though no answer has told yet what it brings.

What is on the topic has a word of the topic, so that each word of the pack leads to records that the others may not:
islands that the words of the rest never touch. Words that stand on known records are in this database for certain, and
are taken apart from those that no record has shown. Those are spread over the pack's list, since its neighbours in the
list are of one kind: a fruitful word raises its neighbours, a barren one lowers them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import expm1, log1p
from typing import TYPE_CHECKING

from hometextile.forms.sample import Sample
from hometextile.text.words import language_of

if TYPE_CHECKING:
    from hometextile.forms.asked import Asked

#: Kinds of keywords here: of the pack, on no known record; of the pack, on one.
UNSEEN, KNOWN = "pack", "known"
#: Forgetting of what earlier words taught, of which one in ten may be worth asking.
_FORGET = {UNSEEN: 0.95, KNOWN: 0.9}
#: More new records than this make no other word more likely to bring some.
_MUCH = 10.0
#: Expected new records before anything is known, and how many queries that belief is worth.
_FIRST_YIELD, _BELIEF = 2.0, 1.5
#: Neighbours of a word in the pack's list.
_NEAR = 3


class PackWords:
    """The words of a pack and what those that were asked have brought.

    Args:
        keywords: the words, the most productive first.
        likely: words that the form's page has, which are more promising.
    """

    def __init__(self, keywords: Iterable[str], likely: Iterable[str] = ()) -> None:
        self._lists: dict[str, list[str]] = {}
        self._language: dict[str, str] = {}
        for word in dict.fromkeys(word.strip() for word in keywords if word.strip()):
            language = language_of(word) or "other"
            self._language[word] = language
            self._lists.setdefault(language, []).append(word)
        self._place = {word: n for listed in self._lists.values() for n, word in enumerate(listed)}
        self._rank = {word: n for listed in self._lists.values() for n, word in enumerate(_spread(listed))}
        self._likely = set(likely)
        #: By kind and language: logarithms of what words brought, and how many they were.
        self._sums: dict[str, list[float]] = {}

    def expected(self, sample: Sample, asked: Mapping[str, Asked]) -> Iterable[tuple[str, str, float, int]]:
        """Each word that was not asked: word, kind, new records expected of it, known records that have it.

        Args:
            sample: the records seen.
            asked: the queries, by keyword.
        """
        for language, words in self._lists.items():
            bases = {kind: self._base(kind, language) for kind in (UNSEEN, KNOWN)}
            for word in words:
                if word in asked:
                    continue
                known = len(sample.having(word.lower().split()))
                kind = KNOWN if known else UNSEEN
                expected = bases[kind] * self._raised(word, words, asked) * (2.0 if word in self._likely else 1.0)
                yield word, kind, expected * (1 - 0.3 * self._rank[word] / len(words)), known

    def learn(self, keyword: str, kind: str, gained: float) -> None:
        """What a word has brought.

        Args:
            keyword: it.
            kind: as which it was asked.
            gained: new records on the topic.
        """
        sums = self._sums.setdefault(f"{kind} {self._language.get(keyword, 'other')}", [0.0, 0.0])
        sums[0] = _FORGET[kind] * sums[0] + log1p(min(gained, _MUCH))
        sums[1] = _FORGET[kind] * sums[1] + 1

    def _base(self, kind: str, language: str) -> float:
        gained, asked = self._sums.get(f"{kind} {language}", (0.0, 0.0))
        return expm1((gained + log1p(_FIRST_YIELD) * _BELIEF) / (asked + _BELIEF))

    def _raised(self, word: str, words: list[str], asked: Mapping[str, Asked]) -> float:
        """What its neighbours in the list have brought."""
        place = self._place[word]
        factor = 1.0
        for other in words[max(0, place - _NEAR) : place + _NEAR + 1]:
            one = asked.get(other)
            if one is not None and one.done:
                factor *= 1.35 if one.gained >= 0.5 else 0.85
        return factor


def _spread(words: list[str]) -> list[str]:
    """The first of a list, then every eighth, then what lies between: soon something of each kind."""
    head, rest = words[:6], words[6:]
    order = [word for start in (0, 4, 2, 6, 1, 5, 3, 7) for word in rest[start::8]]
    return [*head, *order]
