"""Prices: what is one, what is none, and which of several."""

from decimal import Decimal

import pytest

from hometextile.text.prices import Price, read_price


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("1.2万", "12000"),
        ("1.2万元", "12000 CNY"),
        ("２９．９０元", "29.90 CNY"),
        ("-5.00 €", "-5 EUR"),
        ("12元3角", "12.3 CNY"),
        ("5折", None),
        ("3.350", "3.350"),
        ("2 pairs from $349", "349 USD"),
        ("36元人民币", "36 CNY"),
        ("￥２９．９０", "29.90 CNY"),
        ("NT$1,200", "1200 TWD"),
        ("HK$ 88.5", "88.5 HKD"),
        ("¥99-199", "99-199 CNY"),
        ("¥99.00 - ¥199.00", "99-199.00 CNY"),
        ("35元/米", "35 CNY/米"),
        ("原价¥199 现价¥99", "99 CNY"),
        ("满300减50", None),
        ("满300元减50元", None),
        ("面议", None),
        ("12块5", "12.5 CNY"),
        ("五元", "5 CNY"),
        ("三万五千元", "35000 CNY"),
        ("价格：128", "128"),
        ("1 299,00 zł", "1299 zł"),
        ("$1,299.99", "1299.99 USD"),
        ("1.299,99 €", "1299.99 EUR"),
        ("3件 99元", "99 CNY"),
        ("运费 10元", None),
        ("12元3角5分", "12.35 CNY"),
        ("USD 12.50", "12.50 USD"),
        ("12.50 USD", "12.50 USD"),
        ("9.9折 ¥88", "88 CNY"),
        ("£5", "5 GBP"),
        ("1-2万元", "10000-20000 CNY"),
        ("¥ 128.00 /件", "128 CNY/件"),
        ("￥1,280.00元", "1280 CNY"),
        ("电话 13812345678", None),
        ("$0.99/yard", "0.99 USD/yard"),
        ("hello", None),
        ("", None),
        ("5分", None),
        ("100克 ¥35", "35 CNY"),
        ("12 rubles", None),
        ("500 RUB", "500 RUB"),
        ("1200円（税込）", "1200 JPY"),
        ("¥", None),
        ("Was $20 Now $15", "15 USD"),
        ("128.50 CNY", "128.50 CNY"),
        ("99-199.00 CNY", "99-199.00 CNY"),
        ("200×230cm", None),
        ("8角", "0.8 CNY"),
    ],
)
def test_read(text: str, price: str | None) -> None:
    found = read_price(text)
    assert (str(found) if found else None) == price


def test_what_is_written_is_read_again() -> None:
    for price in (
        Price(Decimal("29.90"), "CNY"),
        Price(Decimal(99), "CNY", Decimal(199)),
        Price(Decimal(35), "CNY", None, "米"),
    ):
        assert read_price(str(price)) == price


@pytest.mark.parametrize("text", ["9" * 1000, "¥" * 1000, "1," * 500, "元" * 1000])
def test_garbage(text: str) -> None:
    found = read_price(text)
    assert found is None or found.amount < 10**12
