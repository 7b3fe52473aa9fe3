"""Asking a site's forms: from a form found to its last answer.

A form is recognised, asked for a nonsense word (what comes back is what every answer has), then for keywords. Results
make it a query interface (paper 1, section 2.2.3, step 5); a form that answers a few keywords without results is given
up. A form without a box is asked by its lists and ranges, and so is one whose answers are cut off. Everything is plain
data in, plain data out: a spider sends the queries and brings the answers back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hometextile.forms.acting import keep_selectors, needs_browser
from hometextile.forms.answers import Answer, Baseline, judge_answer, page_links
from hometextile.forms.asking import Advice, Ask, Interrogated, Outcome, Step, Yield
from hometextile.forms.browsing import Browsing
from hometextile.forms.filling import in_a_field, keyword_control
from hometextile.forms.form import Form
from hometextile.forms.judging import Judging
from hometextile.forms.keywords import KeywordChooser
from hometextile.forms.meanings import Meanings
from hometextile.forms.permission import ALLOWING, NONSENSE, advice_for, needed, refusal
from hometextile.forms.plain import from_plain, to_plain
from hometextile.forms.reading import read_forms
from hometextile.forms.recognising import Verdict
from hometextile.forms.results import page_lines
from hometextile.forms.sending import Sending
from hometextile.forms.templates import inputs_of, signature
from hometextile.page.document import Document
from hometextile.text.scripts import is_traditional, to_traditional

__all__ = ["Advice", "Ask", "Interrogation", "Outcome", "Step"]

#: Keywords asked before a form that brought nothing is given up.
TRIALS = 20
#: Errors in a row before a form is given up.
ERRORS = 3
#: Queries of one form under way at once.
WIDTH = 2
#: Keywords that are asked again with other controls set, where their answers were cut off.
MAX_AGAIN = 12


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
        meanings: what labels mean, for forms that are asked by their lists; None: they are not.
        fruitful: of forms that were asked at an earlier visit: the keywords worth asking again, best first.
        max_queries: queries a form.
        max_pages: pages an answer.
        count: called with a counter's name, such as ``form/refused/post``.
        held_back: called with a query interface that is not sent since no rule allows it, the keys that its entry in
            the site file lacks, and whether it has one.
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
        meanings: Meanings | None = None,
        max_queries: int = 200,
        max_pages: int = 50,
        count: Callable[[str], None] = lambda name: None,
        held_back: Callable[[Form, list[str], bool], None] = lambda form, keys, entered: None,
    ) -> None:
        self._recognise = recognise
        self._canonical = canonical
        self._keywords = keywords
        self._named = list(named)
        self._fixed = fixed
        self._judging = Judging(judge, threshold, cut, canonical)
        self._advice = list(advice)
        self._fruitful = fruitful or {}
        self._hosts = set(hosts)
        self._browser = browser
        self._sending = Sending(hosts=self._hosts, browser=browser, max_pages=max_pages, count=count)
        self._meanings = meanings
        self._max_queries = max_queries
        self._count = count
        self._held_back = held_back
        self._forms: dict[str, Interrogated] = {}
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
        if not isinstance(asked, Interrogated) or not asked.chooser.complete:
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
            advice = advice_for(form, self._advice)
            reason = refusal(form, verdict, advice, hosts=self._hosts, browser=self._browser)
            asked = None if reason else self._begin(form, verdict, advice, document)
            if asked is None:
                self._refused.add(mark)
                self._count(f"form/refused/{reason or 'no-place-for-a-keyword'}")
                if reason in ALLOWING and verdict.is_query:
                    keys = needed(form, verdict, self._hosts, advice)
                    self._held_back(form, keys, advice is not None)
                continue
            self._forms[mark] = asked
            self._count("form/recognised")
            steps += self._begun(mark, asked)
        return steps

    def _begin(self, form: Form, verdict: Verdict, advice: Advice | None, document: Document) -> Interrogated | None:
        asked = Interrogated(form, verdict, advice, self._chooser(form, advice, document), Baseline())
        if self._sending.query(asked, NONSENSE) is None:
            asked.browsing = self._browsing(asked, [])
            if asked.browsing is None:
                return None
        if needs_browser(form):
            keep_selectors(form)
        asked.baseline.add(document, self._canonical)
        return asked

    def _browsing(self, asked: Interrogated, keywords: list[str]) -> Browsing | None:
        """How the form's other controls are set; None where none can be."""
        if self._meanings is None or needs_browser(asked.form) or self._sending.query(asked, None) is None:
            return None
        fixed = asked.advice.set if asked.advice is not None else {}
        inputs = [one for one in inputs_of(asked.form, self._meanings) if not one.controls & set(fixed)]
        return Browsing(inputs, keywords) if inputs else None

    def _begun(self, mark: str, asked: Interrogated) -> list[Step]:
        """A nonsense word; the first settings, where there is no box for one."""
        if asked.browsing is not None:
            asked.unsettled = []
            return self._more(mark, asked)
        ask = Ask(mark, NONSENSE, probe=True)
        query = self._sending.query(asked, NONSENSE)
        if query is None:
            return []
        query.probe = True
        asked.under_way += 1
        return [self._sending.step(ask, query, asked)]

    def _chooser(self, form: Form, advice: Advice | None, document: Document) -> KeywordChooser:
        fruitful = self._fruitful.get(form.fingerprint)
        if fruitful is not None:
            return KeywordChooser(first=fruitful, adaptive=False, budget=self._max_queries)
        # Half is kept for the other fields, where a keyword is looked for in one; what they leave comes back.
        budget = self._max_queries // 2 if self._in_a_field(form, advice) else self._max_queries
        named = list(advice.keywords) if advice and advice.keywords else self._named
        text = "\n".join(page_lines(document)).lower()
        keywords = self._keywords
        if is_traditional(text):
            keywords = [to_traditional(word) for word in keywords]
        likely = [word for word in keywords if word.lower() in text]
        return KeywordChooser(
            keywords,
            first=named,
            adaptive=not (named and self._fixed),
            likely=likely,
            budget=budget,
        )

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
        answer = judge_answer(
            document,
            asked.baseline,
            canonical=self._canonical,
            keyword=ask.keyword or "",
            status=status,
            forms=read_forms(document),
            least=1,
        )
        if asked.unsettled is not None:
            return self._settle(asked, ask, answer, document)
        return self._taken_in(asked, ask, answer)

    def _settle(self, asked: Interrogated, ask: Ask, answer: Answer, document: Document) -> Outcome:
        """Two answers of a form without a box: what they have in common with its page is no result."""
        links = {self._canonical(url) for url, _text, _element in page_links(document)}
        asked.common = links if asked.common is None else asked.common & links
        waiting = [*(asked.unsettled or []), (ask, answer)]
        if len(waiting) < 2 and asked.under_way > 1:
            asked.unsettled = waiting
            return Outcome(Answer("none", why="waits"))
        asked.unsettled = None
        everywhere = asked.common & asked.baseline.links
        asked.baseline.everywhere |= everywhere
        merged = Outcome(answer)
        for one, told in waiting:
            told.links = [link for link in told.links if self._canonical(link.url) not in everywhere]
            if told.kind == "results" and not told.links:
                told.kind = "none"
            outcome = self._taken_in(asked, one, told)
            merged.links += outcome.links
            merged.steps += outcome.steps
            merged.gains += outcome.gains
            merged.new += outcome.new
        return merged

    def _taken_in(self, asked: Interrogated, ask: Ask, answer: Answer) -> Outcome:
        self._count(f"form/answer/{answer.kind}")
        outcome = Outcome(answer)
        if answer.kind == "results":
            self._take(asked, ask, answer, outcome)
        else:
            self._went_without(asked, ask, answer)
        if asked.browsing is not None and ask.values and ask.page == 1 and not ask.whole:
            told = signature(self._canonical(link.url) for link in answer.links) if answer.links else None
            asked.browsing.learn(ask.values, told)
        self._tally(asked, ask, outcome)
        if not outcome.steps:
            self._finish(asked, ask, outcome.stopped)
            outcome.steps += self._more(ask.form, asked)
        return outcome

    def _finish(self, asked: Interrogated, ask: Ask, stopped: str = "") -> None:
        """The last page of an answer has come, or none."""
        asked.under_way -= 1
        asked.moving.pop(ask.key, None)
        gain = asked.gains.pop(ask.key, None)
        if ask.values and asked.browsing is not None:
            asked.browsing.done(gain.gained if gain is not None else 0.0)
        elif ask.keyword is not None:
            asked.chooser.done(ask.keyword, stopped=stopped)

    @staticmethod
    def _tally(asked: Interrogated, ask: Ask, outcome: Outcome) -> None:
        gain = asked.gains.get(ask.key)
        if gain is not None:
            gain.pages += 1
            gain.results += len(outcome.answer.links)
            gain.new += outcome.new
            outcome.gains.append((outcome.answer.kind if ask.page == 1 else "results", gain))

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
            if asked.browsing is not None and ask.values and ask.page == 1:
                asked.browsing.learn(ask.values, None)
            self._finish(asked, ask, "failed")
        return self._more(ask.form, asked)

    def _probed(self, asked: Interrogated, ask: Ask, document: Document, status: int) -> Outcome:
        if status < 400:
            asked.baseline.add(document, self._canonical, nonsense=True)
        self._count("form/probed")
        return Outcome(Answer("none", why="probe"), steps=self._more(ask.form, asked))

    def _take(self, asked: Interrogated, ask: Ask, answer: Answer, outcome: Outcome) -> None:
        known = asked.chooser.sample
        fresh = [link for link in answer.links if not known.has(self._canonical(link.url))]
        asked.errors = 0
        own = asked.moving.setdefault(ask.key, set())
        moving = {self._canonical(link.url) for link in answer.links} - own
        own |= moving
        outcome.new = len(fresh)
        gained = self._learn(asked, ask, answer)
        if not asked.confirmed:
            asked.held += fresh
            asked.trials += ask.page == 1
            if len(known) >= 3:
                asked.confirmed = True
                self._count("form/query-interface")
                outcome.links, asked.held = asked.held, []
        else:
            outcome.links = fresh
        gain = asked.gains.get(ask.key)
        if gain is not None:
            gain.gained += gained
            gain.dry = 0 if gained >= 0.5 else gain.dry + 1
        self._sending.turn(asked, ask, answer, outcome, moving=bool(moving))

    def _learn(self, asked: Interrogated, ask: Ask, answer: Answer) -> float:
        """Have the answer's records known; how many new ones are on the topic."""
        records = [self._judging.record(link, asked.silent) for link in answer.links]
        if ask.keyword is not None and not ask.values:
            return asked.chooser.saw(ask.keyword, records, answer.count)[1]
        return sum(record.on for record in records if asked.chooser.sample.add(record))

    def feedback(self, mark: str, url: str, on_topic: bool) -> None:
        """What the page of a result turned out to be.

        Args:
            mark: the form's fingerprint.
            url: the result's address.
            on_topic: whether something on the topic came of it.
        """
        asked = self._forms.get(mark)
        if asked is not None:
            self._judging.correct(asked.chooser.sample, asked.silent, url, on_topic)

    def _went_without(self, asked: Interrogated, ask: Ask, answer: Answer) -> None:
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

    def _end(self, asked: Interrogated, why: str) -> None:
        if not asked.over:
            asked.over = why
            self._count(f"form/ended/{why}")

    def _more(self, mark: str, asked: Interrogated) -> list[Step]:
        steps: list[Step] = []
        while not asked.over and asked.under_way < WIDTH:
            ask = self._next(mark, asked)
            if ask is None:
                # An answer under way may have words that are worth asking.
                if not asked.under_way or (asked.chooser.why_ended == "budget" and not self._elsewhere(asked)):
                    self._end(asked, asked.chooser.why_ended or "all-asked")
                break
            query = self._sending.query(asked, ask.keyword, ask)
            if query is None:
                continue
            asked.under_way += 1
            asked.gains[ask.key] = Yield(query)
            self._count("form/queries")
            steps.append(self._sending.step(ask, query, asked))
        return steps

    def _next(self, mark: str, asked: Interrogated) -> Ask | None:
        """The next keyword; when these are over, or there is no box, the next setting of other controls."""
        if asked.browsing is None:
            keyword = asked.chooser.next()
            if keyword is not None:
                return Ask(mark, keyword)
            if asked.under_way or (asked.chooser.why_ended == "budget" and not self._elsewhere(asked)):
                return None
            asked.browsing = self._again(asked)
        set_ = asked.browsing.number if asked.browsing is not None else 0
        if len(asked.chooser.asked) + set_ >= self._max_queries:
            return None
        chosen = asked.browsing.next() if asked.browsing is not None else None
        if chosen is not None:
            return Ask(mark, chosen[0], values=chosen[1])
        if asked.under_way or not self._elsewhere(asked):
            return None
        asked.chooser.grant(self._max_queries - set_)
        keyword = asked.chooser.next()
        return None if keyword is None else Ask(mark, keyword)

    def _elsewhere(self, asked: Interrogated) -> bool:
        """Whether keywords are looked for in other fields as well."""
        return self._in_a_field(asked.form, asked.advice)

    def _in_a_field(self, form: Form, advice: Advice | None) -> bool:
        # Templates set the other fields; they need meanings, and a form that is sent by its own address.
        if self._meanings is None or needs_browser(form):
            return False
        return in_a_field(form, advice.set if advice is not None else ())

    def _again(self, asked: Interrogated) -> Browsing | None:
        """With other controls set, the keywords whose answers were cut off; those that brought most first.

        Where a keyword was looked for in one of several fields, the keywords that brought something are looked for in
        the others.
        """
        chooser = asked.chooser
        if keyword_control(asked.form) is None:
            return None
        elsewhere = self._elsewhere(asked)
        if not elsewhere and (chooser.cap is None or not chooser.adaptive):
            return None
        told = [(-one.gained, word) for word, one in chooser.asked.items() if one.gained >= 0.5]
        again = sorted(each for each in told if elsewhere or chooser.asked[each[1]].cut)
        return self._browsing(asked, [word for _gained, word in again[:MAX_AGAIN]]) if again else None
