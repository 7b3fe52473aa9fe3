"""Search: recall and precision of Chinese words of 1 to 4 characters against a substring scan, and how long it takes.

The scan looks through the normalised texts (NFKC, lower case, simplified) without any index. Words are taken from the
texts: half of them at random places (so frequent words come often), half of them at random from all different ones.
Times are those of ``Library.search`` with ranking, snippets and, in four of five runs, a filter. ``--postgresql URL``
builds the same library there and compares every answer.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert

from hometextile.library import tables as t
from hometextile.library.library import Library
from hometextile.library.search import index
from hometextile.library.search.cutting import simplify
from hometextile.library.values import digest
from hometextile.text.normalise import fold

_RUN = re.compile("[\u4e00-\u9fff]+")
_SITES = ("alpha", "beta", "gamma")
_LIBRARIES = ("culture", "information", "trade", "academic")
_TIME = "2026-01-01T00:00:00.000000Z"
_FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"library": "trade"},
    {"site": "beta", "library": "culture"},
    {"since": "2015", "until": "2019-06"},
    {"price_from": 50, "price_to": 60},
)


def read_texts(folder: Path) -> list[str]:
    """The texts of the data set."""
    with gzip.open(folder / "texts.jsonl.gz", "rt", encoding="utf-8") as file:
        return [str(json.loads(line)["text"]) for line in file]


def rows(texts: list[str]) -> Iterator[dict[str, Any]]:
    """A resource for each text, with a library, a date and a price drawn at random (always the same)."""
    dice = random.Random(7)
    empty: dict[str, Any] = {name: [] for name in ("keywords", "images", "videos", "links", "rules", "blocks")}
    for number, text in enumerate(texts, 1):
        yield {
            **empty,
            "id": number,
            "site_id": dice.randrange(3) + 1,
            "identity": f"text:{number}",
            "identity_hash": digest(f"text:{number}"),
            "url": f"http://127.0.0.1/{number}",
            "title": "",
            "text": text,
            "library": dice.choice(_LIBRARIES),
            "category": "",
            "published": f"{dice.randrange(2000, 2026)}-{dice.randrange(1, 13):02}-{dice.randrange(1, 29):02}",
            "price": dice.randrange(1, 1000) if dice.random() < 0.3 else None,
            "relevance": dice.random(),
            "credibility": dice.random(),
            "fields": {},
            "provenance": {},
            "first_seen": _TIME,
            "last_seen": _TIME,
        }


def fill(library: Library, texts: list[str]) -> float:
    """Put the texts into an empty library; seconds that the index took."""
    everything = list(rows(texts))

    def work(connection: Connection) -> float:
        connection.execute(
            insert(t.sites), [{"id": n, "name": s, "first_crawled": _TIME} for n, s in enumerate(_SITES, 1)]
        )
        for start in range(0, len(everything), 1000):
            connection.execute(insert(t.resources), everything[start : start + 1000])
        begun = time.perf_counter()
        index.rebuild(connection)
        return time.perf_counter() - begun

    return library.database.write(work)


def words(texts: list[str], each: int) -> dict[int, list[str]]:
    """Words of 1 to 4 characters out of the texts, *each* of a length."""
    dice = random.Random(11)
    found: dict[int, list[str]] = {}
    for length in (1, 2, 3, 4):
        drawn: dict[str, None] = {}
        while len(drawn) < each // 2:
            runs = [run for run in _RUN.findall(dice.choice(texts)) if len(run) >= length]
            if runs:
                run = dice.choice(runs)
                place = dice.randrange(len(run) - length + 1)
                drawn[run[place : place + length]] = None
        sample = dice.sample(texts, min(4000, len(texts)))
        different = sorted(
            {run[i : i + length] for text in sample for run in _RUN.findall(text) for i in range(len(run) - length + 1)}
        )
        dice.shuffle(different)
        for word in different:
            if len(drawn) >= each:
                break
            drawn[word] = None
        found[length] = list(drawn)
    return found


def percentile(times: list[float], share: float) -> float:
    """The time below which *share* of the times lie, in milliseconds."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1000 if times else 0.0


def score(library: Library, normalised: list[str], wanted: dict[int, list[str]]) -> dict[int, tuple[int, int, int]]:
    """Hits, answers and truths by length of word."""
    figures = {}
    for length, some in wanted.items():
        hit = answered = true = 0
        for word in some:
            truth = {number for number, text in enumerate(normalised, 1) if word in text}
            answer = set(library.matches(word))
            hit, answered, true = hit + len(truth & answer), answered + len(answer), true + len(truth)
        figures[length] = (hit, answered, true)
    return figures


def flat(times: dict[int, list[float]]) -> list[float]:
    """All times, whatever the length of the word."""
    return [one for some in times.values() for one in some]


def clock(
    library: Library, wanted: dict[int, list[str]], timer: Callable[[], float] = time.perf_counter
) -> dict[int, list[float]]:
    """Seconds that a search took, by length of word.

    Args:
        library: to be searched.
        wanted: words by length.
        timer: the wall's clock, or the processor's, which other programs on the machine don't disturb.
    """
    for word in wanted[2][:20]:
        library.search(word)
    # The benchmark's own texts are no work for the collector while a search is timed.
    gc.collect()
    gc.freeze()
    times: dict[int, list[float]] = {}
    for length, some in wanted.items():
        times[length] = []
        for word in some:
            for filters in _FILTERS:
                begun = timer()
                library.search(word, **filters)
                times[length].append(timer() - begun)
    return times


