"""Finding and ranking: the same hits in the same order on both databases.

A question's matches are walked in the order of their worth (relevance, credibility, freshness) and the first few
hundred of them are ranked by how well they match: in the title, how often in the text. So a word that stands in most
texts is answered as fast as a rare one, and all matches of a rare one are ranked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Row, TextClause, select, text

from hometextile.library import tables as t
from hometextile.library.search import asking, index
from hometextile.library.search.asking import Clause, Question
from hometextile.library.search.facets import date_cover, place_terms, price_cover
from hometextile.text.faults import Fault
from hometextile.text.messages import _

#: Matches that are ranked by how well they match; further ones follow in the order of their worth.
RANKED = 200
_MATCH, _WORTH = 0.65, 0.35
_TITLE = 0.6
#: Characters of a text in which a word that stands once is half as good as it can be.
_LENGTH = 400.0


@dataclass(frozen=True)
class Filters:
    """What a hit must be.

    Attributes:
        library: its library.
        category: its class.
        site_id: its site's number.
        since: ISO date, as exact as wanted; a resource without a date is no hit then.
        until: the same, included.
        price_from: least price.
        price_to: greatest price.
    """

    library: str | None = None
    category: str | None = None
    site_id: int | None = None
    since: str | None = None
    until: str | None = None
    price_from: float | None = None
    price_to: float | None = None

    @property
    def facets(self) -> list[list[str]]:
        """The filters as terms of the index, of each group one."""
        groups = [[term] for term in place_terms(self.site_id, self.library, self.category)]
        if self.since is not None or self.until is not None:
            groups.append(date_cover(self.since, self.until))
        if self.price_from is not None or self.price_to is not None:
            groups.append(price_cover(self.price_from, self.price_to))
        return groups

    def condition(self, *, collate: str = "") -> tuple[list[str], dict[str, object]]:
        """The filters that are columns of ``search_documents d``."""
        parts: list[str] = []
        values: dict[str, object] = {}
        if self.since is not None:
            parts.append(
                f"d.published <> '' AND (d.published >= :since{collate} OR "
                f"substr(:since, 1, length(d.published)) = d.published)"
            )
            values["since"] = self.since
        if self.until is not None:
            parts.append(f"d.published <> '' AND d.published <= :until{collate}")
            values["until"] = self.until + "~"
        if self.price_from is not None:
            parts.append("d.price >= :price_from")
            values["price_from"] = self.price_from
        if self.price_to is not None:
            parts.append("d.price <= :price_to")
            values["price_to"] = self.price_to
        return parts, values


def filters_of(connection: Connection, given: Mapping[str, Any]) -> Filters | None:
    """Filters by name as filters by number.

    Args:
        connection: to look the site up.
        given: ``library``, ``category``, ``site``, ``since``, ``until``, ``price_from``, ``price_to``.

    Returns:
        None where the site is unknown, so that nothing can be found.

    Raises:
        Fault: no such filter.
    """
    allowed = {"library", "category", "site", "since", "until", "price_from", "price_to"}
    unknown = sorted(set(given) - allowed)
    if unknown:
        raise Fault(
            _("there is no filter {name}").format(name=unknown[0]),
            remedy=_("use one of: {names}").format(names=", ".join(sorted(allowed))),
        )
    values = {name: value for name, value in given.items() if value not in (None, "")}
    site = values.pop("site", None)
    if site is not None:
        values["site_id"] = connection.execute(select(t.sites.c.id).where(t.sites.c.name == site)).scalar()
        if values["site_id"] is None:
            return None
    return Filters(**values)


@dataclass(frozen=True)
class Match:
    """A resource that answers the question: its number and its score, 0 to 1."""

    resource_id: int
    score: float
    key: int = field(repr=False, default=0)


@dataclass(frozen=True)
class Answer:
    """Matches, best first.

    Attributes:
        matches: those asked for.
        total: how many there are, counted up to :data:`RANKED`.
        more: whether there are more than that.
        how: ``words`` as typed, ``loose`` words standing apart, ``some`` of the words, ``initials`` of titles.
        question: what was asked in the end.
    """

    matches: list[Match]
    total: int
    more: bool
    how: str
    question: Question


def _statement(
    connection: Connection, question: Question, filters: Filters, columns: str
) -> tuple[str, dict[str, object]]:
    if connection.dialect.name == "sqlite":
        parts, values = filters.condition()
        values["match"] = asking.fts_expression(question, filters.facets)
        # CROSS JOIN keeps the index outermost, so that its order is the order of the answer and LIMIT ends it.
        sql = (
            f"SELECT {columns} FROM search_index CROSS JOIN search_documents d ON d.key = search_index.rowid "
            "WHERE search_index MATCH :match"
        )
        return " AND ".join([sql, *parts]) + " ORDER BY search_index.rowid DESC", values
    parts, values = filters.condition()
    condition, more = asking.array_condition(question, filters.facets)
    values.update(more)
    sql = f"SELECT {columns} FROM search_index i JOIN search_documents d ON d.key = i.key WHERE {condition}"
    return " AND ".join([sql, *parts]) + " ORDER BY i.key DESC", values


@lru_cache(maxsize=256)
def _text(sql: str) -> TextClause:
    """SQL as SQLAlchemy wants it, read once."""
    return text(sql)


def find(
    connection: Connection,
    words: str,
    filters: Filters,
    *,
    limit: int,
    offset: int = 0,
    cut: Callable[[str], list[str]] | None = None,
) -> Answer:
    """The best matches of what a reader typed.

    As typed first; where that is nowhere, long Chinese runs as words that stand apart, then two thirds of the words,
    then letters as pinyin initials of titles.

    Args:
        connection: for reading.
        words: as typed.
        filters: what a hit must be.
        limit: how many.
        offset: how many to leave out first.
        cut: gives the words of a Chinese run; long runs stay whole without it.
    """
    question = asking.understand(words)
    if not question.clauses and words.strip():
        # Nothing but punctuation was typed.
        return Answer([], 0, False, "words", question)
    answer = _ask(connection, question, filters, limit, offset, "words")
    if answer.total or not question.wanted:
        return answer
    loose = asking.loosened(question, cut) if cut else None
    others = (
        (loose, "loose"),
        (asking.by_initials(question), "initials"),
        (asking.some(loose or question), "some"),
    )
    for other, how in others:
        if other is not None:
            found = _ask(connection, other, filters, limit, offset, how)
            if found.total:
                return found
    return answer


def every(connection: Connection, words: str, filters: Filters) -> list[int]:
    """The numbers of all resources that hold the words as typed, in the order of their worth."""
    question = asking.understand(words)
    if not question.clauses and words.strip() != "":
        return []
    sql, values = _statement(connection, question, filters, "d.resource_id")
    return [int(number) for number in connection.execute(_text(sql), values).scalars()]


def _ask(connection: Connection, question: Question, filters: Filters, limit: int, offset: int, how: str) -> Answer:
    columns = "d.key, d.resource_id, d.title, d.initials, d.body"
    sql, values = _statement(connection, question, filters, columns)
    values["limit"] = RANKED + 1
    rows = connection.execute(_text(sql + " LIMIT :limit"), values).all()
    more = len(rows) > RANKED
    ranked = _rank(rows[:RANKED], question)
    matches = ranked[offset : offset + limit]
    if more and offset + limit > RANKED:
        matches += _beyond(connection, question, filters, limit - len(matches), max(0, offset - RANKED))
    return Answer(matches, len(ranked), more, how, question)


def _beyond(connection: Connection, question: Question, filters: Filters, limit: int, offset: int) -> list[Match]:
    sql, values = _statement(connection, question, filters, "d.key, d.resource_id")
    values.update(limit=limit, offset=RANKED + offset)
    rows = connection.execute(_text(sql + " LIMIT :limit OFFSET :offset"), values).all()
    return [Match(row.resource_id, _WORTH * index.worth_of(row.key), row.key) for row in rows]


def _rank(rows: Sequence[Row[Any]], question: Question) -> list[Match]:
    wanted = question.wanted
    # Only words need the blanks around them; Chinese stands anywhere.
    padded = any(" " in clause.pattern for clause in wanted)
    found = []
    for row in rows:
        key, number, title, letters, body = tuple(row)
        score = 1.0
        if wanted:
            if padded:
                title, body = f" {title} ", f" {body} "
            score = sum(_match(clause, title, body, letters) for clause in wanted) / len(wanted)
            if score == 0:
                continue
        found.append((-(_MATCH * score + _WORTH * index.worth_of(key)), -key, number))
    found.sort()
    return [Match(number, -score, -key) for score, key, number in found]


def _match(clause: Clause, title: str, body: str, letters: str) -> float:
    """How well a document matches a clause, 0 to 1: in the title, and how often in the text for its length."""
    if clause.initials:
        return 0.5 if clause.runs[0] in letters else 0.0
    pattern = clause.pattern
    in_title = 0.0
    if pattern in title:
        in_title = 0.75 + 0.25 * min(1.0, len(pattern.strip()) / max(1, len(title.strip())))
    often = body.count(pattern)
    in_body = often / (often + 0.5 + len(body) / _LENGTH) if often else 0.0
    return _TITLE * in_title + (1 - _TITLE) * in_body
