from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometextile.forms.encoders import canonical_name, encode, find_encoding


@pytest.mark.parametrize(
    ("encoding", "text", "expected"),
    [
        ("gbk", "€", b"\x80"),
        ("gbk", "镕", b"\xe9\x46"),
        ("gbk", "😀", b"&#128512;"),
        ("gb18030", "€", b"\xa2\xe3"),
        ("gb18030", "😀", b"\x949\xfc6"),
        ("gb18030", "\ue5e5", b"&#58853;"),
        ("big5", "十", b"\xa4\x51"),
        ("big5", "€", b"\xa3\xe1"),
        ("big5", "床単", b"\xa7\xc9&#21336;"),
        ("shift_jis", "−", b"\x81\x7c"),
        ("shift_jis", "¥‾", b"\\~"),
        ("shift_jis", "纊", b"\xfa\x5c"),
        ("euc-jp", "ｶ", b"\x8e\xb6"),
        ("euc-jp", "丂", b"&#19970;"),
        ("iso-2022-jp", "aあ", b"a\x1b$B$\x22\x1b(B"),
        ("iso-2022-jp", "ｶﾞ", b"\x1b$B%+!+\x1b(B"),
        ("iso-2022-jp", "¥a\\", b"\x1b(J\\a\x1b(B\\"),
        ("iso-2022-jp", "あ한", b"\x1b$B$\x22\x1b(B&#54620;"),
        ("iso-2022-jp", "\x1b", b"&#65533;"),
        ("euc-kr", "뷁", b"\x94\xee"),
        ("windows-1252", "\x81€", b"\x81\x80"),
        ("windows-1255", "\u05ba", b"\xca"),
        ("koi8-u", "Ўў╬", b"\xbe\xae&#9580;"),
        ("utf-8", "\ud800", b"\xef\xbf\xbd"),
        ("no-such", "é", b"\xc3\xa9"),
        ("utf-16le", "é", b"\xc3\xa9"),
    ],
)
def test_characters(encoding: str, text: str, expected: bytes):
    assert encode(text, encoding) == expected


def test_how_a_lacking_character_is_spelled():
    assert encode("añ", "gbk", spelled="%26%23{}%3B") == b"a%26%23241%3B"


@pytest.mark.parametrize(
    ("label", "name", "canonical"),
    [
        ("GB2312", "gbk", "GBK"),
        (" gb_2312-80 ", "gbk", "GBK"),
        ("latin1", "windows-1252", "windows-1252"),
        ("utf8", "utf-8", "UTF-8"),
        ("sjis", "shift_jis", "Shift_JIS"),
        ("logical", "iso-8859-8-i", "ISO-8859-8-I"),
        ("x-no-such", None, ""),
    ],
)
def test_labels(label: str, name: str | None, canonical: str):
    assert find_encoding(label) == name
    if name is not None:
        assert canonical_name(name) == canonical


@pytest.mark.parametrize(
    ("encoding", "codec"),
    [
        ("euc-kr", "cp949"),
        ("windows-1251", "cp1251"),
        ("koi8-r", "koi8-r"),
        ("iso-8859-2", "iso8859-2"),
        ("gb18030",) * 2,
    ],
)
@given(text=st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Co", "Cc"]), max_size=20))
def test_what_is_encoded_is_read_back(encoding: str, codec: str, text: str):
    read = encode(text, encoding, spelled="[{}]").decode(codec)
    for character in set(text):
        read = read.replace(f"[{ord(character)}]", character) if encode(character, encoding)[:2] == b"&#" else read
    moved = set("\u1e3f" + "".join(map(chr, [*range(0x9FB4, 0x9FBC), *range(0xFE10, 0xFE1A)])))
    assert read == text or (encoding == "gb18030" and set(text) & moved) or "[" in text
