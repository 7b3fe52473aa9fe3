"""The learned score: an RBF-kernel SVM over the features of a form, calibrated to a probability.

Kept with skops, never as a bare pickle; the card beside it (JSON) says on what it was trained and how well it did.
scikit-learn takes seconds to import and is only imported where a model is trained or read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hometextile.forms.features import features
from hometextile.forms.form import Form
from hometextile.forms.words import FormWords, form_words
from hometextile.text.faults import Fault
from hometextile.text.messages import _

Matrix = npt.NDArray[np.float64]
#: Found by eight shuffled, site-grouped five-fold splits; flat around these values. A query interface missed weighs
#: twice a form tried for nothing: a probe costs one request, a miss the whole database behind it.
SVM_C, SVM_GAMMA, QUERY_WEIGHT = 1.0, 0.06, 2.0
_NAME = "query_interface"
#: Parts of scikit-learn's calibration that skops does not know by itself; anything else in a file is refused.
_TRUSTED = ["sklearn.calibration._CalibratedClassifier", "sklearn.calibration._SigmoidCalibration"]


def matrix(rows: Sequence[dict[str, float]], names: Sequence[str]) -> Matrix:
    """Feature dicts as a matrix, forms × features, float64."""
    values = itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],)
    return np.array([values(row) for row in rows], dtype=np.float64)


def new_classifier() -> Any:
    """The untrained pipeline: features to 0..1, RBF SVM."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.svm import SVC

    return make_pipeline(
        MinMaxScaler(clip=True), SVC(C=SVM_C, gamma=SVM_GAMMA, class_weight={False: 1.0, True: QUERY_WEIGHT})
    )


@dataclass(frozen=True)
class _Plain:
    """The fitted pipeline as arrays: ``predict_proba`` without its checks (a form in 30 µs, not 1.4 ms)."""

    scale: Matrix
    offset: Matrix
    vectors: Matrix
    weights: Matrix
    intercept: float
    gamma: float
    slope: float
    shift: float
    squares: Matrix

    @classmethod
    def of(cls, classifier: Any) -> _Plain:
        fitted = classifier.calibrated_classifiers_[0]
        scaler, svm = (step for _name, step in fitted.estimator.steps)
        sigmoid = fitted.calibrators[0]
        return cls(
            scaler.scale_,
            scaler.min_,
            svm.support_vectors_,
            svm.dual_coef_[0],
            float(svm.intercept_[0]),
            SVM_GAMMA,
            float(sigmoid.a_),
            float(sigmoid.b_),
            (svm.support_vectors_**2).sum(axis=1)[None, :],
        )

    def probability(self, decision: float) -> float:
        return float(1 / (1 + np.exp(self.slope * decision + self.shift)))

    def probabilities(self, x: Matrix) -> list[float]:
        x = np.clip(x * self.scale + self.offset, 0.0, 1.0)
        squares = (x**2).sum(axis=1)[:, None] + self.squares - 2 * x @ self.vectors.T
        decisions = np.exp(-self.gamma * squares) @ self.weights + self.intercept
        return [self.probability(float(decision)) for decision in decisions]


@dataclass
class QueryModel:
    """The learned score.

    Attributes:
        classifier: the calibrated pipeline.
        names: the features it was trained on, in order.
        card: what it was trained on, and its figures.
    """

    classifier: Any
    names: list[str]
    card: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def _plain(self) -> _Plain:
        return _Plain.of(self.classifier)

    @property
    def threshold(self) -> float:
        """The score from which on a form is taken for a query interface: the calibrated value of the SVM's boundary."""
        return self._plain.probability(0.0)

    @classmethod
    def train(
        cls, rows: Sequence[dict[str, float]], labels: Sequence[bool], card: dict[str, Any] | None = None
    ) -> QueryModel:
        """Train on feature dicts and labels (True: a query interface).

        Raises:
            Fault: fewer than ten forms of either kind.
        """
        from sklearn.calibration import CalibratedClassifierCV

        y = np.array(labels, dtype=bool)
        if min(int(y.sum()), int((~y).sum())) < 10:
            raise Fault(
                _("too few forms to train on: {yes} query interfaces, {no} others").format(
                    yes=int(y.sum()), no=int((~y).sum())
                ),
                remedy=_("at least ten of each are needed"),
            )
        every = list(rows[0])
        x = matrix(rows, every)
        seen = (x != 0).sum(axis=0) >= 3
        names = [name for name, keep in zip(every, seen, strict=True) if keep]
        classifier = CalibratedClassifierCV(new_classifier(), method="sigmoid", cv=5, ensemble=False)
        classifier.fit(x[:, seen], y)
        return cls(classifier, names, dict(card or {}))

    def score_rows(self, rows: Sequence[dict[str, float]]) -> list[float]:
        """The probability that each form is a query interface, 0 to 1."""
        if not rows:
            return []
        return self._plain.probabilities(matrix(rows, self.names))

    def score(self, forms: Sequence[Form], words: FormWords | None = None) -> list[float]:
        """The same, for forms."""
        words = words or form_words()
        return self.score_rows([features(form, words) for form in forms])

    def save(self, folder: Path, name: str = _NAME) -> None:
        """Write ``NAME.skops`` and its card ``NAME.json`` into *folder*."""
        import skops.io

        folder.mkdir(parents=True, exist_ok=True)
        data = skops.io.dumps(self.classifier)
        card = {**self.card, "features": self.names, "model_sha256": sha256(data).hexdigest()}
        (folder / f"{name}.skops").write_bytes(data)
        (folder / f"{name}.json").write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path | None = None, name: str = _NAME) -> QueryModel:
        """Read a model and its card: the shipped one, or one from *folder*.

        Raises:
            Fault: a file is missing, damaged, not the one the card is about, or holds types that are not to be trusted.
        """
        import skops.io

        root = folder if folder is not None else files("hometextile.forms").joinpath("models")
        source, card_source = root.joinpath(f"{name}.skops"), root.joinpath(f"{name}.json")
        remedy = _("train it again: scrapy forms train --data DIR")
        for one in (source, card_source):
            if not one.is_file():
                raise Fault(_("there is no such model"), file=str(one), remedy=remedy)
        data = source.read_bytes()
        try:
            card = json.loads(card_source.read_text(encoding="utf-8"))
            names = [str(one) for one in card["features"]]
        except (ValueError, KeyError, TypeError):
            raise Fault(_("the model's card cannot be read"), file=str(card_source), remedy=remedy) from None
        if card.get("model_sha256") != sha256(data).hexdigest():
            raise Fault(_("the model is not the one that its card is about"), file=str(source), remedy=remedy)
        if set(skops.io.get_untrusted_types(data=data)) - set(_TRUSTED):
            raise Fault(_("the model holds types that are not to be trusted"), file=str(source), remedy=remedy)
        return cls(skops.io.loads(data, trusted=_TRUSTED), names, card)
