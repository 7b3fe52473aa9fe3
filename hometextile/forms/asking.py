"""Queries of a form and their answers, as plain data: what goes out, what came back, how far a form is asked."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from hometextile.forms.answers import Answer, Baseline, ResultLink
from hometextile.forms.browsing import Browsing
from hometextile.forms.form import Form, Query
from hometextile.forms.keywords import KeywordChooser
from hometextile.forms.recognising import Verdict
from hometextile.forms.templates import Values

#: What a card is worth that says nothing of the topic, until pages of such records have been seen: these on it, all.
SILENT = (1.0, 3.0)


@dataclass(frozen=True)
class Advice:
    """What a person says of a form in the site file.

    Attributes:
        url, action, name: which form is meant: found in the page's address, found in the action, the form's name.
        use: whether it may be sent at all.
        post: whether it may be sent by POST without certainty.
        elsewhere: whether it may be sent to another host.
        keyword_in: name of the control that takes the keyword.
        set: control name to value.
        keywords: keywords for this form.
        actions: what is done on each of its answers in a browser, as :mod:`hometextile.render.actions` reads it.
    """

    url: str | None = None
    action: str | None = None
    name: str | None = None
    use: bool = True
    post: bool = False
    elsewhere: bool = False
    keyword_in: str | None = None
    set: dict[str, str] = field(default_factory=dict)
    keywords: list[str] = field(default_factory=list)
    actions: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Ask:
    """A query under way: plain data that goes with the request and comes back with the answer.

    Attributes:
        form: the form's fingerprint.
        keyword: what was asked; None for a query without a keyword.
        page: page of the answer, from 1.
        probe: whether it was the nonsense word.
        values: what other controls were set to, by name; empty for their defaults.
        whole: whether the answer is to be opened up in a browser, since a button loads more of it.
    """

    form: str
    keyword: str | None = None
    page: int = 1
    probe: bool = False
    values: Values = field(default_factory=dict)
    whole: bool = False

    @property
    def sent(self) -> list[tuple[str, str]]:
        """What other controls were set to, name to value."""
        return [(name, value) for name, values in self.values.items() for value in values]

    @property
    def key(self) -> str:
        """The same for all pages of an answer."""
        told = self.keyword or ""
        return told if not self.values else told + json.dumps(self.values, ensure_ascii=False, sort_keys=True)


@dataclass
class Step:
    """What is to be sent next: a query or the address of a next page, and what is done there in a browser.

    A query that only a script sends has the address of the form's page, and is sent by its actions.
    """

    ask: Ask
    query: Query | None = None
    url: str | None = None
    actions: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Yield:
    """What a query has brought so far.

    Attributes:
        query: it.
        pages, results, new: of its answer so far.
        gained: new records that are on the topic.
        dry: its last pages without any such.
    """

    query: Query
    pages: int = 0
    results: int = 0
    new: int = 0
    gained: float = 0.0
    dry: int = 0


@dataclass
class Outcome:
    """What an answer brought.

    Attributes:
        answer: the answer, judged.
        links: result links to follow, new to this form.
        steps: what to send next.
        new: how many links were new to the form.
        gains: what became of queries: the kind of answer, and what each has brought so far, all its pages together.
        stopped: why its further pages are not asked for.
    """

    answer: Answer
    links: list[ResultLink] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    new: int = 0
    gains: list[tuple[str, Yield]] = field(default_factory=list)
    stopped: str = ""


@dataclass
class Interrogated:
    """A form and how far it is asked.

    Attributes:
        form, verdict, advice: the form, what it was taken for, what a person says of it.
        chooser: of its keywords.
        browsing: of its other controls; None where they need not be set.
        baseline: what every answer has.
        confirmed: whether an answer had results.
        over: why it is asked no more.
        trials, errors: answers before it was confirmed; errors in a row.
        under_way: queries without a whole answer.
        more: selector of the button that loads more of its answers.
        held: results of a form that is not confirmed.
        silent: of records whose card says nothing of the topic: those on it, and all.
        moving: by query under way, records that its pages have shown.
        gains: by query under way, what it has brought.
        unsettled: without a box for a nonsense word, the first two answers wait for one another: what both and the
            form's page have, every answer has. None when that is settled.
        common: links that these answers have.
    """

    form: Form
    verdict: Verdict
    advice: Advice | None
    chooser: KeywordChooser
    baseline: Baseline
    browsing: Browsing | None = None
    confirmed: bool = False
    over: str = ""
    trials: int = 0
    errors: int = 0
    under_way: int = 0
    more: str = ""
    held: list[ResultLink] = field(default_factory=list)
    silent: list[float] = field(default_factory=lambda: list(SILENT))
    moving: dict[str, set[str]] = field(default_factory=dict)
    gains: dict[str, Yield] = field(default_factory=dict)
    unsettled: list[tuple[Ask, Answer]] | None = None
    common: set[str] | None = None
