"""What a form's answers have shown of its database: records, their words, and which of them are on the topic."""

from __future__ import annotations

import re
from base64 import b85encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

#: Records whose words are kept; off-topic ones only say which words to leave alone, and fewer of them do.
MAX_RECORDS, MAX_OFF_TOPIC = 3_000, 1_000
#: Records that are known again: what is kept of each is some thirty bytes, and is written with every answer.
MAX_KNOWN = 30_000
#: Words kept of a record.
MAX_WORDS = 40
#: From here on a record counts as being on the topic.
ON_TOPIC = 0.5
_CHINESE = re.compile(r"[㐀-鿿]")


@dataclass
class Found:
    """A record of an answer.

    Attributes:
        key: what it is known by, its canonical address.
        words: of its card or row.
        on: how likely it is on the topic, 0 to 1.
    """

    key: str
    words: list[str]
    on: float = 1.0


class Sample:
    """The records seen so far. What is kept of it is short: the index is made again when it is wanted."""

    #: Made again from the rest, so that it is not kept with a form's state.
    DERIVED = frozenset({"_index", "_sets"})
    _index: dict[str, set[int]] | None = None
    _sets: list[frozenset[str]] | None = None

    def __init__(self) -> None:
        self.keys: dict[str, int] = {}
        self.on: list[float] = []
        self.times: list[int] = []
        self.complete: list[bool] = []
        self._words: list[str] = []
        self._off_topic = 0

    @property
    def words(self) -> list[frozenset[str]]:
        """The words of each record."""
        if self._sets is None:
            self._sets = [frozenset(words.split()) for words in self._words]
        return self._sets

    @property
    def index(self) -> dict[str, set[int]]:
        """Word to numbers of records."""
        if self._index is None:
            self._index = {}
            for number, words in enumerate(self.words):
                for word in words:
                    self._index.setdefault(word, set()).add(number)
        return self._index

    def __len__(self) -> int:
        return len(self.keys)

    def number(self, key: str) -> int | None:
        """The number of a record; None for one that is not known."""
        return self.keys.get(_short(key))

    def has(self, key: str) -> bool:
        """Whether a record is known."""
        return _short(key) in self.keys

    def add(self, found: Found) -> bool:
        """Take a record in; whether it is new. Beyond :data:`MAX_KNOWN` records, those that come are not kept."""
        index = self.index
        key = _short(found.key)
        number = self.keys.get(key)
        if number is not None:
            self.times[number] += 1
            return False
        number = len(self.keys)
        if number >= MAX_KNOWN:
            return True
        self.keys[key] = number
        off = found.on < ON_TOPIC
        self._off_topic += off
        kept = number < MAX_RECORDS and not (off and self._off_topic > MAX_OFF_TOPIC)
        words = frozenset(list(dict.fromkeys(filter(askable, found.words)))[:MAX_WORDS]) if kept else frozenset()
        self.words.append(words)
        for word in words:
            index.setdefault(word, set()).add(number)
        self._words.append(" ".join(sorted(words)))
        self.on.append(found.on)
        self.times.append(1)
        self.complete.append(False)
        return True

    def correct(self, key: str, on: float) -> None:
        """The record's own page says how far it is on the topic."""
        number = self.number(key)
        if number is not None:
            self.on[number] = on

    def having(self, words: Iterable[str]) -> set[int]:
        """Numbers of the records that have all of *words*."""
        sets = sorted((self.index.get(word, set()) for word in words), key=len)
        return set.intersection(*sets) if sets else set()

    def visible(self, words: Iterable[str], shown: Sequence[int]) -> float:
        """The share of the records that an answer to *words* showed whose cards have the words; 1 where none is known.

        A search looks through texts of which cards give the beginning: so many of the known records with the words are
        known to have them.
        """
        having = self.having(words)
        return max(sum(number in having for number in shown), 0.5) / len(shown) if shown else 1.0

    def completed(self, words: Iterable[str]) -> None:
        """All records with *words* are known: the database was asked for them and held nothing back."""
        for number in self.having(words):
            self.complete[number] = True

    @property
    def beyond(self) -> float:
        """How many records on the topic there are for each whose words are kept; 1 up to :data:`MAX_RECORDS`."""
        kept = sum(self.on[:MAX_RECORDS])
        return sum(self.on) / kept if kept else 1.0


def _short(key: str) -> str:
    """Twelve characters of a hash, in the record's place."""
    return b85encode(blake2b(key.encode("utf-8", "replace"), digest_size=9).digest()).decode("ascii")


def askable(word: str) -> bool:
    """Whether a word may be asked: no numbers, no single characters, no two-letter words."""
    if any(char.isdigit() for char in word):
        return False
    return 2 <= len(word) <= 12 if _CHINESE.search(word) else 3 <= len(word) <= 30
