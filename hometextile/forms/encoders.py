"""Characters to bytes, as the WHATWG Encoding Standard has it."""

from __future__ import annotations

import webencodings  # type: ignore[import-untyped]


def find_encoding(label: str) -> str | None:
    """The name of the encoding a label stands for, lower case; None for a label that the standard does not know."""
    found = webencodings.lookup(label)
    return None if found is None else str(found.name)


def encode(text: str, encoding: str, *, spelled: str = "&#{};") -> bytes:
    """Encode in "html" error mode.

    Args:
        text: any characters.
        encoding: WHATWG name.
        spelled: how a character is written that the encoding lacks, with ``{}`` for its number.
    """
    found = webencodings.lookup(encoding)
    codec = "utf-8" if found is None else found.codec_info.name
    try:
        return text.encode(codec)
    except UnicodeEncodeError:
        return b"".join(_one(character, codec, spelled) for character in text)


def _one(character: str, codec: str, spelled: str) -> bytes:
    try:
        return character.encode(codec)
    except UnicodeEncodeError:
        return spelled.format(ord(character)).encode("ascii")


def canonical_name(encoding: str) -> str:
    """The encoding's name in the standard's own letters, as ``_charset_`` has it."""
    return _NAMES.get(encoding, encoding)


_NAMES = {
    "utf-8": "UTF-8",
    "gbk": "GBK",
    "gb18030": "gb18030",
    "big5": "Big5",
    "euc-jp": "EUC-JP",
    "iso-2022-jp": "ISO-2022-JP",
    "shift_jis": "Shift_JIS",
    "euc-kr": "EUC-KR",
    "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U",
    "ibm866": "IBM866",
    **{f"iso-8859-{n}": f"ISO-8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    "iso-8859-8-i": "ISO-8859-8-I",
}
