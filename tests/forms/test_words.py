"""The words of forms."""

from __future__ import annotations

import pytest

from hometextile.forms.words import form_words, split_name


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Search", "search"),
        ("搜 索", "search"),
        ("站内搜索引擎", "search"),
        ("Rechercher", "search"),
        ("Suchbegriff", "search"),
        ("ПОИСК", "search"),
        ("検索", "search"),
        ("Log in", "login"),
        ("登錄", "login"),
        ("Subscribe to our newsletter", "subscribe"),
        ("加入购物车", "order"),
        ("Add to cart", "order"),
        ("发表评论", "comment"),
        ("Sort by", "sort"),
        ("忘记密码", "recover"),
    ],
)
def test_intent(text: str, intent: str) -> None:
    assert intent in form_words().intents_in(text)


@pytest.mark.parametrize("text", ["Research papers", "", "   ", "资料"])
def test_no_search(text: str) -> None:
    assert "search" not in form_words().intents_in(text)


@pytest.mark.parametrize(
    ("name", "intent"),
    [("txtSearchKey", "search"), ("q", "search"), ("user[password]", "login"), ("AddToCart", "order")],
)
def test_intent_of_names(name: str, intent: str) -> None:
    assert intent in form_words().intents_in_name(name)


def test_short_names_are_whole_parts() -> None:
    assert "search" not in form_words().intents_in_name("square")
    assert "search" not in form_words().intents_in_name("research_id")


def test_split_name() -> None:
    assert split_name("txtSearch_Key[0]") == "txt search key 0"


@pytest.mark.parametrize(
    ("text", "concept"),
    [("请输入关键词", "keyword"), ("Publication date", "date"), ("价格 从", "price"), ("E-mail", "email")],
)
def test_fields(text: str, concept: str) -> None:
    assert concept in form_words().fields_in(text)


@pytest.mark.parametrize("text", ["All", "-- Select --", "不限", "", "请选择", "All categories", "----"])
def test_no_choice(text: str) -> None:
    assert form_words().is_no_choice(text)


def test_choice() -> None:
    assert not form_words().is_no_choice("Towels")


def test_first_word_for_telling() -> None:
    assert form_words().first("search", "Bitte Suchbegriff eingeben") == "suchbegriff"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("=", "whole"),
        ("Contains", "within"),
        (" 模糊 ", "within"),
        ("≥", "other"),
        ("is not null", "other"),
        ("(全部字段)", "everywhere"),
        ("Title", ""),
        ("", ""),
    ],
)
def test_how_a_word_is_compared(text: str, kind: str) -> None:
    assert form_words().comparison(text) == kind
