"""Scrapy's requests into the frontier and out of it; a crawl that is killed and started again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.core.scheduler import Scheduler
from scrapy.http import HtmlResponse
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.statscollectors import MemoryStatsCollector
from sqlalchemy import func, select

from hometextile.fingerprinter import CanonicalFingerprinter
from hometextile.library import tables as t
from hometextile.library.library import Library
from hometextile.scheduler import FrontierScheduler
from hometextile.text.faults import Fault
from tests.library.conftest import postgresql_url

__all__ = ["postgresql_url"]
ROOT = Path(__file__).parent.parent
PAGE = "http://site.example/"


class Example(Spider):
    name = "example"

    def parse(self, response: Any) -> None:
        """A callback."""


class _Clock:
    running = False

    def start(self, interval: float, now: bool = True) -> None:
        """Never ticks."""

    def stop(self) -> None:
        """Never ticked."""


class Engine:
    """What the scheduler sees of Scrapy's engine."""

    def __init__(self) -> None:
        self.closed: list[str] = []
        self._slot = SimpleNamespace(inprogress=set(), closing=None, nextcall=SimpleNamespace(schedule=lambda: None))

    async def close_spider_async(self, reason: str) -> None:
        self.closed.append(reason)


class Desk:
    """A scheduler with its engine, as one process has it."""

    def __init__(self, url: str) -> None:
        self.engine = Engine()
        self.spider = Example()
        settings = Settings({"LIBRARY_URL": url, "CONCURRENT_REQUESTS": 4})
        crawler: Any = SimpleNamespace(
            settings=settings,
            engine=self.engine,
            spider=self.spider,
            signals=SignalManager(),
            request_fingerprinter=CanonicalFingerprinter(),
        )
        crawler.stats = MemoryStatsCollector(SimpleNamespace(settings=settings, spider=self.spider))  # type: ignore[arg-type]
        self.crawler = crawler
        self.scheduler = FrontierScheduler(crawler)
        self.scheduler.open(self.spider)

    def next(self) -> Request | None:
        request = self.scheduler.next_request()
        if request is not None:
            self.engine._slot.inprogress.add(request)
        return request

    def fetch(self) -> Request:
        request = self.next()
        assert request is not None
        return request

    def answer(self, request: Request, status: int = 200, **values: Any) -> HtmlResponse:
        response = HtmlResponse(request.url, status=status, request=request, **values)
        self.scheduler._answered(response, request, self.spider)
        return response

    def through(self, request: Request) -> None:
        self.engine._slot.inprogress.discard(request)

    def states(self) -> dict[str, tuple[str, str]]:
        f = t.frontier.c
        with self.scheduler.ledger.frontier.database.reading() as connection:
            rows = connection.execute(select(f.url, f.state, f.reason)).all()
        return {row.url.removeprefix(PAGE): (row.state, row.reason) for row in rows}


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'library.db'}"


