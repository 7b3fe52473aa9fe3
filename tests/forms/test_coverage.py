"""How much there is: capture and recapture."""

from __future__ import annotations

import random

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
    assert coverage(chooser).there == 100
    answered(chooser, "felt", range(100, 140), 90)
    chooser.sample.times = [3] * len(chooser.sample)
    assert coverage(chooser).there == 100 + 90


def test_of_what_is_held_back_as_much_is_on_the_topic_as_of_what_is_shown() -> None:
    chooser = KeywordChooser()
    chooser.saw("panel", [Found(str(n), ["panel"], float(n % 4 == 0)) for n in range(40)], 400)
    chooser.done("panel")
    chooser.sample.times = [3] * 40
    assert coverage(chooser).there == 100


def test_a_claim_tells_nothing_where_cards_do_not_show_the_words() -> None:
    chooser = KeywordChooser()
    chooser.saw("war", [Found(str(n), ["war"] if n < 10 else ["peace"]) for n in range(40)], 400)
    chooser.done("war")
    chooser.sample.times = [3] * 40
    assert coverage(chooser).there == 40
