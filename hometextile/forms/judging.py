"""Results as the choice of keywords knows them: their words, and how far they are on the topic."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from hometextile.forms.results import ResultLink
from hometextile.forms.sample import Found, Sample

#: What a record counts whose card is on the topic and whose page seems not to be.
_DOUBTED = 0.4
#: The most that a card counts that says nothing of the topic.
_SILENT = 0.9
#: Addresses written out in a card are no words.
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")


@dataclass(frozen=True)
class Judging:
    """What is needed to judge a result.

    Attributes:
        judge: a record's title and text to its relevance, 0 to 1; None where its text says nothing either way.
        threshold: from which relevance on a record is on the topic.
        cut: text to its words.
        canonical: makes addresses comparable.
    """

    judge: Callable[[str, str], float | None]
    threshold: float
    cut: Callable[[str], list[str]]
    canonical: Callable[[str], str]

    def record(self, link: ResultLink, silent: list[float]) -> Found:
        """A result, by its card.

        Args:
            link: the result.
            silent: of records whose card says nothing of the topic: those that were on it, and all.
        """
        relevance = self.judge(link.text, link.card)
        on = min(silent[0] / silent[1], _SILENT) if relevance is None else float(relevance >= self.threshold)
        return Found(self.canonical(link.url), self.cut(_ADDRESS.sub(" ", link.card or link.text)), on)

    def correct(self, sample: Sample, silent: list[float], url: str, on_topic: bool) -> None:
        """A result's own page says what it is.

        Args:
            sample: the records of its form.
            silent: see :meth:`record`; brought up to date.
            url: the result's address.
            on_topic: whether something on the topic came of its page.
        """
        key = self.canonical(url)
        number = sample.number(key)
        if number is None:
            return
        sure = sample.on[number] == 1.0
        if not sure and sample.on[number]:
            # Its card had left it open.
            silent[0] += on_topic
            silent[1] += 1
        # A page whose card was plainly on the topic may only have been read badly.
        sample.correct(key, 1.0 if on_topic else _DOUBTED * sure)
