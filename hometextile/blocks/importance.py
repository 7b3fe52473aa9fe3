"""How much a block matters: noise, related, main (paper 1, table 2), by RBF-kernel SVMs over block features.

A first look rates each block by itself, a second look with what the first said of the blocks around it; then the
page's cut is the one with the best expected F1. Partners (networks that see each block with its surroundings) stand
beside the SVM, and the mean of all counts.

Two questions are kept apart. Which blocks make up the page's text: the cut. Which level a person gives a block: main is
what the cut keeps and what people would call main beside it (the price, the entries of a list that the text leaves
out); the rest is related or noise. :mod:`hometextile.blocks.levels`, trained on people's labels, says that.
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
from hometextile.blocks.choosing import choose
from hometextile.blocks.context import second_look
from hometextile.blocks.features import Floats, Spans, Table, measure
from hometextile.blocks.kernel import TRUSTED, KernelMachine
from hometextile.blocks.levels import MAIN, LevelModel
from hometextile.blocks.lexicon import Lexicon
from hometextile.blocks.network import Network, surroundings
from hometextile.blocks.outline import Outline, outline
from hometextile.blocks.spans import spans_of
from hometextile.blocks.tag_classes import spans_of_runs
from hometextile.page.document import Document
from hometextile.text.faults import Fault
from hometextile.text.messages import _


@dataclass
class Rating:
    """What the model says of a page's blocks.

    Attributes:
        main: probability of standing in the page's text.
        levels: probability that a person gives it each level, one column for each of ``LEVELS``.
        chosen: which blocks the text takes.
        table, spans: of the blocks.
    """

    main: Floats
    levels: Floats
    chosen: NDArray[np.bool_]
    table: Table
    spans: Spans


@dataclass
class ImportanceModel:
    """The trained model.

    Attributes:
        lexicon: weights of words.
        first, second: the two looks.
        partners: networks over the page's blocks; may be none.
        levels: main, related or noise, as people see it.
        names: the features it was trained on, in order.
        card: figures, hash of the data, versions.
    """

    lexicon: Lexicon
    first: KernelMachine
    second: KernelMachine
    partners: list[Network]
    levels: LevelModel
    names: list[str]
    card: dict[str, Any] = field(default_factory=dict)

    def judge(self, out: Outline, spans: Spans, *, partner: bool = True) -> Rating:
        """Rate the blocks of a page.

        Args:
            out: the page's outline.
            spans: its blocks.
            partner: whether the partners have a say.
        """
        table = measure(out, spans)
        if not len(spans):
            return Rating(np.zeros(0), np.zeros((0, len(LEVELS))), np.zeros(0, dtype=bool), table, spans)
        words = self.lexicon.scores(table.words)
        values = np.hstack([table.columns(self.names), words, words.sum(axis=1, keepdims=True)])
        probability, once, values = self.look(values, table, out, spans, partner=partner)
        levels = self.levels.judge(out, spans, table, values, once)
        return Rating(probability, levels, choose(probability, table), table, spans)

    def look(
        self, values: Floats, table: Table, out: Outline, spans: Spans, *, partner: bool = True
    ) -> tuple[Floats, Floats, Floats]:
        """Both looks.

        Args:
            values: features and sums of the lexicon, one row a block.
            table, spans: of the blocks.
            out: the page's outline.
            partner: whether the partners have a say.

        Returns:
            probability of main, that of the first look alone, and the columns that the second look saw.
        """
        first, last = np.array(out.first, dtype=np.int64), np.array(out.last, dtype=np.int64)
        once = self.first.probability(values)
        seen = np.hstack([values, second_look(once, table, spans, first, last)])
        answers = [self.second.probability(seen)]
        if partner and self.partners:
            around = surroundings(table, spans, first, last)
            answers += [network.probability(values, around) for network in self.partners]
        return np.asarray(np.mean(answers, axis=0)), once, seen

    def rate(self, blocks: Sequence[Block], document: Document) -> None:
        """Set ``level``, ``chosen`` and ``score`` of the blocks of a page.

        Args:
            blocks: from :func:`hometextile.blocks.segment.segment`.
            document: their page.
        """
        out = outline(document)
        rating = self.judge(out, spans_of(blocks, out))
        document.derived["rating"] = rating
        for number, block in enumerate(blocks):
            block.score = round(float(rating.main[number]), 4)
            block.chosen = bool(rating.chosen[number])
            block.level = LEVELS[MAIN if block.chosen else int(rating.levels[number].argmax())]

    def choose(self, document: Document, *, partner: bool = True) -> list[bool]:
        """Which runs of a page are main.

        Args:
            document: the page.
            partner: whether the partner has a say.
        """
        out = outline(document)
        chosen: list[bool] = self.judge(out, spans_of_runs(out), partner=partner).chosen.tolist()
        return chosen

    def save(self, path: Path) -> None:
        """Write the model (skops) and its card (JSON, beside it)."""
        from skops.io import dump

        content = {
            "words": "\n".join(self.lexicon.weights),
            "weights": np.array(list(self.lexicon.weights.values()), dtype=np.float32),
            "first": self.first.content(),
            "second": self.second.content(),
            "partners": [network.weights for network in self.partners],
            "levels": self.levels.content(),
            "names": self.names,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        dump(content, path, compresslevel=9, compression=8)
        path.with_suffix(".json").write_text(json.dumps(self.card, indent=1, ensure_ascii=False) + "\n", "utf-8")


def shares_of_levels(table: Table) -> NDArray[np.bool_]:
    """Related rather than noise, by rule, for blocks that no person has labelled: links that lead somewhere.

    Args:
        table: the page's features.
    """
    column = {name: number for number, name in enumerate(table.names)}
    links = table.values[:, column["link_share"]]
    rights = table.values[:, column["rights"]]
    return np.asarray((links > 0.4) & (rights == 0) & (table.tokens >= 2))


def load_model(name: str | Path = "importance") -> ImportanceModel:
    """A trained model.

    Args:
        name: of a shipped model (``importance``), or a path to a ``.skops`` file.

    Raises:
        Fault: no such model, or the file is none of ours.
    """
    text = str(name)
    if text.endswith(".skops"):
        path = Path(text)
        if not path.is_file():
            raise Fault(_("there is no such model file"), file=path, remedy=_("train one with `scrapy blocks train`"))
        return _read(path)
    return _shipped(text)


@lru_cache(maxsize=4)
def _shipped(name: str) -> ImportanceModel:
    resource = files("hometextile.blocks").joinpath("models", f"{name}.skops")
    if not resource.is_file():
        raise Fault(
            _("there is no block model named {name!r}").format(name=name),
            remedy=_("use importance, or the path of a .skops file that `scrapy blocks train` wrote"),
        )
    return _read(resource)


def _words(content: dict[str, Any]) -> dict[str, float]:
    """The lexicon's weights from a model file."""
    words, weights = content["words"], content.get("weights")
    if weights is None:
        return dict(words)
    return dict(zip(words.split("\n"), weights.tolist(), strict=True))


def _read(resource: Traversable | Path) -> ImportanceModel:
    from zipfile import BadZipFile

    from skops.io import loads
    from skops.io.exceptions import UntrustedTypesFoundException

    try:
        content = loads(resource.read_bytes(), trusted=TRUSTED)
        card = (
            resource.parent / (resource.name.removesuffix(".skops") + ".json") if isinstance(resource, Path) else None
        )
        described = json.loads(card.read_text("utf-8")) if card is not None and card.is_file() else {}
        return ImportanceModel(
            Lexicon(_words(content)),
            KernelMachine.of_content(content["first"]),
            KernelMachine.of_content(content["second"]),
            [Network(weights) for weights in content["partners"]],
            LevelModel.of_content(content["levels"]),
            list(content["names"]),
            described,
        )
    except (BadZipFile, KeyError, IndexError, TypeError, ValueError, UntrustedTypesFoundException) as error:
        raise Fault(
            _("this is not a block model, or one of another version"),
            file=str(resource),
            remedy=_("train one with `scrapy blocks train`"),
        ) from error
