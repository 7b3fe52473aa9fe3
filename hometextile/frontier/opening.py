"""A crawl begun, or gone on with, and its worker's ledger opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from hometextile.frontier.frontier import Frontier
from hometextile.frontier.ledger import Ledger
from hometextile.frontier.owner import name_worker
from hometextile.frontier.revisiting import Revisits, begin_visit
from hometextile.library import recording
from hometextile.library.creating import place
from hometextile.library.library import Library
from hometextile.library.recording import Crawl
from hometextile.library.saving import site_id

#: Settings, with their defaults: seconds that a lease holds, days until a page is looked at again.
LEASE, DAYS = 120.0, 7.0


@dataclass(frozen=True)
class Begun:
    """A crawl that has begun.

    Attributes:
        crawl: its row.
        ledger: its worker's.
        counts: what a new visit begins with: ``left``, ``lists``, ``due``; empty for one that goes on.
    """

    crawl: Crawl
    ledger: Ledger
    counts: dict[str, int]


def check_alone(library: Library, site: str) -> None:
    """See to it, before a crawl is begun, that no other one of the site is at work on a SQLite library.

    Raises:
        Fault: one is.
    """
    if not library.database.sqlite:
        return

    def work(connection: Connection) -> None:
        number = site_id(connection, site)
        frontier = Frontier(library.database, number, 0, -1.0)
        frontier.join_alone(connection, place(library.database))
        frontier.leave(connection)

    library.database.write(work)


def begin(library: Library, site: str, arguments: dict[str, Any], settings: Mapping[str, Any]) -> Begun:
    """Begin a crawl of a site: a new visit, or go on with what was cut off.

    Args:
        library: an open library.
        site: the site's name.
        arguments: what the crawl was started with.
        settings: ``FRONTIER_LEASE``, ``FRONTIER_REVISIT_DAYS``.

    Raises:
        Fault: on SQLite, another crawl of the site is at work.
    """
    # From here on it is a crawl: what passes by itself is waited out.
    library.database.patient = True
    lease = float(settings.get("FRONTIER_LEASE") or LEASE)
    days = settings.get("FRONTIER_REVISIT_DAYS")
    revisits = Revisits(days=DAYS if days is None else float(days))
    owner = name_worker()

    def work(connection: Connection) -> tuple[Crawl, Frontier, dict[str, int]]:
        number = site_id(connection, site)
        frontier = Frontier(library.database, number, 0, lease, owner)
        if library.database.sqlite:
            frontier.join_alone(connection, place(library.database))
        else:
            frontier.join(connection)
        crawl = recording.begin_crawl(connection, site, arguments, resume=True)
        frontier.crawl = crawl.id
        counts: dict[str, int] = {}
        if not crawl.resumed:
            counts = begin_visit(connection, number, crawl.id, revisits)
        frontier.recover(connection)
        return crawl, frontier, counts

    crawl, frontier, counts = library.database.write(work)
    return Begun(crawl, Ledger(frontier), counts)
