"""Levels of a drawn page's regions: as programs lay out their pages, and how far a page is one of a program.

People have labelled pages of the web, without a layout; what they say is in the importance model
(:mod:`hometextile.blocks.levels`). The pages of programs (wikis, forums, documentation, databases) are unlike them:
little noise, much text, long directories. Of such pages whole templates are labelled, drawn by a browser. Small
networks learn from these, region by region, with the boxes, fonts and colours that the browser gave. They are wrong on
pages of the web as the others are wrong on these, so a gate (logistic regression over what the page holds, not over
its boxes) says whose word counts how much.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hometextile.blocks.block import LEVELS
from hometextile.blocks.features import COLUMNS, WINDOW, Floats, Spans, Table
from hometextile.blocks.kernel import clip, sigmoid
from hometextile.blocks.levels import Grouping, LevelModel, grouping, moved
from hometextile.blocks.looks import LINKS
from hometextile.blocks.outline import Outline

#: Columns that come from boxes. The gate does not see them: pages that were saved are drawn without their styles.
_BOXES = frozenset(("x", "y", "width", "height", "y_page", "y_window"))
#: What the gate sees of a page: the means of these columns.
GATE = tuple(name for name in COLUMNS if name not in _BOXES)
#: Of what runs look like, what the regions beside one tell too: links, controls, wordless; all but two styles.
_BESIDE = (0, 3, 5, *range(len(LINKS), len(LINKS) + 4))


def columns(values: Floats, seen: Floats, spans: Spans, groups: Grouping, said: Floats) -> Floats:
    """What the networks see of the regions of one page.

    Args:
        values: features, one row a run.
        seen: what the runs look like (:func:`hometextile.blocks.looks.looks`), one row a run.
        spans: the runs, with their boxes.
        groups: the regions.
        said: the lexicon's scores, one row a region.
    """
    look = groups.means(seen)
    near = look[:, _BESIDE]
    beside = [moved(near, step, 0.0) for step in (-1, 1)] + [moved(said, step, 0.0) for step in (-2, -1, 1, 2)]
    whole = np.broadcast_to(said.mean(axis=0), said.shape)
    places = np.column_stack(groups.places())
    return np.hstack([groups.means(values), _hulls(spans, groups), places, look, said, *beside, whole])


def _hulls(spans: Spans, groups: Grouping) -> Floats:
    """Of the box around each region: left edge and width by the page's width, height, top by the page's height, and how
    far it is from the page's upper and lower end, in windows."""
    x, y, width, height = (spans.box[groups.block, at] for at in range(4))
    left, top = (np.minimum.reduceat(each, groups.start) for each in (x, y))
    right, bottom = (np.maximum.reduceat(each, groups.start) for each in (x + width, y + height))
    page_width, page_height = max(spans.page[0], 1.0), max(spans.page[1], 1.0)
    ends = [np.clip(each, 0, WINDOW) / WINDOW for each in (top, page_height - bottom)]
    tall = np.log1p(np.maximum(bottom - top, 0)) / 5
    return np.column_stack([left / page_width, (right - left) / page_width, tall, top / page_height, *ends])


def summary(table: Table) -> Floats:
    """What the gate sees of a page: means of :data:`GATE` over its runs, by tokens."""
    weight = table.tokens + 0.1
    return np.asarray(weight @ table.columns(list(GATE)) / weight.sum())


@dataclass
class Gate:
    """How far a page is one of a program.

    Attributes:
        mean, scale, weights: of :data:`GATE`.
        bias: added to the sum.
    """

    mean: NDArray[Any]
    scale: NDArray[Any]
    weights: NDArray[Any]
    bias: float

    def share(self, table: Table) -> float:
        """From 0 (a page of the web) to 1."""
        seen = clip((summary(table) - self.mean) * self.scale)
        return float(sigmoid(np.array([seen @ self.weights + self.bias]))[0])


@dataclass
class SightLevels:
    """Levels of drawn pages.

    Attributes:
        programs: lexicon and networks, trained on pages of programs.
        gate: how far a page is one of a program.
    """

    programs: LevelModel
    gate: Gate

    def judge(self, out: Outline, spans: Spans, table: Table, rows: tuple[Floats, Floats]) -> tuple[Floats, float]:
        """What the networks say, and how far they are to be heard.

        Args:
            out: the page's outline.
            spans: the runs in sight, one or more.
            table: their features.
            rows: features and looks of the runs, as :func:`columns` takes them.

        Returns:
            probability of each level, one row a run, one column for each of ``LEVELS``; the gate's share.
        """
        groups = grouping(out, spans)
        said = self.programs.lexicon.scores(table.words, groups)
        levels = np.zeros((len(spans), len(LEVELS)))
        levels[groups.block] = self.programs.of_regions(columns(*rows, spans, groups, said))[groups.region]
        return levels, self.gate.share(table)

    def content(self) -> dict[str, Any]:
        """What a model file keeps of it."""
        gate = {"mean": self.gate.mean, "scale": self.gate.scale, "weights": self.gate.weights, "bias": self.gate.bias}
        return {"programs": self.programs.content(), "gate": gate}

    @classmethod
    def of_content(cls, content: dict[str, Any]) -> SightLevels:
        """From what a model file kept."""
        return cls(LevelModel.of_content(content["programs"]), Gate(**content["gate"]))
