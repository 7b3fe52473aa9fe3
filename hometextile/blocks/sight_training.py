"""Training what is learned from drawn pages (:mod:`hometextile.blocks.sight`)."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hometextile.blocks.aligning import align
from hometextile.blocks.features import COLUMNS, Floats, Ints, Spans, Table, measure
from hometextile.blocks.kernel import KernelMachine, fit_calibration, fit_svm
from hometextile.blocks.labels import levels_of_runs, page_id, read_labels
from hometextile.blocks.learning import digest, read_index, read_page, site_of, versions, votes_by_page
from hometextile.blocks.level_training import levels_of_groups
from hometextile.blocks.levels import MAIN, Grouping, grouping
from hometextile.blocks.looks import looks
from hometextile.blocks.outline import outline
from hometextile.blocks.segment import segment
from hometextile.blocks.sight import SightModel, runs_in_sight, values_of
from hometextile.blocks.sight_level_training import SightLesson, fit_sight_levels
from hometextile.blocks.sight_levels import SightLevels
from hometextile.blocks.spans import spans_of
from hometextile.page.document import Document
from hometextile.page.layout import layout_of
from hometextile.text.faults import Fault
from hometextile.text.messages import _

#: Runs that are learned from.
ROWS = 6_000
#: Parts of the sites: the machines are calibrated on those that their twins have not seen.
PARTS = 4


@dataclass
class DrawnPage:
    """The runs in sight of one page.

    Attributes:
        table, spans: what is seen of them.
        looks: what they look like.
        groups: the regions that they make.
        main: whether each is main: 1, 0, or -1 where it is not known.
        level: number of the level of each in ``LEVELS``, -1 where nobody said one.
        site: where it comes from; pages of one site are never on both sides of a fold.
    """

    table: Table
    spans: Spans
    looks: Floats
    groups: Grouping
    main: Ints
    level: Ints
    site: str


def drawn_page(
    document: Document, levels: dict[tuple[str, str], str] | None, site: str = "", *, text: str = ""
) -> DrawnPage:
    """A page to learn from.

    Args:
        document: the page, with a layout.
        levels: (path, to) of a place to its level, those around others first; None where nobody gave levels: then
            main is what stands in the true text.
        site: where it comes from.
        text: the true text.

    Raises:
        Fault: nobody drew the page.
    """
    layout = layout_of(document)
    if layout is None:
        raise Fault(_("this page carries no layout"), key=document.url)
    out = outline(document)
    seen, spans = runs_in_sight(out, spans_of(segment(document), out), layout)
    seen_of = measure(out, spans), spans, looks(out, layout)[seen], grouping(out, spans)
    if levels is None:
        main = np.array(align([run.text for run in out.runs], text), dtype=np.int64)[seen]
        return DrawnPage(*seen_of, main, np.full(len(seen), -1), site)
    level = np.array(levels_of_runs(out, levels), dtype=np.int64)[seen]
    main = np.where(level < 0, -1, level == MAIN)
    return DrawnPage(*seen_of, main, level, site)


def read_drawn(folder: Path) -> tuple[list[dict[str, Any]], list[DrawnPage]]:
    """Rows of the index and drawn pages of a folder: ``index.jsonl``, and ``labels/`` where people gave levels.

    ``script/bench rendered`` makes such folders. Pages of which nothing is seen are left out.
    """
    labels = folder / "labels"
    voted = votes_by_page(read_labels(labels)) if labels.is_dir() else {}
    rows, pages = [], []
    for row in read_index(folder):
        document = read_page(folder, row)
        site = row.get("family") or site_of(row, document)
        page = drawn_page(document, voted.get(page_id(row["file"])), site, text=row["text"])
        if len(page.main):
            rows.append(row)
            pages.append(page)
    return rows, pages


def fit_sight(pages: Sequence[DrawnPage], *, rows: int = ROWS, seed: int = 0) -> SightModel:
    """The machine for the text, and the levels.

    Pages weigh alike: a run is drawn with the root of its share of its page's tokens. Pages with levels are those of
    programs, the others those of the web.

    Args:
        pages: to learn from.
        rows: how many runs are drawn.
        seed: of the drawing.
    """
    names = list(COLUMNS)
    each = [values_of(page.table, page.spans, names) for page in pages]
    values = np.vstack(each)
    main = np.concatenate([page.main for page in pages])
    share = np.concatenate([_share(page) for page in pages])
    part = np.concatenate([np.full(len(page.main), zlib.crc32(page.site.encode()) % PARTS) for page in pages])
    random = np.random.default_rng(seed)

    known = np.flatnonzero(main >= 0)
    chance = np.sqrt(share[known])
    some = np.sort(random.choice(known, min(rows, len(known)), False, chance / chance.sum()))
    return SightModel(_machine(values[some], main[some] == 1, part[some]), _levels(pages, each, seed), names)


def _levels(pages: Sequence[DrawnPage], each: Sequence[Floats], seed: int) -> SightLevels | None:
    """Levels of regions; None where nobody gave any."""
    lessons = []
    for page, values in zip(pages, each, strict=True):
        level = levels_of_groups(page.level, page.groups)
        if (level >= 0).any():
            none = np.zeros(len(page.level))
            lessons.append(SightLesson(values, page.table, none, page.groups, level, page.looks, page.spans, page.site))
    elsewhere = [page.table for page in pages if not (page.level >= 0).any()]
    return fit_sight_levels(lessons, elsewhere, seed=seed) if lessons else None


def _share(page: DrawnPage) -> Floats:
    tokens = page.table.tokens + 0.5
    return np.asarray(tokens / tokens.sum())


def _machine(values: Floats, target: NDArray[np.bool_], part: Ints) -> KernelMachine:
    """A machine, calibrated by what its twins say of sites that they have not seen."""
    weight = np.ones(len(values))
    decisions = np.zeros(len(values))
    for number in range(PARTS):
        mine = part == number
        if mine.any() and len(np.unique(target[~mine])) == 2:
            decisions[mine] = KernelMachine(fit_svm(values[~mine], target[~mine], weight[~mine])).decide(values[mine])
    return KernelMachine(fit_svm(values, target, weight), fit_calibration(decisions, target, weight))


def train_sight(folders: Sequence[Path], to: Path) -> dict[str, Any]:
    """Train on all pages of some folders, and write the model with its card.

    Args:
        folders: as :func:`read_drawn` reads them.
        to: the model's file (``.skops``).

    Returns:
        the card.
    """
    read = [read_drawn(folder) for folder in folders]
    rows = [row for some, _pages in read for row in some]
    pages = [page for _rows, some in read for page in some]
    model = fit_sight(pages)
    model.card = {
        "what": "blocks of drawn pages: an RBF SVM of main against the rest, networks and a gate for levels of regions",
        "trained_on": {
            "pages": len(pages),
            "with_levels": sum(bool((page.level >= 0).any()) for page in pages),
            "runs": sum(len(page.main) for page in pages),
            "sets": sorted({str(row.get("generator") or row.get("source") or "") for row in rows}),
            "sha256": digest(rows),
        },
        "figures": "script/bench blocks --rendered takes them in five folds by family of sites",
        "versions": versions(),
    }
    model.save(to)
    return model.card
