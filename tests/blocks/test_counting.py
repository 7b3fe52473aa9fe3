"""Characters counted by table against the plain way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hometextile.blocks.counting import count
from hometextile.blocks.outline import TOKEN

ALPHABET = "ab Z_09.,!。，家纺あ\n\t😀é-'"


@given(st.lists(st.text(ALPHABET, max_size=30), max_size=8))
def test_tokens_as_the_expression_counts_them(texts: list[str]) -> None:
    assert count(texts)["tokens"].tolist() == [len(TOKEN.findall(text)) for text in texts]


def test_the_rest() -> None:
    counts = count(["Price: ￥120, see p. 3.", "", "版权所有 2023年5月3日"])
    assert counts["prices"].tolist() == [1, 0, 0]
    assert counts["rights"].tolist() == [0, 0, 1]
    assert counts["dates"].tolist() == [0, 0, 1]
    assert counts["stops"].tolist() == [2, 0, 0]
    assert counts["capitals"].tolist() == [1, 0, 0]


def test_digits_of_any_script_make_a_price_and_a_date_needs_no_digit() -> None:
    counts = count(["售价５元", "刚刚，三小时前", "plain"])
    assert counts["prices"].tolist() == [1.0, 0.0, 0.0]
    assert counts["dates"].tolist() == [0.0, 1.0, 0.0]


def test_rights_are_found_in_any_case_and_counted() -> None:
    counts = count(["COPYRIGHT (C) 2020", "All Rights Reserved", "京ICP备案", "right"])
    assert counts["rights"].tolist() == [2.0, 1.0, 2.0, 0.0]
