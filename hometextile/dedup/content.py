"""Equal content, equal hash."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import TYPE_CHECKING, Any

from hometextile.dedup.urls import canonical_url

if TYPE_CHECKING:
    from hometextile.extract.resource import Resource

#: More of a text than this says nothing new about whether two are equal; the length is hashed too.
_MAX_CHARS = 2_000_000


def content_hash(resource: Resource) -> str:
    """The hash of a resource's title, text and fields (SHA-256, 64 hexadecimal digits).

    Width of characters, letter case and white space do not count. A resource without any text is known by its images
    and videos, so that two pictures without a caption are two. Empty for a resource that has nothing at all.

    Args:
        resource: a resource; only its title, text, fields, images and videos are looked at.
    """
    parts = [_folded(resource.title), _folded(resource.text)]
    parts += [f"{_folded(name)}\x1e{_value(value)}" for name, value in sorted(resource.fields.items()) if _value(value)]
    if not parts[1]:
        media = [each.get("url") for each in (*resource.images, *resource.videos)]
        parts += sorted({canonical_url(str(url)) for url in media if url})
    if not any(parts):
        return ""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "\x1d".join(_value(each) for each in value)
    return "" if value is None else _folded(str(value))


def _folded(text: str) -> str:
    cut = text[:_MAX_CHARS]
    folded = " ".join(unicodedata.normalize("NFKC", cut).lower().split())
    return f"{folded}\x1e{len(text)}" if len(text) > _MAX_CHARS else folded
