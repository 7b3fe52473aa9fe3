"""Asking a site's forms: from a form found to its last answer.

A form is recognised, asked for a nonsense word (what comes back is what every answer has), then for keywords. Results
make it a query interface (paper 1, section 2.2.3, step 5); a form that answers a few keywords without results is given
up. Everything is plain data in, plain data out: a spider sends the queries and brings the answers back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

import re2

from hometextile.forms.acting import actions_of, keep_selectors, needs_browser
from hometextile.forms.answers import Answer, Baseline, ResultLink, judge_answer
from hometextile.forms.filling import fill
from hometextile.forms.form import Form, Query
from hometextile.forms.keywords import KeywordChooser
from hometextile.forms.plain import from_plain, to_plain
from hometextile.forms.reading import read_forms
from hometextile.forms.recognising import Verdict
from hometextile.forms.results import page_lines
from hometextile.forms.sample import Found
from hometextile.page.document import Document

#: Keywords asked before a form that brought nothing is given up.
TRIALS = 20
#: Errors in a row before a form is given up.
ERRORS = 3
#: Queries of one form under way at once.
WIDTH = 2
_NONSENSE = "zqxjkvbw"
#: Pages of an answer in a row without a new record on the topic, after which its further pages are left.
DRY_PAGES = 6
#: What a record counts whose card is on the topic and whose page seems not to be.
_DOUBTED = 0.4
#: Addresses written out in a card are no words.
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")
#: What a card is worth that says nothing of the topic, until pages of such records have been seen.
_SILENT = (1.0, 3.0)


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


@dataclass
class Ask:
    """A query under way: plain data that goes with the request and comes back with the answer.

    Attributes:
        form: the form's fingerprint.
        keyword: what was asked; None for a query without a keyword.
        page: page of the answer, from 1.
        probe: whether it was the nonsense word.
    """

    form: str
    keyword: str | None = None
    page: int = 1
    probe: bool = False


@dataclass
class Step:
    """What is to be sent next: a query, the address of a next page, or a page and what is done there in a browser."""

    ask: Ask
    query: Query | None = None
    url: str | None = None
    actions: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Yield:
    """What a query has brought so far; ``dry``: its last pages without a new record on the topic."""

    query: Query
    pages: int = 0
    results: int = 0
    new: int = 0
    dry: int = 0


@dataclass
class Outcome:
    """What an answer brought.

    Attributes:
        answer: the answer, judged.
        links: result links to follow, new to this form.
        steps: what to send next.
        new: how many links were new to the form.
        gain: what the query has brought so far, all its pages together.
        stopped: why its further pages are not asked for.
    """

    answer: Answer
    links: list[ResultLink] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    new: int = 0
    gain: Yield | None = None
    stopped: str = ""


@dataclass
class _Asked:
    form: Form
    verdict: Verdict
    advice: Advice | None
    chooser: KeywordChooser
    baseline: Baseline
    confirmed: bool = False
    over: str = ""
    trials: int = 0
    errors: int = 0
    under_way: int = 0
    held: list[ResultLink] = field(default_factory=list)
    silent: list[float] = field(default_factory=lambda: list(_SILENT))
    seen: set[str] = field(default_factory=set)
    seen_by_keyword: dict[str | None, set[str]] = field(default_factory=dict)
    gains: dict[str | None, Yield] = field(default_factory=dict)


class Interrogation:
    """The forms of one site and how far each has been asked.

    Args:
        recognise: form and document to a verdict.
        canonical: makes addresses comparable.
        keywords: the pack's words, best first.
        named: keywords that a person wants asked, before all others.
        fixed: ask those that a person named and no others.
        judge: a record's title and text to its relevance, 0 to 1; None where its text says nothing either way.
        threshold: from which relevance on a record is on the topic.
        cut: text to its words.
        advice: the site file's words on forms.
        hosts: where a form may be sent.
        browser: whether there is a browser for forms that only a script sends.
        fruitful: of forms that were asked at an earlier visit: the keywords worth asking again, best first.
        max_queries: queries a form.
        max_pages: pages an answer.
        count: called with a counter's name, such as ``form/refused/post``.
    """

    def __init__(
        self,
        *,
        recognise: Callable[[Form, Document], Verdict],
        canonical: Callable[[str], str],
        keywords: list[str],
        named: Iterable[str] = (),
        fixed: bool = False,
        judge: Callable[[str, str], float | None] = lambda title, text: 1.0,
        threshold: float = 0.5,
        cut: Callable[[str], list[str]] = lambda text: re.findall(r"\w+", text.lower()),
        advice: Iterable[Advice] = (),
        fruitful: Mapping[str, list[str]] | None = None,
        hosts: Iterable[str] = (),
        browser: bool = False,
        max_queries: int = 200,
        max_pages: int = 50,
        count: Callable[[str], None] = lambda name: None,
    ) -> None:
        self._recognise = recognise
        self._canonical = canonical
        self._keywords = keywords
        self._named = list(named)
        self._fixed = fixed
        self._judge = judge
        self._threshold = threshold
        self._cut = cut
        self._advice = list(advice)
        self._fruitful = fruitful or {}
        self._hosts = set(hosts)
        self._browser = browser
        self._max_queries = max_queries
        self._max_pages = max_pages
        self._count = count
        self._forms: dict[str, _Asked] = {}
        self._refused: set[str] = set()

    def state(self, mark: str) -> Any:
        """How far a form is asked, as plain data; None for a form that is not asked."""
        asked = self._forms.get(mark)
        return None if asked is None else to_plain(asked)

    def restore(self, mark: str, state: Any) -> bool:
        """Go on with a form where an earlier run was.

        Args:
            mark: the form's fingerprint.
            state: from :meth:`state`.

        Returns:
            Whether it could be understood; another version of the program may have written it.
        """
        try:
            asked = from_plain(state)
        except ValueError:
            return False
        if not isinstance(asked, _Asked):
            return False
        self._forms[mark] = asked
        return True

    def look(self, document: Document) -> list[Step]:
        """Read a page's forms; new query interfaces are asked for a nonsense word.

        Args:
            document: any page of the site.
        """
        steps = []
        for form in read_forms(document):
            mark = form.fingerprint
            if mark in self._forms or mark in self._refused:
                continue
            self._count("form/found")
            verdict = self._recognise(form, document)
            advice = self._advice_for(form)
            reason = self._refusal(form, verdict, advice)
            asked = None if reason else self._begin(form, verdict, advice, document)
            if asked is None:
                self._refused.add(mark)
                self._count(f"form/refused/{reason or 'no-place-for-a-keyword'}")
                continue
            self._forms[mark] = asked
            self._count("form/recognised")
            probe = self._query(asked, _NONSENSE)
            if probe is not None:
                probe.probe = True
                asked.under_way += 1
                steps.append(self._step(Ask(mark, _NONSENSE, probe=True), probe))
        return steps

    def _begin(self, form: Form, verdict: Verdict, advice: Advice | None, document: Document) -> _Asked | None:
        asked = _Asked(form, verdict, advice, self._chooser(form, advice, document), Baseline())
        if self._query(asked, _NONSENSE) is None:
            return None
        if needs_browser(form):
            keep_selectors(form)
        asked.baseline.add(document, self._canonical)
        return asked

    def _chooser(self, form: Form, advice: Advice | None, document: Document) -> KeywordChooser:
        fruitful = self._fruitful.get(form.fingerprint)
        if fruitful is not None:
            return KeywordChooser(first=fruitful, adaptive=False, budget=self._max_queries)
        named = list(advice.keywords) if advice and advice.keywords else self._named
        text = "\n".join(page_lines(document)).lower()
        likely = [word for word in self._keywords if word.lower() in text]
        return KeywordChooser(
            self._keywords,
            first=named,
            adaptive=not (named and self._fixed),
            likely=likely,
            budget=self._max_queries,
        )

    def _advice_for(self, form: Form) -> Advice | None:
        for advice in self._advice:
            if advice.url and not re2.search(advice.url, form.url):
                continue
            if advice.action and not re2.search(advice.action, form.action):
                continue
            if advice.name and advice.name != form.name:
                continue
            return advice
        return None

    def _refusal(self, form: Form, verdict: Verdict, advice: Advice | None) -> str:
        """Why the form is not sent, empty if it may be."""
        if advice is not None and not advice.use:
            return "rule"
        if advice is None and not verdict.is_query:
            return "no-query-interface"
        if needs_browser(form):
            return "" if self._browser and self._acts(form) else "needs-a-browser"
        if re.match(r"\s*(?:javascript|mailto|data|about):", form.action, re.IGNORECASE):
            return "script-action"
        try:
            host = urlsplit(urljoin(form.base_url or form.url, form.action)).hostname or ""
        except ValueError:
            return "bad-action"
        if host not in self._hosts and not (advice is not None and advice.elsewhere):
            return "other-host"
        if form.method == "post" and not verdict.certain and not (advice is not None and advice.post):
            return "post"
        return ""

    def _acts(self, form: Form) -> bool:
        query = fill(form, _NONSENSE, None, allow_post=True)
        return query is not None and bool(actions_of(query))

    def _query(self, asked: _Asked, keyword: str) -> Query | None:
        advice = asked.advice
        # What a person says of a form goes before what the machine makes of it.
        query = fill(
            asked.form, keyword, None if advice else asked.verdict, allow_post=advice is not None and advice.post
        )
        if advice is not None and advice.keyword_in:
            query = query or Query(asked.form, url=asked.form.url)
            query.values = {**query.values, advice.keyword_in: [keyword]}
            query.keyword = keyword
        if query is not None and advice is not None:
            query.values = {**query.values, **{name: [value] for name, value in advice.set.items()}}
        return query

    def answered(self, ask: Ask, document: Document, status: int = 200) -> Outcome:
        """Take in an answer.

        Args:
            ask: what was asked, as it went with the request.
            document: the answer.
            status: its HTTP status.
        """
        asked = self._forms.get(ask.form)
        if asked is None:
            return Outcome(Answer("error", why="unknown-form"))
        if ask.probe:
            asked.under_way -= 1
            return self._probed(asked, ask, document, status)
        forms = read_forms(document)
        answer = judge_answer(
            document,
            asked.baseline,
            canonical=self._canonical,
            keyword=ask.keyword or "",
            status=status,
            forms=forms,
            least=1,
        )
        self._count(f"form/answer/{answer.kind}")
        outcome = Outcome(answer)
        if answer.kind == "results":
            self._take(asked, ask, answer, outcome)
        else:
            self._went_without(asked, ask, answer)
        self._tally(asked, ask, outcome)
        if not outcome.steps:
            self._finish(asked, ask, outcome.stopped)
            outcome.steps += self._more(ask.form, asked)
        return outcome

    def _finish(self, asked: _Asked, ask: Ask, stopped: str = "") -> None:
        """The last page of an answer has come, or none."""
        asked.under_way -= 1
        asked.seen_by_keyword.pop(ask.keyword, None)
        if ask.keyword is not None:
            asked.chooser.done(ask.keyword, stopped=stopped)

    @staticmethod
    def _tally(asked: _Asked, ask: Ask, outcome: Outcome) -> None:
        gain = asked.gains.get(ask.keyword)
        if gain is not None:
            gain.pages += 1
            gain.results += len(outcome.answer.links)
            gain.new += outcome.new
            outcome.gain = gain

    def failed(self, ask: Ask) -> list[Step]:
        """No answer came (network, robots, a refused address): go on with the next keyword."""
        asked = self._forms.get(ask.form)
        if asked is None:
            return []
        self._count("form/answer/failed")
        if ask.page == 1:
            asked.errors += 1
            if asked.errors >= ERRORS:
                self._end(asked, "errors")
        if ask.probe:
            asked.under_way -= 1
        else:
            self._finish(asked, ask, "failed")
        return self._more(ask.form, asked)

    def _probed(self, asked: _Asked, ask: Ask, document: Document, status: int) -> Outcome:
        if status < 400:
            asked.baseline.add(document, self._canonical, nonsense=True)
        self._count("form/probed")
        return Outcome(Answer("none", why="probe"), steps=self._more(ask.form, asked))

    def _take(self, asked: _Asked, ask: Ask, answer: Answer, outcome: Outcome) -> None:
        fresh = [link for link in answer.links if self._canonical(link.url) not in asked.seen]
        asked.seen.update(self._canonical(link.url) for link in fresh)
        asked.errors = 0
        own = asked.seen_by_keyword.setdefault(ask.keyword, set())
        moving = {self._canonical(link.url) for link in answer.links} - own
        own |= moving
        outcome.new = len(fresh)
        if not asked.confirmed:
            asked.held += fresh
            asked.trials += ask.page == 1
            if len(asked.seen) >= 3:
                asked.confirmed = True
                self._count("form/query-interface")
                outcome.links, asked.held = asked.held, []
        else:
            outcome.links = fresh
        if ask.keyword is not None:
            records = [self._record(asked, link) for link in answer.links]
            _new, gained = asked.chooser.saw(ask.keyword, records, answer.count)
            gain = asked.gains.get(ask.keyword)
            if gain is not None:
                gain.dry = 0 if gained >= 0.5 else gain.dry + 1
        self._next_page(asked, ask, answer, bool(moving), outcome)

    def _record(self, asked: _Asked, link: ResultLink) -> Found:
        """A result as the chooser knows it."""
        relevance = self._judge(link.text, link.card)
        silent = min(asked.silent[0] / asked.silent[1], 0.9)
        on = silent if relevance is None else float(relevance >= self._threshold)
        words = self._cut(_ADDRESS.sub(" ", link.card or link.text))
        return Found(self._canonical(link.url), words, on)

    def feedback(self, mark: str, url: str, on_topic: bool) -> None:
        """What the page of a result turned out to be.

        Args:
            mark: the form's fingerprint.
            url: the result's address.
            on_topic: whether something on the topic came of it.
        """
        asked = self._forms.get(mark)
        if asked is None:
            return
        sample, key = asked.chooser.sample, self._canonical(url)
        number = sample.keys.get(key)
        if number is None:
            return
        sure = sample.on[number] == 1.0
        if not sure and sample.on[number]:
            # Its card had left it open.
            asked.silent[0] += on_topic
            asked.silent[1] += 1
        # A page whose card was plainly on the topic may only have been read badly.
        sample.correct(key, 1.0 if on_topic else _DOUBTED * sure)

    def _next_page(self, asked: _Asked, ask: Ask, answer: Answer, moving: bool, outcome: Outcome) -> None:
        pager = answer.pager
        onward = pager.onward
        if onward is None and pager.query is None:
            return
        if not moving:
            self._count("form/pager/endless")
            return
        if ask.page >= self._max_pages:
            self._count("form/pager/limit")
            outcome.stopped = "limit"
            return
        gain = asked.gains.get(ask.keyword)
        if gain is not None and gain.dry >= DRY_PAGES:
            self._count("form/pager/dry")
            outcome.stopped = "dry"
            return
        further = Ask(ask.form, ask.keyword, ask.page + 1)
        if onward is not None:
            outcome.steps.append(Step(further, url=onward.url))
        else:
            outcome.steps.append(Step(further, query=pager.query))

    def _went_without(self, asked: _Asked, ask: Ask, answer: Answer) -> None:
        if ask.page > 1:
            return
        if answer.kind in {"captcha", "login"}:
            self._end(asked, answer.kind)
        elif answer.kind == "error":
            asked.errors += 1
            if asked.errors >= ERRORS:
                self._end(asked, "errors")
        else:
            asked.errors = 0
        if not asked.confirmed:
            asked.trials += 1
            if asked.trials >= TRIALS:
                self._end(asked, "no-results")

    def _end(self, asked: _Asked, why: str) -> None:
        if not asked.over:
            asked.over = why
            self._count(f"form/ended/{why}")

    def _more(self, mark: str, asked: _Asked) -> list[Step]:
        steps: list[Step] = []
        while not asked.over and asked.under_way < WIDTH:
            keyword = asked.chooser.next()
            if keyword is None:
                # An answer under way may have words that are worth asking.
                if not asked.under_way or asked.chooser.why_ended == "budget":
                    self._end(asked, asked.chooser.why_ended)
                break
            query = self._query(asked, keyword)
            if query is None:
                continue
            asked.under_way += 1
            asked.gains[keyword] = Yield(query)
            self._count("form/queries")
            steps.append(self._step(Ask(mark, keyword), query))
        return steps

    @staticmethod
    def _step(ask: Ask, query: Query) -> Step:
        if needs_browser(query.form):
            return Step(ask, query, query.form.url, actions_of(query))
        return Step(ask, query)
