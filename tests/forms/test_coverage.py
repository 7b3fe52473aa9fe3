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
