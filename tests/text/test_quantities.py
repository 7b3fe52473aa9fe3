"""Quantities, textile and Chinese units among them."""

from decimal import Decimal

import pytest

from hometextile.text.quantities import convert, read_quantities, read_quantity


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("２００克/平方米", "200", "gram/meter**2"), ("45g/m²", "45", "gram/meter**2"), ("40支", "40", "count_english"),
        ("60S", "60", "count_english"), ("Ne 40", "40", "count_english"), ("32公支", "32", "count_metric"),
        ("150D", "150", "denier"), ("75旦", "75", "denier"), ("110dtex", "110", "decitex"), ("18.5tex", "18.5", "tex"),
        ("19姆米", "19", "momme"), ("2.0米", "2", "meter"), ("5匹", "5", "bolt"), ("十尺", "10", "chi"), ("8寸", "8",
        "cun"),
        ("300T", "300", "thread_count"), ("3.5 oz/yd2", "3.5", "ounce/yard**2"), ("幅宽：250cm", "250", "centimeter"),
    ],
)  # fmt: skip
def test_read(text: str, value: str, unit: str) -> None:
    found = read_quantity(text)
    assert found is not None
    assert (found.value, found.unit) == (Decimal(value), unit)


def test_each_side_of_a_size_has_its_unit() -> None:
    assert [str(q) for q in read_quantities("被套200×230cm 枕套48*74cm")] == ["200 cm", "230 cm", "48 cm", "74 cm"]
    assert [str(q) for q in read_quantities("1.5m*2.0m床")] == ["1.5 m", "2 m"]


def test_a_range_keeps_both_ends() -> None:
    found = read_quantity("幅宽 200-220cm")
    assert found is not None
    assert (found.value, found.high) == (Decimal(200), Decimal(220))


@pytest.mark.parametrize("text", ["", "纯棉", "GB/T 22796", "2023", "40 sheets", "5 things"])
def test_no_quantity(text: str) -> None:
    assert read_quantity(text) is None


@pytest.mark.parametrize(
    ("value", "unit", "to", "result"),
    [
        ("19", "姆米", "g/m2", "82.46"), ("40", "支", "tex", "14.7625"), ("14.7625", "tex", "支", "40"), ("9", "den",
        "tex", "1"),
        ("3", "尺", "m", "1"), ("10", "寸", "尺", "1"), ("10", "tex", "公支", "100"), ("1", "oz/yd2", "克/平方米",
        "33.9057"),
        ("200", "cm", "cm", "200"), ("1", "斤", "kg", "0.5"),
    ],
)  # fmt: skip
def test_convert(value: str, unit: str, to: str, result: str) -> None:
    assert round(convert(Decimal(value), unit, to), 4) == Decimal(result)


@pytest.mark.parametrize(("unit", "to"), [("匹", "米"), ("克", "米"), ("quux", "m"), ("支", "kg")])
def test_what_cannot_be_converted_is_said(unit: str, to: str) -> None:
    with pytest.raises(ValueError, match="→"):
        convert(Decimal(1), unit, to)
