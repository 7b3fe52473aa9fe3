"""Rating the blocks of a drawn page: by the runs in them, and with what was learned from drawn pages.

The importance model has learned from runs of pages without a layout. A block of VIPS is larger than a run: a header is
one block, and no run that the model has seen is like it. So the model is asked for the runs that the blocks hold (what
no block holds is out of sight), and a block is what its runs are, each by its tokens. Beside it stand an SVM for the
text, main against the rest, the mean of both counting, and networks for the levels of regions
(:mod:`hometextile.blocks.sight_levels`); they were trained on drawn pages, with the boxes that a browser gave.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hometextile.blocks.block import LEVELS, Block
from hometextile.blocks.choosing import as_its_like
from hometextile.blocks.context import cut_by_expectation
from hometextile.blocks.features import WINDOW, Floats, Ints, Spans, Table
from hometextile.blocks.importance import ImportanceModel
from hometextile.blocks.kernel import TRUSTED, KernelMachine
from hometextile.blocks.levels import MAIN
from hometextile.blocks.looks import looks
from hometextile.blocks.outline import Outline, outline
from hometextile.blocks.sight_levels import SightLevels
from hometextile.blocks.spans import owners, spans_of
from hometextile.page.document import Document
from hometextile.page.layout import Layout, layout_of
from hometextile.text.faults import Fault
from hometextile.text.messages import _

_NOTHING = (0.0, 0.0, 0.0, 0.0)
#: On a page that is a program's for certain: the share of the networks for levels in the levels, and in the text.
_OF_LEVELS, _OF_TEXT = 0.8, 0.4


@dataclass
class SightModel:
    """What was learned from drawn pages.

    Attributes:
        main: main against the rest.
        levels: of regions; None where no page with levels was learned from: the importance model's word counts then.
        names: the columns of the features that they see, in order; :func:`spatial` stands behind them.
        card: what it was trained on, versions.
    """

    main: KernelMachine
    levels: SightLevels | None
    names: list[str]
    card: dict[str, Any] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Write the model (skops) and its card (JSON, beside it)."""
        from skops.io import dump

        content = {
            "main": self.main.content(),
            "levels": None if self.levels is None else self.levels.content(),
            "names": self.names,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        dump(content, path, compresslevel=9, compression=8)
        path.with_suffix(".json").write_text(json.dumps(self.card, indent=1, ensure_ascii=False) + "\n", "utf-8")


def values_of(table: Table, spans: Spans, names: Sequence[str]) -> Floats:
    """What the machines see of some runs: columns of the features, and :func:`spatial`."""
    return np.hstack([table.columns(list(names)), spatial(spans)])


def spatial(spans: Spans) -> Floats:
    """Six columns, one row a run: left edge and width by the page's width, top by its height, height, and how far it is
    from the page's upper and lower end, in windows."""
    x, y, width, height = (spans.box[:, i] for i in range(4))
    page_width, page_height = max(spans.page[0], 1.0), max(spans.page[1], 1.0)
    below = np.clip(page_height - y - height, 0, WINDOW)
    near = np.clip(y, 0, WINDOW)
    tall = np.log1p(np.maximum(height, 0)) / 5
    columns = (x / page_width, y / page_height, width / page_width, tall, near / WINDOW, below / WINDOW)
    return np.column_stack(columns)


def runs_in_sight(out: Outline, spans: Spans, layout: Layout) -> tuple[Ints, Spans]:
    """The runs that some blocks hold, each with the box of its element.

    Args:
        out: the page's outline.
        spans: the blocks.
        layout: the page's layout.

    Returns:
        their numbers, and the runs as spans.
    """
    seen = np.flatnonzero(owners(spans, len(out.runs)) >= 0)
    nodes = np.array([out.runs[run].node for run in seen], dtype=np.int64)
    boxes = [layout.box(out.elements[node]) or _NOTHING for node in nodes.tolist()]
    box = np.array(boxes, dtype=float).reshape(len(seen), 4)
    return seen, Spans(nodes, seen, seen + 1, box, (layout.page_width, layout.page_height))


def rate_blocks(
    blocks: Sequence[Block], document: Document, model: ImportanceModel, *, sight: SightModel | None = None
) -> None:
    """Set ``level``, ``chosen`` and ``score`` of the blocks of a page, by sight where it was drawn.

    Args:
        blocks: from :func:`hometextile.blocks.segment.segment`.
        document: their page.
        model: the importance model.
        sight: what was learned from drawn pages; None: the shipped one.
    """
    layout = layout_of(document) if any(block.doc is not None for block in blocks) else None
    if layout is None:
        model.rate(blocks, document)
        return
    out = outline(document)
    ratings = by_sight(out, spans_of(blocks, out), layout, model, sight or shipped_sight())
    for block, main, levels, chosen in zip(blocks, *ratings, strict=True):
        block.score = round(float(main), 4)
        block.chosen = bool(chosen)
        block.level = LEVELS[MAIN if chosen else int(levels.argmax())]


def by_sight(
    out: Outline, spans: Spans, layout: Layout, model: ImportanceModel, sight: SightModel, *, partner: bool = True
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Probability of standing in the text, of each level, and which blocks the text takes; one row a block.

    Args:
        out: the page's outline.
        spans: its blocks.
        layout: its layout.
        model: the importance model.
        sight: what was learned from drawn pages.
        partner: whether the importance model's partners have a say.
    """
    seen, runs = runs_in_sight(out, spans, layout)
    if not len(seen):
        return np.zeros(len(spans)), np.zeros((len(spans), len(LEVELS))), np.zeros(len(spans), dtype=bool)
    rating = model.judge(out, runs, partner=partner)
    values = values_of(rating.table, runs, sight.names)
    drawn = as_its_like(sight.main.probability(values), rating.table)
    text, levels = (rating.main + drawn) / 2, rating.levels
    if sight.levels is not None:
        said, share = sight.levels.judge(out, runs, rating.table, (values, looks(out, layout)[seen]))
        levels = levels + _OF_LEVELS * share * (said - levels)
        text = text + _OF_TEXT * share**2 * (said[:, MAIN] - text)
    weight = np.zeros(len(out.runs))
    weight[seen] = rating.table.tokens + 0.1
    inside = np.maximum(_sums(weight, spans), 1e-9)

    def over_blocks(values: Floats) -> Floats:
        everywhere = np.zeros(len(out.runs))
        everywhere[seen] = values
        return _sums(everywhere * weight, spans) / inside

    main = over_blocks(text)
    return main, np.column_stack([over_blocks(column) for column in levels.T]), cut_by_expectation(main, inside)


def _sums(values: Floats, spans: Spans) -> Floats:
    """Sums of values of runs over each block."""
    total = np.concatenate(([0.0], np.cumsum(values)))
    return np.asarray(total[spans.last] - total[spans.first])


@lru_cache(maxsize=1)
def shipped_sight() -> SightModel:
    """The shipped model."""
    return read_sight(files("hometextile.blocks").joinpath("models", "sight.skops"))


def read_sight(resource: Traversable | Path) -> SightModel:
    """A model file.

    Raises:
        Fault: it is none of ours.
    """
    from zipfile import BadZipFile

    from skops.io import loads
    from skops.io.exceptions import UntrustedTypesFoundException

    try:
        content = loads(resource.read_bytes(), trusted=TRUSTED)
        levels = None if content["levels"] is None else SightLevels.of_content(content["levels"])
        return SightModel(KernelMachine.of_content(content["main"]), levels, list(content["names"]))
    except (OSError, BadZipFile, KeyError, IndexError, TypeError, ValueError, UntrustedTypesFoundException) as error:
        raise Fault(
            _("this is not a model of drawn pages, or one of another version"),
            file=str(resource),
            remedy=_("train one with `scrapy blocks train --rendered FOLDER`"),
        ) from error
