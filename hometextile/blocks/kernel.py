"""An RBF support vector machine: fitted by scikit-learn, asked by one matrix product.

``SVC.predict`` evaluates the kernel pair by pair; as a matrix product a block costs a fourteenth of that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

# scikit-learn takes a second to load, and every command loads this: those that need it wait for it, `scrapy list` not
if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

Floats = NDArray[np.float64]


#: What a file with kernel machines may hold beside numbers, lists and what skops trusts by itself.
TRUSTED = ["hometextile.blocks.kernel.clip", "numpy.dtype"]
#: Standardised features are cut here: one value far out would put its block far from all others.
CLIP = 3.0
#: Rows whose kernel is worked out at once; hardly any page has more.
ROWS = 4_096


def clip(values: NDArray[Any]) -> NDArray[Any]:
    """Standardised values within :data:`CLIP`."""
    cut: NDArray[Any] = np.clip(values, -CLIP, CLIP)
    return cut


def fit_svm(
    values: Floats, target: NDArray[np.bool_], weight: Floats, *, cost: float = 2.0, gamma: float | None = None
) -> Pipeline:
    """A standardising pipeline with an RBF-kernel SVM.

    Args:
        values: one row a block.
        target: the class of each.
        weight: of each block.
        cost: C.
        gamma: of the kernel, by default 0.25 over the number of columns.
    """
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, StandardScaler
    from sklearn.svm import SVC

    machine = SVC(C=cost, gamma=gamma or 0.25 / values.shape[1], kernel="rbf", cache_size=400)
    pipeline = make_pipeline(StandardScaler(), FunctionTransformer(clip), machine)
    pipeline.fit(values, target, svc__sample_weight=weight)
    return pipeline


def fit_calibration(decisions: Floats, target: NDArray[np.bool_], weight: Floats) -> tuple[float, float]:
    """Slope and offset of Platt's sigmoid, from decisions on pages that the machine has not seen."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1e6)
    model.fit(decisions.reshape(-1, 1), target, sample_weight=weight)
    return float(model.coef_[0, 0]), float(model.intercept_[0])


class KernelMachine:
    """A fitted pipeline, ready to be asked.

    Args:
        pipeline: from :func:`fit_svm`.
        calibration: slope and offset of the sigmoid.
    """

    def __init__(self, pipeline: Pipeline, calibration: tuple[float, float] = (2.0, 0.0)) -> None:
        self.pipeline = pipeline
        self.calibration = calibration
        scaler, machine = pipeline[0], pipeline[-1]
        self._mean = np.asarray(scaler.mean_, dtype=np.float32)
        self._scale = np.asarray(scaler.scale_, dtype=np.float32)
        vectors = np.asarray(machine.support_vectors_, dtype=np.float32)
        self._vectors = np.ascontiguousarray((2.0 * machine._gamma * vectors).T, dtype=np.float32)
        # exp(-g|x-v|²) = exp(-g|x|²) exp(2g xv) exp(-g|v|²): the last once and for all, the first once a row. With
        # values clipped the exponents stay far from what a single can hold.
        norms = np.exp(-machine._gamma * (vectors * vectors).sum(axis=1, dtype=float))
        self._dual = (machine.dual_coef_.ravel() * norms).astype(np.float32)
        self._offset = float(machine.intercept_[0])
        self._gamma = float(machine._gamma)

    def content(self) -> list[Any]:
        """What a model file keeps of it."""
        return [self.pipeline, list(self.calibration)]

    @classmethod
    def of_content(cls, content: list[Any]) -> KernelMachine:
        """From what a model file kept."""
        return cls(content[0], tuple(content[1]))

    def decide(self, values: Floats) -> Floats:
        """The signed distance from the border, one a row.

        A page of sixty thousand blocks is taken in parts: its kernel at once would be half a gigabyte.
        """
        if len(values) <= ROWS:
            return self._decide(values)
        return np.concatenate([self._decide(values[at : at + ROWS]) for at in range(0, len(values), ROWS)])

    def _decide(self, values: Floats) -> Floats:
        rows = clip((values.astype(np.float32) - self._mean) / self._scale)
        kernel = rows @ self._vectors
        np.exp(kernel, out=kernel)
        norms = np.exp(-self._gamma * (rows * rows).sum(axis=1, dtype=float))
        return np.asarray((kernel @ self._dual) * norms + self._offset, dtype=float)

    def probability(self, values: Floats) -> Floats:
        """The calibrated probability, one a row."""
        return sigmoid(self.decide(values), self.calibration)


def sigmoid(decisions: NDArray[Any], calibration: tuple[float, float] = (1.0, 0.0)) -> NDArray[Any]:
    """Platt's sigmoid of decisions; of log odds without a calibration."""
    slope, offset = calibration
    return np.asarray(1 / (1 + np.exp(-np.clip(slope * decisions + offset, -30, 30))))
