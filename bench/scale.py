"""``script/bench scale``: 100,000 small pages, each once, in flat memory; and what the frontier costs.

The crawl stores every page. Its memory is looked at from outside: after the first 10,000 pages, and the most of it from
then on. Then the
same spider without pipelines fetches 3,000 pages with Scrapy's own queue in memory and with the frontier, in turn; the
ratio is that of the medians. Apart from it, a whole crawl of the same pages, all steps included.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import func, select

from bench.small_source import SmallSource
from hometextile.library import tables as t
from hometextile.library.library import Library

_SETTLED = 10_000
_MB = 1024 * 1024


def _start(job: dict[str, Any]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bench.small_crawl", json.dumps(job)], stdout=subprocess.PIPE, text=True
    )


def memory(url: str, pages: int, settled: int) -> dict[str, Any]:
    """One long crawl.

    Args:
        url: of an empty library.
        pages: how many.
        settled: requests after which memory may not grow any more.
    """
    Library.open(url).close()
    begun = time.monotonic()
    with SmallSource(pages) as source:
        process = _start({"address": source.address, "library": url, "store": True})
        watched = psutil.Process(process.pid)
        first, last, peak, told = 0.0, 0.0, 0.0, time.monotonic()
        while process.poll() is None:
            time.sleep(0.5)
            try:
                size = watched.memory_info().rss / _MB
            except psutil.NoSuchProcess:
                break
            if size:
                last = size
            if not first and len(source.log) >= settled:
                first = last
            peak = max(peak, last) if first else 0.0
            if time.monotonic() - told > 60:
                told = time.monotonic()
                print(f"{len(source.log)} requests, {last:.0f} MB", file=sys.stderr, flush=True)
        process.communicate()
        if process.returncode:
            raise SystemExit(f"the crawl ended with {process.returncode}")
        asked = Counter(path for _when, path in source.log)
    seconds = time.monotonic() - begun
    with Library.open(url, create=False) as library, library.database.reading() as connection:
        p = t.pages.c
        stored = connection.execute(select(func.count()).select_from(t.pages).where(p.status == 200)).scalar_one()
        resources = connection.execute(select(func.count()).select_from(t.resources)).scalar_one()
    return {
        "pages": pages,
        "stored_once": stored == pages and resources == pages,
        "stored": stored,
        "requested_again": sum(number - 1 for number in asked.values()),
        "rss_growth_mb": round(peak - first, 1) if first else None,
        "rss_mb": round(peak, 1),
        "pages_per_second": round(pages / seconds, 1),
    }


def speed(folder: Path, pages: int, rounds: int) -> dict[str, Any]:
    """Scrapy's own queue and the frontier, in turn."""
    found: dict[str, list[float]] = {"memory": [], "frontier": []}
    with SmallSource(pages) as source:
        for turn in range(rounds):
            for name in found:
                job: dict[str, Any] = {"address": source.address}
                if name == "frontier":
                    job["library"] = f"sqlite:///{folder / f'speed{turn}.db'}"
                    Library.open(job["library"]).close()
                process = _start(job)
                output, _errors = process.communicate()
                stats = json.loads(output.strip().rsplit("\n", 1)[-1])
                fetched = stats["downloader/response_count"]
                found[name].append(fetched / stats["seconds"])
                print(f"{name}: {fetched} pages, {found[name][-1]:.1f} a second", file=sys.stderr, flush=True)
    medians = {name: statistics.median(values) for name, values in found.items()}
    return {
        "memory_pages_per_second": round(medians["memory"], 1),
        "frontier_pages_per_second": round(medians["frontier"], 1),
        "frontier_speed_ratio": round(medians["frontier"] / medians["memory"], 3),
    }


_RULES = """
start: [{address}/0]
relevance: 0
render: never
mode: surface
allow: {{private: [127.0.0.1]}}
limits: {{delay: 0, concurrency: 8, pages: {pages}, depth: 1000}}
"""


def whole(folder: Path, pages: int) -> dict[str, Any]:
    """A crawl as a user starts it, all steps included: blocks, rules, topic, duplicates, store.

    Args:
        folder: for rules, library and counters.
        pages: of the source.
    """
    (folder / "rules").mkdir()
    counters = folder / "whole.json"
    with SmallSource(pages) as source:
        (folder / "rules" / "small.yaml").write_text(_RULES.format(address=source.address, pages=2 * pages), "utf-8")
        command = [sys.executable, "-m", "scrapy", "crawl", "small", "-s", f"RULES_FOLDER={folder / 'rules'}"]
        command += ["-s", f"LIBRARY_URL=sqlite:///{folder / 'whole.db'}", "-s", f"STATS_FILE={counters}"]
        subprocess.run([*command, "-s", "LOG_LEVEL=ERROR"], check=True, stdout=subprocess.DEVNULL)
    stats = json.loads(counters.read_text("utf-8"))
    fetched = stats["downloader/response_count"]
    return {"whole_pages": fetched, "whole_pages_per_second": round(fetched / stats["elapsed_time_seconds"], 1)}


def main(argv: list[str]) -> int:
    """Run; the last line is one JSON object."""
    parser = argparse.ArgumentParser(prog="script/bench scale")
    parser.add_argument("--data", help="not used: the pages are made here")
    parser.add_argument("--shipped", action="store_true", help="no difference: nothing is trained")
    parser.add_argument("--peers", action="store_true", help="no difference: Scrapy's queue is always measured")
    parser.add_argument("--out", help="write the figures to a file, too")
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--speed-pages", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["memory", "speed"])
    options = parser.parse_args(argv)
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.only in {None, "speed"}:
            results.update(speed(folder, options.speed_pages, options.rounds))
            results.update(whole(folder, options.speed_pages))
            print(results, flush=True)
        if options.only in {None, "memory"}:
            settled = min(_SETTLED, options.pages // 10)
            results.update(memory(f"sqlite:///{folder / 'library.db'}", options.pages, settled))
    if options.out:
        Path(options.out).write_text(json.dumps(results) + "\n", encoding="utf-8")
    print(json.dumps(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
