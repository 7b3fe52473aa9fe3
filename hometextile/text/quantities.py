"""Quantities with their unit, textile units among them (pint)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from hometextile.text.normalise import tidy
from hometextile.text.numbers import ARABIC_NUMBER, CHINESE_NUMBER, arabic_number, chinese_number, plain, scale_of

#: Beyond pint's own: textile and Chinese units. One 匹 (bolt) has no fixed length and stays a unit of its own.
_DEFINITIONS = """
momme = 4.340 * gram / meter ** 2 = mommes
chi = meter / 3
cun = meter / 30
zhang = 10 * meter / 3
li_cn = 500 * meter = shili
jin = 500 * gram
liang = 50 * gram
mu = 2000 / 3 * meter ** 2
bolt = [bolt]
piece = [piece]
thread_count = [thread_count]
"""
#: What people write, to pint's names. Yarn counts by length (支) are handled apart: they are reciprocal.
_UNITS = {
    "mm": "millimeter", "毫米": "millimeter", "cm": "centimeter", "厘米": "centimeter", "公分": "centimeter",
    "厘": "centimeter", "dm": "decimeter", "m": "meter", "米": "meter", "公尺": "meter", "km": "kilometer",
    "公里": "kilometer", "千米": "kilometer", "in": "inch", "inch": "inch", "inches": "inch", '"': "inch", "″": "inch",
    "英寸": "inch", "吋": "inch", "ft": "foot", "英尺": "foot", "呎": "foot", "feet": "foot", "foot": "foot",
    "yd": "yard", "yds": "yard", "yard": "yard", "yards": "yard", "码": "yard", "碼": "yard", "尺": "chi",
    "市尺": "chi",
    "寸": "cun", "市寸": "cun", "丈": "zhang", "μm": "micrometer", "um": "micrometer", "微米": "micrometer",
    "微米级": "micrometer",
    "mg": "milligram", "毫克": "milligram", "g": "gram", "克": "gram", "kg": "kilogram", "公斤": "kilogram",
    "千克": "kilogram", "斤": "jin", "市斤": "jin", "两": "liang", "吨": "metric_ton", "噸": "metric_ton",
    "t": "metric_ton", "oz": "ounce", "盎司": "ounce", "lb": "pound", "lbs": "pound", "磅": "pound",
    "g/m2": "gram/meter**2", "g/m^2": "gram/meter**2", "g/㎡": "gram/meter**2", "gsm": "gram/meter**2",
    "gr/m2": "gram/meter**2", "克/平方米": "gram/meter**2", "克/平米": "gram/meter**2", "克每平方米": "gram/meter**2",
    "克/m2": "gram/meter**2", "g/平方米": "gram/meter**2", "oz/yd2": "ounce/yard**2", "oz/yd": "ounce/yard**2",
    "盎司/平方码": "ounce/yard**2", "g/m": "gram/meter", "克/米": "gram/meter",
    "tex": "tex", "特克斯": "tex", "特": "tex", "dtex": "decitex", "分特": "decitex", "分特克斯": "decitex",
    "den": "denier", "denier": "denier", "d": "denier", "旦": "denier", "旦尼尔": "denier", "丹尼": "denier",
    "丹尼尔": "denier", "momme": "momme", "姆米": "momme", "m/m": "momme", "牟": "momme",
    "支": "count_english", "英支": "count_english", "s": "count_english", "ne": "count_english",
    "公支": "count_metric", "nm": "count_metric",
    "匹": "bolt", "疋": "bolt", "件": "piece", "条": "piece", "條": "piece", "套": "piece", "个": "piece",
    "個": "piece",
    "只": "piece", "張": "piece", "张": "piece", "pcs": "piece", "pc": "piece", "pieces": "piece",
    "m2": "meter**2", "㎡": "meter**2", "平方米": "meter**2", "平米": "meter**2", "亩": "mu", "cm2": "centimeter**2",
    "平方厘米": "centimeter**2", "m3": "meter**3", "立方米": "meter**3", "l": "liter", "升": "liter",
    "ml": "milliliter",
    "毫升": "milliliter", "℃": "degree_Celsius", "°c": "degree_Celsius", "度": "degree", "%": "percent",
    "％": "percent",
    "根/10cm": "1/decimeter", "根/英寸": "1/inch", "针/英寸": "1/inch", "根/cm": "1/centimeter",
    "小时": "hour", "分钟": "minute", "秒": "second", "天": "day", "年": "year", "月": "month",
    "w": "watt", "kw": "kilowatt", "n": "newton", "pa": "pascal", "kpa": "kilopascal", "mpa": "megapascal",
}  # fmt: skip
_WORDS = "|".join(re.escape(word) for word in sorted(_UNITS, key=len, reverse=True))
_WORDS_ZH = "|".join(re.escape(word) for word in sorted(_UNITS, key=len, reverse=True) if not word.isascii())
_UNIT = rf"(?P<unit>{_WORDS})(?![A-Za-z]|(?<=\d)\d)"
_TIMES = r"\s?(?:[×xX*✕乘]|by)\s?"
_NUMBER = rf"(?:{ARABIC_NUMBER})"
_QUANTITY = re.compile(
    rf"(?<![A-Za-z\d_.])(?P<n>[-−+]?{_NUMBER})\s?(?P<scale>[万萬亿億]?)(?:\s?(?:[-–~～至到]"
    rf"|to)\s?(?P<n2>{_NUMBER}))?\s?{_UNIT}"
    rf"|\b(?P<before>Ne|Nm)\s?(?P<count>{_NUMBER})"
    rf"|(?P<zh>{CHINESE_NUMBER})(?P<unit_zh>{_WORDS_ZH})",
    re.I,
)
_SIZE = re.compile(
    rf"(?<![A-Za-z\d_.])(?P<a>{_NUMBER})\s?(?P<ua>{_WORDS})?{_TIMES}(?P<b>{_NUMBER})\s?(?P<ub>{_WORDS})?"
    rf"(?:{_TIMES}(?P<c>{_NUMBER})\s?(?P<uc>{_WORDS})?)?(?![A-Za-z\d])",
    re.I,
)
#: Cotton count Ne to tex (ISO 2947), metric count Nm to tex.
_RECIPROCAL = {"count_english": Decimal("590.5"), "count_metric": Decimal(1000)}


@dataclass(frozen=True)
class Quantity:
    """A number with its unit.

    Attributes:
        value: the number; of a range, its lower end.
        unit: pint's name of the unit, or ``count_english``, ``count_metric`` (yarn counts, reciprocal to tex),
            ``bolt``, ``piece``.
        written: the unit as written.
        high: the upper end of a range.
    """

    value: Decimal
    unit: str
    written: str
    high: Decimal | None = None

    def __str__(self) -> str:
        text = plain(self.value) + (f"-{plain(self.high)}" if self.high is not None else "")
        return f"{text} {self.written}"

    def to(self, unit: str) -> Decimal:
        """The value in another unit.

        Args:
            unit: as people write it (``克/平方米``, ``tex``, ``支``) or pint's name.

        Raises:
            ValueError: the units do not measure the same thing, or the unit is unknown.
        """
        return convert(self.value, self.unit, unit)


def unit_name(word: str) -> str:
    """pint's name for a unit as written; the word itself where it is not one of ours."""
    word = tidy(word)
    if word == "T":
        # 300T is a thread count; a tonne is written small.
        return "thread_count"
    return _UNITS.get(word.lower(), word)


