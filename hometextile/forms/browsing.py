"""Asking a form by its other controls: lists, radio buttons, ranges.

A form without a box for a keyword is asked by them alone. Where a box's answers are cut off, they part the answers: the
keywords that were cut off are asked once more with each setting. Which controls are worth it, templates tell
(:mod:`hometextile.forms.templates`); defaults have been asked by then.
"""

from __future__ import annotations

import json

from hometextile.forms.templates import Input, TemplateSearch, Values

#: Settings in a row that brought nothing new, after which no more are asked.
PATIENCE = 20


class Browsing:
    """The settings of one form, the telling ones.

    Args:
        inputs: the controls that can be set.
        keywords: asked with each setting; the first of them goes with the settings under test. Empty: none is asked.
    """

    def __init__(self, inputs: list[Input], keywords: list[str]) -> None:
        self.search = TemplateSearch(inputs)
        self.keywords = keywords
        self._waiting: list[tuple[str | None, Values]] = []
        self._asked: set[str] = set()
        self._spread = False
        self._barren = 0

    @property
    def number(self) -> int:
        """How many queries it has made."""
        return len(self._asked)

    def next(self) -> tuple[str | None, Values] | None:
        """A keyword and what the controls are set to; None while answers of a test are to come, and at the end."""
        while True:
            if not self._waiting:
                self._fill()
            if not self._waiting or self._barren >= PATIENCE:
                return None
            keyword, values = self._waiting.pop(0)
            mark = _mark(keyword, values)
            if mark in self._asked and not self.search.testing:
                continue
            self._asked.add(mark)
            return keyword, values

    def _fill(self) -> None:
        if self.search.testing or self._spread:
            return
        first = self.keywords[0] if self.keywords else None
        self._waiting = [(first, values) for values in self.search.next()]
        if not self._waiting:
            self._spread = True
            words: list[str | None] = list(self.keywords) or [None]
            self._waiting = [(word, values) for word in words for values in self.search.settings()]

    def learn(self, values: Values, answer: str | None) -> None:
        """The first page of an answer has come.

        Args:
            values: what the controls were set to.
            answer: its signature; None where it had no results.
        """
        self.search.learn(values, answer)

    def done(self, gained: float) -> None:
        """The last page of an answer has come.

        Args:
            gained: new records on the topic.
        """
        self._barren = 0 if gained >= 0.5 or self.search.testing else self._barren + 1


def _mark(keyword: str | None, values: Values) -> str:
    return f"{keyword or ''} {json.dumps(values, sort_keys=True, ensure_ascii=False)}"
