"""Main text and levels on rendered pages: by sight with the layout, by tag classes on the same pages without."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bench.score import content_prf
from hometextile.blocks.block import LEVELS, Block
from hometextile.blocks.content import keep_once, main_text, plain_text
from hometextile.blocks.features import Ints
from hometextile.blocks.importance import ImportanceModel
from hometextile.blocks.labels import levels_of_runs, page_id, read_labels
from hometextile.blocks.learning import FOLDS, read_index, read_page, votes_by_page
from hometextile.blocks.outline import Outline, outline
from hometextile.blocks.regions import regions
from hometextile.blocks.segment import segment
from hometextile.blocks.sight import SightModel, by_sight, rate_blocks, shipped_sight
from hometextile.blocks.sight_training import fit_sight, read_drawn
from hometextile.blocks.spans import owners, spans_of
from hometextile.page.document import Document
from hometextile.page.layout import Layout, layout_of

#: Ways to read a page: name, whether the layout is used, whether the partners have a say.
WAYS = (
    ("vips, svm+partner", True, True),
    ("vips, svm", True, False),
    ("tags, svm+partner", False, True),
    ("tags, svm", False, False),
)
_WRITTEN = ("data-box", "data-style", "data-texts", "data-drawn", "data-cut")


@dataclass
class Measured:
    """Predictions of one way.

    Attributes:
        texts, prf: one a page, in the order of the index.
        pairs: (said, true) level of each region, one list a page.
    """

    texts: list[str] = field(default_factory=list)
    prf: list[tuple[float, float, float]] = field(default_factory=list)
    pairs: list[list[tuple[int, int]]] = field(default_factory=list)

    def add(self, text: str, truth: str) -> None:
        """Score a page's text."""
        self.texts.append(text)
        self.prf.append(content_prf(text, truth))

    def mean(self, mask: Sequence[bool]) -> tuple[float, float, float]:
        """Macro P, R and F1 of some pages."""
        rows = np.array([row for row, wanted in zip(self.prf, mask, strict=True) if wanted])
        precision, recall, f1 = rows.mean(axis=0).tolist()
        return precision, recall, f1


def without_layout(document: Document) -> Document:
    """The page as it would be if no browser had drawn it, but for what its scripts did."""
    for element in document.tree.iter():
        for name in _WRITTEN:
            if element.attrib.pop(name, None) is not None:
                document.derived.clear()
    return document


def seen_runs(out: Outline, layout: Layout) -> list[bool]:
    """Which runs of a page are seen: neither they nor what is around them is out of sight."""
    away = [False] * len(out.elements)
    for number, element in enumerate(out.elements):
        sight = layout.sight(element)
        up = out.parent[number]
        if (sight is not None and (not sight.drawn or not sight.visible)) or (up >= 0 and away[up]):
            away[number] = True
    return [not away[run.node] for run in out.runs]


def said_of_runs(out: Outline, blocks: Sequence[Block]) -> Ints:
    """Number of the level that each run's block was given, -1 where no block holds it."""
    # the last entry is for runs of no block: -1 leads there
    levels = np.array([*(LEVELS.index(block.level or "noise") for block in blocks), -1], dtype=np.int64)
    return np.asarray(levels[owners(spans_of(blocks, out), len(out.runs))])


def region_pairs(
    out: Outline, blocks: Sequence[Block], truth: Sequence[int], seen: Sequence[bool]
) -> list[tuple[int, int]]:
    """(said, true) level of each region: the one that most of its visible tokens have."""
    said = said_of_runs(out, blocks)
    pairs = []
    for region in regions(out):
        weights = np.zeros((2, len(LEVELS)))
        for run in range(region.first, region.last):
            if seen[run] and truth[run] >= 0 and said[run] >= 0:
                for row, level in enumerate((said[run], truth[run])):
                    weights[row, level] += out.tokens[run] + 0.1
        if weights.any():
            pairs.append((int(weights[0].argmax()), int(weights[1].argmax())))
    return pairs


