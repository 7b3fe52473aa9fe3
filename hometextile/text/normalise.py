"""One form for text that is compared: NFKC, white space folded, lower case.

NFKC (Unicode Standard Annex 15) makes ``２０２３年…￥２９．９０`` into ``2023年…¥29.90``. It also glues a whole
number to the vulgar fraction after it (``1½`` becomes ``11⁄2``), so a space goes between them first.
"""

from __future__ import annotations

import re
import unicodedata

#: Zero-width characters, soft hyphen, byte order mark, direction marks: nobody sees them, every comparison does.
_UNSEEN = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_WHITE = re.compile(r"[\s\u0085\u00a0]+")
_FRACTION = re.compile(r"(?<=\d)(?=[\u00bc-\u00be\u2150-\u215e\u2189])")


def compose(text: str) -> str:
    """*text* in NFKC without unseen characters; line breaks stay.

    Args:
        text: any text; lone surrogates are kept as they are.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _UNSEEN.sub("", _FRACTION.sub(" ", text)))


def tidy(text: str) -> str:
    """*text* in NFKC with white space folded to single spaces, letter case kept."""
    if text.isascii():
        return " ".join(text.split())
    return _WHITE.sub(" ", compose(text)).strip()


def fold(text: str) -> str:
    """*text* in NFKC, white space folded, lower case: what two texts are compared by."""
    return tidy(text).lower()


def squeeze(text: str) -> str:
    """*text* as the page has it, with white space folded to single spaces: what a person is shown."""
    if text.isascii():
        return " ".join(text.split())
    return _WHITE.sub(" ", _UNSEEN.sub("", text)).strip()
