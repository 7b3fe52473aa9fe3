"""Which of several pages speaks for a resource.

A page is found under many addresses (with the words that were searched for, as a print view, in a list that tells of
it), and each of them shows the resource a little differently. One of them speaks: the page the resource was taken from.
Only when that page itself is different at a later visit has the resource changed. The others are other views of the
same: one that is better takes its place within a crawl, and is no change either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, bindparam, select

from hometextile.dedup.urls import canonical_url
from hometextile.library import tables as t
from hometextile.page.page import Page

#: ``speaks``: what is different has changed; ``instead``: the better view, its values are taken and nothing has
#: changed; ``beside``: another view, of which nothing is taken.
View = Literal["speaks", "instead", "beside"]

_SPEAKER = select(*(t.pages.c[name] for name in ("url", "crawl_id", "fetched"))).where(
    t.pages.c.id == bindparam("number")
)


@dataclass(frozen=True)
class Place:
    """A page's place in the library.

    Attributes:
        id: its number.
        earlier: the crawl in which it was stored before; None if it was not.
    """

    id: int
    earlier: int | None = None


def view(connection: Connection, page: Page, place: Place, old: Mapping[str, Any], new: Mapping[str, Any]) -> View:
    """What a page is to a resource that is in the library already.

    Args:
        connection: inside a transaction; *page* is stored.
        page: it.
        place: its place.
        old: the resource's row.
        new: its row as *page* has it.
    """
    if old["page_id"] in (None, place.id):
        return "speaks"
    speaker = connection.execute(_SPEAKER, {"number": old["page_id"]}).one_or_none()
    if speaker is None or _silent(speaker, page, place, old):
        return "speaks"
    own, others = (canonical_url(url) == old["identity"] for url in (page.url, speaker.url))
    if page.crawl_id is None or speaker.crawl_id != page.crawl_id:
        # What was stored in an earlier crawl is not overwritten without a version.
        return "speaks" if own and not others else "beside"
    return "instead" if (own, *_fullness(new)) > (others, *_fullness(old)) else "beside"


def _silent(speaker: Any, page: Page, place: Place, old: Mapping[str, Any]) -> bool:
    """Whether the page that spoke so far does so no more."""
    if old["withdrawn"] is not None and old["mark"] != "withdrawn":
        return True
    if speaker.crawl_id == page.crawl_id and speaker.fetched > old["last_seen"]:
        # It came again and had no such resource.
        return True
    # The other one has come twice meanwhile.
    if speaker.crawl_id is None or place.earlier is None or page.crawl_id is None:
        return False
    return bool(speaker.crawl_id < place.earlier < page.crawl_id)


def _fullness(row: Mapping[str, Any]) -> tuple[int, int]:
    """How much there is of a resource: its text, then its other values."""
    named = ("published", "source", "author", "description", "keywords", "images", "videos")
    return len(row["text"]), sum(bool(row[name]) for name in named) + len(row["fields"])
