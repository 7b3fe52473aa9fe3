"""What is sent next: a form filled in, the next page of its answer, a button pressed that loads more of it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from hometextile.forms.acting import actions_of, needs_browser, opening
from hometextile.forms.answers import Answer
from hometextile.forms.asking import Ask, Interrogated, Outcome, Step
from hometextile.forms.form import Query
from hometextile.forms.permission import filled, may_go
from hometextile.forms.submission import Refused, destination, pressed

#: Pages of an answer in a row without a new record on the topic, after which its further pages are left.
DRY_PAGES = 6


class Sending:
    """From what is asked to what goes out.

    Args:
        hosts: the site's.
        browser: whether there is one.
        max_pages: pages an answer.
        count: called with a counter's name, such as ``form/pager/endless``.
    """

    def __init__(
        self, *, hosts: Collection[str], browser: bool, max_pages: int, count: Callable[[str], None]
    ) -> None:
        self._hosts = hosts
        self._browser = browser
        self._max_pages = max_pages
        self._count = count

    def query(self, asked: Interrogated, keyword: str | None, ask: Ask | None = None) -> Query | None:
        """A form filled in; None where it has no place for that.

        Args:
            asked: the form.
            keyword: what goes into its box; None to leave that.
            ask: what else is set.
        """
        return filled(asked.form, asked.verdict, asked.advice, keyword, ask.values if ask else None)

    def step(self, ask: Ask, query: Query, asked: Interrogated) -> Step:
        """A query on its way, with what is to be done on its answer, where that needs a browser.

        Args:
            ask: what is asked.
            query: the form filled in so.
            asked: the form.
        """
        done = self._done(asked)
        if asked.more and not ask.probe:
            done += opening(asked.more)
            ask.whole = True
        if needs_browser(query.form):
            return Step(ask, query, query.form.url, [*actions_of(query), *done])
        return Step(ask, query, actions=done)

    def _done(self, asked: Interrogated) -> list[dict[str, Any]]:
        """What a person wants done on each answer."""
        return list(asked.advice.actions) if asked.advice is not None and self._browser else []

    def turn(self, asked: Interrogated, ask: Ask, answer: Answer, outcome: Outcome, *, moving: bool) -> None:
        """Add to *outcome* what gets the rest of an answer, if anything does.

        Args:
            asked: the form.
            ask: what was asked.
            answer: what came.
            outcome: what the answer brought; gets a step, or the reason why there is none.
            moving: whether it has records that its earlier pages had not.
        """
        pager = answer.pager
        if answer.more and not ask.whole:
            self._open_up(asked, ask, answer.more, outcome)
            return
        onward = pager.onward
        if onward is None and pager.query is None:
            return
        if onward is None and pager.query is not None and not self._may_turn(asked, pager.query):
            self._count("form/pager/other-host")
            return
        if not moving:
            self._count("form/pager/endless")
            return
        if ask.page >= self._max_pages:
            self._count("form/pager/limit")
            outcome.stopped = "limit"
            return
        gain = asked.gains.get(ask.key)
        if gain is not None and gain.dry >= DRY_PAGES:
            self._count("form/pager/dry")
            outcome.stopped = "dry"
            return
        further = Ask(ask.form, ask.keyword, ask.page + 1, values=ask.values)
        if onward is not None:
            outcome.steps.append(Step(further, url=onward.url, actions=self._done(asked)))
        else:
            outcome.steps.append(Step(further, query=pager.query, actions=self._done(asked)))

    def _may_turn(self, asked: Interrogated, query: Query) -> bool:
        target = destination(query.form, pressed(query))
        return not isinstance(target, Refused) and may_go(target[1], asked.advice, self._hosts)

    def _open_up(self, asked: Interrogated, ask: Ask, button: str, outcome: Outcome) -> None:
        """Have a button that loads more pressed in a browser: on this answer now, on later ones at once."""
        if not self._browser:
            self._count("form/pager/needs-a-browser")
            return
        asked.more = button
        again = Ask(ask.form, ask.keyword, values=ask.values)
        query = self.query(asked, ask.keyword, again) if ask.page == 1 else None
        if query is not None:
            self._count("form/pager/more")
            outcome.steps.append(self.step(again, query, asked))
