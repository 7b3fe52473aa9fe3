"""Entries to bytes: urlencoded (WHATWG URL, 5.2), multipart (HTML, 4.10.22.7; RFC 7578) and text/plain (4.10.22.8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

from hometextile.forms.encoders import encode

#: Name and value; None stands for a file control with nothing chosen.
Entry = tuple[str, str | None]

_BREAK = re.compile(r"\r\n|\r|\n")
_KEPT = frozenset(b"*-._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_ESCAPED = [chr(byte) if byte in _KEPT else "+" if byte == 0x20 else f"%{byte:02X}" for byte in range(256)]


def _lines(text: str) -> str:
    return _BREAK.sub("\r\n", text)


def urlencoded(entries: Sequence[Entry], encoding: str) -> bytes:
    """``application/x-www-form-urlencoded``; a file control with nothing chosen has an empty value."""

    def escape(text: str) -> str:
        return "".join(_ESCAPED[byte] for byte in encode(_lines(text), encoding))

    return "&".join(f"{escape(name)}={escape(value or '')}" for name, value in entries).encode("ascii")


def plain(entries: Sequence[Entry], encoding: str) -> bytes:
    """``text/plain``: a line an entry."""
    return b"".join(encode(f"{_lines(name)}={_lines(value or '')}\r\n", encoding) for name, value in entries)


def multipart(entries: Sequence[Entry], encoding: str) -> tuple[bytes, str]:
    """``multipart/form-data``.

    Returns:
        body and boundary. The boundary is made from the entries, so that the same query is the same request (for the
        cache and the duplicates filter), and is looked for in them.
    """
    parts = []
    for name, value in entries:
        quoted = _lines(name).replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
        head = b'Content-Disposition: form-data; name="' + encode(quoted, encoding) + b'"'
        if value is None:
            parts.append(head + b'; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n')
        else:
            parts.append(head + b"\r\n\r\n" + encode(_lines(value), encoding) + b"\r\n")
    seed = b"".join(parts)
    boundary = "----WebKitFormBoundary" + sha256(seed).hexdigest()[:16]
    while boundary.encode() in seed:
        boundary = "----WebKitFormBoundary" + sha256(boundary.encode()).hexdigest()[:16]
    line = b"--" + boundary.encode()
    return b"".join(line + b"\r\n" + part for part in parts) + line + b"--\r\n", boundary
