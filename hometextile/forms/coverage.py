"""How many records there are in all, from how often each has been seen: capture and recapture.

A. Chao, "Estimating the population size for capture-recapture data with unequal catchability" (Biometrics 43, 1987):
records are unlike in how easily they are found, and those found once and twice tell how many were not found at all. It
is a lower bound, which those found three and four times raise (C.-H. Chiu and others, Biometrics 70, 2014). A query
that brings more than half of everything at once makes records look rare that are not; then the others tell, if they
tell less. What answers that are cut off hide (:mod:`hometextile.forms.behind`) is known to be there: the larger of both
is taken. To that comes what the words of the pack promise that were not asked: islands that no word of the others
touches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from hometextile.forms.asked import HEARD
from hometextile.forms.behind import behind
from hometextile.forms.sample import ON_TOPIC

if TYPE_CHECKING:
    from hometextile.forms.keywords import KeywordChooser


#: The share of its records whose cards have the words, without which an answer's claim tells nothing.
_LEAST_VISIBLE = 0.6
#: How much comes of what words that were not asked promise, one by one, since they lead to the same records; and what
#: share of the known records it is at most: promises that were hardly tried are no estimate.
_PROMISED, _AT_MOST = 0.3, 0.15


@dataclass(frozen=True)
class Coverage:
    """How far a database has been seen.

    Attributes:
        seen: records.
        there: how many there are by the estimate; at least those seen.
        low, high: the bounds within which it is in 95 of 100 cases, by the spread of the estimate alone.
    """

    seen: float
    there: float
    low: float
    high: float

    @property
    def share(self) -> float:
        """0 to 1: how complete it is."""
        return min(1.0, self.seen / self.there) if self.there else 1.0


def chao(times: Iterable[int]) -> Coverage:
    """The estimate from how many queries returned each record.

    Args:
        times: one number a record, 1 or more.
    """
    counts = list(times)
    seen, once, twice = len(counts), counts.count(1), counts.count(2)
    thrice, often = counts.count(3), max(counts.count(4), 1)
    unseen = once * (once - 1) / (2 * (twice + 1))
    unseen += thrice / (4 * often) * max(once - twice * thrice / (2 * often), 0.0)
    if not unseen:
        return Coverage(seen, seen, seen, seen)
    ratio = once / max(twice, 1)
    spread = max(twice, 1) * (ratio**4 / 4 + ratio**3 + ratio**2 / 2)
    factor = exp(1.96 * sqrt(log(1 + spread / unseen**2)))
    return Coverage(seen, seen + unseen, seen + unseen / factor, seen + unseen * factor)


def coverage(chooser: KeywordChooser) -> Coverage:
    """How many records on the topic a form has, as far as its answers tell.

    Args:
        chooser: the form's.
    """
    sample = chooser.sample
    on_topic = {number for number, on in enumerate(sample.on) if on >= ON_TOPIC}
    found = _recaptured(chooser, on_topic)
    held = found.seen + _held_back(chooser)
    words = min(_PROMISED * chooser.promised, _AT_MOST * found.seen)
    there = max(found.there, held)
    return Coverage(found.seen, there + words, max(found.low, min(there, held)), max(found.high, held) + 2 * words)


def _recaptured(chooser: KeywordChooser, on_topic: set[int]) -> Coverage:
    """By how often records were found; without a query that brought most of them, if that is less."""
    sample = chooser.sample
    found = chao(sample.times[number] for number in on_topic)
    whole = (
        sample.having(keyword.lower().split()) & on_topic
        for keyword, asked in chooser.asked.items()
        if asked.done and asked.results and not asked.cut and asked.heard >= HEARD
    )
    largest = max(whole, key=len, default=set[int]())
    if 2 * len(largest) <= len(on_topic):
        return found
    others = chao(n for n in (sample.times[number] - (number in largest) for number in on_topic) if n)
    bounds = (min(max(of_others, found.seen), of_all) for of_others, of_all in zip(
        (others.there, others.low, others.high), (found.there, found.low, found.high), strict=True))  # fmt: skip
    return Coverage(found.seen, *bounds)


def _held_back(chooser: KeywordChooser) -> float:
    """Records on the topic that answers count and none has shown, as many queries as there are together.

    Two answers that keep records back keep the same ones as far as their known records are the same.
    """
    sample = chooser.sample
    kept = []
    for keyword, asked in chooser.asked.items():
        words = keyword.lower().split()
        # Where the words asked for are not on the cards, nobody knows which of the known records have them.
        if not asked.held_back or not asked.shown or sample.visible(words, asked.shown) < _LEAST_VISIBLE:
            continue
        on = {number for number in sample.having(words) if sample.on[number] >= ON_TOPIC}
        kept.append((behind(sample, asked, words).hidden, keyword, on))
    total, counted = 0.0, set[int]()
    for hidden, _keyword, on in sorted(kept, key=lambda one: (-one[0], one[1])):
        if hidden > 0:
            total += hidden * (1 - len(on & counted) / max(len(on), 1))
            counted |= on
    return total
