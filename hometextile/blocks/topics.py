"""Topic blocks (paper 5): similarity with the longest block, naive Bayes, and their intersection."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from hometextile.blocks.block import Block
from hometextile.blocks.outline import TOKEN
from hometextile.page.document import Document
from hometextile.text.faults import Fault
from hometextile.text.messages import _

#: Share of tokens that a block must have in common with the longest one (common / tokens of the shorter).
SIMILAR = 0.3
#: Tokens so common that they say nothing about a topic.
_STOP = frozenset(
    [
        "的",
        "了",
        "是",
        "在",
        "和",
        "有",
        "不",
        "我",
        "他",
        "这",
        "the",
        "a",
        "an",
        "of",
        "to",
        "and",
        "in",
        "is",
        "for",
        "on",
        "with",
        "that",
        "it",
        "as",
        "at",
        "by",
        "be",
    ]
)


def tokens(text: str) -> list[str]:
    """Tokens of a block without stop words."""
    return [token for token in TOKEN.findall(text.lower()) if token not in _STOP]


def topic_similarity(texts: Sequence[str]) -> list[float]:
    """Each block's likeness to the longest block: tokens in common (with repeats) over tokens of the shorter.

    Args:
        texts: of the blocks.

    Returns:
        0 to 1 for each; the longest block has 1.
    """
    bags = [Counter(tokens(text)) for text in texts]
    if not bags:
        return []
    sizes = [sum(bag.values()) for bag in bags]
    longest = max(range(len(bags)), key=lambda number: sizes[number])
    reference, length = bags[longest], sizes[longest]
    likeness = []
    for bag, size in zip(bags, sizes, strict=True):
        common = sum(min(count, reference[token]) for token, count in bag.items() if token in reference)
        likeness.append(common / min(size, length) if size and length else 0.0)
    if length:
        likeness[longest] = 1.0
    return likeness


@dataclass
class NaiveBayes:
    """Multinomial naive Bayes over tokens of a block's text and coarse marks of its form.

    Attributes:
        prior: log odds of a topic block.
        words: token to log likelihood ratio (topic over other).
    """

    prior: float = 0.0
    words: dict[str, float] = field(default_factory=dict)

    @classmethod
    def fit(cls, blocks: Iterable[tuple[Sequence[str], bool]], *, least: int = 5) -> NaiveBayes:
        """Learn from marked blocks.

        Args:
            blocks: marks of each block (:func:`marks`) and whether it is a topic block.
            least: marks seen in fewer blocks are left out.
        """
        counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        number = {True: 0, False: 0}
        for found, topic in blocks:
            counts[topic].update(set(found))
            number[topic] += 1
        every = counts[True] + counts[False]
        words = {}
        for word, count in every.items():
            if count >= least:
                inside = (counts[True][word] + 1) / (number[True] + 2)
                outside = (counts[False][word] + 1) / (number[False] + 2)
                words[word] = round(math.log(inside / outside), 3)
        return cls(round(math.log((number[True] + 1) / (number[False] + 1)), 3), words)

    def posterior(self, found: Iterable[str]) -> float:
        """Probability that a block with these marks is a topic block."""
        score = self.prior + sum(self.words.get(mark, 0.0) for mark in set(found))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def marks(text: str, links: float = 0.0) -> list[str]:
    """What naive Bayes sees of a block: the first words, length, share of links, punctuation.

    Args:
        text: of the block.
        links: share of its characters that are links.
    """
    found = tokens(text)
    size = int(math.log2(len(found) + 1))
    stops = sum(text.count(stop) for stop in "。！？.!?")
    return [*found[:40], f"#size{size}", f"#links{int(links * 4)}", f"#stops{min(stops, 4)}"]


def topic_blocks(texts: Sequence[str], links: Sequence[float], bayes: NaiveBayes) -> dict[str, list[bool]]:
    """The three choices of paper 5: ``similarity``, ``bayes`` and ``both``, one answer a block each."""
    similar = [likeness > SIMILAR for likeness in topic_similarity(texts)]
    likely = [bayes.posterior(marks(text, share)) > 0.5 for text, share in zip(texts, links, strict=True)]
    return {
        "similarity": similar,
        "bayes": likely,
        "both": [one and other for one, other in zip(similar, likely, strict=True)],
    }


def link_shares(blocks: Sequence[Block]) -> list[float]:
    """Share of each block's characters inside links."""
    shares = []
    for block in blocks:
        inside = sum(len("".join(a.itertext()).strip()) for e in block.elements for a in _links(e))
        shares.append(min(1.0, inside / max(len(block.text), 1)))
    return shares


def _links(element: Any) -> Iterable[Any]:
    return [element] if element.tag == "a" else element.iter("a")


@lru_cache(maxsize=1)
def load_bayes() -> NaiveBayes:
    """The shipped naive Bayes model.

    Raises:
        Fault: it was not built in.
    """
    resource = files("hometextile.blocks").joinpath("models", "topics.json")
    if not resource.is_file():
        raise Fault(_("there is no shipped model for topic blocks"), remedy=_("run `scrapy blocks train`"))
    data = json.loads(resource.read_text("utf-8"))
    return NaiveBayes(float(data["prior"]), {str(k): float(v) for k, v in data["words"].items()})


def rate_by_topic(blocks: Sequence[Block], document: Document, bayes: NaiveBayes | None = None) -> None:
    """Set ``level`` and ``score`` of the blocks by paper 5's intersection: main or noise.

    Where the two agree on nothing, the longest block is the topic: a page is never left without.

    Args:
        blocks: of the page.
        document: the page.
        bayes: the model, by default the shipped one.
    """
    model = bayes or load_bayes()
    texts, shares = [block.text for block in blocks], link_shares(blocks)
    both = topic_blocks(texts, shares, model)["both"]
    if texts and not any(both):
        both[max(range(len(texts)), key=lambda number: len(tokens(texts[number])))] = True
    for block, share, chosen in zip(blocks, shares, both, strict=True):
        block.score = round(model.posterior(marks(block.text, share)), 4)
        block.level = "main" if chosen else "related" if share > 0.5 else "noise"
    document.derived["topic"] = "both"
