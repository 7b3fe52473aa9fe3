"""``script/bench museum``: a real database behind a real search form that none of us wrote.

28,253 museum objects are put into a SQLite database with full-text search, Datasette serves it on loopback, twenty rows
a page, and a crawl of ours asks its search form, starting from the pack's English words. Wanted: the 469 objects that
the museum classified as textiles. It is done three times: free (200 queries), with at most 200 answers to a query (60
queries), and with at most 40 (150 queries); a plugin in the server takes out the rows beyond and the links to further
pages. Beside it, what a fixed list of 41 words and what letters and digits would reach, asked of the database itself.
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
from string import ascii_lowercase, digits

from hometextile.text.pack import load_pack

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
#: Run to the answers that a query gets at the most.
CAPS: dict[str, int | None] = {"free": None, "cap200": 200, "cap40": 40}
#: Queries a run may make.
QUERIES = {"free": 200, "cap200": 60, "cap40": 150}
#: Words of the fixed list.
FIXED = 41
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
def datasette(database: Path, cap: int | None = None) -> Iterator[str]:
    """Datasette on loopback, giving *cap* answers to a query at the most; gives the address of the table's page."""
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
    if cap is not None:
        command += ["--plugins-dir", str(ROOT / "bench" / "museum_cap")]
    environment = {**os.environ, "MUSEUM_CAP": str(cap or 0), "MUSEUM_DATABASE": str(database)}
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
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


def site_file(address: str, queries: int) -> str:
    """What a user would write: where it starts, that loopback is meant, and how much may be asked."""
    return (
        f"title: museum\nstart:\n  - {address}\nmode: deep\nlanguage: en\nrender: never\n"
        "allow: {private: [127.0.0.1]}\n"
        f"limits: {{delay: 0, concurrency: 8, queries: {queries}, pages_per_query: 60, pages: 40000}}\n"
    )


def crawl(folder: Path, address: str, *, queries: int, log: Path) -> dict[str, object]:
    """Crawl and give the crawl's counters."""
    (folder / "rules").mkdir(exist_ok=True)
    (folder / "rules" / "museum.yaml").write_text(site_file(address, queries), encoding="utf-8")
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


def reached(database: Path, words: list[str], cap: int | None) -> dict[str, int]:
    """What a list of keywords gets out of the database, each asked once."""
    base = sqlite3.connect(database)
    marks = ", ".join("?" * len(WANTED))
    textiles = f"select id from objects where lower(classification) in ({marks})"
    wanted = {row[0] for row in base.execute(textiles, WANTED)}
    matching = "select rowid from objects_fts where objects_fts match ?"
    ask = f"select id from objects where rowid in ({matching}) order by id limit ?"
    found: set[str] = set()
    for word in words:
        phrase = " ".join(f'"{part}"' for part in word.split())
        found.update(row[0] for row in base.execute(ask, (phrase, cap or -1)))
    base.close()
    return {"found": len(found & wanted), "wanted": len(wanted), "queries": len(words)}


def main(argv: list[str]) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="script/bench museum")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--keep", type=Path, help="keep databases, libraries and logs in this folder")
    parser.add_argument("--out", type=Path, help="write each stored object's id, one JSON line each")
    parser.add_argument("--only", choices=list(CAPS), action="append", help="no other runs than these")
    options = parser.parse_args(argv)
    data = options.data / "museum" if (options.data / "museum").is_dir() else options.data
    objects = read_objects(data)
    result: dict[str, object] = {}
    rows: list[dict[str, str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        top = options.keep or Path(scratch)
        top.mkdir(parents=True, exist_ok=True)
        database = top / "museum.db"
        database.unlink(missing_ok=True)
        fill_database(objects, database)
        for name in options.only or CAPS:
            folder = top / name
            folder.mkdir(exist_ok=True)
            (folder / "library.db").unlink(missing_ok=True)
            with datasette(database, CAPS[name]) as address:
                begun = time.monotonic()
                stats = crawl(folder, address, queries=QUERIES[name], log=folder / "crawl.log")
                seconds = time.monotonic() - begun
            found = stored_ids(folder / "library.db")
            print(f"-- {name}")
            result[name] = report(objects, found, stats)
            print(f"seconds             {seconds:.0f}", flush=True)
            rows += [{"run": name, "id": key, "title": found[key]} for key in sorted(found)]
        fixed = load_pack().keywords("en")[:FIXED]
        for kind, words in (("fixed", fixed), ("letters", [*ascii_lowercase, *digits])):
            result[kind] = {name: reached(database, words, cap) for name, cap in CAPS.items()}
            print(f"-- {kind}: " + ", ".join(f"{n} {r['found']}" for n, r in result[kind].items()))  # type: ignore[attr-defined]
    if options.out:
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    print(json.dumps(result))
    return 0
