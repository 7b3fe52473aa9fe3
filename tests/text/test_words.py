"""Words: cut alike everywhere, English whole, the pack's words kept."""

from __future__ import annotations

import pytest

from hometextile.text.words import Cutter, bigrams, grams, is_chinese, language_of

ENGINES = ["rjieba", "jieba"]


@pytest.mark.parametrize("engine", ENGINES)
def test_words_of_the_dictionary_are_kept_whole(engine: str) -> None:
    cutter = Cutter(["蓝印花布", "四件套", "抱枕"], engine=engine)
    words = cutter.cut("南通蓝印花布做的四件套和抱枕")
    assert {"蓝印花布", "四件套", "抱枕"} <= set(words)
    assert "".join(words) == "南通蓝印花布做的四件套和抱枕"


@pytest.mark.parametrize("engine", ENGINES)
def test_search_gives_the_shorter_words_too(engine: str) -> None:
    words = Cutter(["蓝印花布"], engine=engine).cut_for_search("蓝印花布")
    assert "蓝印花布" in words and "印花" in words


def test_without_the_dictionary_the_word_falls_apart() -> None:
    assert "家纺" not in Cutter().cut("这家纺织厂做家纺")[-1:]
    assert "家纺" in Cutter(["家纺"]).cut("南通家纺")


def test_english_and_numbers_come_whole_in_lower_case_without_punctuation() -> None:
    assert Cutter().cut("Toile-de-Jouy, 60支 Ｃｏｔｔｏｎ!") == ["toile", "de", "jouy", "60", "支", "cotton"]


def test_an_apostrophe_stays_in_the_word() -> None:
    assert Cutter().cut("children’s quilt") == ["children’s", "quilt"]


@pytest.mark.parametrize("text", ["", "  \n\t", "，。！？", "\ud800"])
def test_nothing_to_cut(text: str) -> None:
    assert Cutter().cut(text) == []


def test_bigrams_skip_what_stands_between_letters() -> None:
    assert bigrams("家纺, 床品") == ["家纺", "纺床", "床品"]
    assert bigrams("家") == ["家"]
    assert bigrams("…") == []
    assert grams("abcd", 3) == ["abc", "bcd"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("全棉四件套 200x230cm", "zh"),
        ("Tencel 60S 四件套", "zh"),
        ("A Ming dynasty textile known in Chinese as 云锦, woven in Nanjing by the imperial workshops", "en"),
        ("Linen", "en"),
        ("12345", ""),
    ],
)
def test_language(text: str, language: str) -> None:
    assert language_of(text) == language


def test_is_chinese() -> None:
    assert is_chinese("a布")
    assert not is_chinese("fabric カタ")
