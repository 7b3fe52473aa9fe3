"""Bytes to text, as a browser would decode them and better where the page lies about itself.

Labels and their meaning are those of the WHATWG Encoding Standard. The order in which declarations are believed is
the HTML standard's (byte order mark, ``Content-Type``, ``<meta>``), but a declaration is only kept when the bytes
bear it out: Chinese pages declare UTF-8 and are GB18030, declare GB2312 and are GB18030 or Big5, or declare nothing.
What the bytes are is judged twice: by decoding strictly, and by the share of everyday characters in the result, since
Big5 bytes nearly always decode as GB18030, into rare characters.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

import webencodings

#: The commonest characters of written Chinese in both scripts, kana, and the commonest Hangul syllables. Real text in
#: any of them has well over a third of its letters in here; text decoded wrongly a few per cent.
_EVERYDAY = frozenset(
    "的一是不了在人有我他这中大来上国和个说们时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多"
    "经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工"
    "使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代"
    "内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电"
    "数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白"
    "這個來國說們時會對過發後裡種經學動還進樣開從實軍無與長機業將兩間問應戰頭體見產關點門東聲員論處義幾條氣題爾變總電"
    "數報結務場計資許統區隊決馬書則聽園網頁號價購買產品店面資料新聞首页网站公司产品新闻中心联系版权备案地址电话价格"
    "ぁあぃいうえおかがきくけこごさざしじすずせそただちっつてでとどなにねのはばひびへべほぼまみむめもやよらりるれろわをん"
    "ァアィイウエオカガキクグケコゴサザシジスズセソタダチッツテデトドナニネノハバヒビフブプヘペホポマミムメモヤュョラリルレロワンー"
    "이다는의에을가고하지은로한사기도서를자정인그있어아리시과대해나들보라수일부전장으만게여제상면스동년구원성조주안소"
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003134f]")
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_META = re.compile(rb"<meta\b[^>]{0,500}?\bcharset\s{0,20}=\s{0,20}[\"']?\s{0,20}([A-Za-z0-9_:.\-]{1,40})", re.I)
_XML = re.compile(rb"^\s{0,100}<\?xml\b[^>]{0,200}?\bencoding\s{0,20}=\s{0,20}[\"']([A-Za-z0-9_:.\-]{1,40})[\"']", re.I)
_COMMENT = re.compile(rb"<!--.*?-->", re.S)
_CHARSET = re.compile(r"\bcharset\s*=\s*[\"']?\s*([^\s\"';,]{1,40})", re.I)
#: How far the declaration is looked for: browsers stop at 1,024 bytes, pages do not keep to that.
_PRESCAN = 65_536
_SAMPLE = 200_000
_GUESSES = ("gbk", "big5", "shift_jis", "euc-jp", "euc-kr")
#: Under this many East Asian letters the share of everyday ones says nothing.
_ENOUGH = 12
_UTF8_MANY = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_NOT_ASCII = re.compile(rb"[\x80-\xff]+")


@dataclass(frozen=True)
class Decoded:
    """Decoded bytes.

    Attributes:
        text: the text; bytes that mean nothing have become U+FFFD.
        encoding: WHATWG name of the encoding; a form of the page is submitted in it.
        declared: WHATWG name of what the page or its server declared, None where nothing usable was.
        repaired: whether the declaration was wrong, or missing where the text is not UTF-8.
    """

    text: str
    encoding: str
    declared: str | None
    repaired: bool


def encoding_name(label: str | None) -> str | None:
    """The WHATWG name for a label such as ``gb2312`` (``gbk``), None for one that the standard does not know."""
    if not label:
        return None
    try:
        found = webencodings.lookup(label.strip())
    except LookupError:
        return None
    if found is None or found.name in {"replacement", "x-user-defined", "hz-gb-2312", "iso-2022-kr"}:
        return None
    return str(found.name)


def _codec(name: str) -> str:
    # GBK is a subset of GB18030 and the standard decodes it so. Python's cp949 and cp932 are the standard's tables.
    if name in {"gbk", "gb18030"}:
        return "gb18030"
    found = webencodings.lookup(name)
    return str(found.codec_info.name) if found is not None else "utf-8"


def _declarations(body: bytes, content_type: str | None) -> list[str]:
    """WHATWG names declared, most trusted first, without repeats."""
    head = _COMMENT.sub(b"", body[:_PRESCAN])
    labels: list[str] = []
    if content_type and (found := _CHARSET.search(content_type[:1000])):
        labels.append(found.group(1))
    if found_xml := _XML.search(head[:1024]):
        labels.append(found_xml.group(1).decode("ascii"))
    labels.extend(meta.group(1).decode("ascii") for meta in _META.finditer(head))
    names: list[str] = []
    for label in labels[:8]:
        name = encoding_name(label)
        # A page whose <meta> could be read as ASCII is not UTF-16 (HTML standard, 13.2.3.2).
        if name in {"utf-16le", "utf-16be", "utf-16"}:
            name = "utf-8"
        elif label.strip().lower() == "x-user-defined":
            name = "windows-1252"
        if name and name not in names:
            names.append(name)
    return names


def _sample(body: bytes) -> bytes:
    """At most some hundred kilobytes of *body*, from its first byte beyond ASCII on: the head is often pure ASCII."""
    first = _NOT_ASCII.search(body)
    if first is None:
        return b""
    return body[first.start() : first.start() + _SAMPLE]


def _decodes(sample: bytes, name: str, *, whole: bool) -> str | None:
    """The text if every byte is fit for *name*; a character cut off at the sample's end is none."""
    try:
        return codecs.getincrementaldecoder(_codec(name))("strict").decode(sample, whole)
    except UnicodeDecodeError:
        return None


