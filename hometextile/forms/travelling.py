"""Parameters of results that say how one came to them (the search's number, a rank), not which record they are.

``/record/17?from=s81&pos=2`` and ``/record/17?from=s93&pos=5`` are one page. Names do not tell: elsewhere ``pos`` is a
record's number. What tells is that records met again in other answers, with the same card, differ in these parameters
and in nothing else, while nothing with another card, and no two results of one answer, are the same without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from urllib.parse import urlsplit

#: Records met again that differ in the same parameters, before these are believed to name none.
VOTES = 3
#: Records that are remembered to learn from, answers, and sets of parameters that are thought of: then it ends.
MAX_SEEN = 400
MAX_ANSWERS = 100
MAX_SETS = 50
#: Sets that are tried at one answer, each with all its results; the others wait for the next.
MAX_TRIES = 3
#: Records whose first address is remembered from then on.
MAX_FIRST = 10_000


@dataclass
class Travelling:
    """What a form's answers have told of the parameters of its results.

    Attributes:
        seen: first address of each record, by its card, until learning is over.
        votes: names of parameters, to the cards of some of the records that differed in just these.
        refused: names that were thought of and cannot be it.
        names: the parameters that name no record.
        first: the address under which a record was met first, by its address without these parameters.
        answers: how many were learned from.
        over: whether nothing more is learned.
    """

    seen: dict[str, str] = field(default_factory=dict)
    votes: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    refused: list[tuple[str, ...]] = field(default_factory=list)
    names: tuple[str, ...] = ()
    first: dict[str, str] = field(default_factory=dict)
    answers: int = 0
    over: bool = False

    def known(self, answer: Iterable[tuple[str, str]]) -> list[str]:
        """The address under which each result was met first; its own where it is new.

        What is fetched is always an address that the site gave: it may want its parameters.

        Args:
            answer: address and card of each result of one answer.
        """
        results = list(answer)
        if not self.over:
            self._learn(results)
        if self.names and not _apart(results, self.names):
            # They name records after all.
            self.names, self.first = (), {}
            self._end()
        if not self.names:
            return [url for url, _text in results]
        return [self._first(url) for url, _text in results]

    def _first(self, url: str) -> str:
        bare = _without(url, self.names)
        if bare not in self.first and len(self.first) >= MAX_FIRST:
            return url
        return self.first.setdefault(bare, url)

    def _learn(self, results: list[tuple[str, str]]) -> None:
        # A card that several results of an answer have ("more") is no record's own.
        often = Counter(text for _url, text in results)
        own = [(url, _digest(text)) for url, text in results if text and often[text] == 1 and urlsplit(url).query]
        for url, text in own:
            before = self.seen.get(text)
            if before is not None:
                self._vote(_differing(before, url), text)
            elif len(self.seen) < MAX_SEEN:
                self.seen[text] = url
        tries = 0
        for names in [names for names, cards in self.votes.items() if len(cards) >= VOTES]:
            if set(names) <= set(self.names):
                del self.votes[names]
                continue
            if tries == MAX_TRIES:
                break
            # Each set is thought of once: where ranks stay, the search's number is learned before the rank.
            tries += 1
            del self.votes[names]
            every = tuple(sorted({*self.names, *names}))
            # What is remembered is less than an answer may hold: it goes first.
            if self._may_go(every, own) and _apart(results, every):
                self._settle(every)
            else:
                self.refused.append(names)
        self.answers += 1
        if len(self.seen) >= MAX_SEEN or self.answers >= MAX_ANSWERS:
            self._end()

    def _vote(self, names: tuple[str, ...], card: str) -> None:
        if set(names) <= set(self.names) or names in self.refused:
            return
        if names not in self.votes and len(self.votes) + len(self.refused) >= MAX_SETS:
            return
        cards = self.votes.setdefault(names, [])
        if card not in cards and len(cards) < VOTES:
            cards.append(card)

    def _end(self) -> None:
        self.over = True
        self.seen, self.votes, self.refused = {}, {}, []

    def _may_go(self, names: tuple[str, ...], own: list[tuple[str, str]]) -> bool:
        """Whether records with other cards stay apart without the parameters."""
        told: dict[str, str] = {}
        gone = frozenset(names)
        everything = [*((url, text) for text, url in self.seen.items()), *own]
        return all(told.setdefault(_without(url, gone), text) == text for url, text in everything)

    def _settle(self, names: tuple[str, ...]) -> None:
        known = [*self.first.values(), *self.seen.values()]
        self.names, self.first = names, {}
        gone = frozenset(names)
        for url in known:
            self.first.setdefault(_without(url, gone), url)


def _apart(results: list[tuple[str, str]], names: tuple[str, ...]) -> bool:
    """Whether the results of one answer stay apart without the parameters."""
    urls = {url for url, _text in results}
    gone = frozenset(names)
    return len({_without(url, gone) for url in urls}) == len(urls)


def _differing(one: str, two: str) -> tuple[str, ...]:
    """Names of the parameters in which two addresses differ; none where they differ in anything else."""
    first, second = urlsplit(one), urlsplit(two)
    if (first.scheme, first.netloc, first.path) != (second.scheme, second.netloc, second.path):
        return ()
    mine, theirs = _pieces(first.query), _pieces(second.query)
    if [name for name, _value in mine] != [name for name, _value in theirs]:
        return ()
    return tuple(sorted({name for (name, value), (_name, other) in zip(mine, theirs, strict=True) if value != other}))


def _without(url: str, names: Collection[str]) -> str:
    """An address without these parameters."""
    parts = urlsplit(url)
    kept = "&".join("=".join(piece) for piece in _pieces(parts.query) if piece[0] not in names)
    return parts._replace(query=kept, fragment="").geturl()


def _pieces(query: str) -> list[tuple[str, str]]:
    return [(name, value) for piece in query.split("&") for name, _equals, value in [piece.partition("=")]]


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=9).hexdigest()
