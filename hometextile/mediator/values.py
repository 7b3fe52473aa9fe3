"""A field's value as its column wants it: type, unit, value map, length."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from hometextile.library.exports.flat import text_of
from hometextile.library.values import clean, clean_all
from hometextile.mediator.expressions import empty, evaluate
from hometextile.mediator.schema import ColumnRule, Map
from hometextile.text.dates import read_date
from hometextile.text.messages import _
from hometextile.text.normalise import fold
from hometextile.text.numbers import read_number
from hometextile.text.prices import read_price

_TRUE = {"true", "yes", "1", "y", "是", "有", "对", "√"}
_FALSE = {"false", "no", "0", "n", "否", "无", "没有", "×"}
_INTEGERS = 2**63
#: Digits before the point that a number may have; the table's own numbers have 28 digits in all.
_DIGITS = 16
_SHOWN = 60

Plain = str | int | bool | Decimal | date | datetime | None


class Unfit(Exception):
    """A value that a column can't take: why, in one line."""


def column_value(mapping: Map, column: str, record: Mapping[str, Any]) -> Plain:
    """What a column gets of a record.

    Args:
        mapping: the map.
        column: one of its columns.
        record: fields by name.

    Raises:
        Unfit: the value can't be had, and the column does not say to take the default.
    """
    rule = mapping.data.columns[column]
    try:
        if rule.source is None:
            return typed(mapping, rule, rule.constant, own=True) if not empty(rule.constant) else None
        raw = evaluate(mapping.expressions[column], record)
        if rule.values and not empty(raw):
            raw = _listed(mapping, column, rule, raw)
        value = _default(mapping, rule) if empty(raw) else typed(mapping, rule, raw)
        if empty(value) and (rule.required or column in mapping.data.key):
            raise Unfit(_("no value"))
        return value
    except Unfit:
        if mapping.on_error(column) != "default" or column in mapping.data.key:
            raise
        if rule.required and empty(rule.default):
            raise
        return _default(mapping, rule)


def _default(mapping: Map, rule: ColumnRule) -> Plain:
    return None if empty(rule.default) else typed(mapping, rule, rule.default, own=True)


def _listed(mapping: Map, column: str, rule: ColumnRule, raw: Any) -> Any:
    """The value that the table has for what the record says; of a list, for each of its items."""
    if isinstance(raw, list):
        return [_listed(mapping, column, rule, item) for item in raw if not empty(item)]
    said = fold(text_of(raw))
    if said in mapping.values[column]:
        return mapping.values[column][said]
    if rule.unlisted == "error":
        raise Unfit(_("{value} is not listed under `values`").format(value=_short(raw)))
    return rule.default if rule.unlisted == "default" else raw


def typed(mapping: Map, rule: ColumnRule, raw: Any, *, own: bool = False) -> Plain:
    """A value as its column holds it.

    Args:
        mapping: the map, for its units.
        rule: the column's.
        raw: a value that is not empty.
        own: whether it stands in the map itself: a number is in the column's own unit then.

    Raises:
        Unfit: it can't be read as that.
    """
    if rule.unit is not None:
        assume = rule.unit if own else rule.assume
        return _rounded(_in_unit(mapping, rule.unit, assume, raw), rule)
    return _READERS[rule.kind](raw, rule)


def _in_unit(mapping: Map, unit: str, assume: str | None, raw: Any) -> Decimal:
    for item in raw if isinstance(raw, list) else [raw]:
        number = isinstance(item, int | float) and not isinstance(item, bool)
        try:
            return mapping.units.read(f"{Decimal(str(item)):f}" if number else text_of(item), unit, assume)
        except (ValueError, ArithmeticError):
            continue
    raise Unfit(_("{value} tells nothing in {unit}").format(value=_short(raw), unit=unit))


def _short(value: Any) -> str:
    text = " ".join(text_of(value).split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _rounded(value: Decimal, rule: ColumnRule) -> Decimal | int:
    if not value.is_finite() or (value and value.adjusted() >= _DIGITS):
        raise Unfit(_("{value} is too large").format(value=_short(value)))
    if rule.kind == "integer":
        return _whole(value)
    return value.quantize(Decimal(1).scaleb(-rule.decimals))


def _whole(value: Decimal) -> int:
    if value != value.to_integral_value():
        raise Unfit(_("{value} is no whole number").format(value=_short(value)))
    if not -_INTEGERS <= value < _INTEGERS:
        raise Unfit(_("{value} is too large").format(value=_short(value)))
    return int(value)


def _number(raw: Any, rule: ColumnRule) -> Decimal | int:
    if isinstance(raw, bool):
        raise Unfit(_("{value} is no number").format(value=raw))
    value: Decimal | None
    if isinstance(raw, int | float | Decimal):
        if isinstance(raw, float) and not math.isfinite(raw):
            raise Unfit(_("{value} is no number").format(value=raw))
        try:
            value = Decimal(str(raw))
        except (InvalidOperation, ValueError):
            value = None
    else:
        value = read_number(text_of(raw))
    if value is None:
        raise Unfit(_("{value} is no number").format(value=_short(raw)))
    return _rounded(value, rule)


def _price(raw: Any, rule: ColumnRule) -> Decimal | int:
    if isinstance(raw, int | float | Decimal):
        return _number(raw, rule)
    if isinstance(raw, list) and raw:
        raw = raw[0]
    if isinstance(raw, dict):
        raw = f"{raw.get('amount', '')} {raw.get('currency') or ''}"
    price = read_price(text_of(raw))
    if price is None:
        raise Unfit(_("{value} is no price").format(value=_short(raw)))
    return _rounded(price.amount, rule)


def _boolean(raw: Any, rule: ColumnRule) -> bool:
    said = str(raw).lower() if isinstance(raw, bool | int) else fold(text_of(raw))
    if said not in _TRUE | _FALSE:
        raise Unfit(_("{value} is neither yes nor no").format(value=_short(raw)))
    return said in _TRUE


def _iso(raw: Any) -> str:
    found = read_date(text_of(raw))
    if not found:
        raise Unfit(_("{value} is no date").format(value=_short(raw)))
    return found


def _date(raw: Any, rule: ColumnRule) -> date:
    day = _iso(raw).partition("T")[0]
    if len(day) < 10:
        if not rule.whole:
            raise Unfit(_("{value} names no day").format(value=_short(raw)))
        day = (day + "-01-01")[:10]
    return date.fromisoformat(day)


def _datetime(raw: Any, rule: ColumnRule) -> datetime:
    said = _iso(raw)
    if "T" not in said:
        day = _date(raw, rule)
        return datetime(day.year, day.month, day.day)
    moment = datetime.fromisoformat(said)
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment.replace(microsecond=0)


def _text(raw: Any, rule: ColumnRule) -> str:
    text = clean(text_of(raw)).strip()
    if isinstance(raw, Decimal):
        text = f"{raw:f}"
    if rule.length is not None and len(text) > rule.length:
        if not rule.cut:
            raise Unfit(_("{n} characters, more than {limit}").format(n=len(text), limit=rule.length))
        text = text[: rule.length].rstrip()
    return text


def _json(raw: Any, rule: ColumnRule) -> str:
    value = clean_all(float(raw) if isinstance(raw, Decimal) else raw)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)


_READERS: dict[str, Callable[[Any, ColumnRule], Plain]] = {
    "text": _text,
    "integer": _number,
    "number": _number,
    "price": _price,
    "boolean": _boolean,
    "date": _date,
    "datetime": _datetime,
    "year": lambda raw, rule: int(_iso(raw)[:4]) if not isinstance(raw, int) else raw,
    "json": _json,
}
