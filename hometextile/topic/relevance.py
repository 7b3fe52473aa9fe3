"""Whether a resource is about the pack's subject.

The forestry paper (2.3) compares a page's title, keywords and description, which describe it, and its text with a topic
vector. Here each part's evidence is the weight of the topic's words that stand in it, less that of the words of
neighbouring subjects; the text counts by the share of its words that are the topic's, so that a long page that mentions
a curtain once is not about curtains. A logistic function makes 0 to 1 of the sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hometextile.topic.vocabulary import Vocabulary

if TYPE_CHECKING:
    from hometextile.extract.resource import Resource
    from hometextile.text.pack import Pack

#: No more of a text than this is looked at.
_MAX_CHARS = 20_000

# What the parts weigh, for and against. Those of title and text are a logistic regression on the short texts of
# bench/classes_set.jsonl; keywords and description, which repeat the title more often than not, have half of it.
# Nothing in these numbers is of a subject: the words and their weights are the pack's.
_TITLE = (4.5, 4.8)
_KEYWORDS = (2.2, 2.4)
_DESCRIPTION = (2.2, 2.4)
_TEXT = (4.1, 2.8)
_BIAS = -1.8
#: The evidence of title, keywords or description beyond which more words say nothing new.
_ENOUGH = 1.5
#: Words that are added to a text's length, so that one word in a line of ten is not taken for a tenth of a page.
_FEW_WORDS = 30


@dataclass
class Evidence:
    """What of a resource speaks for and against its being on topic.

    Attributes:
        score: the relevance, 0 to 1.
        words: topic words found, the weightiest first.
        against: words found that speak against it, the weightiest first.
    """

    score: float = 0.0
    words: list[str] = field(default_factory=list)
    against: list[str] = field(default_factory=list)


class TopicVector:
    """A pack's topic words, ready to be looked for.

    Args:
        pack: the domain pack.
    """

    def __init__(self, pack: Pack) -> None:
        self._cutter = pack.cutter
        self._for = pack.terms
        self._against = {word: weight for word, weight in pack.against.items() if word not in pack.terms}
        self._vocabulary = Vocabulary([*self._for, *self._against], self._cutter)

    def parts(self, text: str) -> Part:
        """What *text* says for and against the topic."""
        words = self._cutter.cut(text[:_MAX_CHARS])
        part = Part(len(words))
        for term, count in self._vocabulary.find(words).items():
            if term in self._for:
                part.found[term] = self._for[term]
                part.mass += self._for[term] * count
            else:
                part.against[term] = self._against[term]
                part.against_mass += self._against[term] * count
        return part

    def evidence(self, resource: Resource) -> Evidence:
        """What speaks for and against *resource*, and how relevant it is."""
        return self._weigh(
            resource.title,
            " ".join(resource.keywords),
            resource.description,
            "\n".join([resource.text, *_values(resource.fields.values())]),
        )

    def relevance(self, *, title: str = "", keywords: str = "", description: str = "", text: str = "") -> float:
        """The relevance of a page by its parts, 0 to 1."""
        return self.weigh(title=title, keywords=keywords, description=description, text=text).score

    def weigh(self, *, title: str = "", keywords: str = "", description: str = "", text: str = "") -> Evidence:
        """What speaks for and against a page, by its parts."""
        return self._weigh(title, keywords, description, text)

    def _weigh(self, *parts: str) -> Evidence:
        title, keywords, description, text = every = tuple(self.parts(part) for part in parts)
        total = title.net(_TITLE) + keywords.net(_KEYWORDS) + description.net(_DESCRIPTION) + text.dense(_TEXT)
        return Evidence(
            score=round(_logistic(total + _BIAS), 4) if any(part.found for part in every) else 0.0,
            words=_heaviest(part.found for part in every),
            against=_heaviest(part.against for part in every),
        )


@dataclass
class Part:
    """Topic words in one part of a resource.

    Attributes:
        words: how many words the part has.
        found: topic words in it, with their weights.
        against: words that speak against the topic, with their weights.
        mass: weights of all occurrences of topic words, added up.
        against_mass: the same against it.
    """

    words: int
    found: dict[str, float] = field(default_factory=dict)
    against: dict[str, float] = field(default_factory=dict)
    mass: float = 0.0
    against_mass: float = 0.0

    def net(self, weights: tuple[float, float]) -> float:
        """Evidence of distinct words, for and against; what the part weighs for, and against."""
        return weights[0] * min(sum(self.found.values()), _ENOUGH) - weights[1] * min(
            sum(self.against.values()), _ENOUGH
        )

    def dense(self, weights: tuple[float, float]) -> float:
        """Evidence of a long text: the share of it that is the topic's, and that is its neighbours'."""
        return weights[0] * self._share(self.mass) - weights[1] * self._share(self.against_mass)

    def _share(self, mass: float) -> float:
        """0 for nothing, 0.7 where every 50th word is a sure one, 1.9 at most."""
        return math.log1p(min(50 * mass / (self.words + _FEW_WORDS), 6.0))


def relevance(resource: Resource, pack: Pack) -> float:
    """How far a resource is about the pack's subject, 0 to 1; from ``pack.threshold`` on it is.

    Args:
        resource: title, keywords, description, text and fields are looked at.
        pack: the domain pack.
    """
    return topic_vector(pack).evidence(resource).score


@lru_cache(maxsize=8)
def topic_vector(pack: Pack) -> TopicVector:
    """The topic vector of *pack*, made once."""
    return TopicVector(pack)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))


def _heaviest(parts: Iterable[dict[str, float]], n: int = 12) -> list[str]:
    every: dict[str, float] = {}
    for part in parts:
        every.update(part)
    return sorted(every, key=lambda word: (-every[word], word))[:n]


def _values(values: Iterable[Any]) -> list[str]:
    found: list[str] = []
    for value in values:
        if isinstance(value, (list, tuple)):
            found.extend(_values(value))
        elif isinstance(value, str) and not value.startswith(("http://", "https://")):
            found.append(value)
    return found