@pytest.fixture
def desk(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr("hometextile.scheduler.create_looping_call", lambda _function: _Clock())
    desk = Desk(url)
    yield desk
    desk.engine._slot.inprogress.clear()
    desk.scheduler.close("finished")


def start(desk: Desk, name: str = "", **values: Any) -> Request:
    desk.scheduler.enqueue_request(Request(PAGE + name, meta={"is_start_request": True}, dont_filter=True, **values))
    return desk.fetch()


def child(parent: Request, name: str, **values: Any) -> Request:
    meta = {"parent_id": parent.meta["request_id"], **values.pop("meta", {})}
    return Request(PAGE + name, meta=meta, **values)


def test_a_request_is_done_when_the_engine_lets_go_of_it_and_its_children_with_it(desk: Desk) -> None:
    home = start(desk)
    assert desk.scheduler.enqueue_request(child(home, "a"))
    assert not desk.scheduler.enqueue_request(child(home, "a#again"))
    desk.answer(home)
    assert desk.next() is None
    assert desk.scheduler.has_pending_requests()
    desk.through(home)
    a = desk.fetch()
    assert a.url == PAGE + "a"
    assert desk.states() == {"": ("done", ""), "a": ("leased", "")}
    desk.answer(a)
    desk.through(a)
    assert desk.next() is None
    assert not desk.scheduler.has_pending_requests()


def test_a_retry_goes_on_and_is_not_lost(desk: Desk) -> None:
    home = start(desk)
    again = home.replace(dont_filter=True)
    again.meta["retry_times"] = 1
    desk.scheduler.enqueue_request(again)
    desk.through(home)
    assert desk.states() == {"": ("leased", "")}
    second = desk.fetch()
    assert second.meta["retry_times"] == 1
    assert second.meta["request_id"] == home.meta["request_id"]
    desk.through(second)
    assert desk.next() is None
    assert not desk.scheduler.has_pending_requests()
    assert desk.states() == {"": ("failed", "no answer")}


def test_a_redirect_is_a_request_of_its_own_that_is_fetched_once(desk: Desk) -> None:
    home = start(desk)
    for name in ("a", "b"):
        desk.scheduler.enqueue_request(child(home, name, callback=desk.spider.parse))
    desk.answer(home)
    desk.through(home)
    a, b = desk.fetch(), desk.fetch()
    for request in (a, b):
        moved = request.replace(url=PAGE + "target")
        moved.meta.update(redirect_urls=[request.url], redirect_reasons=[302])
        moved.meta["conditional"] = True
        moved.headers["If-None-Match"] = '"x"'
        desk.scheduler.enqueue_request(moved)
        desk.through(request)
    target = desk.fetch()
    assert target.url == PAGE + "target"
    assert "If-None-Match" not in target.headers
    assert target.callback == desk.spider.parse
    assert desk.next() is None
    assert desk.states()["a"] == ("done", f"moved to {PAGE}target")


@pytest.mark.parametrize(("status", "state"), [(200, "done"), (404, "gone"), (410, "gone"), (500, "failed")])
def test_what_became_of_it_is_told(desk: Desk, status: int, state: str) -> None:
    home = start(desk)
    desk.answer(home, status)
    desk.through(home)
    desk.next()
    assert desk.states()[""][0] == state


def test_an_error_in_a_callback_is_told_and_its_children_are_kept(desk: Desk) -> None:
    home = start(desk)
    response = desk.answer(home)
    desk.scheduler.enqueue_request(child(home, "a"))
    desk.scheduler._callback_failed(SimpleNamespace(value=ValueError("x")), response, desk.spider)  # type: ignore[arg-type]
    desk.through(home)
    desk.next()
    assert desk.states() == {"": ("failed", "ValueError"), "a": ("leased", "")}


def test_a_page_that_the_library_could_not_take_is_fetched_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("hometextile.scheduler.asyncio.ensure_future", lambda work: work.close())
    home = start(desk)
    response = desk.answer(home)
    failure: Any = SimpleNamespace(value=Fault("the database can't be reached"))
    assert desk.scheduler.ledger.frontier.database.patience > 0
    for _page in range(3):
        desk.scheduler._item_failed(object(), response, desk.spider, failure)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [str(failure.value)]
    assert desk.scheduler.ledger.frontier.database.patience == 0, "the pages in flight do not wait once more each"
    desk.through(home)
    desk.scheduler.has_pending_requests()
    desk.scheduler.ledger.exchange()
    assert desk.states()[""][0] in {"waiting", "leased"}
    assert desk.crawler.stats.get_value("library/away") == 1


def test_no_more_is_given_out_than_may_be_in_flight(desk: Desk) -> None:
    home = start(desk)
    for number in range(10):
        desk.scheduler.enqueue_request(child(home, str(number)))
    desk.through(home)
    given = [desk.next() for _ in range(10)]
    assert sum(request is not None for request in given) == 4


def test_what_is_no_plain_data_stays_in_memory(desk: Desk) -> None:
    desk.scheduler.enqueue_request(Request(PAGE, callback=lambda _response: None))
    assert desk.scheduler.has_pending_requests()
    request = desk.fetch()
    assert request.url == PAGE
    assert desk.crawler.stats.get_value("frontier/in-memory") == 1


def test_a_page_that_was_fetched_before_is_asked_for_only_if_it_changed(desk: Desk) -> None:
    home = start(desk)
    desk.answer(home, headers={"ETag": '"x"', "Last-Modified": "Mon, 02 Nov 2026 08:00:00 GMT"})
    desk.through(home)
    desk.next()
    desk.scheduler.enqueue_request(Request(PAGE, dont_filter=True))
    again = desk.fetch()
    assert again.headers["If-None-Match"] == b'"x"'
    assert again.headers["If-Modified-Since"] == b"Mon, 02 Nov 2026 08:00:00 GMT"
    assert again.meta["conditional"]


def test_a_stopped_crawl_goes_on(url: str, desk: Desk) -> None:
    home = start(desk)
    for number in range(3):
        desk.scheduler.enqueue_request(child(home, str(number)))
    desk.answer(home)
    desk.through(home)
    desk.fetch()
    desk.engine._slot.inprogress.clear()
    desk.scheduler.close("shutdown")
    other = Desk(url)
    other.scheduler.enqueue_request(Request(PAGE, meta={"is_start_request": True}, dont_filter=True))
    urls = {request.url.removeprefix(PAGE) for request in (other.next() for _ in range(6)) if request is not None}
    assert urls <= {"0", "1", "2"}
    assert len(urls) == 2
    other.engine._slot.inprogress.clear()
    other.scheduler.close("finished")


def test_a_look_at_a_page_is_no_crawl(desk: Desk) -> None:
    assert type(FrontierScheduler.from_crawler(desk.crawler)) is Scheduler
    desk.spider.frontier = True  # type: ignore[attr-defined]
    assert type(FrontierScheduler.from_crawler(desk.crawler)) is FrontierScheduler


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.timeout(300)
@pytest.mark.parametrize("die", [["commit", 9], ["statement", 25]])
def test_a_killed_crawl_loses_nothing_and_stores_nothing_twice(
    url: str, die: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT)
    from bench.small_source import SmallSource

    pages = 80
    with SmallSource(pages) as source:
        job = {"address": source.address, "library": url, "store": True}
        codes = []
        for more in ({"die": die}, {"die": [die[0], die[1] * 2]}, {}):
            run = [sys.executable, "-m", "bench.small_crawl", json.dumps({**job, **more})]
            codes.append(subprocess.run(run, cwd=ROOT, capture_output=True, timeout=120, check=False).returncode)
        asked = [path for _when, path in source.log]
    assert codes == [-signal.SIGKILL, -signal.SIGKILL, 0]
    with Library.open(url, create=False) as library, library.database.reading() as connection:
        p, r = t.pages.c, t.resources.c
        assert connection.execute(select(func.count()).select_from(t.pages).where(p.status == 200)).scalar() == pages
        titles = list(connection.execute(select(r.title)).scalars())
        assert connection.execute(select(func.count()).select_from(t.versions)).scalar() == 0
    assert sorted(titles) == sorted(f"第 {number} 页" for number in range(pages))
    assert len(asked) - len(set(asked)) <= 2 * 16


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.postgresql
@pytest.mark.timeout(300)
def test_a_database_that_goes_away_under_a_crawl(monkeypatch: pytest.MonkeyPatch, postgresql_url: str) -> None:
    monkeypatch.syspath_prepend(ROOT)
    monkeypatch.chdir(ROOT)
    from bench.kill import outage

    found = outage(400, 2.0, 6.0)
    assert found["went_on"], "a short outage is waited out"
    assert (found["ended"], len(found["messages"])) == (1, 1)
    assert "the database can't be reached" in found["messages"][0]
    assert (found["again"], found["lost"], found["twice"], found["left"]) == (0, 0, 0, 0)
    assert found["refetched"] <= found["allowed"]
