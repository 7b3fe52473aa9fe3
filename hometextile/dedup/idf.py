"""How much each pair of characters tells: inverse document frequencies of character bigrams, kept with the project.

They are counted over general Chinese and English text (``bigrams.json`` beside the table says which) and stay the same
for every library, so that whether two texts are nearly the same depends on nothing but the two texts.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
import zlib
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.uint64]

#: The table has 2**16 places; bigrams share them by a multiplicative hash.
BITS = 16
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SCALE = 20.0


#: Letters of scripts that put blanks between words.
_LETTERS = "a-z\u00df-\u024f\u0370-\u05ff\u0620-\u074f\u1e00-\u1fff"
_WORD = re.compile(f"[{_LETTERS}]{{2}}")
_UNITS = re.compile(f"([{_LETTERS}]+)|[^\\W_]")
#: Numbers of words begin where code points end, and have what is left of 21 bits.
_FIRST_WORD = 0x110000
_WORDS = (1 << 21) - _FIRST_WORD


def _unit(match: re.Match[str]) -> int:
    """A word's number, or a character's code point."""
    word = match[1]
    return _FIRST_WORD + zlib.crc32(word.encode()) % _WORDS if word and len(word) > 1 else ord(match[0])


def codes_of(text: str) -> Codes:
    """The bigrams of *text*, in order, one number each (21 bits for each of the two).

    A bigram is of two characters; a word in letters (Latin, Cyrillic ...) counts as one character, since two English
    texts share most of their pairs of letters, and few of their pairs of words. Letters and digits count (NFKC, lower
    case), whatever stands between them does not.
    """
    folded = unicodedata.normalize("NFKC", text).lower()
    if _WORD.search(folded):
        points = np.array([_unit(match) for match in _UNITS.finditer(folded)], dtype=np.uint64)
    else:
        kept = folded if folded.isalnum() else "".join(filter(str.isalnum, folded))
        points = np.frombuffer(kept.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    if len(points) < 2:
        return points
    return (points[:-1] << np.uint64(21)) | points[1:]


def places_of(codes: Codes) -> npt.NDArray[np.int64]:
    """The places of *codes* in the table, 0 to 2**16 - 1."""
    return ((codes * _GOLDEN) >> np.uint64(64 - BITS)).astype(np.int64)


class Idf:
    """Inverse document frequencies.

    Args:
        table: 2**16 bytes; each a twentieth of a natural logarithm.
    """

    def __init__(self, table: bytes) -> None:
        if len(table) != 1 << BITS:
            raise ValueError(f"{len(table)} bytes are no table of bigrams")
        self._weights = np.frombuffer(table, dtype=np.uint8).astype(np.float64) / _SCALE

    def weights(self, codes: Codes) -> npt.NDArray[np.float64]:
        """The weight of each of *codes*."""
        return self._weights[places_of(codes)]

    def vector(self, codes: Codes) -> tuple[Codes, npt.NDArray[np.float64]]:
        """The TF-IDF vector of length 1 of a text with these bigrams: sorted distinct bigrams, and their weights."""
        grams, counts = np.unique(codes, return_counts=True)
        weights = counts * self.weights(grams)
        length = float(np.sqrt(weights @ weights))
        return grams, weights / length if length else weights


def count(texts: Iterable[str]) -> bytes:
    """Make a table from texts: smoothed idf, ln((1 + n) / (1 + df)) + 1, a twentieth a unit."""
    seen = np.zeros(1 << BITS, dtype=np.int64)
    n = 0
    for text in texts:
        seen[np.unique(places_of(codes_of(text)))] += 1
        n += 1
    idf = np.log((1 + n) / (1 + seen)) + 1
    return np.clip(np.rint(idf * _SCALE), 1, 255).astype(np.uint8).tobytes()


@lru_cache(maxsize=1)
def load_idf() -> Idf:
    """The table that comes with the project."""
    return Idf(gzip.decompress(files("hometextile.dedup").joinpath("bigrams.gz").read_bytes()))
