"""When a page is fetched again.

A list that leads to resources, and a page whose form was asked, at every visit. A page with a resource by its age: a
week after it was fetched last, and once it was looked at so often without a change, after twice that time, then after
four times ...: a page that never changed in four looks will hardly change in the next week (Cho and Garcia-Molina,
"Effective page refresh policies for Web crawlers", 2003, estimate the rate likewise from the changes seen). Other
pages after four times as long.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, delete, exists, func, literal, or_, select, update

from hometextile.library import tables as t

#: How much longer it takes for pages that gave nothing, and lists that led to nothing.
RARELY = 4
#: All keywords are asked at the first visit and at every fourth one after it; in between, those that brought something.
ALL_KEYWORDS = 4
#: A weekly crawl does not begin to the second.
_SLACK = 0.9


@dataclass(frozen=True)
class Revisits:
    """How soon.

    Attributes:
        days: after which a page of its own is fetched again.
        patience: looks without a change after which it may take twice as long.
        longest: days that it takes at the most.
    """

    days: float = 7.0
    patience: int = 4
    longest: float = 60.0

    def intervals(self) -> list[float]:
        """Days until the next look: first the usual, then twice that, and so on."""
        found, days = [self.days], self.days
        while days * 2 <= self.longest and days > 0:
            days *= 2
            found.append(days)
        return found


def due(revisits: Revisits, now: datetime | None = None) -> ColumnElement[bool]:
    """The condition under which a fetched page of its own is to be fetched again.

    Args:
        revisits: how soon.
        now: for tests; the time if None.
    """
    f = t.frontier.c
    now = now or datetime.now(UTC)
    quiet = f.fetches - 1 - f.changes * revisits.patience
    whens: list[tuple[Any, Any]] = []
    intervals = revisits.intervals()
    for number, days in reversed(list(enumerate(intervals))):
        before = (now - timedelta(days=days * _SLACK)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        whens.append((quiet >= number * revisits.patience, literal(before)))
    return func.coalesce(f.last_fetched, "") <= case(*whens, else_=whens[-1][1])


def begin_visit(
    connection: Connection, site: int, crawl: int, revisits: Revisits, now: datetime | None = None
) -> dict[str, int]:
    """Set out what a new visit fetches, whether a link leads there or not.

    Queries are left to be found and asked again: which keyword is asked next depends on the answers.

    Args:
        connection: inside a write transaction.
        site: the site's number.
        crawl: the crawl's number.
        revisits: how soon pages are fetched again.
        now: for tests.

    Returns:
        How many requests wait for each reason: ``left`` (by the last crawl), ``lists``, ``due``, ``rare`` (pages that
        gave nothing, after four times as long), ``failed`` (those refused too: robots.txt may be another by now).
    """
    f, p, r = t.frontier.c, t.pages.c, t.resources.c
    connection.execute(delete(t.interrogations).where(t.interrogations.c.site_id == site))
    idle = {"state": "done", "lease_owner": None, "lease_until": None, "reason": "left over"}
    open_states = ("waiting", "leased")
    connection.execute(
        update(t.frontier).where(f.site_id == site, f.state.in_(open_states), f.form.is_not(None)).values(idle)
    )
    again = {
        "state": "waiting", "crawl_id": crawl, "tries": 0, "lease_owner": None, "lease_until": None,
        "not_before": None, "reason": "",
    }  # fmt: skip
    counts = {}
    counts["left"] = connection.execute(
        update(t.frontier).where(f.site_id == site, f.state.in_(open_states)).values(again)
    ).rowcount
    done = and_(f.site_id == site, f.form.is_(None), f.kind != "start", f.state == "done")
    page = and_(p.site_id == site, p.fingerprint == f.fingerprint)
    bears = exists(select(r.id).join(t.pages, p.id == r.page_id).where(page))
    listed = or_(f.kind == "next", exists(select(p.id).where(page, p.dropped == "list")))
    rarely = replace(revisits, days=revisits.days * RARELY, longest=revisits.longest * RARELY)
    for name, which in (
        ("lists", and_(done, or_(_held_a_form(), and_(listed, _led_to_resources())))),
        ("due", and_(done, bears, due(revisits, now))),
        ("rare", and_(done, due(rarely, now))),
        ("failed", and_(f.site_id == site, f.form.is_(None), f.state.in_(("failed", "refused")))),
    ):
        counts[name] = connection.execute(update(t.frontier).where(which).values(again)).rowcount
    return counts


def _led_to_resources() -> ColumnElement[bool]:
    """Whether one of a page's links led to a resource first."""
    child, page, resource = t.frontier.alias("child"), t.pages.alias("child_page"), t.resources.alias("child_resource")
    bears = exists(
        select(resource.c.id)
        .join(page, page.c.id == resource.c.page_id)
        .where(page.c.site_id == child.c.site_id, page.c.fingerprint == child.c.fingerprint)
    )
    return exists(select(child.c.id).where(child.c.parent_id == t.frontier.c.id, bears))


def _held_a_form() -> ColumnElement[bool]:
    """Whether a form on the page was asked first there: it has to be found again to be asked again."""
    child = t.frontier.alias("asked")
    return exists(select(child.c.id).where(child.c.parent_id == t.frontier.c.id, child.c.form.is_not(None)))


def fruitful_keywords(connection: Connection, site: int) -> dict[str, list[str]]:
    """For each form that was asked: the keywords that brought what no other had, the best first.

    Args:
        connection: to read.
        site: the site's number.
    """
    q = t.queries.c
    brought = func.sum(q.new)
    query = select(q.form, q.keyword, brought.label("brought")).where(q.site_id == site, q.keyword.is_not(None))
    found: dict[str, list[str]] = {}
    for row in connection.execute(query.group_by(q.form, q.keyword).order_by(q.form, brought.desc(), q.keyword)):
        words = found.setdefault(row.form, [])
        if row.brought:
            words.append(row.keyword)
    return found
