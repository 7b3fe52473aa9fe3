"""Which domain a query interface belongs to: cosine similarity with each domain's nodes (paper 1, section 2.2.3, steps 3, 4).

The nodes of a domain model that a form's attribute words lead to, and the form itself, are vectors over meanings, label
words and words of the choices; words that every domain has (keyword, date, price) weigh little.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hometextile.forms.attributes import Attribute
from hometextile.forms.domain_model import DomainModel, Node

Cut = Callable[[str], list[str]]
#: How much a word weighs by where it stands.
_MEANING, _LABEL, _VALUE, _NAME = 3.0, 1.0, 0.5, 0.5
_MAX_VALUES = 24


@dataclass(frozen=True)
class Match:
    """A domain and how like it the form is.

    Attributes:
        domain: key of the domain.
        similarity: cosine, 0 to 1.
        nodes: ids of the nodes that the form's attributes lead to.
        share: the share of the form's attributes that lead to a node.
    """

    domain: str
    similarity: float
    nodes: tuple[str, ...] = ()
    share: float = 0.0


class Domains:
    """Several domain models to choose from.

    Args:
        models: one a domain.
        cut: cuts text into words.
    """

    def __init__(self, models: Sequence[DomainModel], cut: Cut) -> None:
        self.models = list(models)
        self._cut = cut
        counted = [Counter(self._of_model(model)) for model in models]
        spread: Counter[str] = Counter()
        for one in counted:
            spread.update(one.keys())
        n = len(models)
        self._idf = {word: math.log((n + 1) / count) + 0.1 for word, count in spread.items()}
        self._unknown = math.log(n + 1) + 0.1
        self._vectors = [self._weighted(one) for one in counted]
        self._lookup = [_lookup(model) for model in models]

    def match(self, attributes: Sequence[Attribute], extra: str = "") -> list[Match]:
        """The domains, the most similar first.

        Args:
            attributes: the form's.
            extra: further words (heading, button), weighed as values are.
        """
        counted = Counter(self._of_form(attributes, extra))
        vector = self._weighted(counted, damp=True)
        found = []
        for model, own, lookup in zip(self.models, self._vectors, self._lookup, strict=True):
            nodes = _led_to(attributes, lookup)
            share = sum(bool(_led_to([attribute], lookup)) for attribute in attributes) / len(attributes) if attributes else 0.0
            found.append(Match(model.key, round(_cosine(vector, own), 4), tuple(nodes), share))
        return sorted(found, key=lambda match: -match.similarity)

    def _of_model(self, model: DomainModel) -> dict[str, float]:
        words: dict[str, float] = {}
        for node in model.nodes:
            weight = math.log1p(node.tf)
            for word, share in self._of_node(node).items():
                words[word] = words.get(word, 0.0) + weight * share
        return words

    def _of_node(self, node: Node) -> dict[str, float]:
        senses = [f"={sense.head}" for sense in node.senses] + [f"={m}" for s in node.senses for m in s.modifiers]
        return self._words(senses, node.labels, node.values, node.names)

    def _of_form(self, attributes: Sequence[Attribute], extra: str) -> dict[str, float]:
        words: dict[str, float] = {}
        for attribute in _all(attributes):
            senses = [f"={sense.head}" for sense in attribute.senses] + [f"={m}" for s in attribute.senses for m in s.modifiers]
            for word, weight in self._words(senses, attribute.labels, attribute.values, attribute.names).items():
                words[word] = words.get(word, 0.0) + weight
        for word in set(self._cut(extra)):
            words[word] = words.get(word, 0.0) + _VALUE
        return words

    def _words(self, senses: list[str], labels: list[str], values: list[str], names: list[str]) -> dict[str, float]:
        words: dict[str, float] = {}
        for sense in set(senses):
            words[sense] = _MEANING
        for texts, weight in ((labels, _LABEL), (values[:_MAX_VALUES], _VALUE), (names, _NAME)):
            for word in {word for text in texts for word in self._cut(text.replace("_", " "))}:
                words[word] = max(words.get(word, 0.0), weight)
        return words

    def _weighted(self, counted: Counter[str] | dict[str, float], *, damp: bool = False) -> dict[str, float]:
        return {word: (math.sqrt(n) if damp else n**0.5) * self._idf.get(word, self._unknown) for word, n in counted.items()}


def _all(attributes: Sequence[Attribute]) -> list[Attribute]:
    found = []
    for attribute in attributes:
        found.append(attribute)
        found.extend(_all(attribute.children))
    return found


def _lookup(model: DomainModel) -> dict[str, str]:
    """Head of a sense to the id of the node that stands for it, the most used one."""
    found: dict[str, str] = {}
    for node in sorted(model.nodes, key=lambda node: -node.tf):
        for sense in node.senses:
            found.setdefault(sense.head, node.id)
    return found


def _led_to(attributes: Sequence[Attribute], lookup: dict[str, str]) -> list[str]:
    ids = [lookup[sense.head] for attribute in attributes for sense in sorted(attribute.senses) if sense.head in lookup]
    return list(dict.fromkeys(ids))


def _cosine(one: dict[str, float], two: dict[str, float]) -> float:
    dot = sum(weight * two[word] for word, weight in one.items() if word in two)
    norm = math.sqrt(sum(w * w for w in one.values())) * math.sqrt(sum(w * w for w in two.values()))
    return dot / norm if norm else 0.0
