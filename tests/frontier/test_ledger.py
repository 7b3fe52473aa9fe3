"""What is written when: all that came of a request together, or nothing of it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from hometextile.frontier.ledger import BATCH, LEAST, Held, Ledger
from hometextile.library.library import Library
from hometextile.library.saving import Saved
from tests.frontier.conftest import Desk, entry


@pytest.fixture
def ledger(desk: Desk) -> Ledger:
    return Ledger(desk.frontier)


def take(ledger: Ledger) -> Held:
    ledger.exchange()
    held = ledger.next()
    assert held is not None
    return held


def test_children_wait_for_their_parent(ledger: Ledger, desk: Desk) -> None:
    ledger.add(entry("start"))
    held = take(ledger)
    ledger.add(entry("child", parent=held.leased.id))
    ledger.exchange()
    assert desk.states() == {"start": "leased"}
    ledger.end(held.leased.id)
    ledger.exchange()
    assert desk.states() == {"start": "done", "child": "leased"}


def test_a_link_found_again_counts_where_it_promises_more(ledger: Ledger, desk: Desk) -> None:
    assert ledger.add(entry("a", priority=1.0))
    assert ledger.add(entry("b", priority=2.0))
    desk.write(lambda c: ledger.frontier.write(c, [], ledger._loose))
    ledger._loose.clear()
    assert not ledger.add(entry("a", priority=1.0))
    assert ledger.add(entry("a", priority=3.0))
    assert not ledger.add(entry("a", priority=2.0))
    assert take(ledger).leased.fingerprint == "f-a"


def test_a_page_and_its_request_are_done_in_one_transaction(ledger: Ledger, desk: Desk) -> None:
    ledger.add(entry("start"))
    held = take(ledger)
    ledger.add(entry("child", parent=held.leased.id))
    within = ledger.within(held.leased.id)

    def killed(connection: Any) -> None:
        within(connection, [Saved(1, "x", "new")])
        raise OperationalError("killed", {}, Exception("killed"))

    with pytest.raises(OperationalError):
        desk.library.database.write(killed, patience=0)
    assert desk.states() == {"start": "leased"}
    desk.library.database.write(lambda connection: within(connection, [Saved(1, "x", "changed")]))
    ledger.stored(held.leased.id)
    assert desk.states() == {"start": "done", "child": "waiting"}
    assert ledger.unwritten == 0


def test_a_write_that_fails_loses_nothing_of_what_is_in_memory(ledger: Ledger, desk: Desk) -> None:
    ledger.add(entry("start"))
    held = take(ledger)
    ledger.add(entry("child", parent=held.leased.id))
    ledger.end(held.leased.id)
    original, ledger.frontier.take = ledger.frontier.take, _fail  # type: ignore[method-assign]
    ledger.look()
    with pytest.raises(ZeroDivisionError):
        ledger.exchange()
    ledger.frontier.take = original  # type: ignore[method-assign]
    ledger.exchange()
    assert desk.states() == {"start": "done", "child": "leased"}


def _fail(*_arguments: Any) -> Any:
    raise ZeroDivisionError


def test_a_retry_goes_on_without_the_database(ledger: Ledger, desk: Desk) -> None:
    ledger.add(entry("start"))
    held = take(ledger)
    assert ledger.go_on(held.leased.id, "again")
    assert ledger.is_ready(held.leased.id)
    again = ledger.next()
    assert again is held
    assert again.request == "again"
    assert desk.states() == {"start": "leased"}
    assert not ledger.go_on(9999, "unknown")


def test_known_links_cost_nothing(ledger: Ledger) -> None:
    assert ledger.add(entry("a"))
    assert not ledger.add(entry("a"))
    assert ledger.add(entry("a", manner="again"))
    assert ledger.unwritten == 2


def test_the_host_with_the_fewest_under_way_goes_first(ledger: Ledger) -> None:
    for number in range(3):
        ledger.add(entry(f"a{number}", priority=9.0))
        ledger.add(entry(f"b{number}", host="other.example"))
    ledger.exchange()
    order = [ledger.next() for _ in range(4)]
    assert [held.leased.host for held in order if held] == ["site.example", "other.example"] * 2
    held = ledger.next(lambda host: host == "other.example")
    assert held is not None
    assert held.leased.host == "other.example"
    assert ledger.next(lambda _host: False) is None


def test_batches_are_written_when_they_are_full(ledger: Ledger) -> None:
    for number in range(LEAST * 3):
        ledger.add(entry(str(number)))
    ledger.exchange()
    assert not ledger.wants()
    for number in range(BATCH):
        ledger.add(entry(f"more{number}"))
    assert ledger.wants()


def test_closing_writes_and_gives_back(ledger: Ledger, desk: Desk) -> None:
    for name in ("a", "b", "c"):
        ledger.add(entry(name))
    held = take(ledger)
    ledger.end(held.leased.id)
    ledger.add(entry("d"))
    ledger.close()
    assert desk.states() == {"a": "done", "b": "waiting", "c": "waiting", "d": "waiting"}


def test_a_form_is_recalled_once_and_again_when_it_came_back(ledger: Ledger, desk: Desk, library: Library) -> None:
    ledger.add(entry("q", form="form", manner="again"))
    held = take(ledger)
    held.outcome.forms["form"] = {"asked": 3}
    ledger.end(held.leased.id)
    ledger.exchange()
    assert ledger.recall("form") == {"asked": 3}
    assert ledger.recall("form") is None
    desk.frontier.owner = "another:1:1"
    ledger.renew()
    assert ledger.recall("form") == {"asked": 3}
