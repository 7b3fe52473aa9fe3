"""Training the network: every gradient against the difference quotient, and a rule that only the page can tell."""

from __future__ import annotations

import numpy as np
import pytest

from hometextile.blocks.network import Surroundings, surroundings
from hometextile.blocks.network_training import Lesson, Schooling, _School, train_network


class _Spans:
    def __init__(self, size: int) -> None:
        self.first = np.arange(size)

    def __len__(self) -> int:
        return len(self.first)


class _Table:
    def __init__(self, tokens: np.ndarray, up: np.ndarray, signature: np.ndarray) -> None:
        self.tokens, self.up, self.signature = tokens, up, signature


def around_of(random: np.random.RandomState, size: int, tokens: np.ndarray) -> Surroundings:
    first, last = np.array([0, 0, 2, size // 2]), np.array([size, size // 2, 4, size])
    table = _Table(tokens, random.randint(0, 4, (size, 5)), np.arange(size) % 3)
    return surroundings(table, _Spans(size), first, last)  # type: ignore[arg-type]


def lesson(random: np.random.RandomState, size: int) -> Lesson:
    tokens = random.randint(1, 30, size).astype(np.float32)
    main = (random.rand(size) > 0.5).astype(np.float32)
    return Lesson(random.randn(size, 6).astype(np.float32), around_of(random, size, tokens), main, tokens)


def loss(school: _School) -> float:
    """What is made small, written out once more and plainly."""
    total = 0.0
    for page in school.lessons:
        scores = score(school, page)
        chance, weight = 1 / (1 + np.exp(-scores)), page.tokens + 0.05
        hits, true = (chance * page.main * weight).sum(), (page.main * weight).sum()
        share = np.minimum(weight / max(true + 0.2 * weight.sum(), 30), 0.3) + 0.3 / max(len(weight), 20)
        entropy = -(page.main * np.log(chance) + (1 - page.main) * np.log(1 - chance))
        total += school.how.entropy * (share * entropy).sum() - 2 * hits / ((chance * weight).sum() + true + 1e-6)
    return float(total / len(school.lessons))


def score(school: _School, page: Lesson) -> np.ndarray:
    """Scores of a page whose features are standardised already."""
    kept = dict(school.network.weights)
    school.network.weights.update(mean=np.zeros(6), scale=np.ones(6))
    found = school.network.scores(page.values, page.around)
    school.network.weights.update(mean=kept["mean"], scale=kept["scale"])
    return np.asarray(found, dtype=float)


def test_gradients_are_those_of_the_loss() -> None:
    random = np.random.RandomState(0)
    lessons = [lesson(random, size) for size in (7, 12, 5)]
    school = _School(lessons, Schooling(width=5, drop=0, drop_features=0, entropy=0.3))
    weights = school.network.weights
    for name in school.learned:
        weights[name] = weights[name].astype(np.float64)
    found = school._gradients(school.lessons)
    for name in school.learned:
        for _ in range(3):
            place = tuple(random.randint(0, side) for side in weights[name].shape)
            before, step = weights[name][place], 1e-5
            weights[name][place] = before + step
            above = loss(school)
            weights[name][place] = before - step
            below = loss(school)
            weights[name][place] = before
            assert found[name][place] == pytest.approx((above - below) / (2 * step), abs=2e-4, rel=0.03), name


def test_what_only_the_page_can_tell_is_learned() -> None:
    # a block is main when the page's blocks are on average high in the first feature, whatever its own is
    random = np.random.RandomState(4)

    def page() -> Lesson:
        size = int(random.randint(6, 14))
        high = bool(random.rand() > 0.5)
        values = random.randn(size, 6).astype(np.float32)
        values[:, 0] += 1.5 if high else -1.5
        # the second feature tells main from not, the other way round on low pages
        main = (values[:, 1] > 0) == high
        tokens = np.full(size, 10, dtype=np.float32)
        return Lesson(values, around_of(random, size, tokens), main.astype(np.float32), tokens)

    net = train_network([page() for _ in range(150)], Schooling(width=16, epochs=30, drop=0.05, drop_features=0.0))
    asked = [page() for _ in range(40)]
    right = [(net.scores(each.values, each.around) > 0) == (each.main > 0) for each in asked]
    assert np.concatenate(right).mean() > 0.85


def test_training_is_the_same_each_time() -> None:
    def weights() -> np.ndarray:
        random = np.random.RandomState(1)
        lessons = [lesson(random, size) for size in (7, 12, 5)]
        return train_network(lessons, Schooling(width=5, epochs=2)).weights["out"]

    assert np.array_equal(weights(), weights())