class Rendered:
    """Measures a set that ``script/bench rendered`` made.

    Args:
        folder: of the set.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows = read_index(folder)
        self.labels = votes_by_page(read_labels(folder / "labels"))
        self.measured: dict[str, Measured] = {name: Measured() for name, _layout, _partner in WAYS}

    def folds(self) -> list[int]:
        """The fold of each page: those of one family of sites are in one."""
        families = list(dict.fromkeys(row["family"] for row in self.rows))
        return [families.index(row["family"]) % FOLDS for row in self.rows]

    def train(self, drawn: Path | None = None) -> list[SightModel]:
        """The model of drawn pages for each fold, trained on the others.

        Args:
            drawn: folder of other drawn pages, learned from in every fold.
        """
        rows, pages = read_drawn(self.folder)
        fold = dict(zip((row["file"] for row in self.rows), self.folds(), strict=True))
        more = read_drawn(drawn)[1] if drawn is not None else []
        return [
            fit_sight([page for row, page in zip(rows, pages, strict=True) if fold[row["file"]] != at] + more)
            for at in range(FOLDS)
        ]

    def measure(self, model: ImportanceModel, sights: Sequence[SightModel] | None = None) -> None:
        """Read every page in each of the ways.

        Args:
            model: the importance model.
            sights: the model of drawn pages for each fold; None: the shipped one for all.
        """
        for row, fold in zip(self.rows, self.folds(), strict=True):
            sight = sights[fold] if sights else shipped_sight()
            truth = self.labels[page_id(row["file"])]
            document = read_page(self.folder, row)
            layout = layout_of(document)
            assert layout is not None
            seen = seen_runs(outline(document), layout)
            for name, drawn, partner in WAYS:
                if not drawn:
                    document = without_layout(document)
                self._read(self.measured[name], (model, sight), document, row["text"], partner=partner)
                out = outline(document)
                blocks = segment(document)
                rate_blocks(blocks, document, model, sight=sight)
                self.measured[name].pairs.append(region_pairs(out, blocks, levels_of_runs(out, truth), seen))

    @staticmethod
    def _read(
        measured: Measured, models: tuple[ImportanceModel, SightModel], document: Document, truth: str, *, partner: bool
    ) -> None:
        model, sight = models
        blocks = segment(document)
        if partner:
            rate_blocks(blocks, document, model, sight=sight)
            measured.add(main_text(blocks, document).text, truth)
            return
        out, layout = outline(document), layout_of(document)
        if layout is None:
            chosen = model.judge(out, spans_of(blocks, out), partner=False).chosen
        else:
            chosen = by_sight(out, spans_of(blocks, out), layout, model, sight, partner=False)[2]
        kept = keep_once([block for block, main in zip(blocks, chosen, strict=True) if main])
        measured.add(plain_text(kept, out), truth)

    def peers(self, extractors: dict[str, Callable[[str, str | None], str]]) -> None:
        """Let others read the pages, as they are without a layout."""
        for name, extract in extractors.items():
            measured = self.measured[name] = Measured()
            for row in self.rows:
                text = _source(without_layout(read_page(self.folder, row)))
                measured.add(extract(text, row.get("url")), row["text"])

    def groups(self, key: str) -> dict[str, list[bool]]:
        """All pages, and those of each value of a column of the index."""
        found: dict[str, list[bool]] = {"all": [True] * len(self.rows)}
        for value in dict.fromkeys(row[key] for row in self.rows):
            found[value] = [row[key] == value for row in self.rows]
        return found

    def report(self) -> dict[str, float | None]:
        """Print tables by site and by kind; the figures for the line of JSON."""
        for key in ("source", "kind"):
            print(f"{'rendered, ' + key + ': P R F1':30}" + "".join(f"{name:>20}" for name in self.measured))
            for name, mask in self.groups(key).items():
                cells = ("{:.3f} {:.3f} {:.3f}".format(*measured.mean(mask)) for measured in self.measured.values())
                print(f"{name + ' ' + str(sum(mask)):30}" + "".join(f"{cell:>20}" for cell in cells))
        figures: dict[str, float | None] = {}
        everything = [True] * len(self.rows)
        for name, drawn, partner in WAYS:
            key = ("layout" if drawn else "tags") + ("" if partner else "_svm")
            figures[f"rendered_f1_{key}"] = round(self.measured[name].mean(everything)[2], 4)
        for name, key in (("vips, svm+partner", "layout_micro_f1"), ("tags, svm+partner", "tags_micro_f1")):
            pairs = [pair for page in self.measured[name].pairs for pair in page]
            figures[key] = level_report(pairs, name)
        return figures

    def write(self, file: Path) -> None:
        """Every prediction, one line a page."""
        with file.open("w", encoding="utf-8") as out:
            for at, row in enumerate(self.rows):
                scores = {name: round(measured.prf[at][2], 4) for name, measured in self.measured.items()}
                texts = {name: measured.texts[at] for name, measured in self.measured.items()}
                line = {"file": row["file"], "f1": scores, "texts": texts, "truth": row["text"]}
                out.write(json.dumps(line, ensure_ascii=False) + "\n")


def _source(document: Document) -> str:
    from lxml import html

    return str(html.tostring(document.tree, encoding="unicode"))


def level_report(pairs: list[tuple[int, int]], name: str = "") -> float | None:
    """Print P, R and F1 of each level; micro-F1 is the share that is right, since every region has one level."""
    if not pairs:
        return None
    print(f"levels of {len(pairs)} labelled regions{', ' + name if name else ''}")
    for number, level in enumerate(LEVELS):
        hit = sum(one == other == number for one, other in pairs)
        said, truth = sum(one == number for one, _ in pairs), sum(other == number for _, other in pairs)
        precision, recall = hit / max(said, 1), hit / max(truth, 1)
        f1 = 2 * precision * recall / (precision + recall) if hit else 0.0
        print(f"  {level:8} P {precision:.3f} R {recall:.3f} F1 {f1:.3f} ({truth})")
    micro = sum(one == other for one, other in pairs) / len(pairs)
    print(f"  micro-F1 {micro:.3f}")
    return round(micro, 4)
