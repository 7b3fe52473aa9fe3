"""Hits as a reader sees them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select

from hometextile.library import tables as t
from hometextile.library.search import snippets
from hometextile.library.search.searching import Answer


@dataclass(frozen=True)
class Hit:
    """A resource that answers a search.

    Attributes:
        id: its number.
        title: with marks around the words.
        snippet: the part of the text where the words stand, with marks.
        url: where it was found.
        site: the site's name.
        library: its library.
        category: its class.
        published: ISO date.
        price: amount, if it has one.
        currency: of the price.
        withdrawn: since when it is gone from its site; None if it isn't.
        score: 0 to 1.
    """

    id: int
    title: str
    snippet: str
    url: str
    site: str
    library: str
    category: str
    published: str
    price: float | None
    currency: str | None
    withdrawn: str | None
    score: float


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes:
        hits: best first.
        total: matches counted.
        more: whether there are more matches than were counted.
        how: ``words`` as typed, ``loose`` words standing apart, ``some`` of the words, ``initials`` of titles.
    """

    hits: list[Hit]
    total: int
    more: bool
    how: str


_R = t.resources.c
_QUERY = (
    select(
        *(_R[name] for name in ("id", "title", "text", "description", "url", "library", "category", "published")),
        *(_R[name] for name in ("price", "currency", "withdrawn")),
        t.sites.c.name.label("site"),
    )
    .select_from(t.resources.join(t.sites))
    .where(_R.id.in_(bindparam("numbers", expanding=True)))
)


def show(connection: Connection, answer: Answer, marks: tuple[str, str]) -> Found:
    """Fill in what a reader sees of the matches.

    Args:
        connection: for reading.
        answer: of :func:`hometextile.library.search.searching.find`.
        marks: before and after each found word.
    """
    numbers = [match.resource_id for match in answer.matches]
    rows = {row["id"]: row for row in connection.execute(_QUERY, {"numbers": numbers}).mappings()} if numbers else {}
    pattern = snippets.pattern_of(answer.question.clauses)
    hits = []
    for match in answer.matches:
        row = rows.get(match.resource_id)
        if row is None:
            continue
        named = ("id", "url", "site", "library", "category", "published", "price", "currency", "withdrawn")
        hits.append(
            Hit(
                **{name: row[name] for name in named},
                title=snippets.marked(row["title"], pattern, marks),
                snippet=snippets.snippet(row["text"] or row["description"], pattern, marks),
                score=match.score,
            )
        )
    return Found(hits, answer.total, answer.more, answer.how)
