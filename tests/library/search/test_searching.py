"""Search on both databases: Chinese and English, phrases, exclusions, filters, ranking, snippets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hometextile.library.library import Library
from hometextile.library.search import index, searching
from hometextile.library.search.cutting import simplify
from hometextile.text.faults import Fault
from hometextile.text.normalise import fold
from tests.library.conftest import page, resource


def put(shelf: Library, number: int, text: str, **values: Any) -> None:
    known: dict[str, Any] = {"title": "", "source": "", "fields": {}, "text": text}
    shelf.save(page(number, resource(number, **{**known, **values})))


@pytest.fixture
def shelf(library: Library) -> Iterator[Library]:
    """A library of few texts that differ in what matters."""
    put(library, 1, "家纺，纺布也要家用。")
    put(library, 2, "家纺布艺展在上海举行，Cotton Quilts 参展。")
    put(library, 3, "臺灣家紡協會發佈蠶絲被標準")
    put(library, 4, "A cotton quilt, hand-made; silk lining. E-mail us.")
    put(library, 5, "布")
    put(library, 6, "蓝印花布的传统印染技艺，用黄豆粉和石灰调制防染浆", title="蓝印花布")
    yield library


def ids(shelf: Library, words: str, **filters: Any) -> list[int]:
    return sorted(hit.id for hit in shelf.search(words, **filters).hits)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("家纺", [1, 2, 3]),
        ("家紡", [1, 2, 3]),
        ("家纺布", [2]),
        ("布", [1, 2, 3, 5, 6]),
        ("浆", [6]),
        ("纺布", [1, 2]),
        ("蚕丝被", [3]),
        ("台湾", [3]),
        ("cotton", [2, 4]),
        ("COTTON", [2, 4]),
        ("ＣＯＴＴＯＮ", [2, 4]),
        ("quilt", [4]),
        ("cott", []),
        ("家纺 cotton", [2]),
        ("家纺cotton", [2]),
        ('"cotton quilt"', [4]),
        ('"quilt cotton"', []),
        ("“上海举行，cotton”", [2]),
        ("家纺 -布艺", [1, 3]),
        ("cotton -“hand made”", [2]),
        ("-家纺", [4, 5, 6]),
        ("家纺 -布艺 -标准", [1]),
        ("hand-made", [4]),
        ("用黄豆粉和石灰调制防染浆", [6]),
        ("不存在的词", []),
        ("，。！", []),
    ],
)
def test_what_is_found(shelf: Library, words: str, wanted: list[int]) -> None:
    assert ids(shelf, words) == wanted
    assert sorted(shelf.matches(words)) == wanted


def test_a_sentence_that_is_nowhere_is_looked_for_by_its_words(shelf: Library) -> None:
    found = shelf.search("布艺展在上海举行的家纺")
    assert (found.how, [hit.id for hit in found.hits]) == ("loose", [2])
    found = shelf.search("蓝印花布 印染 石灰 丝绸之路")
    assert (found.how, [hit.id for hit in found.hits]) == ("some", [6])
    assert shelf.search('"布艺展在上海举行的家纺"').total == 0, "a phrase stays whole"
    assert shelf.search('蓝印花布 印染 "丝绸之路"').total == 0


def test_pinyin_initials_of_titles(shelf: Library) -> None:
    for letters in ("ly", "lyhb", "YHB"):
        found = shelf.search(letters)
        assert (found.how, [hit.id for hit in found.hits]) == ("initials", [6])
    assert shelf.search("hby").total == 0
    assert shelf.search("silk").how == "words", "a word that is there is a word"


def test_letters_in_the_title_rank_above_the_text(library: Library) -> None:
    put(library, 1, "宋锦" + "很长的文字" * 200)
    put(library, 2, "宋锦宋锦宋锦")
    put(library, 3, "别的", title="宋锦")
    put(library, 4, "别的", title="苏州宋锦与云锦的历史和今天")
    assert [hit.id for hit in library.search("宋锦").hits] == [3, 4, 2, 1]


def test_relevance_and_freshness_decide_between_equals(library: Library) -> None:
    put(library, 1, "宋锦", relevance=0.2, published="2020-01-01")
    put(library, 2, "宋锦", relevance=0.9, published="2020-01-01")
    put(library, 3, "宋锦", relevance=0.2, published="2024-01-01")
    assert [hit.id for hit in library.search("宋锦").hits] == [2, 3, 1]


def test_filters(library: Library) -> None:
    put(library, 1, "宋锦", library="culture", category="history", published="2019", fields={"price": 10})
    put(library, 2, "宋锦", published="2019-06-30", fields={"price": "59.90元"})
    put(library, 3, "宋锦", published="2021-02-03T10:00:00", fields={"price": 1000})
    put(library, 4, "宋锦", published="")
    put(library, 5, "云锦", published="2019-06-30")
    library.save(page(6, resource(6, text="宋锦", published="1899-01-01"), site="other"))

    def found(**filters: Any) -> list[int]:
        assert ids(library, "宋锦", **filters) == sorted(library.matches("宋锦", **filters))
        return ids(library, "宋锦", **filters)

    assert found() == [1, 2, 3, 4, 6]
    assert found(library="culture") == found(category="history") == [1]
    assert found(site="other") == [6]
    assert found(site="none") == []
    assert found(since="2019-07") == [1, 3]
    assert found(since="2019-06-30", until="2019-06-30") == [1, 2]
    assert found(until="2019") == [1, 2, 6]
    assert found(since="2021-02-03", until="2021-02") == [3]
    assert found(price_from=10, price_to=60) == [1, 2]
    assert found(price_from=59.9) == [2, 3, 6]
    assert found(price_to=9.99) == []
    assert ids(library, "", since="2019-06-30", until="2019-06-30", library="trade") == [2, 5]
    with pytest.raises(Fault, match="there is no filter colour"):
        library.search("宋锦", colour="red")


def test_pages_of_hits_have_no_gap_and_no_repetition(small: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "RANKED", 10)
    for number in range(1, 26):
        put(small, number, "宋锦" * (number % 4 + 1), relevance=number / 30)
    seen = [hit.id for offset in range(0, 30, 4) for hit in small.search("宋锦", limit=4, offset=offset).hits]
    assert sorted(seen) == list(range(1, 26))
    found = small.search("宋锦", limit=4)
    assert (found.total, found.more) == (10, True)


def test_a_changed_text_is_found_by_its_new_words_only(library: Library) -> None:
    put(library, 1, "宋锦")
    put(library, 1, "云锦", published="2025-01-01")
    assert (ids(library, "宋锦"), ids(library, "云锦"), ids(library, "锦")) == ([], [1], [1])
    library.database.write(index.rebuild)
    assert (ids(library, "宋锦"), ids(library, "云锦")) == ([], [1])


def test_marks_stand_around_the_words_as_they_are_written(library: Library) -> None:
    put(library, 1, "前言。" * 100 + "這是蘇州的宋錦，Ｓilk 也是。" + "後記。" * 100, title="Song Brocade 宋錦")
    hit = library.search("宋锦 silk 苏州", marks=("<", ">")).hits[0]
    assert hit.title == "Song Brocade <宋錦>"
    assert "這是<蘇州>的<宋錦>，<Ｓilk> 也是。" in hit.snippet
    assert hit.snippet.startswith("…")
    assert hit.snippet.endswith("…")


def test_words_that_touch_are_marked_as_one(small: Library) -> None:
    small.save(page(1, resource(1, title="颜色很好", text="颜色很好，手感也很 好。")))
    hit = small.search("很 好", marks=("<", ">")).hits[0]
    assert hit.title == "颜色<很好>"
    assert "颜色<很好>，手感也<很> <好>。" in hit.snippet


@pytest.mark.parametrize(
    "words",
    [
        *('"', "-", "* OR NEAR(a b)", "title : x", "'; DROP TABLE resources; --", "a" * 5000, "%_\\", "\x00\ud800"),
        *('"-"', "facets : a", "^a + b", "(((", "宋锦 AND", "~ab #a", "锦" * 500),
        " ".join(f"词{number}" for number in range(200)),
    ],
)
def test_nothing_typed_is_an_error(shelf: Library, words: str) -> None:
    shelf.search(words)
    shelf.matches(words)


_CHARS = "家纺布艺宋锦臺台湾灣的一，。 aB1-ｑ。𠀀あ"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.text(alphabet=_CHARS, max_size=14), min_size=1, max_size=8),
    word=st.text(alphabet="家纺布艺宋锦臺台湾灣的一𠀀あ", min_size=1, max_size=5),
)
def test_chinese_words_are_found_as_by_a_substring_scan(small: Library, texts: list[str], word: str) -> None:
    for number in range(1, 9):
        put(small, number, texts[number - 1] if number <= len(texts) else "")
    wanted = [number for number, text in enumerate(texts, 1) if simplify(fold(word)) in simplify(fold(text))]
    assert sorted(small.matches(word)) == wanted
