"""Quantities in a text, in the unit that a column wants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from hometextile.text.normalise import tidy
from hometextile.text.numbers import ARABIC_NUMBER, CHINESE_NUMBER, arabic_number, chinese_number, read_number
from hometextile.text.quantities import Quantity, convert, read_quantities, read_quantity, registry, unit_name

_COUNTS = {"count_english", "count_metric"}
#: Two parts of one length stand side by side with nothing but a number between: 三尺五寸, 5英尺6英寸.
_BETWEEN = r"\s?[\d.一二三四五六七八九十两半]{1,4}\s?"


@dataclass(frozen=True)
class Units:
    """Units of a map's own: a word, and what one of it is (``匹`` may be 40 m here and 33 m there).

    Attributes:
        own: word to quantity.
    """

    own: Mapping[str, Quantity]

    @classmethod
    def of(cls, words: Mapping[str, str]) -> Units:
        """Read ``{"匹": "40 m"}``.

        Raises:
            ValueError: a text that is no quantity; the word.
        """
        own = {}
        for word, text in words.items():
            quantity = read_quantity(text)
            if quantity is None or not word.strip() or quantity.value <= 0:
                raise ValueError(word)
            own[tidy(word)] = quantity
        return cls(own)

    def known(self, unit: str) -> bool:
        """Whether there is such a unit."""
        import pint

        name = unit_name(unit)
        if tidy(unit) in self.own or name in _COUNTS:
            return True
        try:
            return str(registry().Unit(name)) != "dimensionless"
        except (pint.errors.PintError, ValueError, TypeError, AttributeError, ArithmeticError):
            return False

    def convert(self, value: Decimal, unit: str, to: str) -> Decimal:
        """A number in another unit.

        Raises:
            ValueError: the two do not measure the same thing.
        """
        if tidy(unit) == tidy(to):
            return value
        mine, wanted = self.own.get(tidy(unit)), self.own.get(tidy(to))
        if mine is not None:
            value, unit = value * mine.value, mine.unit
        if wanted is not None:
            return convert(value, unit, wanted.unit) / wanted.value
        return convert(value, unit, to)

    def read(self, text: str, to: str, assume: str | None = None) -> Decimal:
        """The first quantity in *text* that can be told in the unit *to*; of a range, its lower end.

        Args:
            text: such as ``200克/平方米``, ``40支``, ``三尺五寸``, ``3匹``.
            to: the unit wanted.
            assume: the unit of a number that names none.

        Raises:
            ValueError: there is none.
        """
        text = tidy(text[:2000])
        for word in sorted(self.own, key=len, reverse=True):
            found = re.search(rf"({ARABIC_NUMBER}|{CHINESE_NUMBER})\s?{re.escape(word)}(?![A-Za-z])", text, re.I)
            value = found and (arabic_number(found[1]) or chinese_number(found[1]))
            if value is not None:
                return self.convert(value, word, to)
        quantities = read_quantities(text)
        for place, quantity in enumerate(quantities):
            try:
                value = self.convert(quantity.value, quantity.unit, to)
            except ValueError:
                continue
            return value + self._rest(text, quantities, place, to)
        number = read_number(text) if assume is not None and not quantities else None
        if number is None or assume is None:
            raise ValueError(text)
        return self.convert(number, assume, to)

    def _rest(self, text: str, quantities: list[Quantity], place: int, to: str) -> Decimal:
        """What follows as the smaller part of the same length."""
        total = Decimal(0)
        for one, following in zip(quantities[place:], quantities[place + 1 :], strict=False):
            beside = re.search(re.escape(one.written) + _BETWEEN + re.escape(following.written), text)
            if not beside or unit_name(following.unit) == unit_name(one.unit) or following.unit in _COUNTS:
                break
            try:
                part = self.convert(following.value, following.unit, to)
            except ValueError:
                break
            total += part
        return total
