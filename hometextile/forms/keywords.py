"""Which keyword is asked next.

A. Ntoulas, P. Zerfos, J. Cho, "Downloading Textual Hidden Web Content Through Keyword Queries" (JCDL 2005): the next
keyword is the one from which most new documents a unit of cost are expected, as the documents seen so far tell. Ours
differs in three ways. Only documents on the topic count. A word's expected yield is learned from how earlier
expectations came true, apart for records that a query has laid bare completely and for those that a capped answer may
have more of. And where answers are capped, two words together are asked.

Words of the pack that no record has shown yet are asked too, spread over the pack's list, since its neighbours in the
list are of one kind: a fruitful word raises its neighbours, a barren one lowers them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import expm1, log1p

from hometextile.forms.coverage import chao
from hometextile.forms.sample import ON_TOPIC, Found, Sample
from hometextile.text.words import language_of

#: Records an answer's page has, for the cost of a query, until answers tell.
_PAGE = 20
#: What a page costs beside a query.
_PAGE_COST = 0.25
#: No answer is cut off before so many records.
_LEAST_CAP = 10
#: Forgetting of what earlier queries taught, a query.
_FORGET = 0.85
#: Expected new records for a pack's word before anything is known, and how many queries that belief is worth.
_FIRST_YIELD, _BELIEF = 2.0, 1.5
#: Neighbours of a word in the pack's list.
_NEAR = 3
#: Words that are looked at for pairs: capped words, and words beside each.
_CAPPED, _BESIDE = 24, 40
#: Words asked together at most; queries by which the size of the database is guessed.
_TOGETHER, _LAST = 3, 12
#: A keyword of which fewer new records are expected is not worth a query.
_LEAST = 0.02
#: Queries in a row without anything new, while every form is asked so many at least.
PATIENCE = 60
#: The share of the records that seem to be known from which less patience is enough.
_COMPLETE = 0.97


@dataclass
class Asked:
    """A query as far as its answer is known.

    Attributes:
        kind: where the keyword came from: ``first`` (what a person wants asked), ``pack``, ``sample``, ``pair``.
        expected: new records on the topic that were expected.
        results, new: records, and those no earlier answer had.
        gained: new ones that are on the topic.
        claimed: records that the answer says there are.
        pages: pages taken.
        done: whether its last page has been taken.
        cut: whether it has more records than it gives.
    """

    kind: str = "pack"
    expected: float = 0.0
    fresh: float = 0.0
    stale: float = 0.0
    results: int = 0
    new: int = 0
    gained: float = 0.0
    claimed: int | None = None
    pages: int = 0
    done: bool = False
    cut: bool = False


@dataclass
class Candidate:
    """A keyword that may be asked: what it is expected to bring a unit of cost."""

    keyword: str
    kind: str
    expected: float
    worth: float
    fresh: float = 0.0
    stale: float = 0.0


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
        self._adaptive = adaptive
        self._pack: dict[str, list[str]] = {}
        self._language: dict[str, str] = {}
        for word in dict.fromkeys(word.strip() for word in keywords if word.strip()):
            language = language_of(word) or "other"
            self._language[word] = language
            self._pack.setdefault(language, []).append(word)
        self._place = {word: n for listed in self._pack.values() for n, word in enumerate(listed)}
        self._rank = {word: n for listed in self._pack.values() for n, word in enumerate(_spread(listed))}
        self._likely = set(likely)
        self._budget = budget
        self._patience = patience
        self._barren = 0
        self.sample = Sample()
        self.asked: dict[str, Asked] = {}
        self.cap: int | None = None
        self.why_ended = ""
        #: New records for each record that a query would show again, those of complete queries apart; what kinds of
        #: keywords make of their expectations; what the pack's words bring, by language: pairs of sums.
        self._rates = {"fresh": [2.0, 2.0], "stale": [0.6, 2.0]}
        self._kinds: dict[str, list[float]] = {}
        self._packs: dict[str, list[float]] = {}

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
        if not self._adaptive:
            self.why_ended = "all-asked"
            return None
        if self._barren >= self._enough():
            self.why_ended = "nothing-new"
            return None
        best = max(self.candidates(), key=lambda one: (one.worth, one.keyword), default=None)
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
        found = [*singles, *self._pack_words(fresh, stale)]
        if self.cap is not None:
            found += self._narrower(fresh, stale)
        return found

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
        for word in fresh.keys() | stale.keys():
            if word in self.asked:
                continue
            frequency = len(self.sample.index[word])
            expected = rate_fresh * fresh[word] + rate_stale * stale[word]
            on = (fresh[word] + stale[word]) / frequency
            whole = frequency + expected / max(on, 0.05)
            expected = self._given(whole, frequency) * on * multiple
            found.append(Candidate(word, "sample", expected, expected / self._cost(whole), fresh[word], stale[word]))
        return found

    def _pack_words(self, fresh: dict[str, float], stale: dict[str, float]) -> list[Candidate]:
        """Words of the pack that no record has shown; the others are among the singles."""
        found = []
        for language, words in self._pack.items():
            gained, asked = self._packs.get(language, [0.0, 0.0])
            base = expm1((gained + log1p(_FIRST_YIELD) * _BELIEF) / (asked + _BELIEF))
            for word in words:
                if word in self.asked or word in fresh or word in stale:
                    continue
                expected = base * self._raised(word, words) * (2.0 if word in self._likely else 1.0)
                expected *= 1 - 0.3 * self._rank[word] / len(words)
                found.append(Candidate(word, "pack", expected, expected / self._cost(4 * expected)))
        return found

    def _raised(self, word: str, words: list[str]) -> float:
        """What its neighbours in the list have brought."""
        place = self._place[word]
        factor = 1.0
        for other in words[max(0, place - _NEAR) : place + _NEAR + 1]:
            asked = self.asked.get(other)
            if asked is not None and asked.done:
                factor *= 1.35 if asked.gained >= 0.5 else 0.85
        return factor

    def _narrower(self, fresh: dict[str, float], stale: dict[str, float]) -> list[Candidate]:
        """Words together, for words whose answers are cut off or would be."""
        sample, cap = self.sample, self.cap or 0
        whole_words = {word for word, asked in self.asked.items() if asked.done and not asked.cut}
        parents = {word for word, asked in self.asked.items() if asked.cut and len(word.split()) < _TOGETHER}
        parents |= {word for word in fresh if word not in self.asked and len(sample.index[word]) > cap}
        growth = self._growth()
        ranked = []
        for parent in parents:
            seen = sample.having(parent.lower().split())
            open_ = [n for n in seen if not sample.complete[n]]
            if len(open_) > 1:
                ranked.append((sum(sample.on[n] for n in open_), parent, seen, open_))
        ranked.sort(key=lambda one: (-one[0], one[1]))
        found: dict[frozenset[str], Candidate] = {}
        asked = {frozenset(word.lower().split()) for word in self.asked}
        for on_topic, parent, seen, open_ in ranked[:_CAPPED]:
            there = self._there(parent, len(seen), growth, on_topic / len(open_))
            if there <= len(seen):
                continue
            said = parent.lower().split()
            multiple = self._multiple("pair") * self._multiple(f"with {parent.lower()}")
            rate = on_topic / len(open_)
            have: Counter[str] = Counter()
            on: dict[str, float] = defaultdict(float)
            for number in open_:
                for other in sample.words[number]:
                    have[other] += 1
                    on[other] += sample.on[number]
            for other, weight in sorted(on.items(), key=lambda item: (-item[1], item[0]))[:_BESIDE]:
                together = frozenset([*said, other])
                if other in said or other in whole_words or together in asked:
                    continue
                both = len(sample.index[other] & seen)
                whole = there * both / len(seen)
                share = (weight + rate) / (have[other] + 2)
                expected = self._given(whole, both) * share * multiple
                one = Candidate(f"{parent} {other}", "pair", expected, expected / self._cost(whole))
                if together not in found or found[together].worth < one.worth:
                    found[together] = one
        return list(found.values())

    def _growth(self) -> float:
        """How many records there are for each that is known, by what the last answers had of new ones."""
        last = [asked for asked in self.asked.values() if asked.done and asked.results][-_LAST:]
        results = sum(asked.results for asked in last)
        known = results - sum(asked.new for asked in last)
        return min(5.0, (results + 1) / (known + 1))

    def _there(self, keyword: str, seen: int, growth: float, on: float) -> float:
        """How many records have the words of *keyword*, as far as they matter.

        What an answer claims is believed of words that are the topic's. Of others, most of what is held back is beside
        the topic, and its number would drown all else.
        """
        asked = self.asked.get(keyword)
        guess = max(seen, asked.results if asked else 0) * max(growth, 1.05)
        if asked is None or asked.claimed is None or asked.claimed <= asked.results:
            return guess
        return float(asked.claimed) if on >= ON_TOPIC else min(guess, asked.claimed)

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

    def _multiple(self, kind: str) -> float:
        gained, expected = self._kinds.get(kind, (0.0, 0.0))
        return (gained + 2.0) / (expected + 2.0)

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
        if asked.results and not asked.cut:
            self.sample.completed(keyword.lower().split())
        self._barren = 0 if asked.gained >= 0.5 else self._barren + 1
        self._learn(keyword, asked)

    def _look_for_cap(self, asked: Asked, stopped: str) -> None:
        """Whether answers end before their records do: they claim more, or several are of the same length."""
        if stopped and stopped != "limit":
            asked.cut = True
            return
        claims_more = asked.claimed is not None and asked.claimed > asked.results >= _LEAST_CAP
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
                other.cut = other.cut or (other.results >= self.cap and (other.claimed or 0) <= other.results)

    def _learn(self, keyword: str, asked: Asked) -> None:
        if asked.kind == "pack":
            sums = self._packs.setdefault(self._language.get(keyword, "other"), [0.0, 0.0])
            sums[0] = _FORGET * sums[0] + log1p(asked.gained)
            sums[1] = _FORGET * sums[1] + 1
        kinds = {"sample": ["sample"], "pair": ["pair", f"with {keyword.lower().rpartition(' ')[0]}"]}
        for kind in kinds.get(asked.kind, []):
            sums = self._kinds.setdefault(kind, [0.0, 0.0])
            sums[0] = _FORGET * sums[0] + min(asked.gained, 3 * asked.expected + 1)
            sums[1] = _FORGET * sums[1] + asked.expected
        if asked.kind == "sample":
            fresh, stale = self._rate("fresh") * asked.fresh, self._rate("stale") * asked.stale
            total = max(fresh + stale, 1e-9)
            for name, part, base in (("fresh", fresh, asked.fresh), ("stale", stale, asked.stale)):
                sums = self._rates[name]
                sums[0] = _FORGET * sums[0] + asked.gained * part / total + 0.02
                sums[1] = _FORGET * sums[1] + base + 0.1


def _spread(words: list[str]) -> list[str]:
    """The first of a list, then every eighth, then what lies between: soon something of each kind."""
    head, rest = words[:6], words[6:]
    order = [word for start in (0, 4, 2, 6, 1, 5, 3, 7) for word in rest[start::8]]
    return [*head, *order]
