"""Training the network over a page's blocks: gradients by hand, AdamW, one cycle of the learning rate.

What is made large is what counts in the end: the F1 of each page, softened (every block counts by its probability), so
that the network learns where to cut, not only how to rank; a little cross entropy beside it keeps the probabilities
honest. Sources: Kingma and Ba 2015, Loshchilov and Hutter 2019 (AdamW), Smith 2018 (one cycle), Ba and others 2016
(layer normalisation).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hometextile.blocks.features import Floats, Ints
from hometextile.blocks.kernel import sigmoid
from hometextile.blocks.network import LOOKS, SHIFTS, Network, Singles, Surroundings, normalised, shifted, together


@dataclass
class Schooling:
    """How a network is trained.

    Attributes:
        width, layers: of the network.
        epochs: how often every page is seen.
        batch: pages a step.
        rate: highest learning rate.
        decay: of weights.
        drop: share of states left out at random.
        drop_features: share of features left out, the same ones for all blocks of a page, so that no page is known by a
            few of them.
        entropy: weight of cross entropy beside soft F1.
        seed: of everything random.
    """

    width: int = 48
    layers: int = 2
    epochs: int = 9
    batch: int = 8
    rate: float = 3e-3
    decay: float = 1e-2
    drop: float = 0.25
    drop_features: float = 0.2
    entropy: float = 0.1
    seed: int = 0


@dataclass
class Lesson:
    """A page to learn from.

    Attributes:
        values: features, one row a block.
        around: what stands around the blocks.
        main: 1 for main, 0 for not.
        tokens: of each block.
    """

    values: Singles
    around: Surroundings
    main: Singles
    tokens: Singles


def train_network(lessons: Sequence[Lesson], schooling: Schooling | None = None) -> Network:
    """Train a network.

    Args:
        lessons: pages with one block or more.
        schooling: how.

    Returns:
        the network.
    """
    return _School([page for page in lessons if len(page.main)], schooling or Schooling()).run()


class _School:
    def __init__(self, lessons: list[Lesson], how: Schooling) -> None:
        self.how = how
        self.random = np.random.RandomState(how.seed)
        every = np.concatenate([page.values for page in lessons])
        mean, scale = every.mean(axis=0), 1 / (every.std(axis=0) + 1e-6)
        self.network = Network(self._start(every.shape[1]) | {"mean": mean, "scale": scale})
        self.lessons = [
            Lesson(self.network.standardised(page.values), page.around, page.main, page.tokens) for page in lessons
        ]
        self.learned = [name for name in self.network.weights if name not in {"mean", "scale"}]
        self.first = {name: np.zeros_like(self.network.weights[name]) for name in self.learned}
        self.second = {name: np.zeros_like(self.network.weights[name]) for name in self.learned}

    def _start(self, features: int) -> dict[str, Singles]:
        width, draw = self.how.width, self.random.uniform
        fan = (1 + len(SHIFTS) + LOOKS) * width
        weights = {
            "in": draw(-1, 1, (features, width)) / np.sqrt(features),
            "in_bias": np.zeros(width),
            "in_gain": np.ones(width),
            "in_shift": np.zeros(width),
            "out": draw(-1, 1, (width, 1)) / np.sqrt(width),
            "out_bias": np.zeros(1),
        }
        for layer in range(self.how.layers):
            weights |= {
                f"own{layer}": draw(-1, 1, (width, width)) / np.sqrt(fan),
                f"near{layer}": draw(-1, 1, (len(SHIFTS), width, width)) / np.sqrt(fan),
                f"around{layer}": draw(-1, 1, (LOOKS, width, width)) / np.sqrt(fan),
                f"bias{layer}": np.zeros(width),
                f"gain{layer}": np.ones(width),
                f"shift{layer}": np.zeros(width),
            }
        return {name: value.astype(np.float32) for name, value in weights.items()}

    def run(self) -> Network:
        how = self.how
        steps = how.epochs * -(-len(self.lessons) // how.batch)
        step = 0
        for _epoch in range(how.epochs):
            order = self.random.permutation(len(self.lessons))
            for start in range(0, len(order), how.batch):
                pages = [self.lessons[number] for number in order[start : start + how.batch]]
                step += 1
                self._update(self._gradients(pages), step, how.rate * _one_cycle(step / steps))
        return self.network

    # one step -------------------------------------------------------------------------------------------------------
    def _mask(self, shape: tuple[int, ...], share: float) -> Singles:
        kept = self.random.random_sample(shape).astype(np.float32) >= share
        return np.asarray(kept.astype(np.float32) / np.float32(1 - share))

    def _gradients(self, pages: list[Lesson]) -> dict[str, Singles]:
        how, w = self.how, self.network.weights
        around = together([page.around for page in pages])
        values = np.concatenate([page.values for page in pages])
        values = values * self._mask((len(pages), values.shape[1]), how.drop_features)[around.page]
        fresh, scale = normalised(values @ w["in"] + w["in_bias"])
        active = fresh * w["in_gain"] + w["in_shift"]
        mask = self._mask(active.shape, how.drop)
        state = np.maximum(active, 0) * mask
        tape = []
        for layer in range(how.layers):
            unit, unit_scale = normalised(self.network.gathered(layer, state, around))
            risen = unit * w[f"gain{layer}"] + w[f"shift{layer}"]
            layer_mask = self._mask(risen.shape, how.drop)
            tape.append((state, unit, unit_scale, risen, layer_mask))
            state = state + np.maximum(risen, 0) * layer_mask
        scores = (state @ w["out"] + w["out_bias"]).ravel()
        back = _slopes(scores, pages, around.page, how.entropy)[:, None]
        found = {"out": state.T @ back, "out_bias": back.sum(axis=0)}
        slope = back @ w["out"].T
        for layer in reversed(range(how.layers)):
            state, unit, unit_scale, risen, layer_mask = tape[layer]
            rise = slope * layer_mask * (risen > 0)
            found[f"gain{layer}"], found[f"shift{layer}"] = (rise * unit).sum(axis=0), rise.sum(axis=0)
            slope = slope + self._behind(
                layer, _unnormalised(rise * w[f"gain{layer}"], unit, unit_scale), state, around, found
            )
        rise = slope * mask * (active > 0)
        found["in_gain"], found["in_shift"] = (rise * fresh).sum(axis=0), rise.sum(axis=0)
        rise = _unnormalised(rise * w["in_gain"], fresh, scale)
        found["in"], found["in_bias"] = values.T @ rise, rise.sum(axis=0)
        return found

    def _behind(
        self, layer: int, rise: Singles, state: Singles, around: Surroundings, found: dict[str, Singles]
    ) -> Singles:
        """The slope of the states that a layer took, and in *found* the gradients of its matrices."""
        w = self.network.weights
        found[f"bias{layer}"] = rise.sum(axis=0)
        found[f"own{layer}"] = state.T @ rise
        slope = rise @ w[f"own{layer}"].T
        near = np.empty_like(w[f"near{layer}"])
        for number, step in enumerate(SHIFTS):
            moved = shifted(rise, -step, around.page)
            near[number] = state.T @ moved
            slope += moved @ w[f"near{layer}"][number].T
        pooled = np.asarray(around.pool @ state)
        into = np.zeros_like(pooled)
        matrices = np.empty_like(w[f"around{layer}"])
        for column, (rows, back) in enumerate(around.looks):
            summed = _summed(rise, back, len(rows))
            matrices[column] = pooled[rows].T @ summed
            into[rows] += summed @ w[f"around{layer}"][column].T
        found[f"near{layer}"], found[f"around{layer}"] = near, matrices
        return np.asarray(slope + around.pool.T @ into)

    def _update(self, found: dict[str, Singles], step: int, rate: float) -> None:
        """AdamW, the gradient cut to length 1."""
        length = np.sqrt(sum(float((slope * slope).sum()) for slope in found.values()))
        cut = min(1.0, 1.0 / max(length, 1e-9))
        for name in self.learned:
            slope = found[name] * np.float32(cut)
            first, second, weight = self.first[name], self.second[name], self.network.weights[name]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            weight *= np.float32(1 - rate * self.how.decay)
            weight -= np.float32(rate / (1 - 0.9**step)) * first / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)


def _summed(rows: Singles, group: Ints, size: int) -> Singles:
    """Sums of rows by group."""
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(size))
    return np.asarray(np.add.reduceat(rows[order], starts, axis=0))


def _unnormalised(slope: Singles, unit: Singles, scale: Singles) -> Singles:
    """The slope before :func:`normalised`."""
    mean = slope.mean(axis=1, keepdims=True)
    along = (slope * unit).mean(axis=1, keepdims=True)
    return np.asarray((slope - mean - unit * along) * scale)


def _slopes(scores: Singles, pages: list[Lesson], page: Ints, entropy: float) -> Singles:
    """The slope of the loss (1 - soft F1, and cross entropy), one a block."""
    main = np.concatenate([each.main for each in pages])
    tokens = np.concatenate([each.tokens for each in pages])
    chance = sigmoid(scores)
    weight = tokens + 0.05

    def by_page(values: Floats | Singles) -> Floats:
        return np.asarray(np.bincount(page, values, minlength=len(pages)), dtype=float)

    hits, said, true = by_page(chance * main * weight), by_page(chance * weight), by_page(main * weight)
    both = said + true + 1e-6
    soft = (2 * main / both[page] - 2 * (hits / both**2)[page]) * weight * (true > 0)[page]
    counts = np.bincount(page, minlength=len(pages))
    every = by_page(weight)
    share = np.minimum(weight / np.maximum(true + 0.2 * every, 30)[page], 0.3)
    share = share + 0.3 / np.maximum(counts, 20)[page]
    slope = -soft * chance * (1 - chance) + entropy * share * (chance - main)
    return np.asarray(slope / len(pages), dtype=np.float32)


def _one_cycle(done: float) -> float:
    """Share of the highest learning rate: up for 15 per cent of the way, then down along a cosine."""
    if done < 0.15:
        return float(0.04 + 0.96 * (1 - np.cos(np.pi * done / 0.15)) / 2)
    return float(0.5 * (1 + np.cos(np.pi * min(1.0, (done - 0.15) / 0.85))) + 1e-4)
