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

from hometextile.blocks.context import second_look
from hometextile.blocks.features import Floats, Ints, Spans, Table, measure
from hometextile.blocks.importance import ImportanceModel, shares_of_levels
from hometextile.blocks.kernel import KernelMachine, fit_calibration, fit_svm, sigmoid
from hometextile.blocks.level_training import LevelLesson, LevelSchooling, levels_of_groups, train_levels
from hometextile.blocks.levels import MAIN, NOISE, RELATED, Grouping, LevelModel, grouping
from hometextile.blocks.lexicon import Lexicon, bags, fit_lexicon, part_scores
from hometextile.blocks.network import Network, surroundings
from hometextile.blocks.network_training import Lesson, Schooling, train_network
from hometextile.blocks.outline import Outline

Mask = NDArray[np.bool_]
_INNER = 2
#: Pages with labels that it takes to learn the levels from people.
_LABELLED = 20


@dataclass
class Example:
    """A page to learn from.

    Attributes:
        table, spans: its blocks.
        node_first, node_last: runs of the outline's elements.
        main: which blocks are main.
        site: pages of one site are never on both sides of a fold.
        level: number of the level in ``LEVELS`` where a person said it, else -1.
        groups: the page's regions.
        told: whether ``main`` is known; of a page without its true text only the levels are learned.
    """

    table: Table
    spans: Spans
    node_first: Ints
    node_last: Ints
    main: Mask
    site: str
    level: Ints
    groups: Grouping
    told: bool = True


def example(
    out: Outline, spans: Spans, main: Sequence[bool] | None, site: str, level: Sequence[int] | None = None
) -> Example:
    """Measure a page for training.

    Args:
        out: its outline.
        spans: its blocks.
        main: which of them are main; None if nobody knows.
        site: where it is from.
        level: number of the level of each block where a person said it, else -1.
    """
    table = measure(out, spans)
    levels = np.full(len(spans), -1, dtype=np.int64) if level is None else np.array(level, dtype=np.int64)
    return Example(
        table,
        spans,
        np.array(out.first, dtype=np.int64),
        np.array(out.last, dtype=np.int64),
        np.zeros(len(spans), dtype=bool) if main is None else np.array(main, dtype=bool),
        site,
        levels,
        grouping(out, spans),
        main is not None,
    )


