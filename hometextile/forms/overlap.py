"""What other queries leave to one: those under way, and those whose answers were cut off at nearly the same records.

Two words of one maker's name, or a word and the class that all its records are in, ask for the same records. Where
answers come in one order, the second is cut off where the first was. The known records that have the words of both
tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hometextile.forms.sample import Sample

if TYPE_CHECKING:
    from hometextile.forms.asked import Asked


class Overlap:
    """Compares keywords with the queries so far.

    Args:
        sample: the records seen.
        asked: the queries, by keyword.
        in_order: 0 to 1: how sure it is that answers come in one order.
    """

    def __init__(self, sample: Sample, asked: Mapping[str, Asked], in_order: float) -> None:
        self._sample = sample
        self._in_order = in_order
        self._under_way = [sample.having(word.lower().split()) for word, one in asked.items() if not one.done]
        self._cut = [
            (sample.having(word.lower().split()), set(one.shown))
            for word, one in asked.items()
            if one.done and one.cut and one.shown
        ]

    def left(self, keyword: str, cap: int | None) -> float:
        """0 to 1: the share of what *keyword* would bring that no other query brings or keeps back.

        Args:
            keyword: what may be asked.
            cap: records of an answer at the most; None if there is no such bound.
        """
        known = self._sample.having(keyword.lower().split())
        if not known:
            return 1.0
        left = 1.0
        for other in self._under_way:
            left *= 1 - len(known & other) / len(known)
        if cap is None or left < 0.02:
            return left
        kept_back = 0.0
        for other, shown in self._cut:
            both = len(known & other)
            if 2 * both > len(known):
                # Of the records that both have, those that were shown come first again and fill so much of the answer.
                kept_back = max(kept_back, both / len(known) * min(1.0, len(known & shown) / cap))
        return left * (1 - self._in_order * kept_back)
