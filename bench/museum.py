"""``script/bench museum``: a real database behind a real search form that none of us wrote.

28,253 museum objects are put into a SQLite database with full-text search, Datasette serves it on loopback, twenty rows
a page, and a crawl of ours asks its search form with the pack's English words. Wanted: the 469 objects that the museum
classified as textiles. Prints how many were stored, what else was stored, and how many requests it took.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

COLUMNS = (
    "id",
    "title",
    "date",
    "medium",
    "classification",
    "department",
    "maker",
    "nationality",
    "accession",
    "credit",
    "acquired",
    "height",
    "width",
    "url",
)
SEARCHED = ("title", "medium", "classification", "department", "maker", "nationality", "credit")
WANTED = ("textiles", "textile art")
ROOT = Path(__file__).resolve().parent.parent


def read_objects(data: Path) -> list[dict[str, object]]:
    """The museum's objects."""
    with gzip.open(data / "objects.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def fill_database(objects: list[dict[str, object]], path: Path) -> None:
    """Write a table ``objects`` with a full-text index that Datasette finds by itself."""
    base = sqlite3.connect(path)
    base.execute(f"create table objects ({', '.join(COLUMNS)}, primary key (id))")
    base.executemany(
        f"insert into objects values ({', '.join('?' * len(COLUMNS))})",
        [[row.get(column) for column in COLUMNS] for row in objects],
    )
    base.execute(f"create virtual table objects_fts using fts5 ({', '.join(SEARCHED)}, content=[objects])")
    base.execute("insert into objects_fts (objects_fts) values ('rebuild')")
    base.commit()
    base.close()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def datasette(database: Path) -> Iterator[str]:
    """Datasette on loopback; gives the address of the table's page."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "datasette",
        "serve",
        "-i",
        str(database),
        "--port",
        str(port),
        "--setting",
        "default_page_size",
        "20",
        "--setting",
        "suggest_facets",
        "off",
        "--setting",
        "allow_download",
        "off",
    ]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/{database.stem}/objects"
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(address + ".json?_size=1", timeout=5).read()
                break
            except OSError:
                if server.poll() is not None:
                    raise RuntimeError("Datasette did not start") from None
                time.sleep(0.5)
        yield address
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)


def site_file(address: str) -> str:
    """What a user would write: where it starts, and that loopback is meant."""
    return (
        f"title: museum\nstart:\n  - {address}\nmode: deep\nlanguage: en\nrender: never\n"
        "allow: {private: [127.0.0.1]}\n"
        "limits: {delay: 0, concurrency: 8, queries: 200, pages_per_query: 60, pages: 40000}\n"
    )


def crawl(folder: Path, address: str, *, log: Path) -> dict[str, object]:
    """Crawl and give the crawl's counters."""
    (folder / "rules").mkdir(exist_ok=True)
    (folder / "rules" / "museum.yaml").write_text(site_file(address), encoding="utf-8")
    stats = folder / "stats.json"
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "crawl",
        "museum",
        "-s",
        f"RULES_FOLDER={folder / 'rules'}",
        "-s",
        f"LIBRARY_URL=sqlite:///{folder / 'library.db'}",
        "-s",
        f"STATS_FILE={stats}",
        "--logfile",
        str(log),
    ]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "SCRAPY_SETTINGS_MODULE": "hometextile.settings"})
    return dict(json.loads(stats.read_text(encoding="utf-8")))


def stored_ids(library: Path) -> dict[str, str]:
    """Id of each stored object, with the title it was stored under."""
    from hometextile.library.library import Library

    found = {}
    shelf = Library.open(f"sqlite:///{library}")
    for resource in shelf.resources():
        match = re.search(r"/objects/([^/?#]+)$", resource["url"])
        if match:
            found[match[1]] = resource["title"]
    shelf.close()
    return found


def report(objects: list[dict[str, object]], found: dict[str, str], stats: dict[str, object]) -> dict[str, object]:
    """Print the table; give the figures."""
    kind = {str(row["id"]).replace("%", "~"): str(row["classification"] or "").lower() for row in objects}
    by_id = {str(row["id"]): row for row in objects}
    wanted = {key for key, value in kind.items() if value in WANTED}
    got = wanted & set(found)
    others = Counter(kind.get(key, "?") for key in found if key not in wanted)
    requests = int(stats.get("downloader/request_count", 0))  # type: ignore[call-overload]
    queries = int(stats.get("form/queries", 0))  # type: ignore[call-overload]
    print(f"textiles stored     {len(got)} of {len(wanted)} ({len(got) / len(wanted):.1%})")
    print(f"else stored         {sum(others.values())}: " + ", ".join(f"{k} {n}" for k, n in others.most_common(12)))
    print(f"queries, requests   {queries}, {requests}")
    for key in sorted(wanted - got)[:20]:
        row = by_id.get(key, {})
        print(f"  missed: {row.get('title')} | {row.get('medium')} | {row.get('date')}")
    return {
        "found": len(got),
        "wanted": len(wanted),
        "queries": queries,
        "requests": requests,
        "else_stored": sum(others.values()),
    }


def main(argv: list[str]) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="script/bench museum")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--keep", type=Path, help="keep database, library and log in this folder")
    parser.add_argument("--out", type=Path, help="write each stored object's id, one JSON line each")
    options = parser.parse_args(argv)
    data = options.data / "museum" if (options.data / "museum").is_dir() else options.data
    objects = read_objects(data)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        database = folder / "museum.db"
        database.unlink(missing_ok=True)
        fill_database(objects, database)
        with datasette(database) as address:
            begun = time.monotonic()
            stats = crawl(folder, address, log=folder / "crawl.log")
            seconds = time.monotonic() - begun
        found = stored_ids(folder / "library.db")
        free = report(objects, found, stats)
        print(f"seconds             {seconds:.0f}")
    if options.out:
        options.out.write_text(
            "".join(json.dumps({"id": key, "title": found[key]}) + "\n" for key in sorted(found)), "utf-8"
        )
    print(json.dumps({"free": free}))
    return 0
