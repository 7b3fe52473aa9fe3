"""Which keyword is asked next."""

from __future__ import annotations

from collections.abc import Iterable


class KeywordChooser:
    """Keywords of a form, best first, until they bring nothing new any more.

    Args:
        keywords: what may be asked, in the order of expected yield.
        budget: queries at the most.
        patience: so many queries in a row that bring nothing new end it.
    """

    def __init__(self, keywords: Iterable[str], *, budget: int = 200, patience: int = 60) -> None:
        self._waiting = list(dict.fromkeys(keyword.strip() for keyword in keywords if keyword.strip()))
        self._budget = budget
        self._patience = patience
        self._barren = 0
        self.asked: dict[str, int] = {}
        self.why_ended = ""

    def next(self) -> str | None:
        """The next keyword, or None when it is enough; :attr:`why_ended` says why."""
        if len(self.asked) >= self._budget:
            self.why_ended = "budget"
        elif self._barren >= self._patience:
            self.why_ended = "nothing-new"
        elif not self._waiting:
            self.why_ended = "all-asked"
        else:
            keyword = self._waiting.pop(0)
            self.asked[keyword] = 0
            return keyword
        return None

    def learn(self, keyword: str, new: int) -> None:
        """Take in an answer's yield.

        Args:
            keyword: what was asked.
            new: records that no earlier answer had.
        """
        self.asked[keyword] = self.asked.get(keyword, 0) + new
        self._barren = 0 if new else self._barren + 1
