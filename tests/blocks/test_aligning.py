"""Labels from true text."""

from __future__ import annotations

from collections import Counter

from hometextile.blocks.aligning import align, grams_of, tokens_of


def test_blocks_of_the_true_text_are_found() -> None:
    texts = [
        "Home About Contact",
        "The first paragraph of the text is here.",
        "The second one follows it.",
        "(c) 2026 us",
    ]
    assert align(texts, "The first paragraph of the text is here.\nThe second one follows it.") == [
        False,
        True,
        True,
        False,
    ]


def test_short_blocks_are_flipped_where_that_raises_f1() -> None:
    # the price is three tokens: too short for the share of 4-grams, told by what surrounds it
    texts = ["menu one two", "Linen sheet in white, washed", "19.90 EUR", "Made in a small mill in the north"]
    truth = "Linen sheet in white, washed\n19.90 EUR\nMade in a small mill in the north"
    assert align(texts, truth) == [False, True, True, True]


def test_grams_of_short_and_empty_texts() -> None:
    assert grams_of([]) == Counter()
    assert grams_of(["a", "b"]) == Counter({("a", "b"): 1})


def test_chinese_counts_by_character() -> None:
    assert tokens_of("家纺 ABC１") == ["家", "纺", "abc1"]
