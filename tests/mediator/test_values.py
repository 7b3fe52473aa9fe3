"""A field's value as its column wants it."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from hometextile.mediator.schema import parse_map
from hometextile.mediator.values import Unfit, column_value


def value(rule: str, raw: Any) -> Any:
    text = f"database: env:DB\ntable: t\nkey: k\ncolumns:\n  k: k\n  x: {{from: x, {rule}}}\n"
    return column_value(parse_map(text, "m", "m.yaml"), "x", {"x": raw})


@pytest.mark.parametrize(
    ("rule", "raw", "wanted"),
    [
        ("type: text", 12.5, "12.5"),
        ("type: text", [" 丝 ", "棉"], "丝 ; 棉"),
        ("type: text", {"url": "http://a"}, "http://a"),
        ("type: text, length: 3, cut: true", "一二三四", "一二三"),
        ("type: integer", "1.2万", 12000),
        ("type: integer", "三千五百", 3500),
        ("type: integer", 7.0, 7),
        ("type: number, decimals: 1", "1,234.56", Decimal("1234.6")),
        ("type: number", "0", Decimal(0)),
        ("type: price", "原价¥199 现价¥99", Decimal(99)),
        ("type: price", {"amount": "12", "currency": "CNY"}, Decimal(12)),
        ("type: price", 9, Decimal(9)),
        ("type: boolean", "是", True),
        ("type: boolean", "NO", False),
        ("type: boolean", 1, True),
        ("type: date", "2023年5月6日 10:30", date(2023, 5, 6)),
        ("type: date, whole: true", "2023", date(2023, 1, 1)),
        ("type: datetime", "2023-05-06T10:00:00+08:00", datetime(2023, 5, 6, 2)),
        ("type: datetime", "2023-05-06", datetime(2023, 5, 6)),
        ("type: year", "2023-05", 2023),
        ("type: json", {"b": 1, "a": ["锦"]}, '{"a": ["锦"], "b": 1}'),
        ("unit: g/m²", "19姆米", Decimal("82.46")),
        ("unit: g/m², assume: 姆米", 19, Decimal("82.46")),
        ("unit: g/m², assume: 姆米, default: 100", "", Decimal(100)),
        ("unit: g/m²", ["无", "200g/㎡"], Decimal(200)),
        ("unit: m, type: integer", "300cm", 3),
        ("values: {有: true, 无: false}, type: boolean", " 有", True),
        ("values: {ＡＢ: x}", "ab", "x"),
        ("values: {丝: silk, 棉: cotton}", ["棉", "丝"], "cotton; silk"),
        ("default: 未知", "  ", "未知"),
        ("type: number", None, None),
    ],
)
def test_read(rule: str, raw: Any, wanted: Any) -> None:
    found = value(rule, raw)
    assert found == wanted
    assert type(found) is type(wanted)


@pytest.mark.parametrize(
    ("rule", "raw", "why"),
    [
        ("length: 3", "一二三四", "4 characters, more than 3"),
        ("type: integer", "1.5", "1.5 is no whole number"),
        ("type: integer", "9" * 25, "is too large"),
        ("type: number", "面议", "面议 is no number"),
        ("type: number", True, "True is no number"),
        ("type: number", float("inf"), "inf is no number"),
        ("type: number", 1e300, "is too large"),
        ("type: price", "满300减50", "满300减50 is no price"),
        ("type: boolean", "也许", "也许 is neither yes nor no"),
        ("type: date", "2023-05", "2023-05 names no day"),
        ("type: date", "不详", "不详 is no date"),
        ("type: year", "不详", "不详 is no date"),
        ("unit: g/m²", "200", "200 tells nothing in g/m²"),
        ("unit: g/m²", 200, "200 tells nothing in g/m²"),
        ("unit: g/m²", True, "True tells nothing in g/m²"),
        ("unit: tex", "0支", "0支 tells nothing in tex"),
        ("values: {a: b}", "c", "c is not listed under `values`"),
        ("required: true", "", "no value"),
        ("type: number, required: true, on_error: default", "面议", "面议 is no number"),
        ("type: date", "长" * 500, "…"),
    ],
)
def test_unfit(rule: str, raw: Any, why: str) -> None:
    with pytest.raises(Unfit) as caught:
        value(rule, raw)
    assert why in str(caught.value)
    assert len(str(caught.value)) < 100
