"""Training the importance model from pages whose main blocks are known.

Every page weighs the same, and within a page a block weighs by its share of the main text: that is what F1, averaged
over pages, asks for. What the second look sees of the first is always the answer of a machine that did not know the
page (folds by site), or else it would learn to trust a first look that is never that good again.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from hometextile.blocks.block import LEVELS
from hometextile.blocks.context import second_look
from hometextile.blocks.features import Floats, Ints, Spans, Table, measure
from hometextile.blocks.importance import ImportanceModel, Look, boosted_by, shares_of_levels
from hometextile.blocks.kernel import KernelMachine, fit_calibration, fit_svm, sigmoid
from hometextile.blocks.lexicon import Lexicon, bags, fit_lexicon, part_scores
from hometextile.blocks.outline import Outline

Mask = NDArray[np.bool_]
_INNER = 2


@dataclass
class Example:
    """A page to learn from.

    Attributes:
        table, spans: its blocks.
        node_first, node_last: runs of the outline's elements.
        main: which blocks are main.
        site: pages of one site are never on both sides of a fold.
        level: number of the level in ``LEVELS`` where a person said it, else -1.
    """

    table: Table
    spans: Spans
    node_first: Ints
    node_last: Ints
    main: Mask
    site: str
    level: Ints


def example(out: Outline, spans: Spans, main: Sequence[bool], site: str, level: Sequence[int] | None = None) -> Example:
    """Measure a page for training."""
    table = measure(out, spans)
    levels = np.full(len(spans), -1, dtype=np.int64) if level is None else np.array(level, dtype=np.int64)
    return Example(
        table,
        spans,
        np.array(out.first, dtype=np.int64),
        np.array(out.last, dtype=np.int64),
        np.array(main, dtype=bool),
        site,
        levels,
    )


@dataclass
class Effort:
    """How much is trained: rows drawn for the machines, rounds of the partner."""

    svm_rows: int = 8_000
    partner_rows: int = 45_000
    partner_rounds: int = 80
    inner_svm_rows: int = 5_000
    inner_partner_rows: int = 16_000
    partner: bool = True
    seed: int = 0


class Corpus:
    """Examples as matrices: features, bags of words, targets and weights of all blocks."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.examples = list(examples)
        counts = np.array([len(e.main) for e in self.examples], dtype=np.int64)
        self.starts = np.concatenate(([0], np.cumsum(counts)))
        self.page = np.repeat(np.arange(len(self.examples)), counts)
        self.values = np.concatenate([e.table.values for e in self.examples]).astype(np.float32)
        self.main = np.concatenate([e.main for e in self.examples]).astype(bool)
        self.level = np.concatenate([e.level for e in self.examples])
        self.tokens = np.concatenate([e.table.tokens for e in self.examples])
        self.vocabulary, self.rows = bags([e.table.words for e in self.examples])
        self.group = np.array([zlib.crc32(e.site.encode()) for e in self.examples])
        self.weight = self._weights(counts)

    def _weights(self, counts: Ints) -> Floats:
        size = len(self.examples)
        main = np.bincount(self.page, self.tokens * self.main, minlength=size)
        every = np.bincount(self.page, self.tokens, minlength=size)
        share = self.tokens / np.maximum(main + 0.2 * every, 30)[self.page]
        weight = (np.minimum(share, 0.3) + 0.3 / np.maximum(counts, 20)[self.page]) * (self.tokens > 0)
        return np.asarray(weight / max(weight.mean(), 1e-12))

    def slice(self, number: int) -> slice:
        return slice(int(self.starts[number]), int(self.starts[number + 1]))


def fit(corpus: Corpus, pages: Ints, effort: Effort | None = None) -> ImportanceModel:
    """Train a model.

    Args:
        corpus: all examples.
        pages: numbers of those to learn from.
        effort: how much.

    Returns:
        the model; its card is empty.
    """
    return _Fitting(corpus, pages, effort or Effort()).model()


