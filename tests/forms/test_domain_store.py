"""Domain models as YAML."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometextile.forms.attributes import Attribute
from hometextile.forms.domain_model import DomainModel
from hometextile.forms.domain_store import dump, load
from hometextile.forms.domains import model_file, neighbours
from hometextile.forms.meanings import Sense
from hometextile.text.faults import Fault
from hometextile.text.pack import load_pack


def test_there_and_back(tmp_path: Path) -> None:
    model = DomainModel("x", {"en": "X"})
    date = Attribute(
        ["text box"], ["d: #1"], ["NO", "日期"], ["2020", "- yes"], frozenset({Sense("date", frozenset({"issue"}))})
    )
    date.children = [Attribute(["text box"], ["a"], relation="range"), Attribute(["text box"], ["b"], relation="range")]
    model.grow([date, Attribute(["select list"], [], ["c"], senses=frozenset({Sense("c"), Sense("d")}))], "real")
    file = tmp_path / "model.yaml"
    file.write_text(dump(model), encoding="utf-8")
    again = load(file)
    assert again == model
    assert again.sources == {"real": 1}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("domain: x\nnames: {}\nforms: 1\nnodes: [{id: a, relation: friend}]", "nodes.0.relation"),
        ("domain: x\nnames: {}\nforms: 1\nnodes: [{id: a, tf: many}]", "nodes.0.tf"),
        ("domain: x\nnames: {}\nforms: 1\nnodes: []\ncolour: red", "colour"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, text: str, key: str) -> None:
    file = tmp_path / "model.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Fault) as told:
        load(file)
    assert told.value.key == key


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="no such domain model"):
        load(tmp_path / "none.yaml")


def test_shipped_models() -> None:
    pack = load_pack()
    own = load(model_file(pack))
    assert own.key == pack.name
    assert own.forms == sum(own.sources.values()) == len(own.growth)
    ids = [node.id for node in own.nodes]
    assert len(ids) == len(set(ids)) > 100
    assert {"range", "part", "group", "constraint"} <= {node.relation for node in own.nodes}
    assert len(neighbours()) == 6
