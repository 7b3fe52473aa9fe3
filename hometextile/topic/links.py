"""Which links are worth following first.

The forestry paper lets anchor text decide whether a link joins the queue; here it decides the place in it, with what
stands around the link, the words of its URL, the block it stands in and the relevance of the page it stands on.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from hometextile.topic.relevance import topic_vector

if TYPE_CHECKING:
    from hometextile.text.pack import Pack

_ANCHOR = 0.55
_AROUND = 0.15
_URL = 0.15
_PARENT = 0.15
#: What a link of a block is worth to one of the main block.
BLOCK_WORTH = {"main": 1.0, "related": 0.85, "noise": 0.5}
_WORDS = re.compile(r"[A-Za-z]{3,}|[\u4e00-\u9fff]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def link_score(
    url: str,
    anchor: str,
    around: str,
    pack: Pack,
    parent_relevance: float = 0.0,
    *,
    block: str | None = None,
) -> float:
    """How likely a link leads to something on topic, 0 to 1.

    Args:
        url: where it leads.
        anchor: its text; for an image, the image's alternative text.
        around: the text around it, such as its sentence or list item.
        pack: the domain pack.
        parent_relevance: relevance of the page it stands on, 0 to 1.
        block: level of the block it stands in (``main``, ``related``, ``noise``), if known.
    """
    score = (
        _ANCHOR * _share(anchor[:300], pack)
        + _AROUND * _share(around[:600], pack)
        + _URL * _share(url_words(url), pack)
        + _PARENT * max(0.0, min(1.0, parent_relevance))
    )
    return round(score * BLOCK_WORTH.get(block or "main", 1.0), 4)


def url_words(url: str) -> str:
    """The words of a URL's path and query, escapes decoded, without numbers and file endings."""
    try:
        parts = urlsplit(url[:2_000])
    except ValueError:
        return ""
    path = re.sub(r"\.(?:html?|php|aspx?|jsp|do|action)\b", " ", unquote(f"{parts.path} {parts.query}"))
    return " ".join(_WORDS.findall(_CAMEL.sub(" ", path)))


def _share(text: str, pack: Pack) -> float:
    """How much a short text says for the topic: 0 for nothing, .6 for one sure word, near 1 for several."""
    if not text:
        return 0.0
    part = topic_vector(pack).parts(text)
    net = sum(part.found.values()) - sum(part.against.values())
    return 1 - math.exp(-net) if net > 0 else 0.0