class _Fitting:
    def __init__(self, corpus: Corpus, pages: Ints, effort: Effort) -> None:
        self.corpus = corpus
        self.effort = effort
        wanted = np.zeros(len(corpus.examples), dtype=bool)
        wanted[pages] = True
        self.pages = np.flatnonzero(wanted)
        self.use = wanted[corpus.page]
        self.inner = (corpus.group // 7 % _INNER)[corpus.page]
        self.random = np.random.RandomState(effort.seed)

    def model(self) -> ImportanceModel:
        corpus, use = self.corpus, self.use
        weights = fit_lexicon(corpus.rows[use], corpus.main[use], corpus.weight[use])
        words = self._words_unseen()
        values = np.hstack([corpus.values, words, words.sum(axis=1, keepdims=True)])
        first, unseen = self._first_look(values)
        values = np.hstack([values, self._context(unseen)])
        second = self._second_look(values)
        keep = np.abs(weights) > 0.02
        pairs = zip(corpus.vocabulary, weights, keep, strict=True)
        lexicon = Lexicon({word: round(float(weight), 4) for word, weight, kept in pairs if kept})
        names = corpus.examples[int(self.pages[0])].table.names
        return ImportanceModel(lexicon, first, second, self._related(values), list(names))

    def _words_unseen(self) -> NDArray[np.float32]:
        """Lexicon sums of the training rows, each from a lexicon that did not see the page."""
        corpus = self.corpus
        scores = np.zeros((len(corpus.main), 4), dtype=np.float32)
        for part in range(_INNER):
            seen = self.use & (self.inner != part)
            weights = fit_lexicon(corpus.rows[seen], corpus.main[seen], corpus.weight[seen])
            mine = self.use & (self.inner == part)
            scores[mine] = part_scores(corpus.rows[mine], corpus.vocabulary, weights)
        return scores

    def _draw(self, rows: Mask, size: int) -> tuple[Ints, Floats]:
        """At most *size* of the rows, drawn by weight without repeats, and the weights that even that out."""
        numbers = np.flatnonzero(rows & (self.corpus.weight > 0))
        weight = self.corpus.weight[numbers]
        if len(numbers) <= size:
            return numbers, weight
        chance = np.minimum(weight, np.quantile(weight, 0.98)) + 0.3
        drawn = np.sort(self.random.choice(len(numbers), size, replace=False, p=chance / chance.sum()))
        return numbers[drawn], weight[drawn] / chance[drawn]

    def _svm(self, values: Floats, rows: Mask, size: int) -> KernelMachine:
        drawn, weight = self._draw(rows, size)
        return KernelMachine(fit_svm(values[drawn], self.corpus.main[drawn], np.sqrt(weight)))

    def _partner(self, values: Floats, rows: Mask, size: int) -> HistGradientBoostingClassifier:
        drawn, weight = self._draw(rows, size)
        partner = HistGradientBoostingClassifier(
            max_iter=self.effort.partner_rounds,
            learning_rate=0.1,
            max_leaf_nodes=24,
            min_samples_leaf=40,
            l2_regularization=5.0,
            early_stopping=False,
            random_state=self.effort.seed,
        )
        return partner.fit(values[drawn], self.corpus.main[drawn], sample_weight=weight)

    def _first_look(self, values: Floats) -> tuple[Look, Floats]:
        """The first look, and probabilities of the training rows by machines that did not see the page."""
        corpus, effort = self.corpus, self.effort
        decisions = np.zeros(len(corpus.main))
        boosted = np.zeros(len(corpus.main))
        for part in range(_INNER):
            seen, mine = self.use & (self.inner != part), self.use & (self.inner == part)
            decisions[mine] = self._svm(values, seen, effort.inner_svm_rows).decide(values[mine])
            if effort.partner:
                twin = self._partner(values, seen, effort.inner_partner_rows)
                boosted[mine] = boosted_by(twin, values[mine])
        calibration = fit_calibration(decisions[self.use], corpus.main[self.use], corpus.weight[self.use])
        whole = self._svm(values, self.use, effort.inner_svm_rows)
        whole.calibration = calibration
        unseen = sigmoid(decisions, calibration)
        if not effort.partner:
            return Look(whole), unseen
        return Look(whole, self._partner(values, self.use, effort.partner_rows)), (unseen + boosted) / 2

    def _second_look(self, values: Floats) -> Look:
        """The second look and its partner; calibrated on a part of the pages that its twin did not see."""
        corpus, effort = self.corpus, self.effort
        mine = self.use & (self.inner == 0)
        twin = self._svm(values, self.use & ~mine, effort.inner_svm_rows)
        calibration = fit_calibration(twin.decide(values[mine]), corpus.main[mine], corpus.weight[mine])
        whole = self._svm(values, self.use, effort.svm_rows)
        whole.calibration = calibration
        return Look(whole, self._partner(values, self.use, effort.partner_rows) if effort.partner else None)

    def _context(self, probability: Floats) -> Floats:
        corpus = self.corpus
        parts = []
        for number, e in enumerate(corpus.examples):
            parts.append(second_look(probability[corpus.slice(number)], e.table, e.spans, e.node_first, e.node_last))
        return np.concatenate(parts).astype(np.float32)

    def _related(self, values: Floats) -> KernelMachine:
        """Related or noise, among what is not main: from people's labels where there are any, else from rules."""
        corpus = self.corpus
        rows = self.use & ~corpus.main
        by_rule = np.concatenate([shares_of_levels(e.table) for e in corpus.examples])
        target = np.where(corpus.level >= 0, corpus.level == LEVELS.index("related"), by_rule)
        drawn, _weight = self._draw(rows, 2_500)
        labelled = np.flatnonzero(rows & (corpus.level >= 0))
        drawn = np.unique(np.concatenate((drawn, labelled)))
        weight = np.where(corpus.level[drawn] >= 0, 3.0, 1.0)
        machine = KernelMachine(fit_svm(values[drawn], target[drawn].astype(bool), weight))
        machine.calibration = (2.0, 0.0)
        return machine
