"""Prices as shops and markets write them.

Candidates are found here, since what stands before and after a number decides whether it is a price at all
(``2 pairs from $349``, ``5折``, ``满300减50``); rarer currency signs are left to price-parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from hometextile.text.normalise import tidy
from hometextile.text.numbers import ARABIC_NUMBER, CHINESE_NUMBER, arabic_number, chinese_number, plain, scale_of

#: Signs and words for a currency, ISO 4217 code each; longer ones first where one begins with another.
_SIGNS = {
    "RMB¥": "CNY", "CN¥": "CNY", "RMB": "CNY", "CNY": "CNY", "人民币": "CNY", "人民幣": "CNY", "JP¥": "JPY", "¥": "CNY",
    "元人民币": "CNY", "元人民幣": "CNY", "万元": "CNY", "新台币": "TWD", "新臺幣": "TWD", "新台幣": "TWD",
    "台币": "TWD",
    "NT$": "TWD", "TWD": "TWD", "HK$": "HKD", "HKD": "HKD", "港币": "HKD", "港幣": "HKD", "港元": "HKD", "MOP$": "MOP",
    "US$": "USD", "USD": "USD", "美元": "USD", "美金": "USD", "A$": "AUD", "AU$": "AUD", "AUD": "AUD", "C$": "CAD",
    "CA$": "CAD", "CAD": "CAD", "S$": "SGD", "SGD": "SGD", "$": "USD", "€": "EUR", "EUR": "EUR", "欧元": "EUR",
    "£": "GBP", "GBP": "GBP", "英镑": "GBP", "JPY": "JPY", "日元": "JPY", "日圆": "JPY", "円": "JPY", "₩": "KRW",
    "韩元": "KRW", "KRW": "KRW", "₹": "INR", "INR": "INR", "CHF": "CHF", "元": "CNY", "圆": "CNY", "块": "CNY",
    "塊": "CNY", "角": "CNY", "澳元": "AUD", "加元": "CAD", "卢布": "RUB", "₽": "RUB", "泰铢": "THB", "฿": "THB",
}  # fmt: skip
_SIGN = "(?:" + "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True)) + ")"
_BEFORE = "(?:" + "|".join(re.escape(s) for s in sorted(_SIGNS, key=len, reverse=True) if not s.startswith("元")) + ")"
_CENTS = (
    r"(?:\s?(?P<jiao>\d|[一二三四五六七八九两])\s?[角毛])?(?:\s?(?P<fen>\d|[一二三四五六七八九])\s?分)?"
    r"(?P<tail>\d(?![\d.,]))?"
)
_RANGE = r"\s?(?:-|–|—|~|～|至|到|to)\s?"
_PRICE = re.compile(
    rf"(?<![A-Za-z])(?P<minus>[-−]\s?)?(?P<sign>{_BEFORE})\s?(?P<minus2>[-−])?\s?(?P<a>{ARABIC_NUMBER})\s?(?P<ka>[千万萬亿億]?)"
    rf"(?:{_RANGE}{_BEFORE}?\s?(?P<a2>{ARABIC_NUMBER})\s?(?P<ka2>[万萬亿億]?))?(?:\s?(?P<sign3>{_SIGN})(?![A-Za-z]))?"
    rf"|(?P<minus3>(?<![\d\w])[-−]\s?)?(?P<b>{ARABIC_NUMBER})\s?(?P<kb>[百千万萬亿億]?)"
    rf"(?:{_RANGE}(?P<b2>{ARABIC_NUMBER})\s?(?P<kb2>[百千万萬亿億]?))?\s?(?P<sign2>{_SIGN})(?![A-Za-z]){_CENTS}"
    rf"(?P<cny>\s?人民[币幣])?"
    rf"|(?P<zh>{CHINESE_NUMBER})(?P<sign4>元|圆|块|美元|欧元|港元|英镑|日元)(?:整|钱)?"
)
_NUMBER = re.compile(rf"(?P<minus>(?<![\d\w])[-−]\s?)?(?P<n>{ARABIC_NUMBER})\s?(?P<k>[万萬亿億]?)")
_PER = re.compile(r"\s?(?:/|每|per\s|a\s(?=yard|metre|meter|piece))\s?(?P<unit>[A-Za-z\u4e00-\u9fff]{1,8}²?\d?)")
#: Words before a number by which it is the price that no longer holds, or no price at all.
_FORMER = re.compile(
    r"(?:原价|原價|市场价|市場價|吊牌价|专柜价|门市价|划线价|参考价|建议零售价|\bwas|\brrp"
    r"|\blist(?: price)?|"
                     r"\bmsrp|\bregular(?: price)?"
                     r"|\breg\.?)\s?[:：]?\s?(?:\(?[A-Za-z元]{0,3}\)?)?\s?$", re.I)  # fmt: skip
_SAVED = re.compile(
    r"(?:满|滿|减|減|立省|省|优惠|優惠|返|赠|券|抵|运费|運費|邮费|押金|包邮|免|\bsave|\boff"
    r"|\bshipping|\bcoupon|"
                    r"\bover|\bdeposit)\s?[:：]?\s?$", re.I)  # fmt: skip
_AFTER_SAVED = re.compile(r"\s?(?:优惠券|優惠券|以上|券|抵用|运费|運費|包邮|\boff\b|\bshipping)", re.I)
_NO_PRICE = re.compile(
    r"\s?(?:折|%|％|件|条|條|个|個|米|码|碼|套|双|雙|支|克|kg|g\b|cm|mm|年|月|日|分|小时|pairs?\b|pcs\b|pieces?\b)",
    re.I,
)
_LONG_DIGITS = re.compile(r"\d{11,}")
#: What may stand beside a number that is a price without a currency.
_PRICE_WORDS = re.compile(
    r"(?:[\w\u4e00-\u9fff]{0,4}(?:价格?|價格?|售)|报价|單價|price|from|only|now|sale|约|仅|只要|起|左右"
    r"|[:：.,\s~]){0,8}",
    re.I,
)


@dataclass(frozen=True)
class Price:
    """A price.

    Attributes:
        amount: in the currency's main unit; of a range, the lower end.
        currency: ISO 4217 code (the sign as written where it tells no single currency), empty where none is named.
            ``¥`` alone is taken for CNY.
        high: the upper end of a range.
        per: the unit that it is for (``米`` of ``35元/米``), empty if none.
    """

    amount: Decimal
    currency: str = ""
    high: Decimal | None = None
    per: str = ""

    def __str__(self) -> str:
        text = plain(self.amount) if self.amount % 1 == 0 else format(self.amount, "f")
        if self.high is not None:
            text += f"-{format(self.high, 'f')}"
        text = f"{text} {self.currency}".strip()
        return f"{text}/{self.per}" if self.per else text


def read_price(text: str) -> Price | None:
    """The price that *text* tells; of several, the first that holds now and is no discount.

    Args:
        text: such as ``１.2万元``, ``12元3角``, ``¥99-199``, ``NT$1,200``, ``原价¥199 现价¥99``, ``35元/米``.

    Returns:
        The price, or None for what is none: ``5折``, ``满300减50``, ``面议``. A bare number is a price without a
        currency.
    """
    text = tidy(text[:1000])
    former: Price | None = None
    for found in _PRICE.finditer(text):
        before, after = text[max(0, found.start() - 24) : found.start()], text[found.end() :]
        if _SAVED.search(before) or _AFTER_SAVED.match(after):
            continue
        price = _with_sign(found, after)
        if price is None:
            continue
        if not _FORMER.search(before):
            return price
        former = former or price
    if former is not None or _PRICE.search(text):
        return former
    return _rare(text) or _bare(text)


def _with_sign(found: re.Match[str], after: str) -> Price | None:
    if found["zh"]:
        amount, sign, high = chinese_number(found["zh"]), found["sign4"], None
    elif found["a"]:
        # ¥99元 names the currency twice; US$ 12 万 is rare but said.
        amount, sign = _amount(found["a"], found["ka"]), found["sign"]
        if found["sign3"] and sign in {"¥", "$"} and found["sign3"] not in {"元", "块"}:
            sign = found["sign3"]
        high = _amount(found["a2"], found["ka2"]) if found["a2"] else None
    else:
        amount, sign = _amount(found["b"], found["kb"]), found["sign2"]
        high = _amount(found["b2"], found["kb2"]) if found["b2"] else None
        if high is not None and found["kb2"] and not found["kb"] and amount is not None:
            amount *= scale_of(found["kb2"])
        if amount is not None and found["cny"]:
            sign = "元"
        if amount is not None and sign in {"元", "块", "塊", "圆"}:
            amount = _cents(found, amount)
        elif amount is not None and sign == "角":
            amount /= 10
        elif sign == "万元" and amount is not None:
            amount *= 10_000
            high = high * 10_000 if high is not None else None
    if amount is None:
        return None
    if found["minus"] or found["minus2"] or found["minus3"]:
        amount = -amount
    if high is not None and high <= amount:
        high = None
    unit = _PER.match(after)
    return Price(amount, _SIGNS[sign], high, unit["unit"] if unit else "")


def _amount(number: str, scale: str | None) -> Decimal | None:
    if _LONG_DIGITS.search(number):
        return None
    value = arabic_number(number)
    return None if value is None else value * scale_of(scale or "")


def _cents(found: re.Match[str], amount: Decimal) -> Decimal:
    """12元3角5分 and 12块5: what comes after the main unit."""
    for name, share in (("jiao", "0.1"), ("fen", "0.01"), ("tail", "0.1")):
        said = found[name]
        if said:
            digit = Decimal(said) if said.isdigit() else chinese_number(said)
            if digit is not None:
                amount += digit * Decimal(share)
    return amount


def _rare(text: str) -> Price | None:
    """A price in a currency that only price-parser knows."""
    if len(text) > 100 or not re.search(r"[^\W\d_]|[\u20a0-\u20cf]", text):
        return None
    from price_parser.parser import CURRENCY_CODES, SAFE_CURRENCY_SYMBOLS

    for found in _NUMBER.finditer(text):
        around = text[max(0, found.start() - 5) : found.start()].split(" ") + text[found.end() : found.end() + 6].split(
            " "
        )
        for word in around:
            sign = word.strip()
            if sign and (sign in CURRENCY_CODES or sign in SAFE_CURRENCY_SYMBOLS):
                amount = _amount(found["n"], found["k"])
                if amount is not None:
                    return Price(-amount if found["minus"] else amount, sign)
    return None


def _bare(text: str) -> Price | None:
    """A number alone, or beside nothing but words that speak of price."""
    numbers = list(_NUMBER.finditer(text))
    if len(numbers) != 1 or len(text) > 60:
        return None
    found = numbers[0]
    before, after = text[: found.start()], text[found.end() :]
    if _NO_PRICE.match(after) or _SAVED.search(before):
        return None
    if not _PRICE_WORDS.fullmatch(before) or not _PRICE_WORDS.fullmatch(after):
        return None
    amount = _amount(found["n"], found["k"])
    if amount is None:
        return None
    return Price(-amount if found["minus"] else amount)
