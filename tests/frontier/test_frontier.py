"""Requests as rows: what is taken, by whom, and what becomes of it."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from sqlalchemy import select

from hometextile.frontier.entry import Outcome
from hometextile.frontier.frontier import Frontier
from hometextile.frontier.owner import is_dead, machine, name_worker
from hometextile.frontier.turns import asked, may_ask
from hometextile.library import tables as t
from hometextile.library.library import Library
from hometextile.text.faults import Fault
from tests.frontier.conftest import Desk, entry


def test_the_best_goes_first_and_equals_in_the_order_they_came(desk: Desk) -> None:
    desk.add("a", "b")
    desk.add("c", priority=5.0)
    assert [leased.fingerprint for leased in desk.take()] == ["f-c", "f-a", "f-b"]


def test_what_was_seen_is_not_taken_again(desk: Desk) -> None:
    desk.add("a")
    (leased,) = desk.take()
    desk.end(Outcome(leased.id, status=200, children=[entry("a"), entry("b")]))
    assert [leased.fingerprint for leased in desk.take()] == ["f-b"]


def test_a_link_that_promises_more_raises_what_waits(desk: Desk) -> None:
    desk.add("a", "b", "c", priority=1.0)
    desk.add("b", priority=5.0, kind="next", depth=9)
    desk.add("c", priority=0.5)
    assert [(leased.fingerprint, leased.priority) for leased in desk.take()] == [
        ("f-b", 5.0),
        ("f-a", 1.0),
        ("f-c", 1.0),
    ]
    f = t.frontier.c
    rows = desk.library.database.read(lambda c: c.execute(select(f.kind, f.depth).where(f.fingerprint == "f-b")).all())
    assert rows == [("link", 0)], "how it was come by stays"


def test_what_was_begun_or_is_done_is_not_raised(desk: Desk) -> None:
    desk.add("done", "back")
    back, done = desk.take()
    desk.end(Outcome(done.id, status=200), Outcome(back.id, state="waiting"))
    desk.add("done", "back", priority=9.0)
    assert desk.states() == {"done": "done", "back": "waiting"}
    (again,) = desk.take()
    assert (again.priority, again.tries) == (0.0, 2), "what may be what kills the program does not rise"


def test_of_two_links_in_one_batch_the_better_counts(desk: Desk) -> None:
    desk.add("start")
    (start,) = desk.take()
    children = [entry("a", priority=1.0), entry("b", priority=2.0), entry("a", priority=3.0)]
    desk.end(Outcome(start.id, status=200, children=children))
    assert [(leased.fingerprint, leased.priority) for leased in desk.take()] == [("f-a", 3.0), ("f-b", 2.0)]


def test_a_query_is_asked_once_even_with_dont_filter_and_a_page_again(desk: Desk) -> None:
    desk.add("page", manner="again")
    desk.add("query", manner="again", form="form")
    for leased in desk.take():
        desk.end(Outcome(leased.id, status=200))
    desk.add("page", manner="again")
    desk.add("query", manner="again", form="form")
    assert desk.states() == {"page": "waiting", "query": "done"}


def test_a_page_may_ask_for_itself_again(desk: Desk) -> None:
    desk.add("a")
    (leased,) = desk.take()
    desk.end(Outcome(leased.id, status=200, children=[entry("a", manner="again")]))
    assert desk.states() == {"a": "waiting"}


def test_hosts_that_have_enough_are_left_out(desk: Desk) -> None:
    desk.add("a", priority=9.0)
    desk.add("b", host="other.example")
    assert [leased.fingerprint for leased in desk.take(full=("site.example",))] == ["f-b"]


def test_two_workers_never_hold_the_same(library: Library) -> None:
    one, two = Desk(library, "x:1:1"), Desk(library, "x:2:2")
    one.add(*(str(number) for number in range(20)))
    mine = [leased.id for leased in one.take(12)]
    theirs = [leased.id for leased in two.take(12)]
    assert len(mine) == 12
    assert len(theirs) == 8
    assert not set(mine) & set(theirs)


def test_a_lease_that_ran_out_is_anyones(library: Library) -> None:
    lapsed = Desk(library, "elsewhere:1:1")
    lapsed.frontier.lease = -1.0
    lapsed.add("a")
    lapsed.take()
    other = Desk(library, "elsewhere:2:2")
    assert other.take() == []
    assert other.write(other.frontier.recover) == 1
    (leased,) = other.take()
    assert leased.tries == 2


def test_a_lease_that_is_renewed_is_kept(library: Library) -> None:
    held, other = Desk(library, "elsewhere:1:1"), Desk(library, "elsewhere:2:2")
    held.add("a")
    held.take()
    held.write(held.frontier.renew)
    assert other.write(other.frontier.renew) == 0
    assert other.states() == {"a": "leased"}


def test_what_a_process_held_that_is_gone_is_taken_over_at_once(library: Library) -> None:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    gone = Desk(library, f"{machine()}:{process.pid}:1")
    gone.add("a")
    gone.take()
    other = Desk(library)
    assert other.write(other.frontier.recover) == 1


def test_what_kills_the_program_sinks_behind_the_others_and_is_given_up_in_the_end(desk: Desk) -> None:
    desk.add("killer", priority=50.0)
    desk.add("other")
    desk.frontier.lease = -1.0
    order = []
    for turn in range(45):
        desk.frontier.owner = f"elsewhere:{turn}:1"
        desk.write(desk.frontier.recover)
        order += [leased.fingerprint for leased in desk.take(1)]
    assert order[:4] == ["f-killer"] * 4
    assert order[4] == "f-other"
    assert desk.states()["other"] != "waiting"


def test_leaving_gives_back_what_was_not_fetched(desk: Desk) -> None:
    desk.add("a", "b")
    first, _second = desk.take()
    desk.end(Outcome(first.id, status=200))
    desk.write(desk.frontier.leave)
    assert desk.states() == {"a": "done", "b": "waiting"}
    (leased,) = desk.take()
    assert leased.tries == 1


def test_a_second_crawl_of_a_site_on_sqlite_is_refused_and_the_first_goes_on(small: Library) -> None:
    one = Desk(small, f"{machine()}:{os.getppid()}:1")
    one.add("a")
    one.write(lambda c: one.frontier.join_alone(c, "library.db"))
    two = Desk(small, name_worker())
    with pytest.raises(Fault, match=rf"another crawl of this site is at work.*process {os.getppid()}"):
        two.write(lambda c: two.frontier.join_alone(c, "library.db"))
    one.write(one.frontier.leave)
    two.write(lambda c: two.frontier.join_alone(c, "library.db"))
    assert one.states() == {"a": "waiting"}


def test_a_form_belongs_to_the_worker_that_takes_in_its_answers(library: Library) -> None:
    one, two = Desk(library, "elsewhere:1:1"), Desk(library, "elsewhere:2:2")
    one.add("q1", "q2", form="form", manner="again")
    one.add("page")
    assert [leased.fingerprint for leased in one.take(1)] == ["f-q1"]
    assert [leased.fingerprint for leased in two.take()] == ["f-page"]
    one.frontier.lease = -1.0
    one.write(one.frontier.renew)
    two.write(two.frontier.renew)
    assert {leased.fingerprint for leased in two.take()} == {"f-q1", "f-q2"}


def test_how_far_a_form_is_asked_is_kept_and_a_late_finder_changes_nothing(library: Library) -> None:
    one, two = Desk(library, "elsewhere:1:1"), Desk(library, "elsewhere:2:2")
    one.add("q", form="form", manner="again")
    (leased,) = one.take()
    one.end(Outcome(leased.id, status=200, forms={"form": {"asked": 7}}))
    two.add("page")
    (page,) = two.take()
    two.end(Outcome(page.id, status=200, found={"form": {"asked": 0}, "other": {"asked": 0}}))
    assert one.frontier.forms() == {"form": {"asked": 7}, "other": {"asked": 0}}
    assert two.frontier.form("form") == {"asked": 7}


def test_a_host_has_one_turn_for_all_workers(library: Library) -> None:
    one, two = Desk(library, "elsewhere:1:1"), Desk(library, "elsewhere:2:2")
    assert one.write(lambda c: may_ask(c, "site.example", 5.0, one.frontier.moment(c))) == 0
    assert two.write(lambda c: may_ask(c, "site.example", 5.0, two.frontier.moment(c))) > 0
    one.write(lambda c: asked(c, "site.example", 0.2, one.frontier.moment(c)))
    assert 0 < two.write(lambda c: may_ask(c, "site.example", 5.0, two.frontier.moment(c))) <= 0.2
    time.sleep(0.25)
    assert two.write(lambda c: may_ask(c, "site.example", 5.0, two.frontier.moment(c))) == 0
    assert two.write(lambda c: may_ask(c, "other.example", 5.0, two.frontier.moment(c))) == 0


def test_a_request_of_hostile_text_is_stored(desk: Desk) -> None:
    desk.add("a", url="http://site.example/\x00\ud800" + "x" * 5000, host="h\x00" * 10)
    (leased,) = desk.take()
    desk.end(Outcome(leased.id, "failed", reason="\ud800\x00" + "y" * 5000, etag="e" * 5000))
    assert desk.states() == {"a": "failed"}


def test_this_process_is_alive() -> None:
    assert not is_dead(name_worker())
    assert not is_dead(f"{machine()}:1:1")
    assert not is_dead("other-machine:999999:1")
    assert not is_dead("nonsense")


def test_the_numbers_of_what_is_open(desk: Desk) -> None:
    desk.add("a", "b", "c")
    desk.take(1)
    assert desk.library.database.read(desk.frontier.open_count) == (2, 1)
    assert isinstance(desk.frontier, Frontier)
