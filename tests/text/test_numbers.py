"""Numbers in digits and in Chinese numerals."""

from decimal import Decimal

import pytest

from hometextile.text.numbers import arabic_number, chinese_number, plain, read_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("１，２３４．５", "1234.5"), ("1.2万", "12000"), ("三千五百", "3500"), ("1½", "1.5"), ("约 300 件", "300"),
        ("3.350", "3.350"), ("1.234,56", "1234.56"), ("12,5", "12.5"), ("1 234,50", "1234.50"), ("3亿", "300000000"),
        ("1,234,567", "1234567"), ("-5.00", "-5"), ("A-5", "5"), ("1/2", "0.5"), ("10-20", "10"), ("5%", "5"), ("十",
        "10"),
    ],
)  # fmt: skip
def test_read(text: str, value: str) -> None:
    assert read_number(text) == Decimal(value)


@pytest.mark.parametrize("text", ["", "  ", "万科", "千岛湖", "hello", "第"])
def test_no_number(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("一百二十三", "123"), ("两万三", "23000"), ("二〇二三", "2023"), ("二十三点五", "23.5"), ("三百五", "350"),
        ("一万二", "12000"), ("一千零五", "1005"), ("十五", "15"), ("廿三", "23"), ("一亿二千万", "120000000"),
        ("壹仟贰佰", "1200"), ("零", "0"),
    ],
)  # fmt: skip
def test_chinese(text: str, value: str) -> None:
    assert chinese_number(text) == Decimal(value)


@pytest.mark.parametrize("text", ["", "点五", "一二万x", "三点", "5"])
def test_no_chinese_number(text: str) -> None:
    assert chinese_number(text) is None


def test_no_arabic_number() -> None:
    assert arabic_number("12元") is None


def test_plain() -> None:
    assert [plain(Decimal(text)) for text in ("1.2E+4", "29.90", "100")] == ["12000", "29.9", "100"]
