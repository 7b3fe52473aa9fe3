"""The domain model: every operation, every relation, the order, the eleven parts, stability."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from hometextile.forms.attributes import Attribute, attributes_of
from hometextile.forms.domain_model import DomainModel, Node, stable_at
from hometextile.forms.meanings import Meanings
from hometextile.forms.reading import read_forms
from hometextile.forms.words import form_words
from hometextile.page.document import Document

_HERE = Path(__file__).parent / "domain_model"
_OPERATIONS = yaml.safe_load((_HERE / "operations.yaml").read_text(encoding="utf-8"))
_RELATIONS = yaml.safe_load((_HERE / "relations.yaml").read_text(encoding="utf-8"))


def meanings() -> Meanings:
    words = form_words()
    return Meanings(words.fields, words.stopwords)


def labelled(text: str) -> list[Attribute]:
    """Text boxes with these labels."""
    known = meanings()
    return [
        Attribute(["text box"], [f"n{n}"], [label.strip()], senses=known.senses(label.strip()))
        for n, label in enumerate(text.split("|"))
    ]


def read(html: str) -> list[Attribute]:
    return attributes_of(read_forms(Document(html, "https://example.org/"))[0], meanings(), form_words())


def check(nodes: list[Node], expected: list[dict[str, Any]]) -> None:
    assert [node.id for node in nodes] == [one["id"] for one in expected]
    for node, one in zip(nodes, expected, strict=True):
        for key in ("tf", "relation", "labels"):
            if key in one:
                assert getattr(node, key) == one[key]
        check(node.children, one.get("children", []))


@pytest.mark.parametrize("name", _OPERATIONS)
def test_operation(name: str) -> None:
    case = _OPERATIONS[name]
    model = DomainModel("x")
    done = [[operation.name for operation in model.grow(labelled(form))] for form in case["forms"]]
    assert done == case["operations"]
    check(model.root.children, case["tree"])


@pytest.mark.parametrize("name", _RELATIONS)
def test_relation(name: str) -> None:
    model = DomainModel("x")
    model.grow(read(_RELATIONS[name]["html"]))
    check(model.root.children, _RELATIONS[name]["tree"])


def test_order_is_what_most_forms_have() -> None:
    model = DomainModel("x")
    for form in ("Title | Author", "Author | Title", "Author | Title"):
        model.grow(labelled(form))
    assert model.precedes("author", "title")
    assert not model.precedes("title", "author")
    assert [node.id for node in model.ordered()] == ["author", "title"]


def test_eleven_parts() -> None:
    model = DomainModel("x")
    model.grow(read(_RELATIONS["constraint"]["html"]))
    keyword, scope = model.nodes
    assert model.root.id == "root"
    assert model.edges == [("root", "keyword"), ("keyword", "keyword: scope")]
    assert {"S", "q"} <= model.alphabet
    assert list(keyword.kinds) == ["text box"]
    assert keyword.names == ["q"]
    assert keyword.labels == ["Search terms"]
    assert scope.values == ["Title", "Author", "Subject"]
    assert (keyword.tf, scope.tf) == (1, 1)
    assert scope.relation == "constraint"


def test_the_same_thing_twice_in_a_form_counts_once() -> None:
    model = DomainModel("x")
    first, second = labelled("Author | Writer")
    second.kinds = ["select list"]
    model.grow([first, second])
    assert [(node.id, node.tf) for node in model.nodes] == [("author", 1)]


def test_range_grown_twice_stays_one_range() -> None:
    model = DomainModel("x")
    for _time in range(2):
        model.grow(read(_RELATIONS["range"]["html"]))
    assert [(node.id, node.tf) for node in model.nodes] == [("price", 2), ("price: from", 2), ("price: to", 2)]


def test_without_meaning_nothing_grows() -> None:
    model = DomainModel("x")
    assert model.grow([Attribute(["text box"], ["zz"], [])]) == []
    assert model.nodes == []


def test_stable_at() -> None:
    growth = list(range(1, 101)) + [100] * 60
    # 100 nodes at form 100; from form 150 on the last 50 forms brought none.
    assert stable_at(growth) == 150
    assert stable_at(list(range(1, 200))) is None
    assert stable_at([1, 2, 3]) is None
    # Stable once, then not: it counts from where it stays so.
    assert stable_at([100] * 60 + [120] + [120] * 60) == 111
