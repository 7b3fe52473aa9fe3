"""Training the levels from regions that people have labelled.

What a network sees of the lexicon is always what a lexicon said that had not read the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from hometextile.blocks.block import LEVELS
from hometextile.blocks.features import Floats, Ints, Table
from hometextile.blocks.kernel import CLIP
from hometextile.blocks.levels import Grouping, LevelLexicon, LevelModel, columns
from hometextile.blocks.lexicon import MARKS

_PARTS = 3
#: Words that stand on fewer pages are not weighed.
_LEAST_PAGES = 4
#: Smaller weights are left out of the file.
_LEAST_WEIGHT = 0.05


@dataclass
class LevelLesson:
    """A page to learn from.

    Attributes:
        values: what the second look sees, one row a block.
        table: of the blocks.
        probability: the first look's, by a machine that did not know the page.
        groups: the page's regions.
        level: of each region, -1 where nobody said it.
    """

    values: Floats
    table: Table
    probability: Floats
    groups: Grouping
    level: Ints


@dataclass
class LevelSchooling:
    """How much is trained.

    Attributes:
        networks: how many.
        width: of their hidden layer.
        decay: of weights.
        epochs: how often every region is seen.
        seed: of everything random.
    """

    networks: int = 4
    width: int = 48
    decay: float = 0.3
    epochs: int = 8
    seed: int = 0


def levels_of_groups(level: Ints, groups: Grouping) -> Ints:
    """The level of each region: that of most of its tokens; -1 where no block has one.

    Args:
        level: of each block, -1 for none.
        groups: the regions.
    """
    votes = np.zeros((len(groups), len(LEVELS)))
    said = level[groups.block]
    known = said >= 0
    np.add.at(votes, (groups.region[known], said[known]), groups.weight[known])
    return np.where(votes.sum(axis=1) > 0, votes.argmax(axis=1), -1)


def without_layout(lesson: LevelLesson, said: Floats) -> Floats:
    """What the networks see of a page that nobody drew."""
    return columns(lesson.values, lesson.table, lesson.probability, lesson.groups, said)


def train_levels(
    lessons: Sequence[LevelLesson],
    schooling: LevelSchooling | None = None,
    *,
    view: Callable[[Any, Floats], Floats] = without_layout,
    parts: Sequence[int] | None = None,
) -> LevelModel:
    """Train the levels.

    Args:
        lessons: pages with one region or more.
        schooling: how much.
        view: what the networks see of a page, given what the lexicon says of its regions.
        parts: a number for each page, those of one number in one part: what is seen of the lexicon is what one says
            that has not read this part; None: the pages take turns.
    """
    how = schooling or LevelSchooling()
    parts = list(range(len(lessons))) if parts is None else parts
    parts = [part for page, part in zip(lessons, parts, strict=True) if len(page.groups)]
    lessons = [page for page in lessons if len(page.groups)]
    sizes = [len(page.groups) for page in lessons]
    turn = np.repeat(np.array(parts, dtype=np.int64) % _PARTS, sizes)
    level = np.concatenate([each.level for each in lessons])
    words, bags = _bags(lessons)
    lexicon = _lexicon(words, bags, level)
    said = np.zeros((len(level), len(LEVELS)))
    for part in range(_PARTS):
        mine = turn == part
        said[mine] = _scores(*_fit(bags, np.where(mine, -1, level)), bags[mine])
    ends = np.cumsum(sizes)
    rows = [view(each, said[end - size : end]) for each, size, end in zip(lessons, sizes, ends.tolist(), strict=True)]
    known = level >= 0
    networks = _networks(np.concatenate(rows)[known], level[known], how)
    return LevelModel(lexicon, networks)


def _bags(lessons: Sequence[LevelLesson]) -> tuple[list[str], csr_matrix]:
    """The vocabulary, and the regions as rows: see :meth:`hometextile.blocks.levels.LevelLexicon.scores`."""
    spread: Counter[str] = Counter()
    rows: list[dict[str, float]] = []
    for page in lessons:
        mine: list[dict[str, float]] = [{} for _ in range(len(page.groups))]
        groups = page.groups
        share = groups.weight / groups.sums(groups.weight)[groups.region]
        for block, region, part in zip(groups.block.tolist(), groups.region.tolist(), share.tolist(), strict=True):
            entry, row = page.table.words[block], mine[region]
            for word in [*(MARKS["own"] + w for w in entry.own), *(MARKS["around"] + w for w in entry.around)]:
                row[word] = row.get(word, 0.0) + part
            for word in [*(MARKS["text"] + w for w in entry.text), *(MARKS["heading"] + w for w in entry.heading)]:
                row[word] = 1.0
        spread.update({word for row in mine for word in row})
        rows.extend(mine)
    words = sorted(word for word, count in spread.items() if count >= _LEAST_PAGES)
    number = {word: at for at, word in enumerate(words)}
    data, indices, ends = [], [], [0]
    for row in rows:
        for word, value in row.items():
            if word in number:
                indices.append(number[word])
                data.append(value)
        ends.append(len(indices))
    return words, csr_matrix((data, indices, ends), shape=(len(rows), len(words)))


def _fit(bags: csr_matrix, level: Ints) -> tuple[Floats, Floats]:
    """Weights (words by levels) and biases by logistic regression, one level against the rest."""
    from sklearn.linear_model import SGDClassifier

    known = level >= 0
    weights, bias = np.zeros((bags.shape[1], len(LEVELS))), np.zeros(len(LEVELS))
    for number in range(len(LEVELS)):
        target = level[known] == number
        if target.all() or not target.any():
            bias[number] = 2.0 if target.any() else -2.0
            continue
        model = SGDClassifier(loss="log_loss", alpha=3e-5, max_iter=8, tol=None, average=True, random_state=0)
        model.fit(bags[known], target)
        weights[:, number], bias[number] = model.coef_.ravel(), model.intercept_[0]
    return weights, bias


def _scores(weights: Floats, bias: Floats, bags: csr_matrix) -> Floats:
    return np.asarray(bags @ weights + bias, dtype=float)


def _lexicon(words: Sequence[str], bags: csr_matrix, level: Ints) -> LevelLexicon:
    weights, bias = _fit(bags, level)
    kept = np.flatnonzero(np.abs(weights).max(axis=1, initial=0.0) > _LEAST_WEIGHT)
    return LevelLexicon([words[row] for row in kept.tolist()], np.round(weights[kept], 3), bias)


def _networks(rows: Floats, level: Ints, how: LevelSchooling) -> list[dict[str, NDArray[Any]]]:
    from sklearn.neural_network import MLPClassifier

    mean, scale = rows.mean(axis=0), 1 / (rows.std(axis=0) + 1e-6)
    taken = np.clip((rows - mean) * scale, -CLIP, CLIP)
    # every level has a column in the answer, whichever of them were seen
    seen = np.concatenate([taken, np.zeros((len(LEVELS), taken.shape[1]))])
    target = np.concatenate([level, np.arange(len(LEVELS))])
    networks = []
    for seed in range(how.seed, how.seed + how.networks):
        model = MLPClassifier(
            (how.width,),
            alpha=how.decay,
            max_iter=how.epochs,
            n_iter_no_change=how.epochs,
            batch_size=min(128, len(seen)),
            learning_rate_init=2e-3,
            random_state=seed,
        )
        _quietly(model, seen, target)
        arrays = {
            "mean": mean,
            "scale": scale,
            "in": model.coefs_[0],
            "in_bias": model.intercepts_[0],
            "out": model.coefs_[1],
            "out_bias": model.intercepts_[1],
        }
        networks.append({name: np.asarray(value, dtype=np.float32) for name, value in arrays.items()})
    return networks


def _quietly(model: Any, rows: Floats, target: Ints) -> None:
    """Fit; that the number of rounds is ours and not the solver's to choose is no warning."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(rows, target)
