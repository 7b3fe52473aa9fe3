"""Values as both databases can hold them: clean text, compressed bytes, times, hashes."""

from __future__ import annotations

import hashlib
import re
import zlib
from datetime import UTC, datetime
from typing import Any

_UNFIT = re.compile("[\x00\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_DEPTH = 60


def now() -> str:
    """The time, ISO 8601 in UTC with microseconds, so that text order is the order of time."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def clean(text: str) -> str:
    """Text without what a database can't hold.

    NUL goes (PostgreSQL refuses it, SQLite's functions stop at it); a surrogate pair becomes its character, a lone
    surrogate becomes U+FFFD.
    """
    if not _UNFIT.search(text):
        return text
    text = text.replace("\x00", "")
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def clean_all(value: Any, *, _depth: int = 0) -> Any:
    """The same for every string in lists and objects; what is nested deeper than 60 levels becomes its ``str``."""
    if isinstance(value, str):
        return clean(value)
    if value is None or isinstance(value, bool | int | float):
        return None if isinstance(value, float) and value != value else value
    if _depth > _MAX_DEPTH:
        return clean(str(value)[:1000])
    if isinstance(value, dict):
        return {clean(str(key)): clean_all(item, _depth=_depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [clean_all(item, _depth=_depth + 1) for item in items]
    if isinstance(value, bytes):
        return clean(value.decode("utf-8", "replace"))
    return clean(str(value))


def digest(*parts: str | bytes) -> str:
    """SHA-256 of the parts in hex; parts are kept apart, so ("ab", "c") and ("a", "bc") differ."""
    state = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state.hexdigest()


def pack(data: bytes) -> bytes:
    """Bytes made small (zlib)."""
    return zlib.compress(data, 6)


def unpack(data: bytes, *, limit: int = 512 * 1024 * 1024) -> bytes:
    """What :func:`pack` made small; never more than *limit* bytes.

    Raises:
        ValueError: the bytes are damaged or grow over the limit.
    """
    opener = zlib.decompressobj()
    try:
        result = opener.decompress(data, limit)
    except zlib.error as error:
        raise ValueError(f"damaged content: {error}") from error
    if opener.unconsumed_tail:
        raise ValueError(f"content over {limit} bytes")
    return result
