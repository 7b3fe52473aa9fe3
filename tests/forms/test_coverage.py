"""How much there is: capture and recapture."""

from __future__ import annotations

import random

import pytest

from hometextile.forms.coverage import _held_back as held_back
from hometextile.forms.coverage import chao, coverage
from hometextile.forms.keywords import KeywordChooser
from hometextile.forms.sample import Found


def test_records_unlike_in_how_easily_they_are_found() -> None:
    dice = random.Random(3)
    ease = [dice.choice((0.03, 0.06, 0.12)) for _record in range(1_000)]
    times = [sum(dice.random() < p for _query in range(18)) for p in ease]
    seen = [n for n in times if n]
    told = chao(seen)
    assert 500 < len(seen) < 800
    assert 850 < told.there < 1_150
    assert told.low < told.there < told.high


def test_when_all_is_seen_again_and_again_nothing_is_missing() -> None:
    told = chao([5, 6, 7, 4])
    assert (told.there, told.share) == (4, 1.0)
    assert chao([]).share == 1.0


def test_records_that_an_answer_keeps_back_are_there() -> None:
    chooser = KeywordChooser()
    chooser.saw("silk", [Found(str(n), ["silk"]) for n in range(20)], 100)
    chooser.done("silk")
    assert coverage(chooser).there >= 100


def test_records_off_the_topic_do_not_count() -> None:
    chooser = KeywordChooser()
    chooser.saw("wood", [Found(str(n), ["wood"], 0.0) for n in range(20)], 20)
    chooser.done("wood")
    assert coverage(chooser).seen == 0


def answered(chooser: KeywordChooser, word: str, numbers: range, claimed: int, on: float = 1.0, also: str = "") -> None:
    chooser.saw(word, [Found(str(n), [word, *also.split()], on) for n in numbers], claimed)
    chooser.done(word)


def test_two_answers_that_hold_back_the_same_records_count_once() -> None:
    chooser = KeywordChooser()
    answered(chooser, "silk", range(40), 100, also="italian")
    answered(chooser, "italian", range(40), 100, also="silk")
    assert held_back(chooser) <= 60
    chooser = KeywordChooser()
    answered(chooser, "silk", range(40), 100)
    once = held_back(chooser)
    answered(chooser, "felt", range(100, 140), 100)
    assert 50 < once <= 60
    assert held_back(chooser) == pytest.approx(2 * once)


def test_of_what_is_held_back_as_much_is_on_the_topic_as_of_what_is_shown() -> None:
    chooser = KeywordChooser()
    chooser.saw("panel", [Found(str(n), ["panel"], float(n % 4 == 0)) for n in range(40)], 400)
    chooser.done("panel")
    assert 80 < held_back(chooser) < 100


def test_a_claim_tells_nothing_where_cards_do_not_show_the_words() -> None:
    chooser = KeywordChooser()
    chooser.saw("war", [Found(str(n), ["war"] if n < 10 else ["peace"]) for n in range(40)], 400)
    chooser.done("war")
    assert held_back(chooser) == 0


def test_a_query_that_brings_nearly_all_makes_no_record_rare() -> None:
    """One query has all hundred records, and three others find a third of them again."""
    chooser = KeywordChooser()
    answered(chooser, "glass", range(100), 100, also="vase")
    assert chao(chooser.sample.times).there > 1_000
    for word, numbers in (("green", range(30)), ("cut", range(10, 40)), ("old", range(5, 35))):
        answered(chooser, word, numbers, 30)
    told = coverage(chooser)
    assert told.there < 115
    assert told.low <= told.there <= told.high


def test_words_that_were_not_asked_promise_something_and_not_much() -> None:
    words = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(150)]
    bare, rich = KeywordChooser(), KeywordChooser(words)
    for chooser in (bare, rich):
        for word, numbers in (("silk", range(40)), ("rug", range(20, 60)), ("felt", range(60))):
            answered(chooser, word, numbers, len(numbers))
    assert coverage(bare).there < coverage(rich).there <= coverage(bare).there + 0.15 * 60
    for word in words:
        rich.done(word)
    assert coverage(rich).there == coverage(bare).there
