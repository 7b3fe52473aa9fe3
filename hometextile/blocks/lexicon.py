"""How much the words of a block and of the elements around it speak for or against main.

A linear model over four bags of words: the block's own tags and classes, those of its ancestors, the words of its
text, and the words of the heading before it. Its four sums are features of the block; the RBF kernel could not weigh
ten thousand words itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from hometextile.blocks.words import Words

Floats = NDArray[np.float64]
PARTS = ("own", "around", "text", "heading")
MARKS = {"own": "o:", "around": "a:", "text": "w:", "heading": "h:"}


class Lexicon:
    """Weights of words by where they stand.

    Args:
        weights: marked word (``o:post``, ``a:sidebar``, ``w:copyright``, ``h:related``) to its weight.
    """

    def __init__(self, weights: dict[str, float]) -> None:
        self.weights = weights
        self._by_part: dict[str, dict[str, float]] = {part: {} for part in PARTS}
        for word, weight in weights.items():
            for part, mark in MARKS.items():
                if word.startswith(mark):
                    self._by_part[part][word[2:]] = weight

    def scores(self, words: Sequence[Words]) -> Floats:
        """Sums of weights, one row a block, one column for each of :data:`PARTS`."""
        own, around, text, heading = (self._by_part[part] for part in PARTS)
        sums: tuple[dict[int, float], ...] = ({}, {}, {})

        def total(part: int, table: dict[str, float], bag: Collection[str]) -> float:
            # like elements share their bags, see :class:`hometextile.blocks.words.WordReader`
            known = sums[part]
            found = known.get(id(bag))
            if found is None:
                found = known[id(bag)] = sum([table[word] for word in bag if word in table])
            return found

        rows = [
            (
                total(0, own, entry.own),
                total(1, around, entry.around),
                sum([text[word] for word in entry.text if word in text]),
                total(2, heading, entry.heading),
            )
            for entry in words
        ]
        return np.array(rows, dtype=float).reshape(len(rows), len(PARTS))


def bags(pages: Iterable[Sequence[Words]], *, least: int = 4) -> tuple[list[str], csr_matrix]:
    """The vocabulary (marked words that stand on *least* pages or more) and the blocks as rows of a sparse matrix."""
    pages = list(pages)
    spread: Counter[str] = Counter()
    marked_pages = []
    for page in pages:
        marked = [[MARKS[part] + word for part in PARTS for word in getattr(entry, part)] for entry in page]
        marked_pages.append(marked)
        spread.update({word for row in marked for word in row})
    vocabulary = sorted(word for word, count in spread.items() if count >= least)
    number = {word: at for at, word in enumerate(vocabulary)}
    columns: list[int] = []
    ends = [0]
    for marked in marked_pages:
        for row in marked:
            columns.extend(number[word] for word in row if word in number)
            ends.append(len(columns))
    ones = np.ones(len(columns), dtype=np.float32)
    return vocabulary, csr_matrix(
        (ones, np.array(columns, dtype=np.int32), np.array(ends)), shape=(len(ends) - 1, len(vocabulary))
    )


def fit_lexicon(rows: csr_matrix, main: NDArray[np.bool_], weight: Floats, *, alpha: float = 3e-6) -> Floats:
    """The weights of the vocabulary, by logistic regression.

    Args:
        rows: blocks by words, from :func:`bags`.
        main: whether each block is main.
        weight: of each block.
        alpha: of the squared norm.
    """
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(loss="log_loss", alpha=alpha, max_iter=6, tol=None, average=True, random_state=0)
    model.fit(rows, main, sample_weight=weight)
    return np.asarray(model.coef_.ravel(), dtype=float)


def part_scores(rows: csr_matrix, vocabulary: Sequence[str], weights: Floats) -> Floats:
    """:meth:`Lexicon.scores` for many pages at once."""
    columns = []
    for part in PARTS:
        mine = np.array([word.startswith(MARKS[part]) for word in vocabulary])
        columns.append(np.asarray(rows @ (weights * mine)))
    return np.column_stack(columns)
