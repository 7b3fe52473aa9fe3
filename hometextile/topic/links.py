"""Which links are worth following first.

The forestry paper lets anchor text decide whether a link joins the queue; here it decides the place in it, with what
stands around the link, the words of its URL, the block it stands in and the relevance of the page it stands on.
"""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from hometextile.topic.relevance import topic_vector

if TYPE_CHECKING:
    from hometextile.text.pack import Pack

#: What the pages that link somewhere, the text around the link and the words of the URL are worth to its anchor.
_PARENTS = 0.6
_AROUND = 0.15
_URL = 0.15
#: Relevance that is assumed of one page more than have been seen: one page that links there says less than ten.
_PRIOR = 0.1
#: What a link of a block is worth to one of the main block.
BLOCK_WORTH = {"main": 1.0, "related": 0.85, "noise": 0.5}
_WORDS = re.compile(r"[A-Za-z]{3,}|[\u4e00-\u9fff]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def link_score(
    url: str,
    anchor: str,
    around: str,
    pack: Pack,
    parent_relevance: float | Sequence[float] = (),
    *,
    block: str | None = None,
) -> float:
    """How likely a link leads to something on topic, 0 to 1.

    Each thing that is known of the link may by itself be the reason to follow it, so that their doubts are multiplied
    (noisy or): the anchor counts in full, the others in part.

    Args:
        url: where it leads.
        anchor: its text; for an image, the image's alternative text.
        around: the text around it, such as its sentence or list item.
        pack: the domain pack.
        parent_relevance: relevance of the page it stands on, 0 to 1, or of all pages seen that link there.
        block: level of the block it stands in (``main``, ``related``, ``noise``), if known.
    """
    relevances = [parent_relevance] if isinstance(parent_relevance, (int, float)) else list(parent_relevance)
    parents = (sum(relevances) + _PRIOR) / (len(relevances) + 1)
    doubt = (
        (1 - _share(anchor[:300], pack))
        * (1 - _PARENTS * max(0.0, min(1.0, parents)))
        * (1 - _AROUND * _share(around[:600], pack))
        * (1 - _URL * _share(url_words(url), pack))
    )
    return round((1 - doubt) * BLOCK_WORTH.get(block or "main", 1.0), 4)


class LinkMemory:
    """The relevance of the pages that link to an address: what the next one adds to.

    Args:
        size: addresses remembered; the ones longest unseen are forgotten first.
    """

    def __init__(self, size: int = 50_000) -> None:
        self._size = size
        self._relevances: OrderedDict[str, list[float]] = OrderedDict()

    def seen(self, url: str, relevance: float) -> list[float]:
        """Remember that a page of this relevance links to *url*; the relevances of all pages that do (at most 20)."""
        relevances = self._relevances.setdefault(url, [])
        self._relevances.move_to_end(url)
        if len(relevances) < 20:
            relevances.append(relevance)
        if len(self._relevances) > self._size:
            self._relevances.popitem(last=False)
        return relevances


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
