"""What labels mean, in two languages."""

from __future__ import annotations

import pytest

from hometextile.forms.domains import load_meanings
from hometextile.forms.meanings import Meanings, Sense
from hometextile.text.pack import load_pack

KNOWN = Meanings(
    {
        "date": ["日期", "发布日期"],
        "title": ["标题", "题名"],
        "author": ["作者"],
        "price": ["价格"],
        "product": ["产品", "商品"],
        "keyword": ["关键词", "search"],
    },
    ["请输入", "enter", "a"],
)


@pytest.mark.parametrize(
    ("label", "heads"),
    [
        ("Date", {"date"}),
        ("发布日期：", {"date"}),
        ("Date of product", {"date"}),
        ("产品价格", {"price"}),
        ("题名或作者", {"title", "author"}),
        ("Title / Author", {"title", "author"}),
        ("请输入关键词", {"keyword"}),
        ("Price (EUR)", {"price"}),
        ("登记号", {"登记号"}),
        ("", set()),
    ],
)
def test_heads(label: str, heads: set[str]) -> None:
    assert {sense.head for sense in KNOWN.senses(label)} == heads


def test_what_narrows() -> None:
    (narrow,) = KNOWN.senses("产品日期")
    assert narrow == Sense("date", frozenset({"product"}))
    assert narrow.narrows(Sense("date"))
    assert not Sense("date").narrows(narrow)


def test_words_nobody_knows_do_not_narrow() -> None:
    assert KNOWN.senses("Rocket date") == frozenset({Sense("date")})


def test_chinese_and_english_mean_the_same() -> None:
    known = load_meanings(load_pack())
    for chinese, english in (
        ("面料", "Fabric"),
        ("标准号", "Standard number"),
        ("申请人", "Applicant"),
        ("朝代", "Dynasty"),
        ("起订量", "MOQ"),
        ("展馆", "Venue"),
        ("设计师", "Designer"),
        ("花型", "Pattern"),
    ):
        assert known.senses(chinese) == known.senses(english), chinese
