"""Bytes to text: what pages declare against what they are."""

from __future__ import annotations

import pytest

from hometextile.text.encodings import decode, encoding_name

SIMPLE = "床上用品四件套，纯棉面料，工艺精湛，是我们公司新开发的产品，欢迎来电咨询。"
TRADITIONAL = "床上用品四件組，純棉面料，工藝精湛，是我們公司新開發的產品，歡迎來電諮詢。"
JAPANESE = "商品の詳細については、お問い合わせください。これは新しい生地です。"


def page(text: str, codec: str, declared: str | None, *, before: str = "") -> bytes:
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={declared}">' if declared else ""
    return f"<html><head>{before}{meta}</head><body><p>{text}</p></body></html>".encode(codec)


@pytest.mark.parametrize(
    ("text", "codec", "declared", "encoding", "repaired"),
    [
        (SIMPLE, "utf-8", "utf-8", "utf-8", False),
        (SIMPLE, "gbk", "gb2312", "gbk", False),
        (SIMPLE + "㐀𠀀", "gb18030", "gb2312", "gbk", False),
        (SIMPLE, "gb18030", "utf-8", "gbk", True),
        (SIMPLE, "utf-8", "gbk", "utf-8", True),
        (SIMPLE, "gbk", "iso-8859-1", "gbk", True),
        (SIMPLE, "gbk", None, "gbk", True),
        (SIMPLE, "utf-8", None, "utf-8", False),
        (TRADITIONAL, "big5", "gb2312", "big5", True),
        (TRADITIONAL, "big5", "big5", "big5", False),
        (TRADITIONAL, "gbk", "gb2312", "gbk", False),
        (TRADITIONAL, "big5", None, "big5", True),
        (JAPANESE, "shift_jis", None, "shift_jis", True),
        (JAPANESE, "euc_jp", "shift_jis", "euc-jp", True),
        ("家纺", "gbk", "utf-8", "gbk", True),
        ("café naïve", "latin-1", "utf-8", "windows-1252", True),
        ("café naïve", "latin-1", "iso-8859-1", "windows-1252", False),
        ("plain", "ascii", "gb2312", "gbk", False),
        ("plain", "ascii", None, "utf-8", False),
    ],
)
def test_declared_and_real(text: str, codec: str, declared: str | None, encoding: str, repaired: bool) -> None:
    decoded = decode(page(text, codec, declared))
    assert text in decoded.text
    assert (decoded.encoding, decoded.repaired) == (encoding, repaired)
    assert decoded.declared == encoding_name(declared)


def test_header_goes_before_meta_unless_it_is_wrong() -> None:
    body = page(SIMPLE, "gbk", "gbk")
    assert decode(body, "text/html; charset=gb18030").encoding == "gb18030"
    wrong = decode(body, "text/html; charset=UTF-8")
    assert (wrong.encoding, wrong.declared, wrong.repaired) == ("gbk", "utf-8", True)


def test_meta_after_1024_bytes_is_found() -> None:
    decoded = decode(page("Zażółć", "cp1250", "windows-1250", before=f"<title>{'x' * 3000}</title>"))
    assert "Zażółć" in decoded.text


def test_meta_in_a_comment_declares_nothing() -> None:
    decoded = decode(b'<!-- <meta charset="big5"> --><meta charset="utf-8"><p>\xe5\xae\xb6</p>')
    assert decoded.declared == "utf-8"


@pytest.mark.parametrize(
    ("codec", "encoding"),
    [("utf-8-sig", "utf-8"), ("utf-16", "utf-16le"), ("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16be")],
)
def test_marks_and_sixteen_bits(codec: str, encoding: str) -> None:
    decoded = decode(page(SIMPLE, codec, None))
    assert decoded.text.startswith("<html>")
    assert SIMPLE in decoded.text
    assert decoded.encoding == encoding


def test_a_torn_character_is_no_proof() -> None:
    body = page(SIMPLE * 20, "utf-8", "utf-8") + "家".encode()[:2]
    decoded = decode(body)
    assert decoded.encoding == "utf-8"
    assert not decoded.repaired


@pytest.mark.parametrize("body", [b"", b"\xff", bytes(range(256)) * 20, b"<meta charset=" * 5000, b"\x80" * 300_000])
def test_garbage_is_decoded_without_a_word(body: bytes) -> None:
    assert isinstance(decode(body).text, str)
