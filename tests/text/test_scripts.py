"""Simplified and traditional characters are told apart and turned into one another."""

from __future__ import annotations

import pytest

from hometextile.text.scripts import is_traditional, to_traditional


@pytest.mark.parametrize(
    ("text", "traditional"),
    [
        ("織品與刺繡：歡迎搜尋本館典藏資料庫", True),
        ("织品与刺绣：欢迎搜索本馆典藏数据库", False),
        ("棉布 丝绸", False),
        ("皇后里面干了", False),  # the same in both, or either
        ("An English page about silk", False),
        ("歡迎光臨 " + "织品刺绣数据库检索馆藏" * 5, False),
    ],
)
def test_the_script_of_a_text(text: str, traditional: bool) -> None:
    assert is_traditional(text) is traditional


def test_words_in_traditional_characters() -> None:
    assert [to_traditional(word) for word in ("刺绣", "丝绸", "棉布", "silk")] == ["刺繡", "絲綢", "棉布", "silk"]
