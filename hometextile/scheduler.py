"""The scheduler: Scrapy's requests into the frontier and out of it.

A request is known to be through when the engine lets go of it: by then its callback has run to the end and all its
items have gone through the pipelines, whatever became of it. What came of it is then written in one transaction; for a
page that the library stores, that is the transaction of the page itself (:func:`hometextile.steps.store`).
"""

from __future__ import annotations

import asyncio
import logging
import time
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.core.scheduler import BaseScheduler, Scheduler
from scrapy.utils.asyncio import call_later, create_looping_call

from hometextile.addon import library_url
from hometextile.frontier.entry import Entry, Manner, Outcome
from hometextile.frontier.ledger import Held, Ledger
from hometextile.frontier.opening import begin
from hometextile.frontier.turns import asked, may_ask
from hometextile.library.library import Library
from hometextile.packing import Unpackable, pack_request, unpack_request
from hometextile.text.faults import Fault

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)

#: Seconds between two looks at the clock (leases, batches, other workers).
TICK = 0.5
CONDITIONS = ("If-None-Match", "If-Modified-Since")
_GONE = {404, 410}
_MOVED = {301, 308}


class FrontierScheduler(BaseScheduler):
    """Scrapy's scheduler on :class:`hometextile.frontier.ledger.Ledger`.

    Counts ``scheduler/enqueued``, ``scheduler/dequeued``, ``dupefilter/filtered``, ``frontier/...``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._delay = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self._most = crawler.settings.getint("CONCURRENT_REQUESTS")
        self._lease = crawler.settings.getfloat("FRONTIER_LEASE", 120.0)
        self._given: dict[Request, int] = {}
        self._turns: dict[Request, str] = {}
        self._in_memory: list[Request] = []
        self._own: Library | None = None
        self._looked = 0.0
        self._renewed = time.monotonic()
        self._open_elsewhere = True
        self._failing: Fault | None = None
        self.ledger: Ledger

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self | Scheduler:  # type: ignore[override]
        """Scrapy's way to make a component.

        A look at a page (``scrapy shell``, ``scrapy fetch``, ``scrapy forms show``) is no crawl and leaves nothing in a
        library: a spider has the frontier when it was opened with a workshop, or when its class says
        ``frontier = True`` (spiders of other projects); any other one has Scrapy's own scheduler.
        """
        spider = crawler.spider
        if hasattr(spider, "workshop") or getattr(spider, "frontier", False):
            return cls(crawler)
        return Scheduler.from_crawler(crawler)

    def open(self, spider: Spider) -> None:
        """Take the ledger that the crawl was opened with, or open one for a spider of another project."""
        self._spider = spider
        ledger = getattr(getattr(spider, "workshop", None), "ledger", None)
        if ledger is None:
            self._own = Library.of_settings(library_url(self.crawler.settings), self.crawler.settings)
            begun = begin(self._own, spider.name, {}, self.crawler.settings)
            self._crawl = begun.crawl
            ledger = begun.ledger
        self.ledger = ledger
        # One worker alone keeps the delay by Scrapy's own means.
        self._takes_turns = self._delay > 0 and not ledger.frontier.database.sqlite
        self.ledger.count = self._count
        for handler, signal in (
            (self._answered, signals.response_received),
            (self._item_failed, signals.item_error),
            (self._callback_failed, signals.spider_error),
        ):
            self.crawler.signals.connect(handler, signal)
        self._ticker = create_looping_call(self._tick)
        self._ticker.start(TICK, now=False)

    def close(self, reason: str) -> None:
        """Write what has ended and give back the rest."""
        if self._ticker.running:
            self._ticker.stop()
        self._sweep()
        try:
            self.ledger.close()
            if self._own is not None:
                state = "finished" if reason == "finished" else "stopped"
                self._own.end_crawl(self._crawl, state=state, reason=reason)
        except Fault as fault:
            self._tell(fault)
        finally:
            if self._own is not None:
                self._own.close()

    # -- in

    def enqueue_request(self, request: Request) -> bool:
        """Take a request; False where it is known already."""
        number = request.meta.get("request_id")
        leased = self.ledger.leased(number) if isinstance(number, int) else None
        fingerprint = self._fingerprint(request)
        if leased is not None and (request.dont_filter or fingerprint == leased.fingerprint):
            return self.ledger.go_on(leased.id, request)
        parent = request.meta.pop("parent_id", None)
        if leased is not None:
            # Redirected: another page, which knows nothing of the first one's version.
            if request.meta.pop("conditional", False):
                for name in CONDITIONS:
                    request.headers.pop(name, None)
            parent = leased.id
            outcome = self.ledger.outcome(leased.id)
            if outcome is not None:
                reasons = request.meta.get("redirect_reasons") or [None]
                outcome.status = reasons[-1] if isinstance(reasons[-1], int) else 302
                outcome.reason = f"moved to {request.url}"[:500]
                if outcome.status in _MOVED:
                    outcome.moved = (request.meta["redirect_urls"][-1], request.url)
        try:
            entry = self._entry(request, fingerprint, parent)
        except Unpackable as why:
            logger.debug("Kept in memory only: %s: %s", request, why, extra={"spider": self._spider})
            self._count("frontier/in-memory")
            self._in_memory.append(request)
            return True
        if not self.ledger.add(entry):
            self._count("dupefilter/filtered")
            return False
        self._count("scheduler/enqueued")
        return True

    def _entry(self, request: Request, fingerprint: str, parent: int | None) -> Entry:
        way = request.meta.get("way") or {}
        ask = request.meta.get("ask") or {}
        manner: Manner = "child"
        if request.meta.get("is_start_request"):
            manner = "start"
        elif request.dont_filter:
            manner = "again"
        kind = way.get("kind") or ("start" if manner == "start" else "link")
        packed = pack_request(request, self._spider)
        depth = int(way.get("depth") or request.meta.get("depth") or 0)
        return Entry(
            request.url, fingerprint, _host(request), packed, kind, float(request.priority), depth, ask.get("form"),
            manner, parent,
        )  # fmt: skip

    def _fingerprint(self, request: Request) -> str:
        assert self.crawler.request_fingerprinter
        return self.crawler.request_fingerprinter.fingerprint(request).hex()

    # -- out

    def has_pending_requests(self) -> bool:
        """Whether anything is to be fetched, by this worker or by one that may leave it to this one."""
        self._sweep()
        if self._in_memory or self.ledger.held or self.ledger.unwritten:
            return True
        if self._failing is not None:
            return False
        if time.monotonic() - self._looked > TICK / 2 or not self._open_elsewhere:
            self._looked = time.monotonic()
            waiting, elsewhere = self.ledger.others()
            self._open_elsewhere = bool(waiting or elsewhere)
        return self._open_elsewhere

    def next_request(self) -> Request | None:
        """The next request, or None when none is ready now."""
        if self._in_memory:
            return self._in_memory.pop(0)
        self._sweep()
        if len(self._given) >= self._most:
            # Pages that were fetched and wait to be stored count, too: they are what a kill has fetched again.
            return None
        if self.ledger.wants():
            self._exchange()
        while (held := self.ledger.next(self._may)) is not None:
            request = self._request_of(held)
            if request is not None:
                self._given[request] = held.leased.id
                if self._takes_turns:
                    self._turns[request] = held.leased.host
                self._count("scheduler/dequeued")
                return request
        return None

    def _request_of(self, held: Held) -> Request | None:
        request = held.request
        if request is None:
            try:
                request = unpack_request(held.leased.request, self._spider)
            except Unpackable as why:
                logger.warning("Not fetched: %s", why, extra={"spider": self._spider})
                held.outcome.state, held.outcome.reason = "failed", f"unreadable: {why}"
                self.ledger.end(held.leased.id)
                return None
        request.meta["request_id"] = held.leased.id
        self._ask_whether_changed(request, held)
        return request

    def _ask_whether_changed(self, request: Request, held: Held) -> None:
        """Fetched before: the server is asked for the page only if it is another one by now (RFC 9110, 13.1)."""
        leased = held.leased
        if not leased.fetches or request.method != "GET" or held.request is not None:
            return
        for name, value in zip(CONDITIONS, (leased.etag, leased.last_modified), strict=True):
            if value and name not in request.headers:
                request.headers[name] = value
                request.meta["conditional"] = True

    def _may(self, host: str) -> bool:
        """Whether the host may be asked now, as far as other workers are concerned."""
        if not self._takes_turns:
            return True
        frontier = self.ledger.frontier
        try:
            wait = frontier.database.write(
                lambda connection: may_ask(connection, host, self._delay, frontier.moment(connection))
            )
        except Fault as fault:
            self._fail(fault)
            return False
        if wait > 0:
            call_later(wait, self._wake)
        return wait == 0

    def _release(self, request: Request) -> None:
        """Say when the host was asked, so that its next turn comes."""
        host = self._turns.pop(request, None)
        if host is None:
            return
        # A twentieth late rather than early: the request was sent a little before the clock was asked.
        left = max(0.0, 1.05 * self._delay - float(request.meta.get("download_latency") or 0.0))
        frontier = self.ledger.frontier
        try:
            frontier.database.write(lambda connection: asked(connection, host, left, frontier.moment(connection)))
        except Fault as fault:
            self._fail(fault)

    # -- what became of it

    def _sweep(self) -> None:
        """End what the engine has let go of."""
        # There is no signal for it: callback, errback and pipelines are all through only then.
        slot = self.crawler.engine._slot if self.crawler.engine is not None else None
        if slot is None:
            return
        for request in [each for each in self._given if each not in slot.inprogress]:
            number = self._given.pop(request)
            self._release(request)
            held = self.ledger.outcome(number)
            if held is None or self.ledger.is_ready(number):
                continue
            self._judge(held)
            self.ledger.end(number)

    @staticmethod
    def _judge(outcome: Outcome) -> None:
        if outcome.state != "done" or outcome.reason.startswith("moved to"):
            return
        if outcome.status is None:
            outcome.state = "failed"
            outcome.reason = outcome.reason or "no answer"
        elif outcome.status in _GONE:
            outcome.state = "gone"
        elif outcome.status >= 400:
            outcome.state, outcome.reason = "failed", str(outcome.status)

    def _answered(self, response: Response, request: Request, spider: Spider) -> None:
        self._release(request)
        outcome = self._outcome(request)
        if outcome is None:
            return
        leased = self.ledger.leased(outcome.id)
        outcome.status = response.status
        if "unchanged" in response.flags and leased is not None:
            outcome.etag, outcome.last_modified = leased.etag, leased.last_modified
            outcome.content_hash = leased.content_hash
            return
        outcome.etag = response.headers.get("ETag", b"").decode("latin-1")  # type: ignore[union-attr]
        outcome.last_modified = response.headers.get("Last-Modified", b"").decode("latin-1")  # type: ignore[union-attr]
        outcome.content_hash = sha256(response.body).hexdigest()
        before = leased.content_hash if leased is not None else ""
        outcome.changed = bool(before) and before != outcome.content_hash

    def _callback_failed(self, failure: Failure, response: Response, spider: Spider) -> None:
        outcome = self._outcome(getattr(response, "request", None))
        if outcome is not None:
            outcome.state, outcome.reason = "failed", type(failure.value).__name__

    def _item_failed(self, item: Any, response: Response, spider: Spider, failure: Failure) -> None:
        outcome = self._outcome(getattr(response, "request", None))
        if outcome is None:
            return
        if isinstance(failure.value, Fault):
            # The library could not take it; the page is fetched again when it can.
            outcome.state = "waiting"
            self._fail(failure.value)
        else:
            outcome.state, outcome.reason = "failed", type(failure.value).__name__

    def _outcome(self, request: Request | None) -> Outcome | None:
        number = request.meta.get("request_id") if request is not None else None
        return self.ledger.outcome(number) if isinstance(number, int) else None

    # -- the clock

    def _tick(self) -> None:
        self._sweep()
        if time.monotonic() - self._renewed > self._lease / 4:
            self._renewed = time.monotonic()
            try:
                self.ledger.renew()
            except Fault as fault:
                self._fail(fault)
        elif not self.ledger.ready and self._open_elsewhere:
            self.ledger.look()
        if self.ledger.wants() and self.ledger.unwritten:
            self._exchange()
        self._wake()

    def _exchange(self) -> None:
        if self._failing is not None:
            return
        try:
            self.ledger.exchange()
        except Fault as fault:
            self._fail(fault)

    def _fail(self, fault: Fault) -> None:
        """The library is away and stayed so: the crawl ends, and goes on where it was when it is started again."""
        if self._tell(fault):
            engine = self.crawler.engine
            if engine is not None:
                self._closing = asyncio.ensure_future(engine.close_spider_async(reason="library-away"))

    def _tell(self, fault: Fault) -> bool:
        """Say it, unless it was said before; whether it was said now."""
        if self._failing is not None:
            return False
        self._failing = fault
        # It was waited for once: each of the pages in flight would wait for as long again.
        self.ledger.frontier.database.patience = 0.0
        logger.error("%s", fault, extra={"spider": self._spider})
        self._count("library/away")
        return True

    def _wake(self) -> None:
        slot = self.crawler.engine._slot if self.crawler.engine is not None else None
        if slot is not None and slot.closing is None:
            slot.nextcall.schedule()

    def _count(self, name: str, number: int = 1) -> None:
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value(name, number)


def _host(request: Request) -> str:
    return (urlsplit(request.url).netloc.rpartition("@")[2] or "").lower()[:300]
