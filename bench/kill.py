"""``script/bench kill``: crawls of 3,000 small pages that are killed with SIGKILL again and again.

On SQLite one worker, killed at random moments, before commits and inside transactions, and started again. On
PostgreSQL two and four workers at once; the last one that is killed does not come back. Then: is a page missing, is
one there twice, how many requests were made again. Another part looks at the server's log whether workers together
keep the delay, also after one of them was killed. The last one takes the database away under a crawl: shorter than the
crawl has patience, and longer.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import create_engine, func, make_url, select, text
from sqlalchemy.exc import SQLAlchemyError

from bench.small_source import SmallSource
from hometextile.library import tables as t
from hometextile.library.library import Library

SERVER = os.environ.get("HOMETEXTILE_TEST_POSTGRESQL", "postgresql+psycopg://postgres@127.0.0.1:5432/test")
CONCURRENCY = 16
DELAY = 0.25


@contextmanager
def _schema() -> Iterator[str | None]:
    """The address of an empty schema on the server; None where there is no server."""
    name = f"hometextile_bench_{uuid4().hex[:12]}"
    engine = create_engine(SERVER, connect_args={"connect_timeout": 3})
    try:
        with engine.begin() as connection:
            connection.execute(text(f"CREATE SCHEMA {name}"))
    except (SQLAlchemyError, ImportError):
        yield None
        return
    url = make_url(SERVER).update_query_dict({"options": f"-csearch_path={name}"})
    try:
        yield url.render_as_string(hide_password=False)
    finally:
        with engine.begin() as connection:
            connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
        engine.dispose()


def _start(job: dict[str, Any]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "bench.small_crawl", json.dumps(job)], stdout=subprocess.DEVNULL, stderr=sys.stderr
    )


def run(url: str, pages: int, kills: int, workers: int, seed: int) -> dict[str, Any]:
    """One crawl with its kills.

    Args:
        url: of an empty library.
        pages: of the source.
        kills: how many.
        workers: at once.
        seed: of the moments.

    Returns:
        ``kills``, ``lost``, ``twice``, ``refetched`` (requests made again), ``allowed`` (in flight at the kills),
        ``seconds``.
    """
    chance = random.Random(seed)
    moments = sorted(chance.randrange(1, int(pages * 0.97)) for _ in range(kills))
    begun = time.monotonic()
    Library.open(url).close()
    killed = 0
    with SmallSource(pages) as source:
        job = {"address": source.address, "library": url, "store": True, "lease": 30, "concurrency": CONCURRENCY}

        def start(dying: bool) -> subprocess.Popen[bytes]:
            die = None
            if dying and moments and chance.random() < 0.5:
                die = [chance.choice(["commit", "statement"]), chance.randrange(1, 40 if workers == 1 else 80)]
            return _start({**job, "die": die})

        running = [start(False) for _ in range(workers)]
        victims = set()
        while running:
            time.sleep(0.02)
            if moments and len(source.log) >= moments[0] and len(running) == workers:
                moments.pop(0)
                victim = chance.choice(running)
                victim.kill()
                victim.wait()
                victims.add(victim.pid)
            for process in [each for each in running if each.poll() is not None]:
                running.remove(process)
                if process.returncode == -9:
                    killed += 1
                    if process.pid not in victims and moments:
                        moments.pop(0)
                    if workers == 1 or killed < kills:
                        running.append(start(dying=True))
                elif process.returncode != 0:
                    raise SystemExit(f"a worker ended with {process.returncode}")
            if time.monotonic() - begun > 3000:
                for process in running:
                    process.kill()
                raise SystemExit("the crawl does not end")
        log = list(source.log)
    asked = Counter(path for _when, path in log)
    found = _look(url, pages)
    return {
        "kills": killed,
        **found,
        "refetched": sum(number - 1 for number in asked.values()),
        "allowed": killed * CONCURRENCY,
        "seconds": round(time.monotonic() - begun, 1),
    }


def _look(url: str, pages: int) -> dict[str, Any]:
    """What is missing, and what is there twice."""
    with Library.open(url, create=False) as library, library.database.reading() as connection:
        titles = Counter(connection.execute(select(t.resources.c.title)).scalars())
        wanted = {f"第 {number} 页" for number in range(pages)}
        stored = Counter(connection.execute(select(t.pages.c.url).where(t.pages.c.status == 200)).scalars())
        versions = connection.execute(select(func.count()).select_from(t.versions)).scalar_one()
        left = connection.execute(
            select(func.count()).select_from(t.frontier).where(t.frontier.c.state.in_(["waiting", "leased"]))
        ).scalar_one()
        duplicates = connection.execute(select(func.count()).select_from(t.duplicates)).scalar_one()
    twice = sum(number - 1 for number in titles.values()) + sum(number - 1 for number in stored.values())
    lost = len(wanted - set(titles)) + max(0, pages - len(stored))
    return {"lost": lost, "twice": twice + versions + duplicates, "left": left}


def politeness(url: str, workers: int) -> dict[str, Any]:
    """Whether several workers together keep the delay, from the server's log; one of them is killed in the middle."""
    pages = 120
    Library.open(url).close()
    with SmallSource(pages) as source:
        job = {"address": source.address, "library": url, "store": True, "delay": DELAY, "concurrency": 1, "lease": 30}
        running = [_start(job) for _ in range(workers)]
        while len(source.log) < pages // 2 and any(process.poll() is None for process in running):
            time.sleep(0.02)
        running[0].kill()
        for process in running:
            process.wait(600)
        times = [when for when, _path in source.log]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    return {
        "workers": workers, "delay": DELAY, "requests": len(times), "shortest_gap": round(min(gaps), 3),
        "median_gap": round(statistics.median(gaps), 3), "longest_gap": round(max(gaps), 1),
        "under": sum(gap < DELAY for gap in gaps), "lost": _look(url, pages)["lost"],
    }  # fmt: skip


