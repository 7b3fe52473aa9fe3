"""Characters to bytes, as the WHATWG Encoding Standard has it.

The standard's indexes are made from Python's codecs, which differ from them in few places: those are here. Compared
with Chromium 156 character by character, all encodings, the whole Basic Multilingual Plane and the planes 1 and 2 of
the East Asian ones: no difference.
"""

from __future__ import annotations

import unicodedata
from codecs import CodecInfo
from collections.abc import Callable
from functools import lru_cache

import webencodings

#: One character to bytes, None where the encoding lacks it.
Encoder = Callable[[str], bytes | None]

_NAMES = {
    "utf-8": "UTF-8",
    "gbk": "GBK",
    "big5": "Big5",
    "shift_jis": "Shift_JIS",
    **{name: name.upper() for name in ("euc-jp", "iso-2022-jp", "euc-kr", "koi8-r", "koi8-u", "ibm866")},
    **{f"iso-8859-{n}": f"ISO-8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    "iso-8859-8-i": "ISO-8859-8-I",
}
#: Characters whose place in GB18030 the 2022 edition moved; the standard encodes both old and new ones to two bytes.
_GB18030 = {
    "\u1e3f": b"\xa8\xbc",
    "\ue7c7": b"\x815\xf47",
    **dict(zip("\u9fb4\u9fb5\u9fb6\u9fb7\u9fb8\u9fb9\u9fba\u9fbb", map(bytes.fromhex, (
        "fe59", "fe61", "fe66", "fe67", "fe6d", "fe7e", "fe90", "fea0")), strict=True)),
    **dict(zip("\ufe10\ufe11\ufe12\ufe13\ufe14\ufe15\ufe16\ufe17\ufe18\ufe19", map(bytes.fromhex, (
        "a6d9", "a6db", "a6da", "a6dc", "a6dd", "a6de", "a6df", "a6ec", "a6ed", "a6f3")), strict=True)),
}  # fmt: skip
#: Where the standard's Big5 differs from Python's Big5-HKSCS; None where it lacks the character.
_BIG5: dict[str, bytes | None] = {
    **dict.fromkeys("¢£¥\u2022\u203e\u223c\u2609\u2641\uff64", None),
    **{chr(0x2400 + n): bytes([0xA3, 0xC0 + n]) for n in range(0x20)},
    **{character: bytes.fromhex(code) for character, code in (
        ("\u00af", "a1c2"), ("\u2027", "a145"), ("\u20ac", "a3e1"), ("\u2215", "a241"), ("\u2295", "a1f2"),
        ("\u2299", "a1f3"), ("\u2421", "a3e0"), ("\u2550", "f9f9"), ("\u255e", "f9e9"), ("\u2561", "f9eb"),
        ("\u256a", "f9ea"), ("\u4edd", "c6df"), ("\u5341", "a451"), ("\u5345", "a4ca"), ("\u5605", "fb48"),
        ("\u5ed0", "fbf9"), ("\u5ef4", "c6cf"), ("\u60a4", "fc6c"), ("\u65e0", "c6d3"), ("\u732a", "fe52"),
        ("\u7676", "c6d5"), ("\u96b6", "c6d7"), ("\ufe51", "a14e"), ("\ufe68", "a242"), ("\uff5e", "a1e3"),
        ("\uffe0", "a246"), ("\uffe1", "a247"), ("\uffe5", "a244"))},
}  # fmt: skip
_KOI8_U = {"\u040e": b"\xbe", "\u045e": b"\xae", "\u255d": None, "\u256c": None}
_ESCAPES = {"ascii": b"\x1b(B", "roman": b"\x1b(J", "jis": b"\x1b$B"}


def find_encoding(label: str) -> str | None:
    """The name of the encoding a label stands for, lower case; None for a label that the standard does not know."""
    found = webencodings.lookup(label)
    return None if found is None else str(found.name)


def canonical_name(encoding: str) -> str:
    """The encoding's name in the standard's own letters, as ``_charset_`` has it."""
    return _NAMES.get(encoding, encoding)


def encode(text: str, encoding: str, *, spelled: str = "&#{};") -> bytes:
    """Encode in "html" error mode.

    Args:
        text: any characters; lone surrogates become U+FFFD.
        encoding: WHATWG name; UTF-8 for one that is unknown.
        spelled: how a character is written that the encoding lacks, with ``{}`` for its number.
    """
    if text.isascii() and encoding != "iso-2022-jp":
        return text.encode("ascii")
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    name = find_encoding(encoding) or "utf-8"
    if name in ("utf-8", "utf-16le", "utf-16be", "replacement"):
        return text.encode("utf-8")
    if name == "iso-2022-jp":
        return _iso_2022_jp(text, spelled)
    encoder = _encoder(name)
    pieces = []
    for character in text:
        piece = encoder(character)
        pieces.append(spelled.format(ord(character)).encode("ascii") if piece is None else piece)
    return b"".join(pieces)


@lru_cache(maxsize=64)
def _encoder(name: str) -> Encoder:
    if name in ("gbk", "gb18030"):
        return _gbk if name == "gbk" else _gb18030
    tables = {"big5": _big5, "shift_jis": _shift_jis, "euc-jp": _euc_jp}
    if name in tables:
        table = tables[name]()
        return lambda character: character.encode("ascii") if character < "\x80" else table.get(character)
    return _by_codec(name)


def _by_codec(name: str) -> Encoder:
    """EUC-KR and the single-byte encodings; in the Windows ones a byte without a character is that control code."""
    found = webencodings.lookup(name)
    if found is None:
        raise LookupError(name)
    codec = found.codec_info
    changed: dict[str, bytes | None] = dict(_KOI8_U) if name == "koi8-u" else {}
    if name.startswith("windows-"):
        changed |= {chr(byte): bytes([byte]) for byte in range(0x80, 0xA0) if _unused(codec, byte)}
    if name == "windows-1255":
        changed["\u05ba"] = b"\xca"

    def encoder(character: str) -> bytes | None:
        if character in changed:
            return changed[character]
        try:
            return bytes(codec.encode(character)[0])
        except UnicodeEncodeError:
            return None

    return encoder


def _unused(codec: CodecInfo, byte: int) -> bool:
    try:
        codec.decode(bytes([byte]))
    except UnicodeDecodeError:
        return True
    return False


def _gb18030(character: str) -> bytes | None:
    if character == "\ue5e5":
        return None
    return _GB18030.get(character) or character.encode("gb18030")


def _gbk(character: str) -> bytes | None:
    """GB18030's one- and two-byte forms, and the euro sign as one byte (Encoding, 10.1 "gbk")."""
    if character == "€":
        return b"\x80"
    code = _gb18030(character)
    return code if code is not None and len(code) <= 2 else None


def _decoded(code: bytes, codec: str) -> str | None:
    try:
        text = code.decode(codec)
    except UnicodeDecodeError:
        return None
    return text if len(text) == 1 else None


@lru_cache(maxsize=1)
def _big5() -> dict[str, bytes]:
    """Lead bytes from 0xA1: what lies below, HKSCS, is read but never written."""
    table: dict[str, bytes] = {}
    for lead in range(0xA1, 0xFF):
        for trail in (*range(0x40, 0x7F), *range(0xA1, 0xFF)):
            code = bytes([lead, trail])
            character = _decoded(code, "big5hkscs")
            if character is not None:
                table.setdefault(character, code)
    for character, changed in _BIG5.items():
        if changed is None:
            table.pop(character, None)
        else:
            table[character] = changed
    return table


@lru_cache(maxsize=1)
def _jis0208() -> list[tuple[int, str]]:
    """The standard's index jis0208: pointer and character; Python's cp932 without the private use area."""
    index = []
    for pointer in range(188 * 60):
        character = _decoded(_shifted(pointer), "cp932")
        if character is not None and not "\ue000" <= character < "\uf900":
            index.append((pointer, character))
    return index


def _shifted(pointer: int) -> bytes:
    lead, trail = divmod(pointer, 188)
    return bytes([lead + (0x81 if lead < 0x1F else 0xC1), trail + (0x40 if trail < 0x3F else 0x41)])


@lru_cache(maxsize=1)
def _shift_jis() -> dict[str, bytes]:
    table = {chr(0xFF61 + n): bytes([0xA1 + n]) for n in range(63)} | {"\x80": b"\x80", "¥": b"\\", "‾": b"~"}
    for pointer, character in _jis0208():
        if not 8272 <= pointer <= 8835:
            table.setdefault(character, _shifted(pointer))
    table["−"] = table["－"]
    return table


@lru_cache(maxsize=1)
def _euc_jp() -> dict[str, bytes]:
    table = {chr(0xFF61 + n): bytes([0x8E, 0xA1 + n]) for n in range(63)} | {"¥": b"\\", "‾": b"~"}
    for pointer, character in _jis0208():
        if pointer < 94 * 94:
            table.setdefault(character, bytes([pointer // 94 + 0xA1, pointer % 94 + 0xA1]))
    table["−"] = table["－"]
    return table


def _iso_2022_jp(text: str, spelled: str) -> bytes:
    """The only stateful one (Encoding, 12.2.2): escape sequences between ASCII, Roman and JIS X 0208."""
    out = bytearray()
    state = "ascii"
    for character in text:
        wanted, code = _iso_2022_jp_one(character)
        if code is None:
            number = 0xFFFD if character in "\x0e\x0f\x1b" else ord(character)
            wanted, code = "ascii", spelled.format(number).encode("ascii")
            # In Roman a spelled-out number stands as it is; JIS has no room for it.
            wanted = "roman" if state == "roman" else wanted
        elif wanted == "ascii" and state == "roman" and character not in "\\~":
            wanted = "roman"
        if wanted != state:
            out += _ESCAPES[wanted]
            state = wanted
        out += code
    if state != "ascii":
        out += _ESCAPES["ascii"]
    return bytes(out)


def _iso_2022_jp_one(character: str) -> tuple[str, bytes | None]:
    if character in "\x0e\x0f\x1b":
        return "ascii", None
    if character < "\x80":
        return "ascii", character.encode("ascii")
    if character in "¥‾":
        return "roman", b"\\" if character == "¥" else b"~"
    if "\uff61" <= character <= "\uff9f":
        # Half-width katakana has no place here; the two sound marks become the spacing ones.
        character = {"ﾞ": "゛", "ﾟ": "゜"}.get(character) or unicodedata.normalize("NFKC", character)
    code = _euc_jp().get(character)
    if code is None or len(code) != 2 or code[0] == 0x8E:
        return "jis", None
    return "jis", bytes(byte - 0x80 for byte in code)
