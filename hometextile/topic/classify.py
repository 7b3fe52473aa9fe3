"""To which library and class a resource belongs.

The word lists of the pack's taxonomy give evidence for each class; a pack may bring a trained model
(:mod:`hometextile.topic.class_model`) that has learned how much each list's evidence is worth. Without one, the class
with the most evidence is taken.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hometextile.topic.class_model import CARD, MODEL, ClassModel, load_class_model
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
_PRICE_NAMES = ("price", "价")


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

    @property
    def classes(self) -> list[str]:
        """Keys of all classes, in the taxonomy's order."""
        return [key for library in self._libraries.values() for key in library.classes]

    def _take(self, key: str, weights: Mapping[str, float]) -> None:
        for word, weight in weights.items():
            classes = self._of_term.setdefault(word, {})
            classes[key] = max(weight, classes.get(key, 0.0))

    def scores(self, resource: Resource) -> dict[str, float]:
        """Evidence for each class, 0 where nothing speaks for it.

        A word that many classes have says little for each of them.
        """
        scores = dict.fromkeys(self.classes, 0.0)
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
        resource: title, keywords, description, text, fields, images and videos are looked at; its library, where a
            rule has named one, is kept.
        pack: the domain pack.

    Raises:
        Fault: the pack's model is damaged or was trained for another taxonomy.
    """
    words, model = _classifier(pack)
    scores = words.scores(resource)
    total = sum(scores.values())
    if total <= 0:
        return Verdict("", "", 0.0)
    shares = model.shares(scores) if model else {key: score / total for key, score in scores.items()}
    # A rule has named the library: the class is one of its.
    library = pack.libraries.get(resource.library)
    category = max(library.classes if library is not None else shares, key=lambda key: shares[key])
    return Verdict(pack.library_of(category), category, round(shares[category], 4))


@lru_cache(maxsize=8)
def _classifier(pack: Pack) -> tuple[WordClassifier, ClassModel | None]:
    words = WordClassifier(pack)
    file = pack.resource(MODEL)
    return words, load_class_model(file, pack.resource(CARD), words.classes) if file.is_file() else None


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
    if signals.price and any(word in name.lower() for name in resource.fields for word in _PRICE_NAMES):
        score += signals.price
    return score
