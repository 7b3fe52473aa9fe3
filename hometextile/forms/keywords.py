"""Which keyword is asked next.

A. Ntoulas, P. Zerfos, J. Cho, "Downloading Textual Hidden Web Content Through Keyword Queries" (JCDL 2005): the next
keyword is the one from which most new documents a unit of cost are expected, as the documents seen so far tell. Ours
differs in three ways. Only documents on the topic count. A word's expected yield is learned from how earlier
expectations came true, apart for records that a query has laid bare completely and for those that a capped answer may
have more of. And where answers are capped, two words together are asked. Beside words of records stand those of the
pack (:mod:`hometextile.forms.pack_words`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from heapq import heapify, heappop

from hometextile.forms.asked import HEARD, Asked, Candidate
from hometextile.forms.coverage import chao
from hometextile.forms.narrowing import Narrowing
from hometextile.forms.overlap import Overlap
from hometextile.forms.pack_words import KNOWN, UNSEEN, PackWords
from hometextile.forms.sample import ON_TOPIC, Found, Sample

#: Records an answer's page has, for the cost of a query, until answers tell.
_PAGE = 20
#: What a page costs beside a query.
_PAGE_COST = 0.25
#: No answer is cut off before so many records.
_LEAST_CAP = 10
#: Forgetting of what earlier queries taught: a query of the same kind, and any query.
_FORGET, _FADE = 0.85, 0.97
#: New records for each that is known, and how many records that belief is worth, before anything is learned.
_RATES = {"fresh": (2.0, 2.0), "stale": (0.6, 2.0)}
#: Words that would be cut off and are looked at as the first of two.
_OPENED = 20
#: Candidates that are compared with the other queries, one by one.
_LOOKED_AT = 400
#: Numbers of records kept of an answer that is cut off.
_MAX_SHOWN = 400
#: A keyword of which fewer new records are expected is not worth a query.
_LEAST = 0.02
#: Queries in a row without anything new, while every form is asked so many at least.
PATIENCE = 60
#: The share of the records that seem to be known from which less patience is enough.
_COMPLETE = 0.97


class KeywordChooser:
    """Keywords of a form, the most promising first, until they bring nothing new any more.

    Args:
        keywords: the pack's words, the most productive first.
        first: what is asked before anything else, in this order: what a person wants asked.
        adaptive: go on with words of the pack and of the answers; False: *first* and nothing else.
        likely: words that the form's page has, which are more promising.
        budget: queries at the most.
        patience: so many queries in a row that bring nothing new on the topic end it.
    """

    #: Whole answers whose claims came true, and those that gave more than they claimed.
    _claims_right, _claims_wrong = 0, 0

    def __init__(
        self,
        keywords: Iterable[str] = (),
        *,
        first: Iterable[str] = (),
        adaptive: bool = True,
        likely: Iterable[str] = (),
        budget: int = 200,
        patience: int = PATIENCE,
    ) -> None:
        self._first = list(dict.fromkeys(word.strip() for word in first if word.strip()))
        self.adaptive = adaptive
        self._pack_words = PackWords(keywords, likely)
        self._budget = budget
        self._patience = patience
        self._barren = 0
        self.sample = Sample()
        self.asked: dict[str, Asked] = {}
        self.cap: int | None = None
        self.why_ended = ""
        #: New records for each record that a query would show again, those of complete queries apart; what kinds of
        #: keywords make of their expectations: pairs of sums.
        self._rates = {name: list(first) for name, first in _RATES.items()}
        self._kinds: dict[str, list[float]] = {}
        #: By word: known records that have it and came when it was asked for, and how many should have come. Words of
        #: a card may stand in a field that is not searched.
        self._heard: dict[str, list[float]] = {}
        #: Cut answers that began with what a wider one had shown, and those that did not.
        self._order = [1.0, 0.5]
        #: An answer has claimed more than it gave, so that claims are of what there is.
        self._honest = False

    @property
    def complete(self) -> bool:
        """Whether nothing is missing; a stored state may be of an older program."""
        return vars(self).keys() >= vars(KeywordChooser()).keys()

    def grant(self, budget: int) -> None:
        """Let it ask more: *budget* queries in all, if that is more than it had."""
        self._budget = max(self._budget, budget)

    # -- choosing

    def next(self) -> str | None:
        """The next keyword, or None when it is enough; :attr:`why_ended` says why."""
        if len(self.asked) >= self._budget:
            self.why_ended = "budget"
            return None
        for keyword in self._first:
            if keyword not in self.asked:
                self.asked[keyword] = Asked("first")
                return keyword
        if not self.adaptive:
            self.why_ended = "all-asked"
            return None
        if self._barren >= self._enough():
            self.why_ended = "nothing-new"
            return None
        best = self._best(self.candidates())
        if best is None or best.expected < _LEAST:
            self.why_ended = "all-asked" if best is None else "nothing-new"
            return None
        self.asked[best.keyword] = Asked(best.kind, best.expected, best.fresh, best.stale)
        return best.keyword

    def _enough(self) -> int:
        """Barren queries in a row that end it: fewer where answers are whole and hardly a record is lone."""
        if self.cap is not None:
            # There are many more pairs than words, and each brings less.
            return self._patience * 3 // 2
        on_topic = [times for times, on in zip(self.sample.times, self.sample.on, strict=True) if on >= ON_TOPIC]
        complete = len(on_topic) >= _LEAST_CAP and chao(on_topic).share >= _COMPLETE
        return self._patience * 3 // 4 if complete else self._patience

    def candidates(self) -> list[Candidate]:
        """What may be asked next, in no order."""
        fresh, stale = self._weights()
        singles = self._singles(fresh, stale)
        found = [*singles, *self._of_pack()]
        if self.cap is not None:
            found += self._narrower()
        return found

    def _best(self, candidates: list[Candidate]) -> Candidate | None:
        """The most worthwhile; what other queries leave to it is only reckoned for those that may be it."""
        waiting = [(-one.worth, one.keyword, one) for one in candidates]
        heapify(waiting)
        overlap = Overlap(self.sample, self.asked, self._in_order)
        best: Candidate | None = None
        for _turn in range(_LOOKED_AT):
            if not waiting or (best is not None and best.worth >= -waiting[0][0]):
                break
            one = heappop(waiting)[2]
            left = overlap.left(one.keyword, self.cap)
            one.expected *= left
            one.worth *= left
            if best is None or (one.worth, one.keyword) > (best.worth, best.keyword):
                best = one
        return best

    @property
    def promised(self) -> float:
        """New records on the topic that the words of the pack promise that were not asked, one by one."""
        if not self.adaptive:
            return 0.0
        words = self._pack_words.expected(self.sample, self.asked)
        return sum(expected * (self._room(known) if known else 1.0) for _word, _kind, expected, known in words)

    @property
    def _in_order(self) -> float:
        return self._order[0] / sum(self._order)

    def _weights(self) -> tuple[dict[str, float], dict[str, float]]:
        """On-topic records by word: those that no complete query explains, and those that one does."""
        fresh: dict[str, float] = defaultdict(float)
        stale: dict[str, float] = defaultdict(float)
        sample = self.sample
        for words, on, complete in zip(sample.words, sample.on, sample.complete, strict=True):
            into = stale if complete else fresh
            for word in words:
                into[word] += on
        return fresh, stale

    def _singles(self, fresh: dict[str, float], stale: dict[str, float]) -> list[Candidate]:
        rate_fresh, rate_stale = (self._rate(name) for name in ("fresh", "stale"))
        multiple = self._multiple("sample")
        found = []
        cut_off = []
        for word in fresh.keys() | stale.keys():
            if word in self.asked:
                continue
            frequency = len(self.sample.index[word])
            hidden = rate_fresh * fresh[word] + rate_stale * stale[word]
            on = (fresh[word] + stale[word]) / frequency
            whole = frequency + hidden / max(on, 0.05)
            hears = self._hears([word])
            expected = self._given(whole, frequency) * on * multiple * hears
            one = Candidate(word, "sample", expected, expected / self._cost(whole), fresh[word], stale[word])
            found.append(one)
            if self.cap is not None and whole > self.cap:
                cut_off.append((hidden * hears, whole - frequency, one))
        self._open(cut_off)
        return found

    def _open(self, cut_off: list[tuple[float, float, Candidate]]) -> None:
        """What words are worth as the first of two: alone they are cut off, but they tell what to put beside them."""
        cut_off.sort(key=lambda one: (-one[0], one[2].keyword))
        narrowing = self._narrowing()
        multiple = self._multiple("opening")
        for hidden, unseen, one in cut_off[:_OPENED]:
            then = narrowing.best_beside(one.keyword, unseen, max(hidden - one.expected, 0.0))
            both = (one.expected + then) * multiple
            worth = both / (2 * self._cost(self.cap or 0))
            if worth > one.worth:
                one.kind, one.expected, one.worth = "opening", both, worth

    def _of_pack(self) -> list[Candidate]:
        """Words of the pack."""
        found = []
        for word, kind, expected, known in self._pack_words.expected(self.sample, self.asked):
            if known:
                expected *= self._hears(_words(word)) * self._room(known)
            found.append(Candidate(word, kind, expected, expected / self._cost(known + 4 * expected)))
        return found

    def _room(self, known: int) -> float:
        """The share of an answer that known records leave to others, should they come first."""
        return 1.0 if self.cap is None else max(1 - known / self.cap, 0.05)

    def _narrower(self) -> list[Candidate]:
        """Words together, for words whose answers are cut off or would be."""
        found = []
        for one in self._narrowing().candidates():
            multiple = self._multiple(f"with {one.parent.lower()}", self._multiple("pair"))
            expected = one.given * multiple * self._hears(one.words)
            keyword = f"{one.parent} {one.words[-1]}"
            found.append(Candidate(keyword, "pair", expected, expected / self._cost(one.whole)))
        return found

    def _narrowing(self) -> Narrowing:
        return Narrowing(self.sample, self.asked, self.cap or 0, self._in_order)

    def _hears(self, words: Iterable[str]) -> float:
        """How surely records come whose cards have the words."""
        share = 1.0
        for word in words:
            came, should = self._heard.get(word, (0.0, 0.0))
            share = min(share, (came + 1) / (should + 1))
        return share

    def _given(self, whole: float, seen: int) -> float:
        """New records of an answer to words that *whole* records have, *seen* of which are known.

        Where an answer is cut off, its records come in one order more often than not, so that the first ones are those
        that a wider query has shown already.
        """
        unseen = max(whole - seen, 0.0)
        if self.cap is None or whole <= self.cap:
            return unseen
        return max(self.cap - seen, 0.25 * unseen * self.cap / whole)

    def _cost(self, records: float) -> float:
        given = records if self.cap is None else min(records, self.cap)
        return 1 + _PAGE_COST * given / _PAGE

    def _rate(self, name: str) -> float:
        gained, base = self._rates[name]
        return gained / base

    def _multiple(self, kind: str, usual: float = 1.0) -> float:
        """What became of what was expected; *usual* while little is known."""
        gained, expected = self._kinds.get(kind, (0.0, 0.0))
        return (gained + 2.0 * usual) / (expected + 2.0)

    # -- learning

    def saw(self, keyword: str, records: Iterable[Found], claimed: int | None = None) -> tuple[int, float]:
        """Take in a page of an answer.

        Args:
            keyword: what was asked.
            records: of the page.
            claimed: how many there are, as the answer says.

        Returns:
            how many of them are new, and how many of these are on the topic.
        """
        asked = self.asked.setdefault(keyword, Asked("first"))
        asked.pages += 1
        asked.claimed = claimed if claimed is not None else asked.claimed
        new, gained = 0, 0.0
        for record in records:
            asked.results += 1
            if self.sample.add(record):
                new += 1
                gained += record.on
            if len(asked.shown) < _MAX_SHOWN:
                number = self.sample.number(record.key)
                if number is not None:
                    asked.shown.append(number)
        asked.new += new
        asked.gained += gained
        return new, gained

    def done(self, keyword: str, *, stopped: str = "") -> None:
        """The last page of an answer has been taken.

        Args:
            keyword: what was asked.
            stopped: the answer goes on, but its further pages were not asked for: ``limit``, since there are too many
                for any answer; or another reason, which says nothing of other answers.
        """
        asked = self.asked.setdefault(keyword, Asked("first"))
        if asked.done:
            return
        asked.done = True
        self._look_for_cap(asked, stopped)
        self._listen(keyword, asked)
        if asked.results and not asked.cut and asked.heard >= HEARD:
            self.sample.completed(_words(keyword))
        self._barren = 0 if asked.gained >= 0.5 else self._barren + 1
        self._learn(keyword, asked)

    def _look_for_cap(self, asked: Asked, stopped: str) -> None:
        """Whether answers end before their records do: they claim more, or several are of the same length."""
        if stopped and stopped != "limit":
            asked.cut = True
            return
        if asked.claimed is not None and asked.results:
            self._claims_right += asked.claimed == asked.results
            self._claims_wrong += asked.claimed < asked.results
        if self._claims_wrong > self._claims_right:
            self._forget_claims()
        claims_more = asked.claimed is not None and asked.claimed > asked.results >= _LEAST_CAP
        self._honest = self._honest or claims_more
        if stopped or claims_more:
            asked.cut = True
            self.cap = max(self.cap or 0, asked.results)
            return
        answers = [other for other in self.asked.values() if other.done and other.results >= _LEAST_CAP]
        longest = max((other.results for other in answers), default=0)
        alike = [other for other in answers if other.results == longest and other.new]
        round_number = longest % 10 == 0
        if self.cap is None and len(alike) >= (2 if round_number else 3):
            self.cap = longest
        if self.cap is not None:
            for other in answers:
                whole = self._honest and other.claimed == other.results
                other.cut = other.cut or (other.results >= self.cap and not whole)

    def _forget_claims(self) -> None:
        """What was taken for a count of records is none."""
        if self._honest:
            self._honest, self.cap = False, None
            for other in self.asked.values():
                other.cut = False
        for other in self.asked.values():
            other.claimed = None

    def _listen(self, keyword: str, asked: Asked) -> None:
        """Whether its words are searched where cards show them, and whether its records came in one order."""
        words, came = _words(keyword), set(asked.shown)
        if not asked.cut and asked.results > len(asked.shown):
            asked.shown.clear()
            return
        if not asked.cut:
            # Those that came now were not looked for by their cards.
            should = {n for n in self.sample.having(words) if self.sample.times[n] > (n in came)}
            for word in words if should else ():
                sums = self._heard.setdefault(word, [0.0, 0.0])
                sums[0] += len(should & came)
                sums[1] += len(should)
            asked.heard = (len(should & came) + 1) / (len(should) + 1)
            asked.shown.clear()
            return
        for word, wider in self.asked.items():
            if wider is asked or not wider.cut or not wider.shown or not set(_words(word)) < set(words):
                continue
            first = self.sample.having(words).intersection(wider.shown)
            at_random = asked.results / max(asked.claimed or 0, 2 * asked.results)
            if first and at_random < 0.8:
                share = len(first & came) / len(first)
                self._order[share < (1 + at_random) / 2] += 1

    def _fade(self) -> None:
        """One bad query of a kind is forgotten some time, though no other of its kind is asked."""
        for sums in self._kinds.values():
            sums[:] = (_FADE * each for each in sums)
        for name, first in _RATES.items():
            self._rates[name] = [
                _FADE * each + (1 - _FADE) * start for each, start in zip(self._rates[name], first, strict=True)
            ]

    def _learn(self, keyword: str, asked: Asked) -> None:
        self._fade()
        if asked.kind in {UNSEEN, KNOWN}:
            self._pack_words.learn(keyword, asked.kind, asked.gained)
        if asked.kind == "opening":
            narrowing = self._narrowing()
            then = narrowing.best_beside(keyword, *narrowing.hidden(keyword)) if asked.cut and asked.results else 0.0
            sums = self._kinds.setdefault("opening", [0.0, 0.0])
            sums[0] = _FORGET * sums[0] + min(asked.gained + then, 3 * asked.expected + 1)
            sums[1] = _FORGET * sums[1] + asked.expected
        kinds = {"sample": ["sample"], "pair": ["pair", f"with {keyword.lower().rpartition(' ')[0]}"]}
        for kind in kinds.get(asked.kind, []):
            sums = self._kinds.setdefault(kind, [0.0, 0.0])
            sums[0] = _FORGET * sums[0] + min(asked.gained, 3 * asked.expected + 1)
            sums[1] = _FORGET * sums[1] + asked.expected * asked.heard
        if asked.kind in {"sample", "opening"}:
            # What a record's card says and no search finds tells nothing of how many records a search finds.
            bases = {"fresh": asked.heard * asked.fresh, "stale": asked.heard * asked.stale}
            parts = {name: self._rate(name) * base for name, base in bases.items()}
            total = max(sum(parts.values()), 1e-9)
            for name, base in bases.items():
                sums = self._rates[name]
                sums[0] = _FORGET * sums[0] + asked.gained * parts[name] / total + 0.02
                sums[1] = _FORGET * sums[1] + base + 0.1


def _words(keyword: str) -> list[str]:
    return keyword.lower().split()
