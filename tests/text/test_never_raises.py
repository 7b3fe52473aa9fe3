"""Whatever the text: the readers of the ground floor find something or nothing, and never raise."""

from __future__ import annotations

import time
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometextile.text.dates import read_date
from hometextile.text.encodings import decode, encoding_name
from hometextile.text.normalise import fold
from hometextile.text.numbers import read_number
from hometextile.text.prices import read_price
from hometextile.text.quantities import read_quantities

NOW = datetime(2026, 11, 30, 15, 0)
PIECES = st.sampled_from(
    [
        *"0123456789一二三十百千万亿零年月日号时分秒元角折¥$€支克米尺寸-/.:：, ~前上周昨天去本",
        *("2023", "AM", "pm", "May", "cm", "g/m2", "分钟", "UTC+08:00", "民国", "×", "1½", "\u3000", "NT$", "万元"),
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=30).map("".join))


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_texts(text: str) -> None:
    date = read_date(text, now=NOW, languages=["zh"])
    if date:
        assert datetime.fromisoformat((date + "-01-01")[:10]).year == int(date[:4])
    price = read_price(text)
    if price is not None and price.amount < 10**9 and price.currency in {"CNY", "USD", "EUR"}:
        again = read_price(str(price))
        assert again is not None
        assert (again.amount, again.currency) == (price.amount, price.currency)
    read_number(text)
    read_quantities(text)
    assert fold(fold(text)) == fold(text)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_bytes(body: bytes) -> None:
    decoded = decode(body)
    assert encoding_name(decoded.encoding) == decoded.encoding
    if decoded.encoding == "utf-8" and "\ufffd" not in decoded.text:
        assert decoded.text.encode() == body.removeprefix(b"\xef\xbb\xbf")


@pytest.mark.parametrize(
    "piece", ["1", "1,", "1 ", "1.", "1-", "¥", "元", "年", "一", "1年", "上周", "May ", "1x", "-", ":", "1:"]
)
def test_long_repetitions_take_no_time(piece: str) -> None:
    text = piece * 5000
    start = time.process_time()
    read_date(text, now=NOW)
    read_price(text)
    read_number(text)
    read_quantities(text)
    assert time.process_time() - start < 2
