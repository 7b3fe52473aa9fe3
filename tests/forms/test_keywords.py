"""Choosing keywords: on the topic, past a cap, no longer than it pays, and on after a restart."""

from __future__ import annotations

import json
import random

import pytest

from hometextile.forms.keywords import KeywordChooser
from hometextile.forms.plain import from_plain, to_plain
from hometextile.forms.sample import Found, Sample, askable

KINDS = ("quilt", "curtain", "towel", "rug", "lace", "velvet")
MATERIALS = ("cotton", "linen", "silk", "wool", "hemp", "felt", "satin", "jute")
MAKERS = ("Adler", "Brandt", "Castro", "Dupont", "Ebert", "Fabri", "Gomez", "Hansen", "Ito", "Jansen")
OTHERS = ("chair", "lamp", "print", "vase", "coin", "map")


class Source:
    """A database: 600 records on the topic, 1,800 beside it; answers in the order of the records."""

    def __init__(self, cap: int | None = None) -> None:
        dice = random.Random(5)
        self.cap = cap
        self.records: dict[str, list[str]] = {}
        for number in range(2_400):
            on = number % 4 == 0
            kind = dice.choice(KINDS if on else OTHERS)
            words = [kind, dice.choice(MATERIALS) if on else "wood", dice.choice(MAKERS), dice.choice(("old", "new"))]
            self.records[f"{'on' if on else 'off'}{number}"] = [word.lower() for word in words]
        self.queries = 0

    def ask(self, keyword: str) -> tuple[list[Found], int]:
        """What an answer shows, and how many records it claims."""
        self.queries += 1
        said = set(keyword.lower().split())
        keys = [key for key, words in self.records.items() if said <= set(words)]
        found = [Found(key, self.records[key], float(key.startswith("on"))) for key in keys[: self.cap]]
        return found, len(keys)


def interrogate(source: Source, chooser: KeywordChooser, *, most: int = 1_000, claims: bool = True) -> set[str]:
    seen: set[str] = set()
    while source.queries < most and (keyword := chooser.next()) is not None:
        found, claimed = source.ask(keyword)
        chooser.saw(keyword, found, claimed if claims else None)
        chooser.done(keyword)
        seen.update(one.key for one in found)
    return {key for key in seen if key.startswith("on")}


def test_one_word_is_enough_to_find_the_rest() -> None:
    source = Source()
    found = interrogate(source, KeywordChooser(["quilt"]))
    assert len(found) == 600
    assert source.queries < 45


@pytest.mark.parametrize("claims", [True, False])
def test_two_words_together_get_past_a_cap(claims: bool) -> None:
    source = Source(cap=20)
    chooser = KeywordChooser(["quilt", "cotton"], budget=120)
    found = interrogate(source, chooser, claims=claims)
    alone = len({key for word in (*KINDS, *MATERIALS) for key in (one.key for one in Source(20).ask(word)[0])})
    assert chooser.cap == 20
    assert any(len(keyword.split()) == 2 for keyword in chooser.asked)
    assert len(found) > 1.5 * alone
    assert len(found) > 450


def test_words_that_are_not_searched_are_left_alone() -> None:
    """Cards show a date that no query finds."""
    source = Source(cap=20)
    for key in list(source.records)[::3]:
        source.records[key].append("late")
    ask = source.ask
    source.ask = lambda keyword: ([], 0) if "late" in keyword else ask(keyword)  # type: ignore[method-assign]
    chooser = KeywordChooser(["quilt", "cotton"], budget=60)
    interrogate(source, chooser)
    assert sum("late" in keyword.split() for keyword in chooser.asked) <= 4


def test_two_queries_at_once_are_not_the_same_in_other_words() -> None:
    chooser = KeywordChooser(["quilt"])
    chooser.next()
    chooser.saw("quilt", [Found(str(n), ["quilt", "anna", "turner" if n % 2 else "moss"]) for n in range(30)], 30)
    chooser.saw("quilt", [Found(f"x{n}", ["quilt", "anna"]) for n in range(4)], 34)
    chooser.done("quilt")
    assert {chooser.next(), chooser.next()} != {"anna", "turner"}


def test_an_answer_that_claims_what_it_gives_is_whole() -> None:
    chooser = KeywordChooser()
    chooser.saw("silk", [Found(str(n), ["silk"]) for n in range(20)], 90)
    chooser.done("silk")
    chooser.saw("felt", [Found(f"f{n}", ["felt"]) for n in range(20)], 20)
    chooser.done("felt")
    assert (chooser.asked["silk"].cut, chooser.asked["felt"].cut) == (True, False)
    assert len(chooser.asked["silk"].shown) == 20
    assert chooser.asked["felt"].shown == []


def test_words_beside_the_topic_are_left_alone() -> None:
    source = Source()
    chooser = KeywordChooser(["quilt", "linen"])
    interrogate(source, chooser, most=20)
    assert not {"chair", "lamp", "vase", "coin", "map", "wood"} & set(chooser.asked)


def test_a_language_that_brings_nothing_sinks() -> None:
    chinese = ["棉被", "窗帘", "毛巾", "地毯", "刺绣", "丝绸", "印花", "织锦"]
    source = Source(cap=20)
    chooser = KeywordChooser([*chinese, *KINDS, *MATERIALS])
    interrogate(source, chooser, most=16)
    assert sum(keyword in chinese for keyword in chooser.asked) <= 4


