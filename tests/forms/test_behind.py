"""What is behind an answer that was cut off: by its claim and what it shows, and by what others found of it."""

from __future__ import annotations

import random

from hometextile.forms.asked import Asked
from hometextile.forms.behind import behind
from hometextile.forms.sample import Found, Sample


def seen(
    shown: int, others: int, share: float, *, whole: int = 1_000, claimed: int | None = 1_000
) -> tuple[Sample, Asked]:
    """A word of *whole* records; of them the query showed some, and others some on the topic."""
    dice = random.Random(1)
    sample = Sample()
    on = [number < share * whole for number in range(whole)]
    dice.shuffle(on)
    for number in [n for n in range(whole) if on[n]][:others]:
        sample.add(Found(str(number), ["silk"]))
    order = list(range(whole))
    dice.shuffle(order)
    asked = Asked("first", results=shown, claimed=claimed, done=True, cut=True)
    for number in order[:shown]:
        sample.add(Found(str(number), ["silk"], float(on[number])))
        asked.shown.append(sample.number(str(number)) or 0)
    return sample, asked


def test_the_claim_counts_where_much_is_shown() -> None:
    told = behind(*seen(200, 100, 0.6), ["silk"])
    assert told.whole == 1_000
    assert 500 < told.on < 700
    assert told.hidden == told.on - told.known


def test_recapture_counts_where_the_claim_is_large_and_little_is_shown() -> None:
    """Eight of 160 shown records are on the topic, and 16,700 are claimed; six of the eight are among 480 known ones."""
    sample = Sample()
    for number in range(480):
        sample.add(Found(f"known{number}", ["silk"]))
    asked = Asked("sample", results=160, claimed=16_700, done=True, cut=True)
    for number in range(160):
        key = f"known{number}" if number < 6 else f"shown{number}"
        sample.add(Found(key, ["silk"], float(number < 8)))
        asked.shown.append(sample.number(key) or 0)
    by_claim = 16_700 * 8 / 160
    assert by_claim > 800
    assert 580 < behind(sample, asked, ["silk"]).on < 720


def test_without_a_claim_recapture_tells_all() -> None:
    sample, asked = seen(100, 150, 0.3, claimed=None)
    told = behind(sample, asked, ["silk"])
    assert 200 < told.on < 420
    assert told.whole >= told.on


def test_where_all_is_known_nothing_is_hidden() -> None:
    sample, asked = seen(100, 300, 0.3)
    assert behind(sample, asked, ["silk"]).hidden < 45


def test_no_more_is_hidden_than_is_claimed() -> None:
    sample, asked = seen(90, 5, 1.0, whole=100, claimed=100)
    told = behind(sample, asked, ["silk"])
    assert told.hidden <= 100 - len(sample.having(["silk"]))