def differing(one: Library, other: Library, wanted: dict[int, list[str]]) -> int:
    """Searches whose answers differ between two libraries: other hits, another order, another snippet."""
    count = 0
    for some in wanted.values():
        for number, word in enumerate(some):
            filters = _FILTERS[number % len(_FILTERS)]
            shown = [library.search(word, limit=30, **filters) for library in (one, other)]
            numbers = [library.matches(word, **filters) for library in (one, other)]
            count += shown[0] != shown[1] or numbers[0] != numbers[1]
    return count


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="script/bench search", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder 'texts'")
    parser.add_argument("--out", type=Path, help="write every answer, one JSON line each")
    parser.add_argument("--peers", action="store_true", help="also measure SQLite's own trigram index")
    parser.add_argument("--shipped", action="store_true", help="accepted; the search has no model")
    parser.add_argument("--postgresql", metavar="URL", help="an empty database, to compare with")
    parser.add_argument("--compared", type=int, default=20_000, help="texts that are compared with PostgreSQL")
    parser.add_argument("--words", type=int, default=200, help="words of each length")
    options = parser.parse_args(argv)
    folder = options.data if (options.data / "texts.jsonl.gz").exists() else options.data / "texts"
    texts = read_texts(folder)
    wanted = words([simplify(fold(text)) for text in texts], options.words)
    normalised = [simplify(fold(text)) for text in texts]
    with tempfile.TemporaryDirectory() as place:
        library = Library.open(f"sqlite:///{place}/library.db")
        seconds = fill(library, texts)
        size = Path(place, "library.db").stat().st_size / 1e6
        print(f"{len(texts):,} texts indexed in {seconds:.1f} s, {size:,.0f} MB")
        figures = score(library, normalised, wanted)
        times, processor = clock(library, wanted), clock(library, wanted, time.process_time)
        report(figures, times)
        if options.out:
            write(options.out, library, wanted)
        result: dict[str, Any] = {"documents": len(texts), **totals(figures)}
        result["p95_ms"] = round(percentile(flat(times), 0.95), 2)
        result["p95_processor_ms"] = round(percentile(flat(processor), 0.95), 2)
        if options.peers:
            peer(Path(place), normalised, wanted)
        if options.postgresql:
            here = Library.open(f"sqlite:///{place}/compared.db")
            other = Library.open(options.postgresql)
            fill(here, texts[: options.compared])
            fill(other, texts[: options.compared])
            result["compared"] = min(options.compared, len(texts))
            result["differing_on_postgresql"] = differing(here, other, wanted)
            elsewhere = clock(other, wanted)
            result["postgresql_p95_ms"] = round(percentile(flat(elsewhere), 0.95), 2)
            other.close()
            here.close()
        library.close()
    print(json.dumps(result))
    return 0


def totals(figures: dict[int, tuple[int, int, int]]) -> dict[str, float]:
    """Recall and precision over all words."""
    hit, answered, true = (sum(row[place] for row in figures.values()) for place in range(3))
    return {"recall": hit / true if true else 0.0, "precision": hit / answered if answered else 0.0}


def report(figures: dict[int, tuple[int, int, int]], times: dict[int, list[float]]) -> None:
    """Print the table."""
    print(
        f"{'characters':>10} {'matches':>10} {'recall':>8} {'precision':>9} {'p50 ms':>8} {'p95 ms':>8} {'max ms':>8}"
    )
    for length, (hit, answered, true) in figures.items():
        some = times[length]
        print(
            f"{length:>10} {true:>10} {hit / max(1, true):>8.4f} {hit / max(1, answered):>9.4f}"
            f" {percentile(some, 0.5):>8.2f} {percentile(some, 0.95):>8.2f} {max(some) * 1000:>8.2f}"
        )


def write(path: Path, library: Library, wanted: dict[int, list[str]]) -> None:
    """Every word with the numbers of the texts found (counted from 0, as the data set does)."""
    with path.open("w", encoding="utf-8") as file:
        for some in wanted.values():
            for word in some:
                answer = {"word": word, "texts": sorted(number - 1 for number in library.matches(word))}
                file.write(json.dumps(answer, ensure_ascii=False) + "\n")


def peer(place: Path, normalised: list[str], wanted: dict[int, list[str]]) -> None:
    """SQLite's trigram index on the same texts."""
    import sqlite3

    connection = sqlite3.connect(place / "trigram.db")
    connection.execute("CREATE VIRTUAL TABLE peer USING fts5(body, content='', tokenize='trigram')")
    connection.executemany("INSERT INTO peer (rowid, body) VALUES (?, ?)", enumerate(normalised, 1))
    for length, some in wanted.items():
        hit = true = 0
        for word in some:
            truth = {number for number, text in enumerate(normalised, 1) if word in text}
            query = "SELECT rowid FROM peer WHERE peer MATCH ?"
            hit += len(truth & {row[0] for row in connection.execute(query, [f'"{word}"'])})
            true += len(truth)
        print(f"SQLite's trigram index, {length} characters: recall {hit / max(1, true):.4f}")
    connection.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
