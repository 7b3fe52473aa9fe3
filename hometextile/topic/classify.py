"""To which library and class a resource belongs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hometextile.topic.vocabulary import Vocabulary

if TYPE_CHECKING:
    from hometextile.extract.resource import Resource
    from hometextile.text.pack import Library, Pack, Signals

_MAX_CHARS = 6_000
#: A word in the title says as much as this many in the text.
_TITLE = 2.0
_TEXT = 1.0
#: Images with no more text than this are the resource, not an ornament of it.
_FEW_CHARS = 120


class Verdict(NamedTuple):
    """Library and class of a resource.

    Attributes:
        library: key of the library, empty if nothing speaks for any.
        category: key of the class.
        score: how sure, 0 to 1: the share of this class in all classes' evidence.
    """

    library: str
    category: str
    score: float


class WordClassifier:
    """Classifies by the word lists of a pack's taxonomy.

    Args:
        pack: the domain pack.
    """

    def __init__(self, pack: Pack) -> None:
        self._cutter = pack.cutter
        self._libraries = pack.libraries
        self._of_term: dict[str, dict[str, float]] = {}
        for library in pack.libraries.values():
            for key, entry in library.classes.items():
                self._take(key, library.weights)
                self._take(key, entry.weights)
        self._vocabulary = Vocabulary(self._of_term, self._cutter)

    def _take(self, key: str, weights: Mapping[str, float]) -> None:
        for word, weight in weights.items():
            classes = self._of_term.setdefault(word, {})
            classes[key] = max(weight, classes.get(key, 0.0))

    def scores(self, resource: Resource) -> dict[str, float]:
        """Evidence for each class, 0 where nothing speaks for it.

        A word that many classes have says little for each of them.
        """
        scores = {key: 0.0 for library in self._libraries.values() for key in library.classes}
        for text, worth in ((resource.title, _TITLE), (_rest(resource), _TEXT)):
            found = self._vocabulary.find(self._cutter.cut(text[:_MAX_CHARS]))
            for term, count in found.items():
                classes = self._of_term[term]
                for key, weight in classes.items():
                    scores[key] += worth * weight * (1 + math.log(count)) / math.sqrt(len(classes))
        for library in self._libraries.values():
            for key, signals in _signals(library):
                scores[key] += _signal(resource, signals)
        return scores


def classify(resource: Resource, pack: Pack) -> Verdict:
    """Library and class of a resource, by the pack's word lists and trained model.

    Args:
        resource: title, keywords, description, text, fields, images and videos are looked at.
        pack: the domain pack.
    """
    scores = _classifier(pack).scores(resource)
    total = sum(scores.values())
    if total <= 0:
        return Verdict("", "", 0.0)
    category = max(scores, key=lambda key: scores[key])
    return Verdict(pack.library_of(category), category, round(scores[category] / total, 4))


@lru_cache(maxsize=8)
def _classifier(pack: Pack) -> WordClassifier:
    return WordClassifier(pack)


def _rest(resource: Resource) -> str:
    names = [f"{name} {value}" for name, value in resource.fields.items() if isinstance(value, str)]
    return "\n".join([resource.description, " ".join(resource.keywords), *names, resource.text])


def _signals(library: Library) -> list[tuple[str, Signals]]:
    return [(key, each) for key, entry in library.classes.items() for each in (library.signals, entry.signals)]


def _signal(resource: Resource, signals: Signals) -> float:
    score = 0.0
    if resource.videos:
        score += signals.videos
    if resource.images and len(resource.text) <= _FEW_CHARS:
        score += signals.images
    if signals.price and any("price" in name.lower() or "价" in name for name in resource.fields):
        score += signals.price
    return score
