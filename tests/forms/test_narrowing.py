"""Words together: what a wider query keeps back says what a narrower one can bring."""

from __future__ import annotations

from hometextile.forms.asked import Asked
from hometextile.forms.narrowing import Narrower, Narrowing
from hometextile.forms.sample import Found, Sample


def known(claimed: int | None = 100) -> tuple[Sample, dict[str, Asked]]:
    """Forty records of a hundred on silk, half of them Italian, a quarter velvet."""
    sample = Sample()
    for number in range(40):
        words = ["silk", "italian" if number % 2 else "french", "velvet" if number % 4 == 0 else "satin"]
        sample.add(Found(str(number), words))
    asked = Asked("first", results=40, new=40, claimed=claimed, done=True, cut=True, shown=list(range(40)))
    return sample, {"silk": asked}


def of(found: list[Narrower]) -> dict[str, Narrower]:
    return {" ".join(sorted(one.words)): one for one in found}


def test_what_is_held_back_has_the_words_of_what_is_known() -> None:
    sample, asked = known()
    told = of(Narrowing(sample, asked, 40, 1.0).candidates())
    assert 25 < told["italian silk"].hidden < 33
    assert 13 < told["silk velvet"].hidden < 17
    assert told["silk velvet"].given == told["silk velvet"].hidden  # 25 in all: nothing is cut off
    assert told["italian silk"].given < told["italian silk"].hidden  # twenty known ones come first


def test_where_all_is_known_nothing_is_narrowed() -> None:
    sample, asked = known(claimed=40)
    asked["silk"].claimed = 41
    asked["silk"].results = 40
    sample.add(Found("40", ["silk", "italian", "damask"]))
    assert Narrowing(sample, asked, 40, 1.0).candidates() == []


def test_words_of_a_complete_answer_are_not_asked_again() -> None:
    sample, asked = known()
    asked["silk velvet"] = Asked("pair", results=10, claimed=10, done=True)
    sample.completed(["silk", "velvet"])
    told = of(Narrowing(sample, asked, 40, 1.0).candidates())
    assert told
    assert not any({"silk", "velvet"} <= set(one.words) for one in told.values())


def test_without_claims_the_last_answers_tell() -> None:
    sample, asked = known(claimed=None)
    told = of(Narrowing(sample, asked, 40, 0.5).candidates())
    assert told["silk velvet"].hidden > 5
