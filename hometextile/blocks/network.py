"""A small network over the blocks of a page: each block is judged with what stands around it.

The SVM looks at a block and at a handful of sums of what it said before. Whether a card, a comment or a disclaimer is
main depends on the whole page: on what its neighbours, its look-alikes and every box that holds it are like. Each layer
gives a block the states of the two blocks before and after it and the mean states of the five boxes around it, of the
blocks that look like it, and of the page (message passing over the page's tree; Gilmer and others, ICML 2017). It is
asked with numpy alone; :mod:`hometextile.blocks.network_training` trains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from hometextile.blocks.features import LEVELS_UP, Ints, Spans, Table
from hometextile.blocks.kernel import clip, sigmoid

Singles = NDArray[np.float32]

#: Steps to the neighbours that a layer sees.
SHIFTS = (-2, -1, 1, 2)
#: What a block looks at: its boxes, its look-alikes, the page by tokens and by blocks.
LOOKS = LEVELS_UP + 3
_TINY = 1e-5


@dataclass
class Surroundings:
    """What stands around the blocks of one page, or of several.

    Attributes:
        pool: boxes, sorts of look-alikes and pages as rows, blocks as columns; a row sums to 1.
        at: for each block the rows that it looks at: five boxes, its look-alikes, the page by tokens and by blocks.
        page: number of the page of each block.
    """

    pool: csr_matrix
    at: Ints
    page: Ints

    @cached_property
    def looks(self) -> list[tuple[Ints, Ints]]:
        """For each column of ``at`` its rows, each once, and where each block finds its own among them."""
        found = []
        for column in self.at.T:
            rows, back = np.unique(column, return_inverse=True)
            found.append((rows, back.ravel()))
        return found


def surroundings(table: Table, spans: Spans, node_first: Ints, node_last: Ints) -> Surroundings:
    """What stands around the blocks of a page.

    Args:
        table: the page's features.
        spans: its blocks, one or more.
        node_first, node_last: runs of every element of the outline, half open.
    """
    size = len(spans)
    weight = (table.tokens + 0.5).astype(np.float32)
    low = np.searchsorted(spans.first, node_first[table.up])
    high = np.minimum(np.maximum(np.searchsorted(spans.first, node_last[table.up]), low + 1), size)
    low = np.minimum(low, high - 1)
    boxes, at_box = np.unique(low * (size + 1) + high, return_inverse=True)
    low, high = boxes // (size + 1), boxes % (size + 1)
    lengths = high - low
    inside = np.repeat(low - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths) + np.arange(lengths.sum())
    kinds = np.bincount(table.signature)
    order = np.argsort(table.signature, kind="stable")
    columns = np.concatenate((inside, order, np.arange(size), np.arange(size)))
    data = np.concatenate((weight[columns[:-size]], np.ones(size, dtype=np.float32)))
    ends = np.concatenate((lengths, kinds, [size, size])).cumsum()
    pointers = np.concatenate(([0], ends))
    sums = np.add.reduceat(data, pointers[:-1])
    data /= np.repeat(sums, np.diff(pointers))
    pool = csr_matrix((data, columns, pointers), shape=(len(ends), size))
    rows = len(boxes) + len(kinds)
    at = np.column_stack(
        (
            at_box.reshape(table.up.shape),
            len(boxes) + table.signature,
            np.full(size, rows),
            np.full(size, rows + 1),
        )
    )
    return Surroundings(pool, at.astype(np.int64), np.zeros(size, dtype=np.int64))


def together(pages: Sequence[Surroundings]) -> Surroundings:
    """The surroundings of several pages as one."""
    columns, rows, at, data, pointers = 0, 0, [], [], [np.zeros(1, dtype=np.int64)]
    indices, page = [], []
    ends = 0
    for number, each in enumerate(pages):
        indices.append(each.pool.indices + columns)
        data.append(each.pool.data)
        pointers.append(each.pool.indptr[1:].astype(np.int64) + ends)
        at.append(each.at + rows)
        page.append(np.full(len(each.page), number, dtype=np.int64))
        ends += each.pool.nnz
        columns += each.pool.shape[1]
        rows += each.pool.shape[0]
    pool = csr_matrix((np.concatenate(data), np.concatenate(indices), np.concatenate(pointers)), shape=(rows, columns))
    return Surroundings(pool, np.concatenate(at), np.concatenate(page))


def shifted(state: Singles, step: int, page: Ints) -> Singles:
    """Each row's neighbour *step* rows on, nought where that is another page or none."""
    moved = np.zeros_like(state)
    if abs(step) < len(state):
        if step > 0:
            moved[:-step] = state[step:] * (page[step:] == page[:-step])[:, None]
        else:
            moved[-step:] = state[:step] * (page[:step] == page[-step:])[:, None]
    return moved


def normalised(rows: Singles) -> tuple[Singles, Singles]:
    """Rows with mean 0 and deviation 1, and one over the deviations."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    scale = 1 / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + _TINY)
    return centred * scale, scale


class Network:
    """A trained network.

    Args:
        weights: arrays by name: ``mean`` and ``scale`` of the features; ``in`` (features by width); for each layer
            ``own``, ``near`` (one matrix a step of :data:`SHIFTS`), ``around`` (one a column of ``Surroundings.at``);
            ``out``; for each of them a bias and gain where it has one.
    """

    def __init__(self, weights: dict[str, Singles]) -> None:
        self.weights = {name: np.asarray(value, dtype=np.float32) for name, value in weights.items()}
        self.layers = sum(name.startswith("own") for name in weights)

    def standardised(self, values: NDArray[Any]) -> Singles:
        """Features as the network takes them."""
        w = self.weights
        return clip((values.astype(np.float32) - w["mean"]) * w["scale"])

    def scores(self, values: NDArray[Any], around: Surroundings) -> Singles:
        """Log odds of main, one a block.

        Args:
            values: features, one row a block.
            around: of the same blocks.
        """
        w = self.weights
        taken = normalised(self.standardised(values) @ w["in"] + w["in_bias"])[0]
        state = np.maximum(taken * w["in_gain"] + w["in_shift"], 0)
        for layer in range(self.layers):
            fresh = normalised(self.gathered(layer, state, around))[0] * w[f"gain{layer}"] + w[f"shift{layer}"]
            state = state + np.maximum(fresh, 0)
        return np.asarray(state @ w["out"] + w["out_bias"]).ravel()

    def probability(self, values: NDArray[Any], around: Surroundings) -> NDArray[np.float64]:
        """Probability of main, one a block; see :meth:`scores`."""
        return np.asarray(sigmoid(self.scores(values, around)), dtype=float)

    def gathered(self, layer: int, state: Singles, around: Surroundings) -> Singles:
        """The sums that a layer makes of a block's state and of what stands around it."""
        w = self.weights
        total = state @ w[f"own{layer}"] + w[f"bias{layer}"]
        for step, matrix in zip(SHIFTS, w[f"near{layer}"], strict=True):
            total += shifted(state @ matrix, step, around.page)
        pooled = np.asarray(around.pool @ state)
        for (rows, back), matrix in zip(around.looks, w[f"around{layer}"], strict=True):
            total += (pooled[rows] @ matrix)[back]
        return total
