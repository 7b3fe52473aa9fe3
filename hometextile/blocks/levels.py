"""Which level a person would give: main, related or noise, region by region.

A person draws a box around a menu, a text, a group of cards and gives the box a level, not its words one by one. So a
region (:mod:`hometextile.blocks.regions`) is what is judged: by the mean of its blocks' features, by what the first
look said of them, by where it stands among the page's regions, and by a lexicon of three classes over its words and
those of its neighbours. Small networks of one hidden layer, trained on people's labels, have the say; an RBF SVM on the
same columns does a little worse (docs/blocks.md).
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hometextile.blocks.block import LEVELS
from hometextile.blocks.choosing import choose
from hometextile.blocks.context import logit
from hometextile.blocks.features import Floats, Ints, Spans, Table
from hometextile.blocks.kernel import clip
from hometextile.blocks.lexicon import MARKS
from hometextile.blocks.outline import Outline
from hometextile.blocks.regions import ranges
from hometextile.blocks.spans import owners
from hometextile.blocks.words import Words

NOISE, RELATED, MAIN = (LEVELS.index(level) for level in ("noise", "related", "main"))
_STEPS = (-2, -1, 1, 2)


@dataclass
class Grouping:
    """The regions of a page over its blocks.

    Attributes:
        block: for each run that a block holds, which block; runs in document order.
        start: where each region begins among these runs.
        region: region of each of these runs.
        weight: tokens of each of these runs, a tenth more.
    """

    block: Ints
    start: Ints
    region: Ints
    weight: Floats

    def __len__(self) -> int:
        return len(self.start)

    def sums(self, values: NDArray[Any]) -> Floats:
        """Sums of a value of the runs, one row a region."""
        return np.asarray(np.add.reduceat(values, self.start, axis=0), dtype=float)

    def means(self, values: NDArray[Any]) -> Floats:
        """Means of the blocks' rows over each region, by tokens."""
        share = self.weight / self.sums(self.weight)[self.region]
        rows = values[self.block]
        return self.sums(rows * (share[:, None] if rows.ndim > 1 else share))

    def places(self) -> tuple[Floats, ...]:
        """How much each region holds and where it stands among the others, one value a region in each column: runs,
        tokens (logarithms), share of the tokens; place by their number, from the first, from the last, their number."""
        size = len(self)
        order = np.arange(size)
        tokens = self.sums(self.weight)
        return (
            np.log1p(self.sums(np.ones(len(self.block)))),
            np.log1p(tokens),
            tokens / tokens.sum(),
            order / size,
            np.log1p(order),
            np.log1p(size - 1 - order),
            np.full(size, np.log1p(size)),
        )


def grouping(out: Outline, spans: Spans) -> Grouping:
    """The regions of a page that hold any of its blocks.

    Args:
        out: the page's outline.
        spans: its blocks.
    """
    cuts = ranges(out)
    owner = owners(spans, len(out.runs))
    of_run = np.repeat(np.arange(len(cuts)), [last - first for first, last in cuts])
    held = np.flatnonzero(owner >= 0)
    _, start, region = np.unique(of_run[held], return_index=True, return_inverse=True)
    return Grouping(owner[held], start, region.ravel(), out.tokens[held] + 0.1)


class LevelLexicon:
    """Weights of words for each level.

    Args:
        words: marked as in :mod:`hometextile.blocks.lexicon`.
        weights: one row a word, one column a level.
        bias: of each level.
    """

    def __init__(self, words: Sequence[str], weights: NDArray[Any], bias: NDArray[Any]) -> None:
        self.words = list(words)
        self.weights = np.asarray(weights, dtype=np.float32)
        self.bias = np.asarray(bias, dtype=np.float32)
        self._rows: dict[str, dict[str, int]] = {part: {} for part in MARKS}
        for row, word in enumerate(self.words):
            for part, mark in MARKS.items():
                if word.startswith(mark):
                    self._rows[part][word[len(mark) :]] = row

    def scores(self, words: Sequence[Words], groups: Grouping) -> Floats:
        """Log odds of each level, one row a region.

        Names count by the share of the region's tokens that they stand over, words of the text and of the heading once.
        """
        # like elements share their bags, see :class:`hometextile.blocks.words.WordReader`: each is looked up once
        number: dict[tuple[str, int], int] = {}
        bags: list[list[int]] = []

        def bag_of(part: str, bag: Collection[str]) -> int:
            found = number.get((part, id(bag)))
            if found is None:
                found = number[part, id(bag)] = len(bags)
                bags.append(self._found(part, bag))
            return found

        own = [bag_of("own", entry.own) for entry in words]
        around = [bag_of("around", entry.around) for entry in words]
        ends = [*groups.start[1:].tolist(), len(groups.block)]
        for first, last in zip(groups.start.tolist(), ends, strict=True):
            inside = [words[block] for block in dict.fromkeys(groups.block[first:last].tolist())]
            text = self._found("text", frozenset().union(*[each.text for each in inside]))
            bags.append(text + self._found("heading", frozenset().union(*[each.heading for each in inside])))
        sums = self._sums(bags)
        return groups.means(sums[own] + sums[around]) + sums[len(bags) - len(groups) :] + self.bias

    def _found(self, part: str, bag: Collection[str]) -> list[int]:
        rows = self._rows[part]
        return [rows[word] for word in bag if word in rows]

    def _sums(self, bags: Sequence[Sequence[int]]) -> Floats:
        """Sums of the weights of rows, one row a bag."""
        flat = np.fromiter(itertools.chain.from_iterable(bags), dtype=np.int64)
        total = np.zeros((len(flat) + 1, len(self.bias)))
        np.cumsum(self.weights[flat], axis=0, out=total[1:])
        ends = np.cumsum([len(bag) for bag in bags])
        return np.asarray(np.diff(total[np.concatenate(([0], ends))], axis=0))


