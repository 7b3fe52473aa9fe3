"""Which blocks are kept: lists and tables of facts are drawn together, then the cut with the best expected F1.

A regression over what is seen of a dozen cuts (how much they keep, how far apart, how many links) was tried in place of
the expectation: +.001 on 1,113 pages, within the noise, so it is not here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hometextile.blocks.context import cut_by_expectation
from hometextile.blocks.features import Floats, Table

Mask = NDArray[np.bool_]
#: How far a list's blocks are drawn to their mean.
_TOGETHER = 0.5
#: A group that holds more than this share of the page is no group.
_MOST = 0.6


def draw_together(probability: Floats, table: Table) -> Floats:
    """Probabilities of the blocks of one list, or one table of facts, drawn half-way to their mean.

    Args:
        probability: of each block.
        table: with ``group``, the number of the list that a block stands in, -1 for none.
    """
    inside = table.group >= 0
    if not inside.any():
        return probability
    tokens = table.tokens + 0.5
    _, back = np.unique(table.group[inside], return_inverse=True)
    back = back.ravel()
    weight = np.bincount(back, tokens[inside])
    mean = np.bincount(back, (probability * tokens)[inside]) / weight
    drawn = probability.copy()
    pull = np.where(weight < _MOST * tokens.sum(), _TOGETHER, 0.0)[back]
    drawn[inside] = (1 - pull) * probability[inside] + pull * mean[back]
    return drawn


def choose(probability: Floats, table: Table) -> Mask:
    """The blocks to keep: the cut with the best expected F1, after lists were drawn together.

    Args:
        probability: of being main, one a block.
        table: the page's features.
    """
    return cut_by_expectation(draw_together(probability, table), table.tokens)


def as_its_like(probability: Floats, table: Table) -> Floats:
    """The mean over all blocks that look like it: people give a level to a list, not to an entry of it.

    Args:
        probability: of each block.
        table: the page's features.
    """
    if not len(probability):
        return probability
    tokens = table.tokens + 0.5
    back = table.signature
    return np.asarray((np.bincount(back, probability * tokens) / np.bincount(back, tokens))[back])
