"""Which blocks are kept: the cut that promises the best F1 for the page.

Blocks of one list or one table of facts are drawn together first. Then a dozen cuts, and the one with the best
expected F1, are looked at as a whole (how much they keep, how far apart, how many links, how sure), and a regression
learned on pages that no model had seen says which of them is likely to be the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingRegressor

from hometextile.blocks.context import cut_by_expectation
from hometextile.blocks.features import Floats, Table

Mask = NDArray[np.bool_]
CUTS = (0.04, 0.08, 0.12, 0.18, 0.25, 0.33, 0.42, 0.5, 0.6, 0.7, 0.8)
_PAGE = (
    "page_tokens",
    "page_runs",
    "page_mean",
    "page_links",
    "page_long",
    "page_images",
    "page_prices",
    "page_dates",
    "page_cjk",
    "page_stops",
)
#: How far a list's blocks are drawn to their mean.
_TOGETHER = 0.5
#: A group that holds more than this share of the page is no group.
_MOST = 0.6
#: What the cut by expectation is given ahead: it is the one that is right when nothing speaks against it.
_AHEAD = 0.015


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


def candidates(probability: Floats, table: Table) -> tuple[list[Mask], Floats]:
    """The choices there are (the last is the cut by expectation), and what is seen of each."""
    masks = [probability > cut for cut in CUTS]
    masks.append(cut_by_expectation(probability, table.tokens))
    tokens = np.maximum(table.tokens, 0.01)
    total, expected = tokens.sum(), float((probability * tokens).sum())
    column = {name: number for number, name in enumerate(table.names)}
    links = table.values[:, column["link_share"]] * tokens
    stops = table.values[:, column["stops_a_token"]] * tokens
    unsure = float((probability * (1 - probability) * tokens).sum()) / max(expected, 1e-9)
    page = [float(table.values[0, column[name]]) for name in _PAGE]
    page += [expected / total, float(probability.max()), unsure, float(np.log1p(expected))]
    rows = []
    for cut, mask in zip((*CUTS, -1.0), masks, strict=True):
        at = np.flatnonzero(mask)
        if not len(at):
            rows.append([cut] + [0.0] * 14 + page)
            continue
        kept, hit = tokens[mask].sum(), float((probability * tokens)[mask].sum())
        pieces = int((np.diff(at) > 1).sum()) + 1
        rows.append(
            [
                cut,
                2 * hit / (kept + expected),
                hit / kept,
                hit / max(expected, 1e-9),
                kept / total,
                np.log1p(kept),
                np.log1p(len(at)),
                links[mask].sum() / kept,
                stops[mask].sum() / kept,
                float(probability[mask].min()),
                pieces / len(at),
                np.log1p(pieces),
                kept / tokens[at[0] : at[-1] + 1].sum(),
                at[0] / len(mask),
                at[-1] / len(mask),
                *page,
            ]
        )
    return masks, np.array(rows, dtype=np.float32)


def fit_chooser(seen: Sequence[Floats], f1: Sequence[Sequence[float]]) -> Any:
    """The regression of F1 on what is seen of a choice.

    Args:
        seen: for each page, the rows of :func:`candidates`.
        f1: for each page, the true F1 of each choice.
    """
    model = HistGradientBoostingRegressor(
        max_iter=120,
        learning_rate=0.06,
        max_leaf_nodes=12,
        min_samples_leaf=40,
        l2_regularization=10.0,
        early_stopping=False,
        random_state=0,
    )
    model.fit(np.concatenate(seen), np.concatenate([np.asarray(row, dtype=float) for row in f1]))
    return model


def choose(probability: Floats, table: Table, chooser: Any = None) -> Mask:
    """The blocks to keep.

    Args:
        probability: of being main, one a block.
        table: the page's features.
        chooser: from :func:`fit_chooser`; without one, the cut by expectation.
    """
    if not len(probability):
        return np.zeros(0, dtype=bool)
    drawn = draw_together(probability, table)
    if chooser is None:
        return cut_by_expectation(drawn, table.tokens)
    masks, rows = candidates(drawn, table)
    promise = chooser.predict(rows)
    promise[-1] += _AHEAD
    best = int(np.argmax(promise))
    return masks[best] if masks[best].any() else masks[-1]
