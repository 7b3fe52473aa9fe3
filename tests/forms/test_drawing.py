"""The domain model drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometextile.forms import drawing
from hometextile.forms.attributes import Attribute
from hometextile.forms.domain_model import DomainModel
from hometextile.forms.drawing import plot_growth, tree_lines
from hometextile.forms.meanings import Sense


def model() -> DomainModel:
    found = DomainModel("x", {"en": "Things"})
    price = Attribute(["text box"], ["p"], ["Price"], senses=frozenset({Sense("price")}))
    price.children = [
        Attribute(["text box"], ["a"], relation="range"),
        Attribute(["text box"], ["b"], relation="range"),
    ]
    found.grow([Attribute(["text box"], ["k"], ["Keyword"], senses=frozenset({Sense("keyword")})), price])
    found.grow([Attribute(["text box"], ["k"], ["关键词"], senses=frozenset({Sense("keyword")}))])
    return found


def test_tree() -> None:
    assert tree_lines(model()) == [
        "Things: 4 nodes from 2 forms",
        "├─ keyword  [text box; 2]  Keyword · 关键词",
        "└─ price  [text box; 1]  Price",
        "   ├─ (range) price: from  [text box; 1]",
        "   └─ (range) price: to  [text box; 1]",
    ]


def test_tree_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    lines = tree_lines(model())
    assert "文本框" in lines[1]
    assert "（区间）" in lines[3] or "(区间)" in lines[3]


def test_rare_nodes_left_out() -> None:
    assert tree_lines(model(), least=2)[1:] == ["└─ keyword  [text box; 2]  Keyword · 关键词"]


def test_plot(tmp_path: Path) -> None:
    assert plot_growth(model(), tmp_path / "plot.svg") == ""
    assert "nodes" in (tmp_path / "plot.svg").read_text(encoding="utf-8")


def test_plot_in_the_language_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    plot_growth(model(), tmp_path / "plot.svg")
    drawn = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    assert "节点" in drawn and "nodes" not in drawn
    monkeypatch.setattr(drawing, "chinese_font", lambda: None)
    assert "fonts-noto-cjk" in plot_growth(model(), tmp_path / "plot.png")
