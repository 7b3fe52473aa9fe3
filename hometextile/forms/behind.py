"""How many records on the topic are behind an answer that gives only a part of what there is.

Two things tell. The answer says how many there are, and what it shows says which share of them is on the topic; that is
little where it shows eight such records of 16,000. And of the records that other queries have brought, the answer shows
some: it has so many on the topic as that share makes of those it shows (capture and recapture: Lincoln, Petersen; D. G.
Chapman 1951). Both are taken, each by the inverse of its variance.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from hometextile.forms.sample import ON_TOPIC, Sample

if TYPE_CHECKING:
    from hometextile.forms.asked import Asked

#: How far recapture may be out because queries find the same records.
_DEPENDENT = 0.2


@dataclass(frozen=True)
class Behind:
    """What an answer that was cut off stands for.

    Attributes:
        whole: how many records there are.
        on: how many of them are on the topic.
        known: how many of these are known.
    """

    whole: float
    on: float
    known: float

    @property
    def hidden(self) -> float:
        """Records on the topic that no answer has shown."""
        return max(self.on - self.known, 0.0)


def behind(sample: Sample, asked: Asked, words: list[str]) -> Behind:
    """What is behind an answer that was cut off.

    Args:
        sample: the records seen.
        asked: the query; the numbers of the records that it showed are kept.
        words: of its keyword.
    """
    known = sample.having(words)
    visible = sample.visible(words, asked.shown)
    shown = known.intersection(asked.shown)
    others = {n for n in known if sample.times[n] > (n in shown)}
    on = {n for n in known if sample.on[n] >= ON_TOPIC}
    spare = sample.beyond / visible
    number, known_on = len(known) * spare, len(on) * spare
    recaptured, spread = _recapture(len(others & on), len(shown & on), len(shown & others & on))
    recaptured, spread = recaptured * spare, spread * spare**2
    claimed = asked.claimed if asked.held_back and asked.claimed is not None else None
    if claimed is None:
        whole = max(_recapture(len(others), len(shown), len(shown & others))[0] * spare, number)
        return Behind(whole, max(recaptured, known_on), known_on)
    seen = len(asked.shown)
    share = (sum(sample.on[n] >= ON_TOPIC for n in asked.shown) + 0.5) / (seen + 1)
    by_share = claimed * share
    variance = claimed**2 * share * (1 - share) / (seen + 1)
    weight = 1 / (1 + variance / spread)
    told = max(weight * by_share + (1 - weight) * recaptured, known_on)
    # What is not known can't be more than what the answer counts beside it.
    return Behind(float(claimed), min(told, known_on + max(claimed - number, 0.0)), known_on)


def _recapture(first: int, second: int, both: int) -> tuple[float, float]:
    """Chapman's estimate and its variance, no less than what one record more or less in common makes.

    Queries are not independent: what one finds, others find more easily. Nothing in common says nothing.
    """
    estimate = (first + 1) * (second + 1) / (both + 1) - 1
    if not both:
        return estimate, inf
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    return estimate, variance + ((first + 1) / (second + 1)) ** 2 + (_DEPENDENT * estimate) ** 2
