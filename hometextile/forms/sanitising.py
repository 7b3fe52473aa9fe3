"""The value sanitisation algorithms of input elements (WHATWG HTML, 4.10.5.1, by type)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date
from decimal import ROUND_FLOOR, Decimal, InvalidOperation

from PIL.ImageColor import getrgb

_SPACE = "\t\n\f\r "
_BREAKS = re.compile("[\r\n]")
_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DATE = re.compile(r"([0-9]{4,6})-([0-9]{2})-([0-9]{2})")
_MONTH = re.compile(r"([0-9]{4,6})-([0-9]{2})")
_WEEK = re.compile(r"([0-9]{4,6})-W([0-9]{2})")
_TIME = re.compile(r"([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,3}))?)?")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")

#: The input types of the standard; any other is ``text``.
INPUT_TYPES = frozenset(
    {
        *("hidden", "text", "search", "tel", "url", "email", "password", "number", "range", "color", "file"),
        *("date", "month", "week", "time", "datetime-local", "checkbox", "radio"),
        *("submit", "image", "reset", "button"),
    }
)


def sanitise(kind: str, value: str, attributes: Mapping[str, str]) -> str:
    """The value an input element of this type has when it is set to ``value``.

    Args:
        kind: the type, as in :data:`INPUT_TYPES`, or ``textarea``.
        value: what is set.
        attributes: of the element: ``min``, ``max``, ``step``, ``multiple``, ``value``.
    """
    if kind in ("text", "search", "tel", "password"):
        return _BREAKS.sub("", value)
    if kind == "url":
        return _BREAKS.sub("", value).strip(_SPACE)
    if kind == "email":
        if "multiple" in attributes:
            return ",".join(part.strip(_SPACE) for part in _BREAKS.sub("", value).split(","))
        return _BREAKS.sub("", value).strip(_SPACE)
    if kind == "number":
        return value if _number(value) is not None else ""
    if kind == "range":
        return _range(value, attributes)
    if kind == "color":
        return _colour(value)
    if kind in _MOMENTS:
        return _MOMENTS[kind](value)
    return value


def _number(text: str) -> Decimal | None:
    """A valid floating-point number (2.3.4.3) that a double can hold."""
    if len(text) > 400 or not _NUMBER.fullmatch(text):
        return None
    try:
        if math.isinf(float(text)):
            return None
        return Decimal(text)
    except (ValueError, InvalidOperation):
        return None


def _range(text: str, attributes: Mapping[str, str]) -> str:
    """Clamped and snapped to the step, written in the shortest way; the middle where there is no number."""
    least, most = _number(attributes.get("min", "")), _number(attributes.get("max", ""))
    least = Decimal(0) if least is None else least
    most = Decimal(100) if most is None else most
    value = _number(text)
    if value is None:
        value = least + (most - least) / 2 if most >= least else least
    value = max(least, min(value, most))
    step = Decimal(1)
    step_text = attributes.get("step", "")
    if step_text.lower() == "any":
        return _plain(value)
    wanted = _number(step_text)
    if wanted is not None and wanted > 0:
        step = wanted
    base = _number(attributes.get("min", ""))
    if base is None:
        base = _number(attributes.get("value", ""))
    if base is None:
        base = Decimal(0)
    steps = ((value - base) / step + Decimal("0.5")).to_integral_value(rounding=ROUND_FLOOR)
    snapped = base + steps * step
    if snapped > most and most >= least:
        snapped -= step
    if snapped < least:
        snapped += step
    return _plain(snapped)


def _colour(text: str) -> str:
    """A CSS colour as ``#rrggbb``; black for anything else (4.10.5.1.15)."""
    if _COLOUR.fullmatch(text):
        return text.lower()
    try:
        red, green, blue = getrgb(text.strip(_SPACE))[:3]
    except ValueError:
        return "#000000"
    return f"#{red:02x}{green:02x}{blue:02x}"


def _plain(number: Decimal) -> str:
    text = format(number.normalize(), "f")
    return "0" if text in ("-0", "") else text


def _day(year: str, month: str, day: str) -> bool:
    number = int(year)
    if number < 1 or number > 275760:
        return False
    # The Gregorian calendar repeats every 400 years; datetime stops at 9999.
    try:
        date(number if number <= 9999 else 2000 + number % 400, int(month), int(day))
    except ValueError:
        return False
    return True


def _date(text: str) -> str:
    match = _DATE.fullmatch(text)
    return text if match and _day(*match.groups()) else ""


def _month(text: str) -> str:
    match = _MONTH.fullmatch(text)
    return text if match and _day(match[1], match[2], "01") else ""


def _week(text: str) -> str:
    match = _WEEK.fullmatch(text)
    if not match or not 1 <= int(match[1]) <= 275760:
        return ""
    year = int(match[1])
    like = year if year <= 9999 else 2000 + year % 400
    return text if 1 <= int(match[2]) <= date(like, 12, 28).isocalendar().week else ""


def _clock(text: str) -> str | None:
    match = _TIME.fullmatch(text)
    if not match or int(match[1]) > 23 or int(match[2]) > 59 or int(match[3] or 0) > 59:
        return None
    return text


def _time(text: str) -> str:
    return _clock(text) or ""


def _local(text: str) -> str:
    """A normalised local date and time: ``T`` between, seconds only where they are not zero."""
    day, between, clock = text[:-1].partition("T") if text.endswith("T") else text.partition("T")
    if not between:
        day, between, clock = text.partition(" ")
    match = _TIME.fullmatch(clock)
    if not between or not _date(day) or match is None or _clock(clock) is None:
        return ""
    parts = f"{match[1]}:{match[2]}"
    milliseconds = (match[4] or "").ljust(3, "0")
    if milliseconds != "000":
        parts += f":{match[3]}.{milliseconds.rstrip('0')}"
    elif match[3] and match[3] != "00":
        parts += f":{match[3]}"
    return f"{day}T{parts}"


_MOMENTS = {"date": _date, "month": _month, "week": _week, "time": _time, "datetime-local": _local}
