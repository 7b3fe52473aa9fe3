"""Numbers as people write them, Chinese numerals included.

Chinese numerals after Unicode's kNumeric values and GB/T 15835 (use of numerals in publications). What a separator
means is told by its place: a comma before exactly three digits groups, ``3.350`` has three decimals (Chinese and
English use), ``1.234,56`` is read the continental way since nothing else fits.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from hometextile.text.normalise import tidy

_DIGITS = {
    "零": 0,
    "〇": 0,
    "○": 0,
    "Ｏ": 0,
    "两": 2,
    "兩": 2,
    "俩": 2,
    **dict(zip("一二三四五六七八九", range(1, 10), strict=True)),
    **dict(zip("壹贰叁肆伍陆柒捌玖", range(1, 10), strict=True)),
    "貳": 2,
    "參": 3,
    "叄": 3,
    "陸": 6,
    "弌": 1,
    "弍": 2,
    "弎": 3,
    "幺": 1,
}
_TENS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_JOINED = {"廿": 20, "卄": 20, "卅": 30, "卌": 40}
_BIG = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_CHINESE = "".join([*_DIGITS, *_TENS, *_JOINED, *_BIG])
#: A run of Chinese numerals, at most forty characters.
CHINESE_NUMBER = rf"[{_CHINESE}]{{1,40}}(?:[点點][{''.join(_DIGITS)}]{{1,20}})?"
#: A number in digits with its separators; spaces group only before exactly three digits.
ARABIC_NUMBER = (
    r"\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d{1,6})?(?!\d)|\d{1,3}(?:[.,]\d{3}){2,}(?:[.,]\d{1,6})?(?!\d)"
    r"|\d{1,30}(?:[.,]\d{1,30}){0,2}"
)
_ARABIC = re.compile(ARABIC_NUMBER)
_NUMBER = re.compile(
    rf"(?P<sign>(?<![\w)）.])[-−－+])?\s?(?:(?P<whole>\d{{1,9}})\s)?(?P<above>\d{{1,4}})[⁄/](?P<below>\d{{1,4}})(?![\d/])"
    rf"|(?P<sign2>(?<![\w)）.])[-−－+])?\s?(?P<digits>{ARABIC_NUMBER})\s?(?P<scale>[百千万萬亿億]{{1,2}})?"
)
_CHINESE_RUN = re.compile(CHINESE_NUMBER)
_LONE = frozenset({*_TENS, *_BIG} - {"十", "拾"})
_SCALE = {"百": 100, "千": 1000, **_BIG, "百万": 10**6, "百萬": 10**6, "千万": 10**7, "千萬": 10**7}
_SCALE |= {"万亿": 10**12, "萬億": 10**12, "十亿": 10**9, "百亿": 10**10, "千亿": 10**11, "千億": 10**11}


def chinese_number(text: str) -> Decimal | None:
    """The value of a Chinese numeral: ``一百二十三``, ``两万三``, ``二〇二三``, ``二十三点五``; None for anything else.

    Args:
        text: the numeral and nothing else.
    """
    whole, point, decimals = text.replace("點", "点").partition("点")
    if not whole or (point and not decimals) or any(c not in _CHINESE for c in whole):
        return None
    if any(c not in _DIGITS for c in decimals):
        return None
    value = _chinese_whole(whole)
    if value is None:
        return None
    tail = "".join(str(_DIGITS[c]) for c in decimals)
    return Decimal(f"{value}.{tail}") if tail else Decimal(value)


def _chinese_whole(text: str) -> int | None:
    if all(c in _DIGITS for c in text):
        return int("".join(str(_DIGITS[c]) for c in text))
    total = section = digit = 0
    last_unit = 1
    zero = False
    for c in text:
        if c in _DIGITS:
            if digit:
                return None
            digit = _DIGITS[c]
            zero = zero or digit == 0
        elif c in _JOINED:
            section, digit, last_unit = section + _JOINED[c], 0, 10
        elif c in _TENS:
            section, digit, last_unit, zero = section + (digit or 1) * _TENS[c], 0, _TENS[c], False
        else:
            if _BIG[c] == 10**8 or not total:
                total = (total + section + digit) * _BIG[c] if total or section or digit else _BIG[c]
            else:
                total += (section + digit) * _BIG[c]
            section, digit, last_unit, zero = 0, 0, _BIG[c], False
    # 一万二 is 12,000 and 三百五 is 350: the last digit counts in the next lower unit unless a zero stands before it.
    if digit and not zero and last_unit >= 100:
        digit *= last_unit // 10
    return total + section + digit


def arabic_number(text: str) -> Decimal | None:
    """The value of a number in digits with separators, None for anything else.

    Args:
        text: the number and nothing else, such as ``1,234.50``, ``1.234,50``, ``3.350``, ``12,5``.
    """
    text = text.strip().replace(" ", "").replace("'", "").replace("’", "")
    if not text or not _ARABIC.fullmatch(text):
        return None
    dots, commas = text.count("."), text.count(",")
    if dots and commas:
        decimal = max(text.rfind("."), text.rfind(","))
        grouped = re.sub("[.,]", "", text[:decimal])
        return Decimal(f"{grouped}.{text[decimal + 1 :]}")
    if dots > 1 or commas > 1:
        return Decimal(re.sub("[.,]", "", text))
    if commas:
        before, _, after = text.partition(",")
        if len(after) == 3 and 1 <= len(before) <= 3 and before != "0":
            return Decimal(before + after)
        return Decimal(f"{before}.{after}")
    return Decimal(text)


def scale_of(sign: str) -> int:
    """What ``万`` and the like multiply by; 1 for an empty sign."""
    return _SCALE.get(sign, 1)


def read_number(text: str) -> Decimal | None:
    """The first number in *text*, in digits or Chinese numerals.

    Args:
        text: such as ``１，２３４．５``, ``1.2万``, ``三千五百``, ``1½``, ``约 300 件``.

    Returns:
        Its value; None where there is none. A percentage gives the number before the sign.
    """
    text = tidy(text[:1000])
    for found in _NUMBER.finditer(text):
        value = _value(found)
        if value is not None:
            return value
    for run in _CHINESE_RUN.finditer(text):
        # A unit alone is a word (万科, 千岛湖), not a number; ten is one.
        if run.group() in _LONE:
            continue
        value = chinese_number(run.group())
        if value is not None:
            return value
    return None


def _value(found: re.Match[str]) -> Decimal | None:
    if found["below"]:
        if not int(found["below"]):
            return None
        part = Fraction(int(found["above"]), int(found["below"])) + int(found["whole"] or 0)
        value = Decimal(part.numerator) / Decimal(part.denominator)
        return -value if found["sign"] in {"-", "−", "－"} else value
    number = arabic_number(found["digits"])
    if number is None:
        return None
    number *= scale_of(found["scale"] or "")
    return -number if found["sign2"] in {"-", "−", "－"} else number


def plain(value: Decimal) -> str:
    """*value* without exponent and without zeros that say nothing: ``12000``, ``29.9``."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
