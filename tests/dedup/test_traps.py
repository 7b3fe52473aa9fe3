"""Addresses that lead nowhere new."""

from __future__ import annotations

from datetime import date

import pytest

from hometextile.dedup.traps import Limits, TrapGuard, repeats, shape_of

GUARD = TrapGuard(today=date(2026, 5, 1))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://h.com/" + "a" * 3_000, "length"),
        ("http://h.com/" + "/".join(f"d{n}" for n in range(21)), "depth"),
        ("http://h.com/a/a/a/x.html", "repetition"),
        ("http://h.com/news/list/news/list/news/list/", "repetition"),
        ("http://h.com/?" + "&".join(f"p{n}=1" for n in range(31)), "query"),
        ("http://h.com/list?p=2&amp;p=2&amp;p=2", "query"),
        ("http://h.com/calendar/2031/07", "calendar"),
        ("http://h.com/events?date=2019-02-01", "calendar"),
        ("http://h.com/show?year=2040&month=3", "calendar"),
        ("http://h.com/rili.asp?y=1990&m=12", "calendar"),
    ],
)
def test_traps(url: str, reason: str) -> None:
    assert GUARD.check(url) == reason


@pytest.mark.parametrize(
    "url",
    [
        "http://h.com/",
        "http://h.com/a/b/a/b/c.html",
        "http://h.com/news/1998/03/12/item.html",
        "http://h.com/calendar/2026/07",
        "http://h.com/list?tag=1&tag=2&tag=3&tag=4",
        "http://h.com/standard?no=GB-2031-07",
        "http://h.com/events/fair-2026-08-20",
    ],
)
def test_no_traps(url: str) -> None:
    assert GUARD.check(url) is None


def test_what_is_no_address_is_refused() -> None:
    assert GUARD.check("http://[bad") == "address"


def test_a_shape_that_brings_nothing_new_is_left_and_taken_up_again() -> None:
    guard = TrapGuard(Limits(shape=3))
    for n in range(3):
        assert guard.check(f"http://h.com/tag/{n}") is None
        guard.learn(f"http://h.com/tag/{n}", new=False)
    assert guard.check("http://h.com/tag/99") == "barren"
    assert guard.check("http://h.com/item/99") is None
    assert guard.check("http://other.com/tag/99") is None
    guard.learn("http://h.com/tag/5", new=True)
    assert guard.check("http://h.com/tag/99") is None


def test_hosts_are_forgotten_so_that_memory_is_bounded() -> None:
    guard = TrapGuard(Limits(shape=1, hosts=2))
    for host in ("a", "b", "c"):
        guard.learn(f"http://{host}.com/x/1", new=False)
    assert guard.check("http://a.com/x/2") is None
    assert guard.check("http://c.com/x/2") == "barren"


@pytest.mark.parametrize(("path", "times"), [("a/b/c", 1), ("a/a", 2), ("x/a/b/a/b/a/b", 3), ("", 1), ("a/b/a", 1)])
def test_repeats(path: str, times: int) -> None:
    assert repeats([part for part in path.split("/") if part]) == times


def test_shape() -> None:
    assert shape_of("http://h.com/a12/b?x=1&page=2") == shape_of("http://h.com/a7/b?page=9&x=5")
    assert shape_of("http://h.com/a/b?x=1") != shape_of("http://h.com/a/b?y=1")
