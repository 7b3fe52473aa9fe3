"""How many records there are in all, from how often each has been seen: capture and recapture.

A. Chao, "Estimating the population size for capture-recapture data with unequal catchability" (Biometrics 43, 1987):
records are unlike in how easily they are found, and those found once and twice tell how many were not found at all. It
is a lower bound, which those found three and four times raise (C.-H. Chiu and others, Biometrics 70, 2014). Where an
answer says how many records it has and gives fewer, those that it keeps back are known to be there: of them, as many
are on the topic as of those that were seen; the larger of both is taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from hometextile.forms.sample import ON_TOPIC

if TYPE_CHECKING:
    from hometextile.forms.keywords import KeywordChooser


#: So many records of an answer must be on the topic for what it keeps back to count.
_SURELY = 3
#: The share of its records whose cards have the words, without which an answer's claim tells nothing.
_LEAST_VISIBLE = 0.6


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
    on_topic = [number for number, on in enumerate(sample.on) if on >= ON_TOPIC]
    found = chao(sample.times[number] for number in on_topic)
    held = len(on_topic) + _held_back(chooser)
    return Coverage(found.seen, max(found.there, held), max(found.low, min(found.there, held)), max(found.high, held))


def _held_back(chooser: KeywordChooser) -> float:
    """Records on the topic that answers count and none has shown, as many queries as there are together.

    Of what an answer keeps back, as much is on the topic as of what it shows. Two answers that keep records back keep
    the same ones as far as their known records are the same.
    """
    sample = chooser.sample
    kept = []
    for keyword, asked in chooser.asked.items():
        if not asked.held_back or asked.claimed is None or not asked.shown:
            continue
        words = keyword.lower().split()
        known, visible = sample.having(words), sample.visible(words, asked.shown)
        if visible < _LEAST_VISIBLE:
            # The words asked for are not on the cards, so that nobody knows which of the known ones have them.
            continue
        shown_on = sum(sample.on[number] >= ON_TOPIC for number in asked.shown)
        if shown_on < _SURELY:
            continue
        on = {number for number in known if sample.on[number] >= ON_TOPIC}
        hidden = asked.claimed * shown_on / len(asked.shown) - len(on) * sample.beyond / visible
        kept.append((min(hidden, asked.claimed - len(known)), keyword, on))
    total, counted = 0.0, set[int]()
    for hidden, _keyword, on in sorted(kept, key=lambda one: (-one[0], one[1])):
        if hidden > 0:
            total += hidden * (1 - len(on & counted) / max(len(on), 1))
            counted |= on
    return total
