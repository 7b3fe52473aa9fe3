"""Textile units, by figures from the standards and by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from hometextile.mediator.units import Units

OWN = Units.of({"匹": "40 m", "箱": "12 件"})


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("40支", "tex", "14.7625"),
        ("纯棉 40S 贡缎", "tex", "14.7625"),
        ("26公支", "tex", "38.4615"),
        ("150D", "tex", "16.6667"),
        ("16.7tex", "denier", "150.3"),
        ("14.7625tex", "支", "40"),
        ("167dtex", "旦", "150.3"),
        ("19姆米", "g/m²", "82.46"),
        ("２００克／平方米", "momme", "46.0829"),
        ("200gsm", "克/平方米", "200"),
        ("三尺", "cm", "100"),
        ("三尺五寸", "cm", "116.6667"),
        ("一丈二尺", "米", "4"),
        ("2尺", "寸", "20"),
        ("1.5米", "尺", "4.5"),
        ("5英尺6英寸", "cm", "167.64"),
        ("2.0米×2.3米", "cm", "200"),
        ("200-220cm", "m", "2"),
        ("300T 面料 40支", "tex", "14.7625"),
        ("3匹", "m", "120"),
        ("十匹", "米", "400"),
        ("120 m", "匹", "3"),
        ("5箱", "件", "60"),
    ],
)
def test_conversions(text: str, unit: str, value: str) -> None:
    assert OWN.read(text, unit) == pytest.approx(Decimal(value), abs=Decimal("0.0001"))


def test_a_bolt_is_as_long_as_the_map_says_and_else_unknown() -> None:
    assert Units.of({"匹": "33.3 m"}).read("3匹", "m") == Decimal("99.9")
    with pytest.raises(ValueError, match="3匹"):
        Units.of({}).read("3匹", "m")


@pytest.mark.parametrize("text", ["面议", "", "40支", "200", "2 kg"])
def test_what_does_not_tell_it(text: str) -> None:
    with pytest.raises(ValueError, match=text or "^$"):
        OWN.read(text, "g/m²")


def test_a_bare_number_is_taken_for_what_the_map_assumes() -> None:
    assert OWN.read("200", "momme", "g/m²") == pytest.approx(Decimal("46.0829"), abs=Decimal("0.0001"))
    with pytest.raises(ValueError, match="2 kg"):
        OWN.read("2 kg", "cm", "cm")


@pytest.mark.parametrize(("unit", "known"), [("tex", True), ("支", True), ("匹", True), ("箱", True), ("qqq", False),
                                             ("", False), ("1/0", False)])  # fmt: skip
def test_units_that_there_are(unit: str, known: bool) -> None:
    assert OWN.known(unit) is known


@pytest.mark.parametrize("text", ["many", "", "-3 m", "0 m"])
def test_own_units_must_be_quantities(text: str) -> None:
    with pytest.raises(ValueError, match="卷"):
        Units.of({"卷": text})
