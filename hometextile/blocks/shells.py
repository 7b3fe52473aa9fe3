"""The text of a page whose HTML is a shell: what the page carries for scripts and machines instead.

Asked only when the blocks say next to nothing. In this order: the text properties of JSON-LD, prose in the application
state, the page's own description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from hometextile.blocks.outline import TOKEN
from hometextile.page.document import Document
from hometextile.page.embedded import embedded

#: Pages whose main blocks have fewer tokens are shells.
SHELL = 20
_KEYS = frozenset(("articlebody", "text", "reviewbody", "description", "content", "body"))
_TAGS = re.compile(r"<[^>]{0,2000}>")
_PROSE = re.compile(r"[。！？.!?]")
_MOST_CHARS = 200_000
_DEPTH = 40


def text_from_data(document: Document) -> str:
    """Text from the page's embedded data; '' where there is none of twenty tokens or more.

    Args:
        document: the page.
    """
    data = embedded(document)
    stated = _joined(_values(data.json_ld, _KEYS))
    if _tokens(stated) >= SHELL:
        return stated
    state = _joined(text for text in _values(data.state, None) if len(text) >= 80 and _PROSE.search(text))
    if _tokens(state) >= SHELL:
        return state
    description = _plain(data.meta.get("description") or " ".join(data.opengraph.get("og:description", [])))
    return description if _tokens(description) >= SHELL else ""


def _tokens(text: str) -> int:
    return len(TOKEN.findall(text[:5_000]))


def _plain(text: str) -> str:
    lines = re.sub(r"<(?:br|/p|/div|/li|/h\d)\b[^>]{0,200}>", "\n", text, flags=re.I)
    bare = unescape(_TAGS.sub(" ", lines))
    return "\n".join(line for line in (" ".join(line.split()) for line in bare.split("\n")) if line)


def _joined(texts: Iterator[str]) -> str:
    """Texts as lines, each once, what stands inside another left out."""
    kept: list[str] = []
    size = 0
    for text in texts:
        plain = _plain(text)
        if plain and not any(plain in other for other in kept):
            kept = [other for other in kept if other not in plain]
            kept.append(plain)
            size += len(plain)
            if size > _MOST_CHARS:
                break
    return "\n".join(kept)


def _values(data: Any, keys: frozenset[str] | None) -> Iterator[str]:
    """Strings in the data, in order; only those under the keys where keys are given."""
    stack: list[tuple[Any, bool, int]] = [(data, keys is None, 0)]
    while stack:
        value, wanted, depth = stack.pop()
        if isinstance(value, str):
            if wanted and len(value) > 1:
                yield value
        elif depth < _DEPTH and isinstance(value, dict):
            for name, inner in reversed(list(value.items())):
                stack.append((inner, keys is None or str(name).lower() in keys, depth + 1))
        elif depth < _DEPTH and isinstance(value, list):
            stack.extend((inner, wanted, depth + 1) for inner in reversed(value))
