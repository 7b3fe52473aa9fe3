"""``script/bench visits``: three weekly visits to the demo source, which adds, changes, moves and removes pages.

Counts the requests of each visit, the changes that were seen, and what is there twice. A week passes between two visits
by moving the stored times back.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import select, update

from hometextile.demo.server import serve
from hometextile.demo.truth import truth
from hometextile.library import tables as t
from hometextile.library.library import Library

_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"


def pass_days(library: Library, days: float) -> None:
    """Move the frontier's times back, as if so many days had passed."""
    f = t.frontier.c
    back = timedelta(days=days)

    def work(connection: Any) -> None:
        rows = connection.execute(select(f.id, f.last_fetched).where(f.last_fetched.is_not(None))).all()
        for number, when in rows:
            earlier = (datetime.strptime(when, _TIME) - back).strftime(_TIME)
            connection.execute(update(t.frontier).where(f.id == number).values(last_fetched=earlier))

    library.database.write(work)


def crawl(address: str, url: str, stats: Path) -> dict[str, Any]:
    """One visit, as a user makes it.

    Returns:
        Scrapy's counters.
    """
    command = [
        sys.executable, "-m", "scrapy", "crawl", "demo", "-a", f"start={address}/", "-s", f"LIBRARY_URL={url}",
        "-s", "PROGRESS=0", "-s", f"STATS_FILE={stats}", "-L", "WARNING",
    ]  # fmt: skip
    environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "hometextile.settings"}
    environment.pop("HOMETEXTILE_LIBRARY_URL", None)
    subprocess.run(command, check=True, env=environment)
    found: dict[str, Any] = json.loads(stats.read_text(encoding="utf-8"))
    return found


def look(library: Library, visit: int, before: dict[str, int]) -> dict[str, Any]:
    """What of the visit's changes the library shows.

    Args:
        library: after the visit.
        visit: which one.
        before: version of each resource by its path, before the visit.
    """
    rows = _rows(library, truth(visit))
    wanted, seen, missed = 0, 0, []
    for row in truth(visit):
        kind = row.get("change") or (row["kind"] if row["kind"] in {"moved", "withdrawn"} else None)
        if kind is None:
            continue
        wanted += 1
        url = row["to"] if kind == "moved" else row["url"]
        found = rows.get(url)
        right = found is not None
        if kind == "changed":
            right = found is not None and found["version"] > before.get(url, 0)
        elif kind == "withdrawn":
            # A page that was never stored can't be withdrawn.
            right = found["withdrawn"] is not None if found is not None else url not in before
        elif kind == "moved":
            # One resource still: under its new identity, and none under the old one.
            right = found is not None and row["url"] not in rows
        seen += right
        if not right:
            missed.append(f"{kind} {url}")
    titles = [row["title"] + row["text"] for row in library.resources()]
    return {"changes": wanted, "seen": seen, "missed": missed, "twice": len(titles) - len(set(titles))}


def _rows(library: Library, rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The library's resources by the path that the truth calls them by."""
    also = {pattern: row["url"] for row in rows for pattern in row.get("also") or ()}
    found = {}
    for resource in library.resources():
        path = _path(resource["identity"])
        name = next((url for pattern, url in also.items() if fnmatchcase(path, pattern.replace("?", "[?]"))), path)
        found[name] = resource
    return found


def _path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def main(argv: list[str]) -> int:
    """Run; the last line is one JSON object."""
    parser = argparse.ArgumentParser(prog="script/bench visits")
    parser.add_argument("--data", help="not used: the source is the demo's")
    parser.add_argument("--shipped", action="store_true", help="no difference: nothing is trained")
    parser.add_argument("--peers", action="store_true", help="no difference")
    parser.add_argument("--out", help="write a line for each visit")
    parser.add_argument("--library", help="address of a library that is kept (default: a new one, thrown away)")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        results = run(options.library or f"sqlite:///{Path(folder) / 'library.db'}", Path(folder) / "stats.json")
    if options.out:
        Path(options.out).write_text("".join(json.dumps(row) + "\n" for row in results), encoding="utf-8")
    print(json.dumps({"visits": results}))
    return 0


def run(url: str, stats: Path) -> list[dict[str, Any]]:
    """Three visits.

    Args:
        url: of an empty library.
        stats: a file that may be written.
    """
    results: list[dict[str, Any]] = []
    with serve(slow=0.2) as server:
        for visit in (1, 2, 3):
            server.site.visit = visit
            before: dict[str, int] = {}
            if visit > 1:
                with Library.open(url) as library:
                    pass_days(library, 7)
                    before = {path: row["version"] for path, row in _rows(library, truth(visit)).items()}
            server.site.log.clear()
            counts = crawl(server.address, url, stats)
            requests = sum(not row["path"].startswith("/robots.txt") for row in server.site.log)
            figures: dict[str, Any] = {"visit": visit, "requests": requests}
            figures["unchanged"] = counts.get("frontier/unchanged", 0)
            if visit > 1:
                figures["share"] = round(requests / results[0]["requests"], 3)
                with Library.open(url, create=False) as library:
                    figures.update(look(library, visit, before))
            print(figures, flush=True)
            results.append(figures)
    return results


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