@lru_cache(maxsize=1)
def registry() -> Any:
    """pint's registry with the textile and Chinese units. Made once: it takes a fifth of a second."""
    import pint

    made: Any = pint.UnitRegistry(non_int_type=Decimal, cache_folder=None)
    made.load_definitions(_DEFINITIONS.strip().splitlines())
    return made


def convert(value: Decimal, unit: str, to: str) -> Decimal:
    """*value* in another unit.

    Args:
        value: the number.
        unit: its unit, as written or pint's name.
        to: the unit wanted.

    Raises:
        ValueError: the units do not measure the same thing, or one is unknown.
    """
    import pint

    unit, to = unit_name(unit), unit_name(to)
    if unit == to:
        return value
    try:
        if unit in _RECIPROCAL:
            if not value:
                raise ValueError(f"{value} {unit}")
            value, unit = _RECIPROCAL[unit] / value, "tex"
        target = "tex" if to in _RECIPROCAL else to
        made = registry()
        result = Decimal(made.Quantity(value, unit).to(target).magnitude)
    except (pint.errors.PintError, ArithmeticError, AttributeError, TypeError) as error:
        raise ValueError(f"{unit} → {to}") from error
    if to in _RECIPROCAL:
        if not result:
            raise ValueError(f"{unit} → {to}")
        return _RECIPROCAL[to] / result
    return result


def read_quantity(text: str) -> Quantity | None:
    """The first quantity in *text*.

    Args:
        text: such as ``２００克/平方米``, ``40支``, ``150D``, ``19姆米``, ``2.0米``, ``三尺五寸``, ``200-220cm``.

    Returns:
        It, or None. Of a size (``200×230cm``) the first side; :func:`read_quantities` gives all.
    """
    found = read_quantities(text)
    return found[0] if found else None


def read_quantities(text: str) -> list[Quantity]:
    """All quantities in *text*; each side of a size with the size's unit."""
    text = tidy(text[:2000])
    out: list[tuple[int, Quantity]] = []
    taken: list[tuple[int, int]] = []
    for size in _SIZE.finditer(text):
        unit = size["uc"] or size["ub"] or size["ua"]
        if not unit:
            continue
        taken.append(size.span())
        for number, own in (("a", "ua"), ("b", "ub"), ("c", "uc")):
            value = arabic_number(size[number]) if size[number] else None
            if value is not None:
                word = size[own] or unit
                out.append((size.start(number), Quantity(value, unit_name(word), word)))
    for found in _QUANTITY.finditer(text):
        if any(start <= found.start() < stop for start, stop in taken):
            continue
        quantity = _quantity(found)
        if quantity is not None:
            out.append((found.start(), quantity))
    return [quantity for _start, quantity in sorted(out, key=lambda one: one[0])]


def _quantity(found: re.Match[str]) -> Quantity | None:
    if found["zh"]:
        value = chinese_number(found["zh"])
        return None if value is None else Quantity(value, _UNITS[found["unit_zh"]], found["unit_zh"])
    if found["before"]:
        value = arabic_number(found["count"])
        return None if value is None else Quantity(value, _UNITS[found["before"].lower()], found["before"])
    value = arabic_number(found["n"].lstrip("+-−"))
    if value is None:
        return None
    if found["n"].startswith(("-", "−")):
        value = -value
    value *= scale_of(found["scale"])
    high = arabic_number(found["n2"]) if found["n2"] else None
    word = found["unit"]
    return Quantity(value, unit_name(word), word, high if high is not None and high > value else None)
