"""What a new visit fetches, and when a page is due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from hometextile.forms.form import Form, Query
from hometextile.frontier.entry import Outcome
from hometextile.frontier.opening import begin
from hometextile.frontier.revisiting import Revisits, begin_visit, fruitful_keywords
from hometextile.library import tables as t
from hometextile.library.library import Library
from tests.frontier.conftest import Desk, entry
from tests.library.conftest import page, resource

WEEK = timedelta(days=7)


def fetched(desk: Desk, name: str, *, times: int = 1, changes: int = 0, days: float = 7, **values: Any) -> None:
    """A page that was fetched so often, the last time so many days ago."""
    desk.add(name, **values)
    when = (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    f = t.frontier.c
    row = {"state": "done", "fetches": times, "changes": changes, "last_fetched": when}
    desk.write(lambda c: c.execute(update(t.frontier).where(f.fingerprint == f"f-{name}").values(row)))


def bear(desk: Desk, name: str, number: int, **values: Any) -> None:
    """The library has a page of that name with a resource."""
    found = [] if values.get("dropped") else [resource(number, title=name, text=name * 20)]
    desk.library.save(page(number, *found, fingerprint=f"f-{name}", **values))


def visit(desk: Desk) -> dict[str, str]:
    """A new visit begins; states by name."""
    begun = desk.library.begin_crawl("example", resume=False)
    desk.frontier.crawl = begun.id
    desk.write(lambda c: begin_visit(c, begun.site_id, begun.id, Revisits()))
    return desk.states()


def test_a_page_with_a_resource_is_due_after_a_week(desk: Desk) -> None:
    fetched(desk, "old", days=7)
    fetched(desk, "young", days=2)
    bear(desk, "old", 1)
    bear(desk, "young", 2)
    assert visit(desk) == {"old": "waiting", "young": "done"}


@pytest.mark.parametrize(
    ("times", "changes", "days", "due"),
    [(4, 0, 7, True), (5, 0, 7, False), (5, 0, 14, True), (9, 0, 14, False), (9, 0, 28, True), (9, 2, 7, True),
     (100, 0, 60, True), (100, 0, 30, False)],
)  # fmt: skip
def test_what_never_changes_is_looked_at_less_often(
    desk: Desk, times: int, changes: int, days: float, due: bool
) -> None:
    fetched(desk, "a", times=times, changes=changes, days=days)
    bear(desk, "a", 1)
    assert visit(desk) == {"a": "waiting" if due else "done"}


def test_a_page_that_gave_nothing_is_rarely_looked_at(desk: Desk) -> None:
    fetched(desk, "off", days=7)
    fetched(desk, "long", days=28)
    bear(desk, "off", 1, dropped="off-topic")
    bear(desk, "long", 2, dropped="off-topic")
    assert visit(desk) == {"off": "done", "long": "waiting"}


def test_lists_that_lead_somewhere_and_pages_with_forms_are_fetched_at_every_visit(desk: Desk) -> None:
    desk.add("list", "trap", "form")
    for leased in desk.take():
        name = leased.fingerprint.removeprefix("f-")
        child = {"list": [entry("detail")], "trap": [entry("trap2")], "form": [entry("q", form="x", manner="again")]}
        desk.end(Outcome(leased.id, status=200, children=child[name]))
    for leased in desk.take():
        desk.end(Outcome(leased.id, status=200))
    for number, name in enumerate(("list", "trap", "trap2")):
        bear(desk, name, 10 + number, dropped="list")
    bear(desk, "form", 20, dropped="off-topic")
    bear(desk, "detail", 21)
    assert visit(desk) == {
        "list": "waiting", "trap": "done", "trap2": "done", "form": "waiting", "detail": "done", "q": "done",
    }  # fmt: skip


def test_what_could_not_be_fetched_is_tried_again_and_what_is_gone_is_not(desk: Desk) -> None:
    desk.add("a", "b", "c")
    first, second, third = desk.take()
    desk.end(
        Outcome(first.id, "failed", reason="timeout"),
        Outcome(second.id, "gone", 404, fingerprint="f-b"),
        Outcome(third.id, "refused", reason="Forbidden by robots.txt"),
    )
    assert visit(desk) == {"a": "waiting", "b": "gone", "c": "waiting"}


def test_a_link_to_a_page_that_is_not_due_does_not_fetch_it_and_one_to_a_gone_page_does(desk: Desk) -> None:
    fetched(desk, "young", days=1)
    desk.add("gone")
    (leased,) = desk.take()
    desk.end(Outcome(leased.id, "gone", 404, fingerprint="f-gone"))
    bear(desk, "young", 1)
    visit(desk)
    desk.add("young", "gone")
    assert desk.states() == {"young": "done", "gone": "waiting"}


def test_a_start_page_is_fetched_once_in_each_visit(desk: Desk) -> None:
    desk.add("home", manner="start")
    (leased,) = desk.take()
    desk.end(Outcome(leased.id, status=200))
    desk.add("home", manner="start")
    assert desk.states() == {"home": "done"}
    visit(desk)
    desk.add("home", manner="start")
    assert desk.states() == {"home": "waiting"}


def test_404_withdraws_the_pages_resource_and_nothing_else(desk: Desk) -> None:
    fetched(desk, "a", days=7)
    fetched(desk, "b", days=7)
    bear(desk, "a", 1)
    bear(desk, "b", 2)
    visit(desk)
    leased = desk.take()[0]
    desk.end(Outcome(leased.id, "gone", 404, fingerprint="f-a"))
    found = {row["title"]: row["withdrawn"] is not None for row in desk.library.resources()}
    assert found == {"a": True, "b": False}


def test_a_page_that_moved_is_one_resource(desk: Desk) -> None:
    fetched(desk, "a", days=7)
    bear(desk, "a", 1)
    visit(desk)
    (leased,) = desk.take()
    desk.end(Outcome(leased.id, status=301, moved=("http://site.example/1", "http://site.example/new")))
    (row,) = desk.library.resources()
    assert row["identity"] == "http://site.example/new"
    desk.library.save(page(3, resource(3, identity="http://site.example/new", title="a", text="a" * 20)))
    assert len(list(desk.library.resources())) == 1


def test_a_page_that_moved_after_its_new_address_was_stored_is_one_resource(desk: Desk) -> None:
    fetched(desk, "a", days=7)
    bear(desk, "a", 1)
    bear(desk, "new", 2)
    visit(desk)
    leased = desk.take()[0]
    desk.end(Outcome(leased.id, status=301, moved=("http://site.example/1", "http://site.example/2")))
    assert [row["identity"] for row in desk.library.resources()] == ["http://site.example/2"]


def test_keywords_that_brought_something_are_known(library: Library) -> None:
    form = Form(url="http://site.example/", action="/search")
    crawl = library.begin_crawl("example")
    for keyword, new in (("宋锦", 3), ("云锦", 9), ("钢铁", 0)):
        library.record_query(Query(form, {"q": [keyword]}, keyword), site="example", crawl=crawl, new=new)
    found = library.database.read(lambda c: fruitful_keywords(c, crawl.site_id))
    assert found == {form.fingerprint: ["云锦", "宋锦"]}


def test_a_crawl_that_was_cut_off_goes_on_and_one_that_ended_is_a_new_visit(library: Library) -> None:
    first = begin(library, "example", {}, {})
    assert not first.crawl.resumed
    first.ledger.close()
    again = begin(library, "example", {}, {"FRONTIER_LEASE": "5", "FRONTIER_REVISIT_DAYS": "3"})
    assert again.crawl.id == first.crawl.id
    assert again.crawl.resumed
    again.ledger.close()
    library.end_crawl(again.crawl)
    third = begin(library, "example", {}, {})
    assert third.crawl.visit == 2
    assert set(third.counts) == {"left", "lists", "due", "rare", "failed"}
