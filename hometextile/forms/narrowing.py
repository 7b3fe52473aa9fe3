"""Words together, where answers are cut off.

An answer that is cut off still tells how many records there are; a further word makes the answer shorter, until nothing
is cut off. What a narrower query would bring is reckoned from the query that it narrows: the records which that one
keeps back, less what other answers have shown of them, have the words of those known ones that no complete answer
explains. C. Sheng and others ("Optimal Algorithms for Crawling a Hidden Database in the Web", VLDB 2012) narrow in the
same way, by values of attributes; words are many, so that here the most promising are taken first.

Answers come in one order more often than not (by number, by date): then a narrower one begins with what the wider one
has shown, and only what comes after that is new. Whether they do is learned from the answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hometextile.forms.behind import behind
from hometextile.forms.sample import Sample

if TYPE_CHECKING:
    from hometextile.forms.asked import Asked

#: Words that are narrowed at most, and words beside each that are looked at.
PARENTS, BESIDE = 30, 60
#: Words asked together at most.
TOGETHER = 3
#: Queries by which it is guessed how many records there are where answers do not tell.
_LAST = 12
#: Records that a belief held beforehand is worth.
_FEW = 10.0


@dataclass
class Narrower:
    """A query of several words.

    Attributes:
        words: lower-case, the wider query's first.
        parent: the wider query.
        whole: how many records have all of the words, by the estimate.
        hidden: how many of them are on the topic and not known.
        given: how many of the hidden ones its answer would show.
    """

    words: list[str]
    parent: str
    whole: float
    hidden: float
    given: float


class Narrowing:
    """Reckons narrower queries from what is known.

    Args:
        sample: the records seen.
        asked: the queries, by keyword.
        cap: records of an answer at the most.
        in_order: 0 to 1: how sure it is that answers come in one order.
    """

    def __init__(self, sample: Sample, asked: Mapping[str, Asked], cap: int, in_order: float) -> None:
        self._sample = sample
        self._asked = asked
        self._cap = cap
        self._in_order = in_order
        self._growth = _growth(asked.values())
        self._beyond = sample.beyond

    def candidates(self) -> list[Narrower]:
        """The most promising narrower queries, in no order; none that was asked."""
        asked = {frozenset(word.lower().split()) for word in self._asked}
        whole = {words for word, one in self._asked.items() if one.done and not one.cut for words in [_key(word)]}
        found: dict[frozenset[str], Narrower] = {}
        for parent in self._parents():
            for one in self._beside(parent, *self.hidden(parent)):
                key = frozenset(one.words)
                if key in asked or any(words <= key for words in whole):
                    continue
                other = found.get(key)
                # Each wider query sets a bound to what there can be.
                if other is None or one.hidden < other.hidden:
                    found[key] = one
        return list(found.values())

    def best_beside(self, word: str, unseen: float, hidden: float) -> float:
        """The most new records on the topic that one narrower query would bring.

        Args:
            word: the wider query.
            unseen: how many of its records no answer has shown.
            hidden: how many of these are on the topic.
        """
        return max((one.given for one in self._beside(word, unseen, hidden)), default=0.0)

    def _parents(self) -> list[str]:
        """Words that hide records on the topic, those that hide most first."""
        names = {word for word, one in self._asked.items() if one.done and one.cut and len(word.split()) < TOGETHER}
        ranked = []
        for name in names:
            hidden = self.hidden(name)[1]
            if hidden >= 0.5:
                ranked.append((hidden, name))
        ranked.sort(key=lambda one: (-one[0], one[1]))
        return [name for _hidden, name in ranked[:PARENTS]]

    def hidden(self, keyword: str) -> tuple[float, float]:
        """Records with the words of *keyword* that no answer has shown: all, and those on the topic."""
        sample, asked = self._sample, self._asked[keyword]
        known = sample.having(keyword.lower().split())
        if not known:
            return 0.0, 0.0
        if asked.shown:
            return self._behind(asked, keyword, len(known) * self._beyond)
        on = sum(sample.on[n] for n in known) * self._beyond
        number = len(known) * self._beyond
        unseen = max(number, asked.results) * max(self._growth, 1.05) - number
        return unseen, unseen * on / number

    def _behind(self, asked: Asked, keyword: str, number: float) -> tuple[float, float]:
        """What an answer that was cut off hides, all and on the topic; *number* records with its words are known."""
        sample = self._sample
        told = behind(sample, asked, keyword.lower().split())
        unseen = told.whole - number
        if not asked.held_back:
            # Nobody says how many there are: no fewer than the last answers had of new ones.
            unseen = max(unseen, max(self._growth - 1, 0.05) * number)
            return unseen, min(unseen, max(told.hidden, unseen * min(told.on / max(told.whole, 1.0), 1.0)))
        on = sum(sample.on[n] for n in sample.having(keyword.lower().split())) * self._beyond
        # What was looked for by other words is more on the topic than what this one hides.
        seen_on = sum(sample.on[n] for n in asked.shown)
        share = min(on / number, (seen_on + 0.5) / (len(asked.shown) + 1))
        least = 0.1 * unseen * share
        by_share = max(told.whole * share - on, least)
        return unseen, min(unseen, (by_share + max(told.hidden, least)) / 2)

    def _beside(self, parent: str, unseen: float, hidden_on: float) -> Iterable[Narrower]:
        sample = self._sample
        said = parent.lower().split()
        known = sample.having(said)
        open_ = [n for n in known if not sample.complete[n]]
        if not open_:
            return
        shown = set(self._asked[parent].shown) if parent in self._asked else set()
        have: Counter[str] = Counter()
        on: dict[str, float] = defaultdict(float)
        for number in open_:
            for word in sample.words[number]:
                have[word] += 1
                on[word] += sample.on[number]
        on_topic, on_known = (sum(sample.on[n] for n in some) for some in (open_, known))
        for word, weight in sorted(on.items(), key=lambda item: (-item[1], item[0]))[:BESIDE]:
            if word in said:
                continue
            both = sample.index[word] & known
            # The hidden ones are as those that no complete answer explains; where these are few, as all.
            usual = len(both) / len(known)
            usual_on = sum(sample.on[n] for n in both) / max(on_known, 1.0)
            hidden = hidden_on * (weight + _FEW * usual_on) / (on_topic + _FEW)
            # What crowds the answer is as what the wider one has shown, which nobody looked for by its words.
            first = len(shown & sample.index[word])
            among_open = (have[word] + _FEW * usual) / (len(open_) + _FEW)
            more = max(unseen * (first + _FEW * among_open) / (len(shown) + _FEW), hidden)
            yield Narrower([*said, word], parent, len(both) + more, hidden, self._given(hidden, more, len(both), first))

    def _given(self, hidden: float, more: float, known: int, first: int) -> float:
        """How many of the *hidden* ones come in an answer to what *known* and *more* records have.

        Args:
            first: how many of the known ones come first if answers come in one order.
        """
        whole = known + more
        if whole <= self._cap:
            return hidden
        at_random = hidden * self._cap / whole
        room, rest = self._cap - first, whole - first
        in_order = hidden * min(1.0, max(room, 0) / rest) if rest > 0 else 0.0
        return self._in_order * in_order + (1 - self._in_order) * at_random


def _key(keyword: str) -> frozenset[str]:
    return frozenset(keyword.lower().split())


def _growth(asked: Iterable[Asked]) -> float:
    """How many records there are for each that is known, by what the last answers had of new ones."""
    last = [one for one in asked if one.done and one.results][-_LAST:]
    results = sum(one.results for one in last)
    known = results - sum(one.new for one in last)
    return min(5.0, (results + 1) / (known + 1))