def everyday_share(text: str) -> tuple[float, int]:
    """The share of everyday characters among the East Asian letters of *text*, and their number."""
    letters = _CJK.findall(text)
    if not letters:
        return 0.0, 0
    return sum(letter in _EVERYDAY for letter in letters) / len(letters), len(letters)


def _broken_share(sample: bytes) -> float:
    """The share of non-ASCII bytes that are no part of a UTF-8 character."""
    high = sum(len(run) for run in _NOT_ASCII.findall(sample))
    good = sum(len(run) for run in _UTF8_MANY.findall(sample))
    return (high - good) / high if high else 0.0


def _best_guess(sample: bytes, *, whole: bool) -> tuple[str | None, float]:
    """The East Asian encoding in which the bytes read as everyday text, with the share of everyday characters."""
    best: tuple[str | None, float] = (None, 0.0)
    for name in _GUESSES:
        text = _decodes(sample, name, whole=whole)
        lenient = text is None
        if text is None:
            text = sample.decode(_codec(name), errors="replace")
            broken = text.count("\ufffd")
            if broken * 50 > len(_CJK.findall(text)):
                continue
        share, letters = everyday_share(text)
        if letters < 2:
            continue
        # Every stray half of a character is held against it: a clean reading wins over a torn one.
        share -= 0.05 if lenient else 0.0
        if share > best[1] + 1e-9:
            best = (name, share)
    return best


def _believable(sample: bytes, name: str, *, whole: bool) -> bool:
    """Whether the declared encoding can be kept: it decodes cleanly, and no other reads far better."""
    if name == "utf-8":
        # A multi-byte character may be torn by a careless template; one in fifty is no proof of another encoding.
        return _broken_share(sample) <= 0.02
    text = _decodes(sample, name, whole=whole)
    if text is None:
        text = sample.decode(_codec(name), errors="replace")
        if text.count("\ufffd") * 50 > len(_CJK.findall(text)):
            return False
    if _decodes(sample, "utf-8", whole=whole) is not None and len(_UTF8_MANY.findall(sample)) >= 3:
        if not webencodings.lookup(name) or name not in {*_GUESSES, "gb18030"}:
            return False
        return everyday_share(text)[0] > 0.3
    share, letters = everyday_share(text)
    if name in {*_GUESSES, "gb18030"} and letters < _ENOUGH:
        return True
    guess, guessed = _best_guess(sample, whole=whole)
    if guess is None or guess == name or (guess == "gbk" and name == "gb18030"):
        return True
    if name in {*_GUESSES, "gb18030"}:
        return share * 2 > guessed or guessed < 0.3
    # A single-byte encoding reads anything. East Asian text has its high bytes side by side, accents stand alone.
    runs = _NOT_ASCII.findall(sample)
    pairs = sum(len(run) >= 2 for run in runs)
    return guessed < 0.3 or pairs * 2 < len(runs) or sum(map(len, runs)) < 2 * _ENOUGH


def _choose(body: bytes, declared: list[str]) -> str:
    sample = _sample(body)
    if not sample:
        return declared[0] if declared else "utf-8"
    whole = len(sample) < _SAMPLE
    for name in declared:
        if _believable(sample, name, whole=whole):
            return name
    if _broken_share(sample) <= 0.02:
        return "utf-8"
    guess, share = _best_guess(sample, whole=whole)
    if guess is not None and share >= 0.2:
        return guess
    for name in declared:
        if name != "utf-8":
            return name
    if declared and _broken_share(sample) < 0.5:
        return declared[0]
    return "windows-1252"


def decode(body: bytes, content_type: str | None = None) -> Decoded:
    """Decode a page.

    Args:
        body: the bytes as received.
        content_type: the ``Content-Type`` header, if there was one.

    Returns:
        The text, its encoding, what was declared and whether that was wrong. Never raises: bytes that fit nothing
        become U+FFFD.
    """
    declared = _declarations(body, content_type)
    first = declared[0] if declared else None
    for mark, name in _BOMS:
        if body.startswith(mark):
            text = body[len(mark) :].decode(_codec(name), errors="replace")
            return Decoded(text, name, first, first is not None and first != name)
    for start, name in ((b"<\0", "utf-16le"), (b"\0<", "utf-16be")):
        if body.startswith(start):
            return Decoded(body.decode(_codec(name), errors="replace"), name, first, True)
    name = _choose(body, declared)
    text = body.decode(_codec(name), errors="replace")
    return Decoded(text, name, first, name != first if first else name != "utf-8")
