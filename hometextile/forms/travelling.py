"""Parameters of results that say how one came to them (the search's number, a rank), not which record they are.

``/record/17?from=s81&pos=2`` and ``/record/17?from=s93&pos=5`` are one page. Names do not tell: elsewhere ``pos`` is a
record's number. What tells is that records met again in other answers, with the same card, differ in these parameters
and in nothing else, while nothing with another card, and no two results of one answer, are the same without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from urllib.parse import urlsplit

#: Records met again that differ in the same parameters, before these are believed to name none.
VOTES = 3
#: Records that are remembered until then; who has learned nothing from so many learns nothing.
MAX_SEEN = 400
#: Records whose first address is remembered from then on.
MAX_FIRST = 10_000


@dataclass
class Travelling:
    """What a form's answers have told of the parameters of its results.

    Attributes:
        seen: first address of each record, by its card, until something is learned.
        votes: names of parameters, to how many records differed in just these.
        names: the parameters that name no record.
        first: the address under which a record was met first, by its address without these parameters.
        over: whether nothing more is learned.
    """

    seen: dict[str, str] = field(default_factory=dict)
    votes: dict[tuple[str, ...], int] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    first: dict[str, str] = field(default_factory=dict)
    over: bool = False

    def known(self, answer: Iterable[tuple[str, str]]) -> list[str]:
        """The address under which each result was met first; its own where it is new.

        What is fetched is always an address that the site gave: it may want its parameters.

        Args:
            answer: address and card of each result of one answer.
        """
        results = list(answer)
        if not self.names and not self.over:
            self._learn(results)
        if self.names and not _apart(results, self.names):
            # They name records after all.
            self.names, self.first, self.over = (), {}, True
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
            if before is None:
                if len(self.seen) < MAX_SEEN:
                    self.seen[text] = url
            elif names := _differing(before, url):
                self.votes[names] = self.votes.get(names, 0) + 1
                if self.votes[names] >= VOTES and _apart(results, names) and self._may_go(names, own):
                    self._settle(names)
                    return
        if len(self.seen) >= MAX_SEEN:
            self.over = True
            self.seen, self.votes = {}, {}

    def _may_go(self, names: tuple[str, ...], own: list[tuple[str, str]]) -> bool:
        """Whether records with other cards stay apart without the parameters."""
        told: dict[str, str] = {}
        everything = [*((url, text) for text, url in self.seen.items()), *own]
        return all(told.setdefault(_without(url, names), text) == text for url, text in everything)

    def _settle(self, names: tuple[str, ...]) -> None:
        self.names = names
        for url in self.seen.values():
            self.first.setdefault(_without(url, names), url)
        self.seen, self.votes = {}, {}


def _apart(results: list[tuple[str, str]], names: tuple[str, ...]) -> bool:
    """Whether the results of one answer stay apart without the parameters."""
    urls = {url for url, _text in results}
    return len({_without(url, names) for url in urls}) == len(urls)


def _differing(one: str, two: str) -> tuple[str, ...]:
    """Names of the parameters in which two addresses differ; none where they differ in anything else."""
    first, second = urlsplit(one), urlsplit(two)
    if (first.scheme, first.netloc, first.path) != (second.scheme, second.netloc, second.path):
        return ()
    mine, theirs = _pieces(first.query), _pieces(second.query)
    if [name for name, _value in mine] != [name for name, _value in theirs]:
        return ()
    return tuple(sorted({name for (name, value), (_name, other) in zip(mine, theirs, strict=True) if value != other}))


def _without(url: str, names: tuple[str, ...]) -> str:
    """An address without these parameters."""
    parts = urlsplit(url)
    kept = "&".join("=".join(piece) for piece in _pieces(parts.query) if piece[0] not in names)
    return parts._replace(query=kept, fragment="").geturl()


def _pieces(query: str) -> list[tuple[str, str]]:
    return [(name, value) for piece in query.split("&") for name, _equals, value in [piece.partition("=")]]


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=9).hexdigest()
