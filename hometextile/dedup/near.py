"""Nearly the same text: MinHash finds pairs, TF-IDF and Euclid judge them.

A text is the set of its character bigrams (Chinese texts are short and have no blanks: n of 2 or 3). Its MinHash
signature, 32 bands of three, is kept in a store; two texts that share a band are a pair worth looking at. Whether they
are nearly the same is said by the Euclidean distance of their TF-IDF vectors (the forestry paper, 2.5), taken over the
same bigrams, of length 1, so that the distance is the square root of 2 - 2 cos. Where that alone leaves it open, what
the two have in common must be spread over both of them: two texts that share one half and nothing of the other are two
reports that quote one source, not one report.

The weights of the bigrams are the same for every library (:mod:`hometextile.dedup.idf`): a verdict depends on the two
texts alone, never on the order in which a crawl met them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol

import numpy as np
import numpy.typing as npt
import rensa

from hometextile.dedup.idf import Codes, Idf, codes_of, load_idf

BANDS = 32
ROWS = 3
_SEED = 20

#: Texts of fewer bigrams than this say too little: only an equal one is the same.
SHORTEST = 8
#: No more of a text than this is looked at; two books that agree that far are the same book.
LONGEST = 20_000
#: Euclidean distance of TF-IDF vectors of length 1 (0: equal, 1.41: nothing in common) up to which two texts are nearly
#: the same whatever differs.
SURE = 0.70
#: The distance up to which they may be, if what they share is spread over both.
DISTANCE = 0.95
#: The share of each third's bigrams that the other text must have then.
SPREAD = 0.2
#: Texts that share a smaller part of the shorter one's bigrams than this are not judged: they are far apart.
FEW = 0.3
#: No more candidates than this are judged: a page's boilerplate can share a band with thousands.
MOST_CANDIDATES = 400

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class NearStore(Protocol):
    """Where the index is kept: a table of the library, so that restarts and other workers see it."""

    def find_bands(self, bands: Sequence[int]) -> Iterable[str]:
        """Identities that have one of *bands* (32 signed 64-bit numbers, each says which band it is); each once."""

    def add_bands(self, identity: str, bands: Sequence[int], text: str) -> None:
        """Keep *identity* with its bands and text; what was kept under that identity is replaced."""

    def texts(self, identities: Iterable[str]) -> Mapping[str, str]:
        """The texts kept under *identities*, those that are there."""


class MemoryStore:
    """The index in memory: for one process, tests and benchmarks."""

    def __init__(self) -> None:
        self._members: dict[int, str | list[str]] = {}
        self._texts: dict[str, str] = {}

    def find_bands(self, bands: Sequence[int]) -> Iterable[str]:
        found: dict[str, None] = {}
        for band in bands:
            members = self._members.get(band)
            if isinstance(members, str):
                found[members] = None
            elif members:
                found.update(dict.fromkeys(members))
        return found

    def add_bands(self, identity: str, bands: Sequence[int], text: str) -> None:
        if identity in self._texts:
            self._remove(identity)
        self._texts[identity] = text
        for band in bands:
            members = self._members.setdefault(band, identity)
            if isinstance(members, list):
                members.append(identity)
            elif members != identity:
                self._members[band] = [members, identity]

    def texts(self, identities: Iterable[str]) -> Mapping[str, str]:
        return {each: self._texts[each] for each in identities if each in self._texts}

    def _remove(self, identity: str) -> None:
        for band in bands_of(self._texts[identity]):
            members = self._members.get(band)
            if isinstance(members, list):
                members.remove(identity)
            elif members == identity:
                del self._members[band]


class NearIndex:
    """Finds texts that are nearly the same.

    Args:
        store: where the index is kept.
        distance: Euclidean distance up to which two texts may be nearly the same, 0 to 1.41.
        sure: the distance up to which they are, whatever differs.
        idf: weights of bigrams; None for those that come with the project.
    """

    def __init__(
        self, store: NearStore, *, distance: float = DISTANCE, sure: float = SURE, idf: Idf | None = None
    ) -> None:
        self.store = store
        self._judge = Judge(distance=distance, sure=sure, idf=idf)

    def find(self, text: str) -> list[tuple[str, float]]:
        """Texts of the index that are nearly the same as *text*.

        Args:
            text: title and text of a resource.

        Returns:
            identity and similarity (1 less the distance over the square root of 2: 1 is equal), the nearest first.
        """
        return self._find(codes_of(text[:LONGEST]), bands_of(text))

    def add(self, identity: str, text: str) -> None:
        """Keep *text* under *identity*; a text without a letter is not kept."""
        bands = bands_of(text)
        if bands:
            self.store.add_bands(identity, bands, text[:LONGEST])

    def find_and_add(
        self, texts: Iterable[tuple[str, str]], *, batch: int = 1_000
    ) -> Iterator[list[tuple[str, float]]]:
        """Look many texts up, each before it is added; three times as fast as one by one.

        Args:
            texts: identity and text.
            batch: texts whose signatures are taken at once.

        Yields:
            For each text what :meth:`find` gives.
        """
        rest = iter(texts)
        while pairs := list(islice(rest, batch)):
            codes = [codes_of(text[:LONGEST]) for _identity, text in pairs]
            bands = bands_of_signatures(signatures(codes)).tolist()
            for (identity, text), own, row in zip(pairs, codes, bands, strict=True):
                if len(own):
                    yield self._find(own, row)
                    self.store.add_bands(identity, row, text[:LONGEST])
                else:
                    yield []

    def _find(self, own: Codes, bands: Sequence[int]) -> list[tuple[str, float]]:
        candidates = list(self.store.find_bands(bands))[:MOST_CANDIDATES] if bands else []
        if not candidates:
            return []
        found = []
        grams = set(own.tolist())
        for identity, other in self.store.texts(candidates).items():
            theirs = codes_of(other[:LONGEST])
            # Most candidates share a band by chance; counting what is shared takes a tenth of the judge's time.
            if not shares_enough(grams, set(theirs.tolist())):
                continue
            similarity = self._judge.similarity(own, theirs)
            if similarity is not None:
                found.append((identity, similarity))
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def shares_enough(grams: set[int], others: set[int]) -> bool:
    """Whether two texts have so much in common that they are worth judging."""
    return len(grams & others) >= FEW * min(len(grams), len(others))


class Judge:
    """Says whether two texts are nearly the same; the arguments are those of :class:`NearIndex`."""

    def __init__(self, *, distance: float = DISTANCE, sure: float = SURE, idf: Idf | None = None) -> None:
        self.distance = distance
        self.sure = sure
        self.idf = idf or load_idf()

    def similarity(self, one: Codes, other: Codes) -> float | None:
        """How near two texts are, 0 to 1; None if they are not nearly the same.

        Args:
            one: bigrams of a text in order, as :func:`~hometextile.dedup.idf.codes_of` gives them.
            other: those of the other.
        """
        if min(len(one), len(other)) < SHORTEST:
            return 1.0 if np.array_equal(one, other) else None
        distance = self.euclid(one, other)
        if distance > self.distance or (distance > self.sure and not is_spread(one, other)):
            return None
        return 1 - distance / math.sqrt(2)

    def euclid(self, one: Codes, other: Codes) -> float:
        """The Euclidean distance of the TF-IDF vectors, 0 to 1.41."""
        grams, weights = self.idf.vector(one)
        others, other_weights = self.idf.vector(other)
        _shared, at, other_at = np.intersect1d(grams, others, assume_unique=True, return_indices=True)
        cosine = float(weights[at] @ other_weights[other_at])
        return math.sqrt(max(0.0, 2 - 2 * cosine))


def is_spread(one: Codes, other: Codes, *, share: float = SPREAD) -> bool:
    """Whether each third of either text has at least *share* of its bigrams in the other text."""
    for part, whole in ((one, other), (other, one)):
        there = np.isin(part, whole)
        if any(third.mean() < share for third in np.array_split(there, 3) if len(third)):
            return False
    return True


def bands_of(text: str) -> list[int]:
    """The 32 bands of the MinHash signature of *text*, as signed 64-bit numbers; none for a text without letters.

    The number of a band says which band it is, so that equal numbers mean equal bands at the same place.
    """
    codes = codes_of(text[:LONGEST])
    if not len(codes):
        return []
    return [int(band) for band in bands_of_signatures(signatures([codes]))[0]]


def signatures(texts: Sequence[Codes]) -> npt.NDArray[np.uint64]:
    """MinHash signatures of texts: one row of 96 numbers a text."""
    sets = [np.unique(codes * _GOLDEN).tolist() for codes in texts]
    matrix = rensa.RMinHash.digest_matrix_from_token_hash_sets(sets, num_perm=BANDS * ROWS, seed=_SEED)
    return np.array(matrix.to_rows(), dtype=np.uint64).reshape(len(texts), BANDS * ROWS)


def bands_of_signatures(matrix: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """The bands of signatures, one row of 32 a text."""
    rows = matrix.reshape(len(matrix), BANDS, ROWS)
    bands = np.broadcast_to(np.arange(1, BANDS + 1, dtype=np.uint64), rows.shape[:2]).copy()
    for row in range(ROWS):
        # Knuth's multiplicative hash (The Art of Computer Programming, 6.4), folded so that high bits reach low ones.
        bands = (bands ^ rows[:, :, row]) * _GOLDEN
        bands ^= bands >> np.uint64(32)
    return bands.view(np.int64)
