"""A query as far as its answer is known, and one that may be asked."""

from __future__ import annotations

from dataclasses import dataclass, field

#: The share of the known records with a word that an answer has to find again to be all there is with it.
HEARD = 0.5


@dataclass
class Asked:
    """A query as far as its answer is known.

    Attributes:
        kind: where the keyword came from: ``first`` (what a person wants asked), ``pack`` and ``known`` (of the pack,
            on no known record and on one), ``sample``, ``opening`` (cut off, so that others go beside it), ``pair``.
        expected: new records on the topic that were expected.
        fresh, stale: what that was expected from, see :class:`Candidate`.
        results, new: records, and those no earlier answer had.
        gained: new ones that are on the topic.
        claimed: records that the answer says there are.
        pages: pages taken.
        done: whether its last page has been taken.
        cut: whether it has more records than it gives.
        shown: numbers of its records, kept of an answer that is cut off.
        heard: 0 to 1: how many of the known records whose cards have its words it found again.
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
    shown: list[int] = field(default_factory=list)
    heard: float = 1.0

    @property
    def held_back(self) -> bool:
        """Whether the answer itself says that there are more."""
        return self.cut and self.claimed is not None and self.claimed > self.results


@dataclass
class Candidate:
    """A keyword that may be asked: what it is expected to bring a unit of cost.

    Attributes:
        keyword, kind, expected: as in :class:`Asked`.
        worth: what is expected for a unit of cost.
        fresh, stale: known records on the topic that have the word: those no complete query explains, the others.
    """

    keyword: str
    kind: str
    expected: float
    worth: float
    fresh: float = 0.0
    stale: float = 0.0