def test_what_a_person_named_comes_first_and_may_be_all() -> None:
    chooser = KeywordChooser(["quilt"], first=["lace", "felt"], adaptive=False)
    assert [chooser.next(), chooser.next(), chooser.next()] == ["lace", "felt", None]
    assert chooser.why_ended == "all-asked"
    chooser = KeywordChooser(["quilt"], first=["lace"])
    assert [chooser.next(), chooser.next(), chooser.next()] == ["lace", "quilt", None]


def test_it_ends_when_nothing_new_comes() -> None:
    chooser = KeywordChooser([f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(200)], patience=10)
    count = 0
    while (keyword := chooser.next()) is not None:
        chooser.done(keyword)
        count += 1
    assert (count, chooser.why_ended) == (10, "nothing-new")


def test_it_ends_with_the_budget() -> None:
    source = Source()
    chooser = KeywordChooser(KINDS, budget=3)
    interrogate(source, chooser)
    assert (source.queries, chooser.why_ended) == (3, "budget")


def test_words_of_the_page_come_earlier() -> None:
    words = [f"word{chr(97 + n)}" for n in range(20)]
    assert KeywordChooser(words, likely=["words"]).next() == "words"


def test_it_goes_on_after_a_restart_as_it_would_have() -> None:
    source = Source(cap=20)
    chooser = KeywordChooser(["quilt", "cotton"])
    interrogate(source, chooser, most=12)
    other = from_plain(json.loads(json.dumps(to_plain(chooser))))
    assert isinstance(other, KeywordChooser)
    for _turn in range(10):
        keyword = chooser.next()
        assert other.next() == keyword
        for each in (chooser, other):
            found, claimed = source.ask(keyword or "")
            each.saw(keyword or "", found, claimed)
            each.done(keyword or "")


def test_answers_of_one_length_by_chance_are_no_cap() -> None:
    chooser = KeywordChooser()
    for n in range(2):
        chooser.saw(f"word{n}", [Found(f"{n}-{i}", []) for i in range(13)])
        chooser.done(f"word{n}")
    assert chooser.cap is None


def test_sample_keeps_words_worth_asking() -> None:
    sample = Sample()
    assert sample.add(Found("a", ["quilt", "2023", "of", "棉", "棉布"], 1.0))
    assert not sample.add(Found("a", ["quilt"], 1.0))
    assert sample.words[0] == {"quilt", "棉布"}
    assert sample.times == [2]
    sample.correct("a", 0.0)
    assert sample.on == [0.0]
    assert [askable(word) for word in ("a1b", "ab", "abc", "绣", "刺绣")] == [False, False, True, False, True]


def test_what_is_kept_of_a_large_source_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hometextile.forms.sample.MAX_KNOWN", 5_000)
    sample = Sample()
    words = [f"word{chr(97 + a)}{chr(97 + b)}" for a in range(26) for b in range(10)]
    for number in range(6_000):
        found = Found(f"http://s.example/a/very/long/address/of/record?number={number}", words[number % 200 :][:60])
        assert sample.add(found)
    assert (len(sample), len(sample.on), sample.number("else")) == (5_000, 5_000, None)
    assert not sample.add(Found("http://s.example/a/very/long/address/of/record?number=7", []))
    assert len(json.dumps(to_plain(sample))) < 1_500_000


def test_claims_that_do_not_come_true_are_no_claims() -> None:
    """A number in an answer was taken for the count of records, and others show that it is none."""
    chooser = KeywordChooser()
    answers = {"silk": (11, 900), "felt": (30, 3), "jute": (40, 17), "lace": (12, None)}
    for word, (length, claimed) in answers.items():
        chooser.saw(word, [Found(f"{word}{n}", [word]) for n in range(length)], claimed)
        chooser.done(word)
        assert (chooser.cap is not None) == (word == "silk")
    assert not any(one.cut or one.claimed for one in chooser.asked.values())


def test_a_word_of_all_cards_that_is_not_searched_spoils_no_other() -> None:
    """Each card has a word of the page's own, such as "changed"; a search for it finds three records."""
    source = Source()
    for words in source.records.values():
        words.append("changed")
    ask = source.ask
    source.ask = lambda keyword: (ask("quilt adler")[0][:3], 3) if keyword == "changed" else ask(keyword)  # type: ignore[method-assign]
    chooser = KeywordChooser(["quilt", *(f"word{chr(97 + n)}" for n in range(26))])
    interrogate(source, chooser, most=20)
    asked = list(chooser.asked)
    assert "changed" in asked
    after = asked[asked.index("changed") + 1 :]
    assert sum(word.startswith("word") for word in after[:8]) <= 3


def test_a_word_of_the_pack_that_a_record_has_comes_before_one_that_none_has() -> None:
    """All quilts are known; a lamp with a quilted shade tells that this source has more than quilts."""
    source = Source()
    for number in range(40):
        source.records[f"on{10_000 + number}"] = ["tapestry", "lamp", f"maker{chr(97 + number % 26)}"]
    source.records["on20000"] = ["quilt", "tapestry"]
    chooser = KeywordChooser(["quilt", *(f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(80)), "tapestry"])
    interrogate(source, chooser, most=60)
    before = list(chooser.asked)[: list(chooser.asked).index("tapestry")]
    assert sum(keyword.startswith("word") for keyword in before) < 10


def test_what_was_never_on_the_topic_is_not_put_beside_a_word() -> None:
    source = Source(cap=20)
    chooser = KeywordChooser(["velvet"], budget=120)
    assert len(interrogate(source, chooser, claims=False)) > 440
    assert sum(bool(set(OTHERS) & set(keyword.split())) for keyword in chooser.asked) < 30


def test_a_state_of_an_older_program_is_told() -> None:
    chooser = KeywordChooser(["quilt"])
    assert chooser.complete
    del chooser._pack_words
    assert not chooser.complete
