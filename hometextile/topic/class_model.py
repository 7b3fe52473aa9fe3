"""A trained model on top of the taxonomy's word lists: how much is each list's evidence worth?

Its input is the evidence that :class:`~hometextile.topic.classify.WordClassifier` finds for each class, so that it
knows no language and no word of its own: new words in the pack's lists count at once, and it stays a few kilobytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from hometextile.text.faults import Fault
from hometextile.text.messages import _

#: Where a pack keeps it and its card.
MODEL = "models/classes.skops"
CARD = "models/classes.json"

Scores = Mapping[str, float]


class ClassModel:
    """Logistic regression on the evidence for each class.

    Args:
        classes: keys of the classes, in the order of the input.
        estimator: a fitted estimator with ``predict_proba`` and ``classes_``.
    """

    def __init__(self, classes: Sequence[str], estimator: Any) -> None:
        self.classes = list(classes)
        self.estimator = estimator

    def shares(self, scores: Scores) -> dict[str, float]:
        """The probability of each class that the model knows.

        Args:
            scores: class to evidence, as ``WordClassifier.scores`` gives it.
        """
        shares = self.estimator.predict_proba(features([scores], self.classes))[0]
        return dict(zip(map(str, self.estimator.classes_), map(float, shares), strict=True))

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        """Write the model and its card.

        Args:
            path: the file, ``.skops``.
            card: what it was trained on, figures; classes and the model's hash are added.
        """
        import skops.io

        path.parent.mkdir(parents=True, exist_ok=True)
        skops.io.dump(self.estimator, path)
        whole = {**card, "classes": self.classes, "model_sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        text = json.dumps(whole, ensure_ascii=False, indent=1)
        path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")


def features(scores: Sequence[Scores], classes: Sequence[str]) -> npt.NDArray[np.float64]:
    """One row a resource: the logarithm of each class's evidence, and its share in all evidence.

    Args:
        scores: class to evidence, one mapping a resource.
        classes: the order of the columns; the result has twice as many.
    """
    evidence = np.array([[each.get(key, 0.0) for key in classes] for each in scores], dtype=np.float64)
    total = np.maximum(evidence.sum(axis=1, keepdims=True), 1.0)
    return np.hstack([np.log1p(evidence) / 3, evidence / total])


def train_class_model(scores: Sequence[Scores], labels: Sequence[str], classes: Sequence[str]) -> ClassModel:
    """Fit a model.

    Args:
        scores: class to evidence, one mapping a resource.
        labels: the right class of each.
        classes: keys of all classes.
    """
    from sklearn.linear_model import LogisticRegression

    estimator = LogisticRegression(C=2.0, max_iter=2_000)
    estimator.fit(features(scores, classes), list(labels))
    return ClassModel(classes, estimator)


def load_class_model(file: Traversable, card: Traversable, classes: Sequence[str]) -> ClassModel:
    """Read a model; only the types that such a model is made of are read, nothing else is built.

    Args:
        file: the ``.skops`` file.
        card: its card.
        classes: keys of the pack's classes, which must be those of the card.

    Raises:
        Fault: the file is damaged, has no card, is another's, or was trained for another taxonomy.
    """
    # late: scikit-learn and skops take a second to load, and commands that judge nothing load this module too
    import skops.io
    from skops.io.exceptions import UntrustedTypesFoundException

    remedy = _("train it again with script/bench classes --train, or remove it from the pack")
    try:
        known = json.loads(card.read_text(encoding="utf-8"))
        keys, digest = [str(key) for key in known["classes"]], known["model_sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        raise Fault(_("the model's card cannot be read"), remedy=remedy, file=str(card)) from None
    if keys != list(classes):
        raise Fault(_("the model was trained for another taxonomy"), remedy=remedy, file=str(file))
    data = file.read_bytes()
    if hashlib.sha256(data).hexdigest() != digest:
        raise Fault(_("the model is not the one that its card is about"), remedy=remedy, file=str(file))
    try:
        estimator = skops.io.loads(data, trusted=[])
    except (BadZipFile, UntrustedTypesFoundException, KeyError, ValueError, TypeError, AttributeError):
        raise Fault(_("the model cannot be read"), remedy=remedy, file=str(file)) from None
    return ClassModel(classes, estimator)
