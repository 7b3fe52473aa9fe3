"""All near-duplicates among many texts at once: what :class:`~hometextile.dedup.near.NearIndex` finds one by one.

For looking through a whole library again. The same signatures, bands and judge, over arrays instead of a store.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from hometextile.dedup.idf import Codes, Idf, load_idf
from hometextile.dedup.near import (
    DISTANCE,
    LONGEST,
    SHORTEST,
    SURE,
    bands_of_signatures,
    is_spread,
    signatures,
)

Ints = npt.NDArray[np.int64]
_BATCH = 5_000
#: A band that more texts than this share is boilerplate: pairs are made of neighbours only.
_CROWD = 400


def near_pairs(
    texts: Sequence[str], *, distance: float = DISTANCE, sure: float = SURE, idf: Idf | None = None
) -> list[tuple[int, int, float]]:
    """Pairs of texts that are nearly the same.

    Args:
        texts: titles and texts of resources.
        distance: Euclidean distance up to which two texts may be nearly the same, 0 to 1.41.
        sure: the distance up to which they are, whatever differs.
        idf: weights of bigrams; None for those that come with the project.

    Returns:
        places of the two texts, the smaller first, and their similarity, as ``NearIndex.find`` gives it; in order.
    """
    codes = [each for start in range(0, len(texts), _BATCH) for each in _codes(texts[start : start + _BATCH])]
    bands = [bands_of_signatures(signatures(codes[start : start + _BATCH])) for start in range(0, len(codes), _BATCH)]
    if not codes:
        return []
    lengths = np.array([len(each) for each in codes])
    firsts, seconds = _candidates(np.concatenate(bands), lengths)
    found = []
    weights = idf or load_idf()
    vectors = _vectors(codes, weights)
    for start in range(0, len(firsts), 50_000):
        one, other = firsts[start : start + 50_000], seconds[start : start + 50_000]
        cosine = np.asarray(vectors[one].multiply(vectors[other]).sum(axis=1)).ravel()
        apart = np.sqrt(np.maximum(0.0, 2 - 2 * cosine))
        for n in np.flatnonzero(apart <= distance):
            first, second, far = int(one[n]), int(other[n]), float(apart[n])
            if min(lengths[first], lengths[second]) < SHORTEST:
                if np.array_equal(codes[first], codes[second]):
                    found.append((first, second, 1.0))
            elif far <= sure or is_spread(codes[first], codes[second]):
                found.append((first, second, 1 - far / math.sqrt(2)))
    return sorted(found)


def _codes(texts: Sequence[str]) -> Iterator[Codes]:
    """The bigrams of each text, as ``codes_of`` gives them, of many texts in one go."""
    joined = "\0".join(unicodedata.normalize("NFKC", text[:LONGEST].replace("\0", " ")) for text in texts).lower()
    points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    distinct, inverse = np.unique(points, return_inverse=True)
    kept = np.array([point == 0 or chr(int(point)).isalnum() for point in distinct], dtype=bool)[inverse]
    points = points[kept].astype(np.uint64)
    ends = [*np.flatnonzero(points == 0).tolist(), len(points)]
    pairs = (points[:-1] << np.uint64(21)) | points[1:]
    start = 0
    for end in ends:
        yield pairs[start : end - 1] if end - start >= 2 else points[start:end]
        start = end + 1


def _candidates(bands: Ints, lengths: Ints) -> tuple[Ints, Ints]:
    """Pairs that share a band, each once, the smaller place first."""
    pairs = []
    size = len(bands)
    for column in bands.T:
        order = np.argsort(column, kind="stable")
        order = order[lengths[order] > 0]
        values = column[order]
        for step in range(1, _CROWD):
            same = np.flatnonzero(values[step:] == values[:-step])
            if not len(same):
                break
            pairs.append(order[same] * size + order[same + step])
    every = np.unique(np.concatenate(pairs)) if pairs else np.zeros(0, dtype=np.int64)
    return every // size, every % size


def _vectors(codes: Sequence[Codes], idf: Idf) -> csr_matrix:
    """TF-IDF vectors of length 1, a row a text."""
    flat = np.concatenate(codes)
    rows = np.repeat(np.arange(len(codes)), [len(each) for each in codes])
    distinct, columns = np.unique(flat, return_inverse=True)
    matrix = csr_matrix((np.ones(len(flat)), (rows, columns)), shape=(len(codes), max(1, len(distinct))))
    matrix.sum_duplicates()
    matrix.data *= idf.weights(distinct)[matrix.indices]
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    matrix.data /= np.repeat(np.maximum(norms, 1e-12), np.diff(matrix.indptr))
    return matrix
