"""The demo source's records: enough of them, of every class, told apart by their texts."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from hometextile.demo.content import LIBRARIES, Item, _item, every_item, items, look_up, search


def _grams(text: str) -> set[str]:
    text = "".join(text.split())
    return {text[i : i + 2] for i in range(len(text) - 1)}


def _alike(one: str, other: str) -> float:
    a, b = _grams(one), _grams(other)
    return len(a & b) / len(a | b)


def _true(visit: int = 1) -> list[Item]:
    there = (item.at(visit) for item in every_item())
    return [item for item in there if item and not item.off_topic and not item.of]


def test_every_class_has_at_least_three_records() -> None:
    counts = Counter(item.category for item in _true())
    assert set(counts) == {name for names in LIBRARIES.values() for name in names}
    assert min(counts.values()) >= 3


def test_about_three_hundred_records_two_hundred_of_them_deep() -> None:
    true = _true()
    assert 300 <= len(true) <= 340
    assert sum(item.deep for item in true) >= 200
    assert sum(not item.deep for item in true) >= 100
    assert sum(item.language == "en" for item in true) >= 25


def test_texts_are_of_a_readable_length() -> None:
    assert [item.key for item in _true() if not 70 <= len(item.text) <= 900] == []


def test_different_records_have_different_texts() -> None:
    grams = [(item, _grams(item.title + item.text)) for item in _true()]
    limit = {"zh": 0.2, "en": 0.5}
    near = [
        (one.key, other.key)
        for (one, a), (other, b) in combinations(grams, 2)
        if one.language == other.language and len(a & b) / len(a | b) > limit[one.language]
    ]
    assert near == []


def test_reprints_are_nearly_the_same_as_their_originals() -> None:
    every = {(item.section, item.key): item for item in every_item()}
    reprints = [item for item in every.values() if item.of]
    assert len(reprints) >= 5
    for item in reprints:
        assert 0.75 < _alike(item.text, every[item.section, item.of].text) < 1.0


def test_titles_are_unique_within_a_section() -> None:
    assert max(Counter((item.section, item.title) for item in every_item()).values()) == 1


def test_search_needs_every_word_and_finds_nothing_for_none() -> None:
    assert search("product", "  ", 1) == []
    found = search("product", "四件套 太空", 1)
    assert [item.key for item in found] == ["1035"]


def test_records_come_change_move_and_go() -> None:
    keys = [{item.key for item in items("product", visit)} for visit in (1, 2, 3)]
    assert "1059" not in keys[0] and "1059" in keys[1]
    assert "1020" in keys[0] and "1020" not in keys[1]
    assert look_up("product", "1020", 2).gone == 410
    assert look_up("product", "1015", 2).moved == "/product/show.asp?id=1015-2"
    assert look_up("product", "1015-2", 1).item is None
    changed = look_up("product", "1002", 2).item
    assert changed is not None and changed.fields["价格"] == "￥148.00" and changed.modified == 2


def test_a_record_with_an_unknown_key_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown keys"):
        _item("news", {"key": "n", "title": "t", "text": "x", "klass": "news"})
