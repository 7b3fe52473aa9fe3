"""A frontier on both databases, with a clock that a test sets."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from hometextile.frontier.entry import Entry, Leased, Outcome
from hometextile.frontier.frontier import Frontier
from hometextile.library import tables as t
from hometextile.library.library import Library
from tests.library.conftest import any_url, library, postgresql_url, small

__all__ = ["any_url", "library", "postgresql_url", "small"]


def entry(name: str, **values: Any) -> Entry:
    """A request to be fetched."""
    known = {"url": f"http://site.example/{name}", "fingerprint": f"f-{name}", "host": "site.example", "request": b"{}"}
    return Entry(**{**known, **values})


class Desk:
    """A frontier, each call in a transaction of its own."""

    def __init__(self, shelf: Library, owner: str = "here:1:1", crawl: int | None = None) -> None:
        self.library = shelf
        begun = shelf.begin_crawl("example")
        self.frontier = Frontier(shelf.database, begun.site_id, crawl or begun.id, 60.0, owner)
        self.write = shelf.database.write

    def add(self, *names: str, **values: Any) -> None:
        self.write(lambda c: self.frontier.write(c, [], [entry(name, **values) for name in names]))

    def take(self, number: int = 10, full: tuple[str, ...] = ()) -> list[Leased]:
        return self.write(lambda c: self.frontier.take(c, number, full))

    def end(self, *outcomes: Outcome) -> None:
        self.write(lambda c: self.frontier.write(c, outcomes))

    def states(self) -> dict[str, str]:
        f = t.frontier.c
        rows = self.library.database.read(lambda c: c.execute(select(f.fingerprint, f.state)).all())
        return {row.fingerprint.removeprefix("f-"): row.state for row in rows}


@pytest.fixture
def desk(library: Library) -> Desk:
    """A worker's place at an empty frontier."""
    return Desk(library)
