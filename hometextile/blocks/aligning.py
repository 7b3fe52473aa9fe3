"""Labels from true text: which blocks hold it.

A block is main when half of its 4-grams stand in the true text (six tokens or more); then blocks are flipped, one at a
time, as long as that raises the page's own F1. Without the flips short blocks (a date, a price, a list entry) are
labelled by accident.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, insort
from collections import Counter

from hometextile.blocks.outline import TOKEN

Grams = Counter[tuple[str, ...]]
_N = 4


def tokens_of(text: str) -> list[str]:
    """Tokens as the benchmarks count them: NFKC, lower case; a CJK character or a run of letters and digits."""
    return TOKEN.findall(unicodedata.normalize("NFKC", text).lower())


def grams_of(tokens: list[str]) -> Grams:
    """The bag of 4-grams (the whole where there are fewer)."""
    if not tokens:
        return Counter()
    return Counter(tuple(tokens[i : i + _N]) for i in range(max(1, len(tokens) - _N + 1)))


def align(texts: list[str], truth: str, *, sweeps: int = 3) -> list[bool]:
    """Which of the blocks make up the true text.

    Args:
        texts: the blocks' texts in reading order.
        truth: the true text.
        sweeps: how often all blocks are looked at for a flip.

    Returns:
        one answer a block.
    """
    page = _Page([tokens_of(text) for text in texts], grams_of(tokens_of(truth)))
    for number, tokens in enumerate(page.blocks):
        if len(tokens) >= 6:
            grams = grams_of(tokens)
            hit = sum(count for gram, count in grams.items() if gram in page.truth)
            if hit >= 0.5 * sum(grams.values()):
                page.toggle(number)
    for _ in range(sweeps):
        if not page.sweep():
            break
    return page.chosen


class _Page:
    """A choice of blocks whose F1 is kept up to date under flips."""

    def __init__(self, blocks: list[list[str]], truth: Grams) -> None:
        self.blocks = blocks
        self.truth = truth
        self.wanted = sum(truth.values())
        self.chosen = [False] * len(blocks)
        #: Numbers of the chosen blocks, in order.
        self.order: list[int] = []
        self.bag: Grams = Counter()
        self.hit = 0
        self.size = 0

    def f1(self) -> float:
        return 2 * self.hit / (self.size + self.wanted) if self.hit else 0.0

    def _seam(self, number: int, tokens: list[str]) -> tuple[Grams, Grams]:
        """4-grams across the place of block *number*: without it, and with it."""
        left: list[str] = []
        place = bisect_left(self.order, number)
        at = place - 1
        while at >= 0 and len(left) < _N - 1:
            left = self.blocks[self.order[at]][-(_N - 1 - len(left)) :] + left
            at -= 1
        right: list[str] = []
        at = place + self.chosen[number]
        while at < len(self.order) and len(right) < _N - 1:
            right += self.blocks[self.order[at]][: _N - 1 - len(right)]
            at += 1
        return _exact(left + right), _exact(left + tokens + right)

    def toggle(self, number: int) -> None:
        without, with_it = self._seam(number, self.blocks[number])
        old, new = (with_it, without) if self.chosen[number] else (without, with_it)
        self._change(old, -1)
        self._change(new, 1)
        if self.chosen[number]:
            self.order.remove(number)
        else:
            insort(self.order, number)
        self.chosen[number] = not self.chosen[number]

    def _change(self, grams: Grams, sign: int) -> None:
        for gram, count in grams.items():
            have, want = self.bag[gram], self.truth.get(gram, 0)
            after = have + sign * count
            self.hit += min(after, want) - min(have, want)
            self.bag[gram] = after
            self.size += sign * count

    def sweep(self) -> bool:
        flipped = False
        for number, tokens in enumerate(self.blocks):
            if not tokens:
                continue
            before = self.f1()
            self.toggle(number)
            if self.f1() > before + 1e-12:
                flipped = True
            else:
                self.toggle(number)
        return flipped


def _exact(tokens: list[str]) -> Grams:
    return Counter(tuple(tokens[i : i + _N]) for i in range(len(tokens) - _N + 1))
