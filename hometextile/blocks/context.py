"""The second look: what the first look said of the blocks around a block.

Columns are computed from the first look's probabilities: the neighbours', the mean over blocks that look alike, over
each ancestor, over the section under the last heading, and where the page's cut lies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hometextile.blocks.features import Floats, Ints, Spans, Table

_SHIFTS = (1, 2, 3)


def cut_by_expectation(probability: Floats, tokens: Floats) -> NDArray[np.bool_]:
    """The choice of blocks with the best expected F1 over tokens.

    The k likeliest blocks are chosen for the k that makes twice the expected hits over chosen plus expected main
    tokens largest.

    Args:
        probability: of being main, one a block.
        tokens: of each block.
    """
    chosen = np.zeros(len(probability), dtype=bool)
    if not len(probability):
        return chosen
    weight = np.maximum(tokens, 0.01)
    order = np.argsort(-probability, kind="stable")
    expected = probability * weight
    f1 = 2 * np.cumsum(expected[order]) / np.maximum(np.cumsum(weight[order]) + expected.sum(), 1e-9)
    chosen[order[: int(np.argmax(f1)) + 1]] = True
    return chosen


def logit(probability: Floats) -> Floats:
    """Log odds, cut at 0.2 per cent on either side."""
    safe = np.clip(probability, 0.002, 0.998)
    return np.asarray(np.log(safe / (1 - safe)))


def second_look(probability: Floats, table: Table, spans: Spans, node_first: Ints, node_last: Ints) -> Floats:
    """Columns for the second look.

    Args:
        probability: the first look's, one a block.
        table: the page's features.
        spans: its blocks.
        node_first, node_last: runs of every element of the outline, half open.

    Returns:
        one row a block.
    """
    size = len(probability)
    if not size:
        return np.zeros((0, width(table.up.shape[1])))
    score, tokens = logit(probability), table.tokens + 0.5
    columns = [score]
    for shift in _SHIFTS:
        before, after = np.full(size, -4.0), np.full(size, -4.0)
        if size > shift:
            before[shift:], after[:-shift] = score[:-shift], score[shift:]
        columns += [before, after]
    weighted = np.concatenate(([0.0], np.cumsum(probability * tokens)))
    total = np.concatenate(([0.0], np.cumsum(tokens)))
    index = np.arange(size)
    for reach in (5, 15):
        low, high = np.maximum(index - reach, 0), np.minimum(index + reach + 1, size)
        columns.append((weighted[high] - weighted[low]) / (total[high] - total[low]))
    back = table.signature
    columns.append((np.bincount(back, probability * tokens) / np.bincount(back, tokens))[back])
    columns.append((np.bincount(back, probability) / np.bincount(back))[back])
    for level in table.up.T:
        low = np.searchsorted(spans.first, node_first[level])
        high = np.maximum(np.searchsorted(spans.first, node_last[level]), low + 1)
        high = np.minimum(high, size)
        low = np.minimum(low, high - 1)
        inside = weighted[high] - weighted[low]
        columns.append(inside / (total[high] - total[low]))
        columns.append(inside / max(weighted[-1], 1e-9))
    chosen = cut_by_expectation(probability, table.tokens)
    cut = float(probability[chosen].min())
    columns.append(score - logit(np.array([cut])))
    columns.append(np.full(size, cut))
    columns.append(weighted[:-1] / max(weighted[-1], 1e-9))
    columns.append(np.full(size, weighted[-1] / total[-1]))
    best = int(np.argmax(probability * np.sqrt(tokens)))
    columns.append(np.sign(index - best) * np.log1p(np.abs(index - best)))
    columns.append(np.full(size, float((probability > 0.8).sum()) / size))
    return np.column_stack(columns)


def width(levels: int) -> int:
    """How many columns :func:`second_look` makes for *levels* ancestors."""
    return 1 + 2 * len(_SHIFTS) + 2 + 2 + 2 * levels + 6
