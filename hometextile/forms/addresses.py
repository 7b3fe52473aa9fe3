"""Addresses as a browser resolves them (WHATWG URL), the query in the page's encoding."""

from __future__ import annotations

from ada_url import URL

from hometextile.forms.encoders import encode

_QUERY_SAFE = frozenset(range(0x21, 0x7F)) - frozenset(b"\"#<>'")
_REMOVED = str.maketrans("", "", "\t\n\r")


def resolve(address: str, base: str, encoding: str = "utf-8") -> str | None:
    """An address made absolute.

    Args:
        address: as written in the page.
        base: an absolute address.
        encoding: WHATWG name of the page's encoding: what stands in the address's query is encoded in it, what stands
            in its path is always UTF-8.

    Returns:
        the serialised address, all ASCII, or None if it is not valid.
    """
    text = address.strip("".join(map(chr, range(0x21)))).translate(_REMOVED)
    text, hash_sign, fragment = text.partition("#")
    path, mark, query = text.partition("?")
    if mark and not query.isascii():
        query = _percent(encode(query, encoding, spelled="%26%23{}%3B"))
    # Lone surrogates, which no decoder makes but a caller may, are what a browser's USVString conversion makes of them.
    whole = (path + mark + query + hash_sign + fragment).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    try:
        url = URL(whole, base=base)
    except ValueError:
        return None
    if "|" in url.pathname and url.protocol in ("http:", "https:"):
        # The standard lets it stand; browsers escape it.
        url.pathname = url.pathname.replace("|", "%7C")
    return str(url.href)


def _percent(data: bytes) -> str:
    return "".join(chr(byte) if byte in _QUERY_SAFE else f"%{byte:02X}" for byte in data)