def outage(pages: int, seconds: float, patience: float) -> dict[str, Any]:
    """A crawl whose database goes away twice: for *seconds*, and for longer than the crawl has patience.

    Its connections are ended and new ones refused, as by a server that is stopped; other databases are left alone.

    Args:
        pages: of the source.
        seconds: that the first outage lasts; less than *patience*.
        patience: of the crawl's writes.

    Returns:
        ``lost``, ``twice``, ``refetched``, ``allowed``; ``went_on``: whether the crawl lived through the first one;
        ``ended``: exit code after the second; ``messages``: lines that it then said.
    """
    name = f"hometextile_outage_{uuid4().hex[:12]}"
    server = create_engine(SERVER, isolation_level="AUTOCOMMIT")
    url = make_url(SERVER).set(database=name).render_as_string(hide_password=False)

    def allow(yes: bool) -> None:
        with server.connect() as connection:
            connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {str(yes).lower()}"))
            if not yes:
                connection.execute(
                    text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"), {"name": name}
                )

    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        Library.open(url).close()
        with SmallSource(pages) as source:
            job = {"address": source.address, "library": url, "store": True, "concurrency": CONCURRENCY}
            command = [sys.executable, "-m", "bench.small_crawl", json.dumps({**job, "patience": patience})]
            crawl = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            _reached(source, crawl, pages // 4)
            allow(False)
            time.sleep(seconds)
            allow(True)
            went_on = _reached(source, crawl, pages // 2)
            allow(False)
            messages = crawl.communicate(timeout=300)[1].strip().splitlines()
            allow(True)
            again = subprocess.run(command, stdout=subprocess.DEVNULL, check=False, timeout=600).returncode
            asked = Counter(path for _when, path in source.log)
        return {
            **_look(url, pages),
            "refetched": sum(number - 1 for number in asked.values()), "allowed": 2 * CONCURRENCY,
            "went_on": went_on, "ended": crawl.returncode, "messages": messages, "again": again,
        }  # fmt: skip
    finally:
        with server.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        server.dispose()


def _reached(source: SmallSource, crawl: subprocess.Popen[str], number: int) -> bool:
    """Wait until so many requests were made, or the crawl has ended; whether it still runs."""
    while len(source.log) < number and crawl.poll() is None:
        time.sleep(0.02)
    return crawl.poll() is None


def main(argv: list[str]) -> int:
    """Run; the last line is one JSON object."""
    parser = argparse.ArgumentParser(prog="script/bench kill")
    parser.add_argument("--data", help="not used: the pages are made here")
    parser.add_argument("--shipped", action="store_true", help="no difference: nothing is trained")
    parser.add_argument("--peers", action="store_true", help="no difference")
    parser.add_argument("--out", help="write the figures of each part as JSON lines")
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["sqlite", "postgres2", "postgres4", "politeness", "outage"])
    options = parser.parse_args(argv)
    results: dict[str, Any] = {}
    if options.only in {None, "sqlite"}:
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{Path(folder) / 'library.db'}"
            results["sqlite"] = run(url, options.pages, options.kills, 1, options.seed)
            print("sqlite", results["sqlite"], flush=True)
    for name, workers in (("postgres2", 2), ("postgres4", 4)):
        if options.only in {None, name}:
            with _schema() as address:
                if address is None:
                    print(f"{name}: no PostgreSQL server answers", file=sys.stderr)
                    return 1
                results[name] = run(address, options.pages, options.kills, workers, options.seed + workers)
                print(name, results[name], flush=True)
    for name, workers in (("politeness2", 2), ("politeness4", 4)):
        if options.only in {None, "politeness"}:
            with _schema() as address:
                if address is not None:
                    results[name] = politeness(address, workers)
                    print(name, results[name], flush=True)
    if options.only in {None, "outage"}:
        results["outage"] = outage(options.pages, 8.0, 15.0)
        print("outage", results["outage"], flush=True)
    if options.out:
        with Path(options.out).open("w", encoding="utf-8") as file:
            for name, figures in results.items():
                file.write(json.dumps({"part": name, **figures}) + "\n")
    print(json.dumps(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
