"""Finding words and phrases in a text."""

from __future__ import annotations

from collections import Counter

import pytest

from hometextile.text.words import Cutter
from hometextile.topic.vocabulary import Vocabulary, stem

CUTTER = Cutter(["窗帘", "遮光窗帘布"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a red carpet and two carpets", {"red carpet": 1, "carpet": 1}),
        ("Bed linens", {"bed linen": 1}),
        ("bed, and linen", {"linen": 1}),
        ("遮光窗帘布", {"窗帘": 0}),
        ("客厅窗帘", {"窗帘": 1}),
        ("", {}),
    ],
)
def test_the_longest_is_found(text: str, found: dict[str, int]) -> None:
    vocabulary = Vocabulary(["carpet", "red carpet", "bed linen", "linen", "窗帘"], CUTTER)
    assert vocabulary.find(CUTTER.cut(text)) == Counter({word: n for word, n in found.items() if n})


def test_a_chinese_word_that_ends_or_begins_a_longer_one_counts() -> None:
    vocabulary = Vocabulary(["窗帘"], CUTTER)
    assert vocabulary.find(["遮光窗帘"]) == {"窗帘": 1}
    assert vocabulary.find(["窗帘布"]) == {"窗帘": 1}
    assert vocabulary.find(["大窗帘布"]) == {}


@pytest.mark.parametrize(
    ("word", "singular"),
    [("quilts", "quilt"), ("draperies", "drapery"), ("brushes", "brush"), ("dress", "dress"), ("canvas", "canva"),
     ("gas", "gas"), ("被子", "被子"), ("tulips", "tulip")],
)  # fmt: skip
def test_stem(word: str, singular: str) -> None:
    assert stem(word) == singular