@dataclass
class Effort:
    """How much is trained: rows drawn for the machines, networks beside them, rounds of these."""

    svm_rows: int = 5_500
    inner_svm_rows: int = 3_500
    level_networks: int = 4
    partners: int = 2
    epochs: int = 9
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
        self.told = np.repeat([e.told for e in self.examples], counts)
        self.weight = self._weights(counts)

    def _weights(self, counts: Ints) -> Floats:
        size = len(self.examples)
        main = np.bincount(self.page, self.tokens * self.main, minlength=size)
        every = np.bincount(self.page, self.tokens, minlength=size)
        share = self.tokens / np.maximum(main + 0.2 * every, 30)[self.page]
        weight = (np.minimum(share, 0.3) + 0.3 / np.maximum(counts, 20)[self.page]) * ((self.tokens > 0) & self.told)
        return np.asarray(weight / max(weight.sum() / max(int(self.told.sum()), 1), 1e-12))

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
        self.shown = wanted[corpus.page]
        self.use = self.shown & corpus.told
        self.inner = (corpus.group // 7 % _INNER)[corpus.page]
        self.random = np.random.RandomState(effort.seed)

    def model(self) -> ImportanceModel:
        corpus, use = self.corpus, self.use
        weights = fit_lexicon(corpus.rows[use], corpus.main[use], corpus.weight[use])
        words = self._words_unseen()
        values = np.hstack([corpus.values, words, words.sum(axis=1, keepdims=True)])
        partners = self._partners(values)
        first, unseen = self._first_look(values)
        values = np.hstack([values, self._context(unseen)]).astype(np.float32)
        second = self._second_look(values)
        keep = np.abs(weights) > 0.02
        pairs = zip(corpus.vocabulary, weights, keep, strict=True)
        lexicon = Lexicon({word: round(float(weight), 4) for word, weight, kept in pairs if kept})
        names = corpus.examples[int(self.pages[0])].table.names
        return ImportanceModel(lexicon, first, second, partners, self._levels(values, unseen), list(names))

    def _words_unseen(self) -> NDArray[np.float32]:
        """Lexicon sums of the training rows, each from a lexicon that did not see the page."""
        corpus = self.corpus
        scores = np.zeros((len(corpus.main), 4), dtype=np.float32)
        for part in range(_INNER):
            seen = self.use & (self.inner != part)
            weights = fit_lexicon(corpus.rows[seen], corpus.main[seen], corpus.weight[seen])
            mine = self.shown & (self.inner == part)
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

    def _partners(self, values: Floats) -> list[Network]:
        """Networks that differ by where they began."""
        corpus = self.corpus
        lessons = []
        for number in self.pages:
            page, rows = corpus.examples[number], corpus.slice(int(number))
            if len(page.main) and page.told:
                around = surroundings(page.table, page.spans, page.node_first, page.node_last)
                tokens = corpus.tokens[rows].astype(np.float32)
                main = corpus.main[rows].astype(np.float32)
                lessons.append(Lesson(values[rows].astype(np.float32), around, main, tokens))
        seeds = range(self.effort.seed, self.effort.seed + self.effort.partners)
        return [train_network(lessons, Schooling(epochs=self.effort.epochs, seed=seed)) for seed in seeds]

    def _first_look(self, values: Floats) -> tuple[KernelMachine, Floats]:
        """The first look, and probabilities of the training rows by machines that did not see the page."""
        corpus, effort = self.corpus, self.effort
        decisions = np.zeros(len(corpus.main))
        for part in range(_INNER):
            seen, mine = self.use & (self.inner != part), self.shown & (self.inner == part)
            decisions[mine] = self._svm(values, seen, effort.inner_svm_rows).decide(values[mine])
        calibration = fit_calibration(decisions[self.use], corpus.main[self.use], corpus.weight[self.use])
        whole = self._svm(values, self.use, effort.inner_svm_rows)
        whole.calibration = calibration
        return whole, sigmoid(decisions, calibration)

    def _second_look(self, values: Floats) -> KernelMachine:
        """The second look, calibrated on a part of the pages that its twin did not see."""
        corpus, effort = self.corpus, self.effort
        mine = self.use & (self.inner == 0)
        twin = self._svm(values, self.use & ~mine, effort.inner_svm_rows)
        calibration = fit_calibration(twin.decide(values[mine]), corpus.main[mine], corpus.weight[mine])
        whole = self._svm(values, self.use, effort.svm_rows)
        whole.calibration = calibration
        return whole

    def _context(self, probability: Floats) -> Floats:
        corpus = self.corpus
        parts = []
        for number, e in enumerate(corpus.examples):
            parts.append(second_look(probability[corpus.slice(number)], e.table, e.spans, e.node_first, e.node_last))
        return np.concatenate(parts).astype(np.float32)

    def _levels(self, values: Floats, unseen: Floats) -> LevelModel:
        """Levels as people see them: from people's labels; with fewer than :data:`_LABELLED` labelled pages, from the
        true text and from rules."""
        corpus = self.corpus
        pages = self.pages.tolist()
        labelled = [number for number in pages if (corpus.examples[number].level >= 0).any()]
        by_people = len(labelled) >= _LABELLED
        lessons = []
        for number in labelled if by_people else [number for number in pages if corpus.examples[number].told]:
            page, rows = corpus.examples[number], corpus.slice(number)
            level = page.level
            if not by_people:
                level = np.where(page.main, MAIN, np.where(shares_of_levels(page.table), RELATED, NOISE))
            said = levels_of_groups(level, page.groups)
            lessons.append(LevelLesson(values[rows], page.table, unseen[rows], page.groups, said))
        return train_levels(lessons, LevelSchooling(networks=self.effort.level_networks, seed=self.effort.seed))
