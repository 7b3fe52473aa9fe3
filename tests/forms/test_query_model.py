"""The learned score: trained, kept, loaded, refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hometextile.forms.query_model import QueryModel, matrix
from hometextile.text.faults import Fault


def rows(n: int) -> tuple[list[dict[str, float]], list[bool]]:
    random = np.random.default_rng(0)
    found = [{"a": float(random.random() > 0.5), "b": float(random.random()), "never": 0.0} for _one in range(n)]
    return found, [row["a"] > 0.5 for row in found]


def test_the_short_way_computes_what_scikit_learn_does() -> None:
    data, labels = rows(80)
    model = QueryModel.train(data, labels)
    there = model.classifier.predict_proba(matrix(data, model.names))[:, 1]
    assert np.allclose(model.score_rows(data), there)
    assert model.names == ["a", "b"]
    assert model.score_rows([]) == []
    boundary = model.classifier.calibrated_classifiers_[0].estimator.decision_function(matrix(data, model.names)) > 0
    assert [score >= model.threshold for score in model.score_rows(data)] == boundary.tolist() == labels


def test_kept_and_loaded(tmp_path: Path) -> None:
    data, labels = rows(80)
    model = QueryModel.train(data, labels, {"forms": 80})
    model.save(tmp_path)
    again = QueryModel.load(tmp_path)
    assert again.score_rows(data) == model.score_rows(data)
    assert again.card["forms"] == 80


def test_too_few_forms() -> None:
    data, _labels = rows(30)
    with pytest.raises(Fault, match="too few forms"):
        QueryModel.train(data, [True] * 25 + [False] * 5)


def test_a_model_that_its_card_is_not_about_is_refused(tmp_path: Path) -> None:
    data, labels = rows(80)
    QueryModel.train(data, labels).save(tmp_path)
    file = tmp_path / "query_interface.skops"
    file.write_bytes(file.read_bytes() + b"x")
    with pytest.raises(Fault, match="not the one that its card is about"):
        QueryModel.load(tmp_path)


def test_a_card_that_cannot_be_read(tmp_path: Path) -> None:
    data, labels = rows(80)
    QueryModel.train(data, labels).save(tmp_path)
    (tmp_path / "query_interface.json").write_text("[]", encoding="utf-8")
    with pytest.raises(Fault, match="card cannot be read"):
        QueryModel.load(tmp_path)


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="no such model"):
        QueryModel.load(tmp_path)


def test_the_shipped_model_says_what_it_was_trained_on() -> None:
    model = QueryModel.load()
    assert 0 < model.threshold < 1
    assert {"data", "trained", "features", "model_sha256"} <= set(model.card)
    assert json.dumps(model.card)
