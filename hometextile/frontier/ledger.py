"""What a worker knows of the requests it holds, written behind in batches.

A request's children, the state of the forms it asked, and that it is done go into the database together, in one
transaction: with the page when a page is stored, else with others in a batch. So whatever moment a worker is killed at,
a request is either done with all that came of it, or fetched again. Plain Python; the scheduler hands in what Scrapy
says.
"""

from __future__ import annotations

import heapq
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from hometextile.frontier.entry import Entry, Leased, Outcome
from hometextile.frontier.frontier import Frontier

#: Outcomes that are written together at the most ...
BATCH = 100
#: ... or after so many seconds.
DELAY = 1.0
#: Requests that a worker holds in readiness: at least, at the most, of one host.
LEAST, MOST, OF_HOST = 16, 96, 64
_RECENT = 50_000


@dataclass(slots=True)
class Held:
    """A request that this worker holds: ready, or being fetched.

    Attributes:
        leased: as it was taken.
        outcome: what is known of it by now.
        request: what is handed out in its place: a retry, or where it was redirected to; None for what was taken.
        ready: whether it waits to be handed out.
    """

    leased: Leased
    outcome: Outcome
    request: Any = None
    ready: bool = False


@dataclass
class Ledger:
    """The requests of one worker.

    Attributes:
        frontier: the rows.
        count: called with a counter's name and a number.
    """

    frontier: Frontier
    count: Callable[[str, int], None] = lambda _name, _n: None
    _held: dict[int, Held] = field(default_factory=dict)
    _ready: dict[str, list[tuple[float, int, Held]]] = field(default_factory=dict)
    _busy: dict[str, int] = field(default_factory=dict)
    _ended: dict[int, Outcome] = field(default_factory=dict)
    _loose: list[Entry] = field(default_factory=list)
    _recent: OrderedDict[str, float] = field(default_factory=OrderedDict)
    _recalled: set[str] = field(default_factory=set)
    _turn: int = 0
    _dry: bool = False
    _children: int = 0
    _written: float = field(default_factory=time.monotonic)

    # -- what comes in

    def add(self, entry: Entry) -> bool:
        """A request to be fetched, some time.

        Returns:
            False where it is surely known already, and this one promises no more than the one before.
        """
        if entry.manner == "child":
            before = self._recent.get(entry.fingerprint)
            if before is not None and entry.priority <= before:
                self._recent.move_to_end(entry.fingerprint)
                return False
            self._recent[entry.fingerprint] = entry.priority
            self._recent.move_to_end(entry.fingerprint)
            if len(self._recent) > _RECENT:
                self._recent.popitem(last=False)
        held = self._held.get(entry.parent) if entry.parent is not None else None
        if held is not None:
            held.outcome.children.append(entry)
        else:
            self._loose.append(entry)
        return True

    def go_on(self, number: int, request: Any) -> bool:
        """A held request goes on as another one: tried again, redirected.

        Returns:
            False where it is not held.
        """
        held = self._held.get(number)
        if held is None:
            return False
        held.request = request
        if not held.ready:
            self._busy[held.leased.host] = self._busy.get(held.leased.host, 1) - 1
            self._push(held)
        return True

    def outcome(self, number: int) -> Outcome | None:
        """What is known of a held request, to be added to; None where it is not held (any more)."""
        held = self._held.get(number)
        return None if held is None else held.outcome

    def leased(self, number: int) -> Leased | None:
        """A held request as it was taken."""
        held = self._held.get(number)
        return None if held is None else held.leased

    def is_ready(self, number: int) -> bool:
        """Whether a held request waits to be handed out (again)."""
        held = self._held.get(number)
        return held is not None and held.ready

    def end(self, number: int) -> None:
        """All that comes of a request has come; it is written with the next batch."""
        held = self._held.pop(number, None)
        if held is None:
            return
        self._busy[held.leased.host] = self._busy.get(held.leased.host, 1) - 1
        self._ended[number] = held.outcome

    # -- what goes out

    def next(self, may: Callable[[str], bool] = lambda _host: True) -> Held | None:
        """The next request to fetch: of the host of which the fewest are being fetched, the best.

        Args:
            may: asked with a host whether it may be asked now.
        """
        hosts = sorted(
            (host for host, heap in self._ready.items() if heap),
            key=lambda host: (self._busy.get(host, 0), self._ready[host][0][:2]),
        )
        for host in hosts:
            if may(host):
                held = heapq.heappop(self._ready[host])[2]
                if not self._ready[host]:
                    del self._ready[host]
                self._busy[host] = self._busy.get(host, 0) + 1
                held.ready = False
                return held
        return None

    @property
    def ready(self) -> int:
        """Requests in readiness."""
        return sum(map(len, self._ready.values()))

    @property
    def held(self) -> int:
        """Requests in readiness or being fetched."""
        return len(self._held)

    @property
    def unwritten(self) -> int:
        """Requests and outcomes that are not in the database yet."""
        return len(self._ended) + len(self._loose)

    def _push(self, held: Held) -> None:
        self._turn += 1
        host = held.leased.host
        held.ready = True
        heapq.heappush(self._ready.setdefault(host, []), (-held.leased.priority, self._turn, held))

    # -- the database

    def wants(self) -> bool:
        """Whether it is time to write or to take."""
        if self.unwritten and (self.unwritten >= BATCH or time.monotonic() - self._written > DELAY or not self._ready):
            return True
        return not self._dry and self.ready < LEAST

    def exchange(self) -> None:
        """Write what has ended and take more, in one transaction.

        Raises:
            Fault: the database is away and stays so; nothing is lost of what is in memory.
        """
        ended, loose = list(self._ended.values()), list(self._loose)
        wanted = MOST - self.ready
        full = [host for host, heap in self._ready.items() if len(heap) >= OF_HOST]

        def work(connection: Connection) -> tuple[int, list[Leased]]:
            added = self.frontier.write(connection, ended, loose) if ended or loose else 0
            if wanted <= 0 or (self._dry and not added):
                return added, []
            return added, self.frontier.take(connection, wanted, full)

        _added, taken = self.frontier.database.write(work)
        self._forget(ended, loose)
        for leased in taken:
            if leased.id not in self._held:
                held = Held(leased, Outcome(leased.id, fingerprint=leased.fingerprint))
                self._held[leased.id] = held
                self._push(held)
        self._dry = len(taken) < wanted
        self.count("frontier/taken", len(taken))

    def within(self, number: int | None) -> Callable[[Connection, Iterable[Any]], None]:
        """For :meth:`hometextile.library.library.Library.save`: all that has ended, and this request, in the page's
        transaction. Call :meth:`stored` afterwards.

        Args:
            number: the page's request.
        """

        def work(connection: Connection, saved: Iterable[Any]) -> None:
            outcomes = list(self._ended.values())
            held = self._held.get(number) if number is not None else None
            if held is not None:
                said = [each.what for each in saved]
                if said:
                    held.outcome.changed = "changed" in said
                outcomes.append(held.outcome)
            self.frontier.write(connection, outcomes, self._loose)

        return work

    def stored(self, number: int | None) -> None:
        """The transaction of :meth:`within` is through."""
        held = self._held.get(number) if number is not None else None
        if held is not None:
            self.end(held.leased.id)
        self._forget(list(self._ended.values()), list(self._loose))

    def _forget(self, ended: list[Outcome], loose: list[Entry]) -> None:
        for outcome in ended:
            self._ended.pop(outcome.id, None)
        del self._loose[: len(loose)]
        if loose or any(outcome.children or outcome.state == "waiting" for outcome in ended):
            self._dry = False
        self._written = time.monotonic()

    def recall(self, form: str) -> Any:
        """How far a form is asked, by what is stored; None where this worker knows better or nothing is stored."""
        if form in self._recalled:
            return None
        self._recalled.add(form)
        return self.frontier.form(form)

    def renew(self) -> None:
        """Hold what is held; take over from workers that are gone."""

        def work(connection: Connection) -> tuple[int, set[str]]:
            return self.frontier.renew(connection), self.frontier.own_forms(connection)

        taken, own = self.frontier.database.write(work)
        # A form that went to another worker is that one's: should it come back, what is stored counts.
        self._recalled &= own
        if taken:
            self._dry = False

    def look(self) -> None:
        """Look into the database for requests of other workers, the next time."""
        self._dry = False

    def others(self) -> tuple[int, int]:
        """How many requests wait in the database, and how many others hold."""
        waiting, leased = self.frontier.database.read(self.frontier.open_count)
        if waiting:
            self._dry = False
        return waiting, max(0, leased - len(self._held))

    def close(self) -> None:
        """Write what has ended, and give back the rest."""
        ended, loose = list(self._ended.values()), list(self._loose)

        def work(connection: Connection) -> None:
            self.frontier.write(connection, ended, loose)
            self.frontier.leave(connection)

        self.frontier.database.write(work)
        self._forget(ended, loose)
        self._held.clear()
        self._ready.clear()
