"""Which domain a query interface belongs to (paper 1, section 2.2.3, steps 3 and 4).

The nodes of a domain model that a form's attribute words lead to, and the form itself, are vectors over meanings, label
words and words of the choices; words that every domain has (keyword, date, price) weigh little.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hometextile.forms.attributes import Attribute
from hometextile.forms.domain_model import DomainModel, Node
from hometextile.forms.domain_store import load
from hometextile.forms.meanings import Meanings
from hometextile.forms.words import form_words
from hometextile.text.pack import Pack
from hometextile.text.strict_yaml import faults_of, load_yaml

Cut = Callable[[str], list[str]]
#: How much a word weighs by where it stands.
_MEANING, _LABEL, _VALUE, _NAME = 3.0, 1.0, 0.5, 0.5
_MAX_VALUES = 24
#: A form less similar to its domain does not tell which it is of.
TELLING = 0.1
#: The next domain is at most so much like a form as the one that is told.
CLEARLY = 0.9


@dataclass(frozen=True)
class Match:
    """A domain and how like it the form is.

    Attributes:
        domain: key of the domain.
        similarity: cosine, 0 to 1.
        nodes: ids of the nodes that the form's attributes lead to.
        share: the share of the form's attributes that lead to a node.
        heads: what the attributes ask for that the domain has.
    """

    domain: str
    similarity: float
    nodes: tuple[str, ...] = ()
    share: float = 0.0
    heads: frozenset[str] = frozenset()

    @property
    def likeness(self) -> float:
        """The similarity less what the form asks for that the domain does not know."""
        return self.similarity * self.share


class Domains:
    """Several domain models to choose from.

    Args:
        models: one a domain.
        cut: cuts text into words.
    """

    def __init__(self, models: Sequence[DomainModel], cut: Cut) -> None:
        self.models = list(models)
        self._cut = lru_cache(maxsize=20_000)(lambda text: frozenset(cut(text.replace("_", " "))))
        counted = [Counter(self._of_model(model)) for model in models]
        spread: Counter[str] = Counter()
        for one in counted:
            spread.update(one.keys())
        n = len(models)
        self._idf = {word: math.log((n + 1) / count) + 0.1 for word, count in spread.items()}
        self._unknown = math.log(n + 1) + 0.1
        self._vectors = [_unit(self._weighted(one)) for one in counted]
        self._lookup = [_lookup(model) for model in models]

    def match(self, attributes: Sequence[Attribute], extra: str = "") -> list[Match]:
        """The domains, the most like first.

        Args:
            attributes: the form's.
            extra: further words (heading, button), weighed as values are.
        """
        vector = _unit(self._weighted(Counter(self._of_form(attributes, extra))))
        heads = [[sense.head for sense in sorted(attribute.senses)] for attribute in attributes]
        found = []
        for model, own, lookup in zip(self.models, self._vectors, self._lookup, strict=True):
            known = [head for some in heads for head in some if head in lookup]
            nodes = tuple(dict.fromkeys(lookup[head] for head in known))
            share = sum(any(head in lookup for head in some) for some in heads) / len(heads) if heads else 0.0
            found.append(Match(model.key, round(_cosine(vector, own), 4), nodes, share, frozenset(known)))
        return sorted(found, key=lambda match: -match.likeness)

    def told(self, attributes: Sequence[Attribute]) -> Match | None:
        """The domain that a form's attributes tell; None where they could as well be another's.

        It has to be like it enough, clearly more so than the next, and the form has to ask for something that the
        next does not know: by title, maker and year, cars are sold and museums searched.

        Args:
            attributes: the form's.
        """
        best, *others = self.match(attributes)
        if best.similarity < TELLING:
            return None
        told = not others or (others[0].likeness <= CLEARLY * best.likeness and best.heads - others[0].heads)
        return best if told else None

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
            senses = [f"={sense.head}" for sense in attribute.senses] + [
                f"={m}" for s in attribute.senses for m in s.modifiers
            ]
            for word, weight in self._words(senses, attribute.labels, attribute.values, attribute.names).items():
                words[word] = words.get(word, 0.0) + weight
        for word in self._cut(extra):
            words[word] = words.get(word, 0.0) + _VALUE
        return words

    def _words(self, senses: list[str], labels: list[str], values: list[str], names: list[str]) -> dict[str, float]:
        words: dict[str, float] = {}
        for sense in set(senses):
            words[sense] = _MEANING
        for texts, weight in ((labels, _LABEL), (values[:_MAX_VALUES], _VALUE), (names, _NAME)):
            for word in frozenset().union(*map(self._cut, texts)):
                words[word] = max(words.get(word, 0.0), weight)
        return words

    def _weighted(self, counted: Counter[str]) -> dict[str, float]:
        return {word: math.sqrt(n) * self._idf.get(word, self._unknown) for word, n in counted.items()}


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


def _unit(vector: dict[str, float]) -> dict[str, float]:
    """The vector with length 1 (an empty one stays empty)."""
    norm = math.sqrt(sum(weight * weight for weight in vector.values()))
    return {word: weight / norm for word, weight in vector.items()} if norm else {}


def _cosine(one: dict[str, float], two: dict[str, float]) -> float:
    """The cosine of two vectors of length 1."""
    return min(1.0, sum(weight * two[word] for word, weight in one.items() if word in two))


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _FieldsFile(_Strict):
    """``form_fields.yaml`` of a pack: concept to its words."""

    fields: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], list[str]]


class Neighbour(_Strict):
    """A domain of ``neighbours.yaml``."""

    names: dict[str, str]
    fields: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], list[str]]


class _NeighboursFile(_Strict):
    domains: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], Neighbour]


@lru_cache(maxsize=1)
def neighbours() -> dict[str, Neighbour]:
    """The other domains: key to names and fields.

    Raises:
        Fault: the file is not what it should be.
    """
    loaded = load_yaml(
        files("hometextile.forms").joinpath("neighbours.yaml").read_text(encoding="utf-8"), "neighbours.yaml"
    )
    try:
        return _NeighboursFile.model_validate(loaded.data).domains
    except ValidationError as error:
        raise faults_of(error, loaded, _NeighboursFile)[0] from None


def load_meanings(pack: Pack) -> Meanings:
    """What labels mean: the words of all forms, of the pack's forms, and of the other domains' forms.

    Raises:
        Fault: a file is not what it should be.
    """
    words = form_words()
    fields = {concept: list(known) for concept, known in words.fields.items()}
    sources = [_pack_fields(pack), *(one.fields for one in neighbours().values())]
    for source in sources:
        for concept, known in source.items():
            fields.setdefault(concept, []).extend(known)
    return Meanings(fields, words.stopwords)


def _pack_fields(pack: Pack) -> dict[str, list[str]]:
    source = pack.resource("form_fields.yaml")
    if not source.is_file():
        return {}
    loaded = load_yaml(source.read_text(encoding="utf-8"), str(source))
    try:
        return _FieldsFile.model_validate(loaded.data).fields
    except ValidationError as error:
        raise faults_of(error, loaded, _FieldsFile)[0] from None


def model_file(pack: Pack) -> Traversable:
    """Where a pack keeps its domain model."""
    return pack.resource("domain_model.yaml")


def load_domains(pack: Pack) -> Domains:
    """The pack's domain model and those of the other domains.

    Raises:
        Fault: a model is missing or damaged.
    """
    folder = files("hometextile.forms").joinpath("models", "neighbours")
    models = [
        load(model_file(pack)),
        *(load(folder.joinpath(f"{key}.yaml")) for key in neighbours() if key != pack.name),
    ]
    return Domains(models, pack.cutter.cut)