def columns(values: Floats, table: Table, probability: Floats, groups: Grouping, said: Floats) -> Floats:
    """What the networks see of the regions of one page.

    Args:
        values: what the second look sees, one row a block.
        table: of the blocks.
        probability: the first look's, one a block.
        groups: the regions.
        said: the lexicon's scores, one row a region.
    """
    size = len(groups)
    order = np.arange(size)
    mean = groups.means(probability)
    score = logit(mean)
    each = logit(probability)[groups.block]
    chosen = groups.means(choose(probability, table).astype(float))
    taken = np.flatnonzero(chosen > 0.5)
    first, last = (taken[0], taken[-1]) if len(taken) else (0, 0)
    own = (
        mean,
        score,
        np.maximum.reduceat(each, groups.start),
        np.minimum.reduceat(each, groups.start),
        chosen,
        *groups.places(),
        *(moved(score, step, -4.0) for step in _STEPS),
        np.sign(order - first) * np.log1p(np.abs(order - first)),
        np.sign(order - last) * np.log1p(np.abs(order - last)),
        ((order >= first) & (order <= last)).astype(float),
    )
    beside = [moved(said, step, 0.0) for step in _STEPS]
    whole = np.broadcast_to(said.mean(axis=0), said.shape)
    return np.hstack([groups.means(values), np.column_stack(own), said, *beside, whole])


def moved(values: Floats, step: int, empty: float) -> Floats:
    """Each row's neighbour *step* rows on."""
    moved = np.full_like(values, empty)
    if abs(step) < len(values):
        if step > 0:
            moved[:-step] = values[step:]
        else:
            moved[-step:] = values[:step]
    return moved


@dataclass
class LevelModel:
    """Levels of regions.

    Attributes:
        lexicon: of three classes.
        networks: arrays by name: ``mean``, ``scale``, ``in``, ``in_bias``, ``out``, ``out_bias``; the mean of all
            networks counts.
    """

    lexicon: LevelLexicon
    networks: list[dict[str, NDArray[Any]]]

    def judge(self, out: Outline, spans: Spans, table: Table, values: Floats, probability: Floats) -> Floats:
        """Probability of each level, one row a block, one column for each of ``LEVELS``.

        Args:
            out: the page's outline.
            spans: its blocks, one or more.
            table: their features.
            values: what the second look sees of them.
            probability: what the first look said.
        """
        groups = grouping(out, spans)
        levels = np.zeros((len(spans), len(LEVELS)))
        levels[:, NOISE] = 1.0
        if not len(groups):
            return levels
        said = self.lexicon.scores(table.words, groups)
        found = self.of_regions(columns(values, table, probability, groups, said))
        weight = np.bincount(groups.block, groups.weight, minlength=len(spans))
        held = weight > 0
        for level in range(len(LEVELS)):
            total = np.bincount(groups.block, groups.weight * found[groups.region, level], minlength=len(spans))
            levels[held, level] = total[held] / weight[held]
        return levels

    def of_regions(self, rows: Floats) -> Floats:
        """Probability of each level, one row a region."""
        total = np.zeros((len(rows), len(LEVELS)))
        for network in self.networks:
            hidden = clip((rows.astype(np.float32) - network["mean"]) * network["scale"]) @ network["in"]
            scores = np.maximum(hidden + network["in_bias"], 0) @ network["out"] + network["out_bias"]
            scores = np.exp(scores - scores.max(axis=1, keepdims=True))
            total += scores / scores.sum(axis=1, keepdims=True)
        return total / len(self.networks)

    def content(self) -> dict[str, Any]:
        """What a model file keeps of it."""
        lexicon = self.lexicon
        return {
            "words": "\n".join(lexicon.words),
            "weights": lexicon.weights,
            "bias": lexicon.bias,
            "networks": self.networks,
        }

    @classmethod
    def of_content(cls, content: dict[str, Any]) -> LevelModel:
        """From what a model file kept."""
        words = content["words"].split("\n") if content["words"] else []
        return cls(LevelLexicon(words, content["weights"], content["bias"]), list(content["networks"]))
