"""Near-duplicates among 100,000 short Chinese texts, a tenth and a fifth of whose characters were changed.

All texts at once (``near_pairs``); under ``--peers`` also one by one, as a crawl does it: each looked up in the index
and then put into it. Both find the same pairs. A pair is right when both texts come of
the same one. Recall is of the altered texts whose original was found (or which their original, coming later, found);
precision is of all pairs found. Many texts of the set are passages of one review or report that overlap without being
marked: they count against precision here, as they do for everybody else.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import rensa

from hometextile.dedup.batch import near_pairs
from hometextile.dedup.near import MemoryStore, NearIndex
from hometextile.text.words import bigrams

Pairs = set[tuple[int, int]]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="script/bench dedup", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with texts.jsonl.gz")
    parser.add_argument("--peers", action="store_true", help="also rensa's MinHash with exact Jaccard 0.5")
    parser.add_argument("--shipped", action="store_true", help="nothing is trained here: makes no difference")
    parser.add_argument("--limit", type=int, default=0, help="only texts that come of the first so many")
    parser.add_argument("--out", type=Path, help="write each pair, one JSON line each")
    options = parser.parse_args(argv)
    rows = _rows(options.data, options.limit)
    figures = _measure("ours", rows, _ours, options.out)
    if options.peers:
        _measure("ours, one by one", rows, _one_by_one, None)
        _measure("MinHash, Jaccard 0.5", rows, _jaccard, None)
    print(json.dumps(figures))
    return 0


def _rows(data: Path, limit: int) -> list[dict[str, Any]]:
    with gzip.open(data / "texts.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row for row in rows if not limit or row.get("of", row["id"]) < limit]


def _measure(
    name: str, rows: list[dict[str, Any]], find: Callable[[list[str]], Pairs], out: Path | None
) -> dict[str, float]:
    process = psutil.Process()
    before = process.memory_info().rss
    began, cpu = time.perf_counter(), process.cpu_times()
    pairs = find([row["text"] for row in rows])
    seconds = time.perf_counter() - began
    after = process.cpu_times()
    spent = after.user + after.system - cpu.user - cpu.system
    rss = (process.memory_info().rss - before) / 1e6
    place = {row["id"]: n for n, row in enumerate(rows)}
    family = [place[row["of"]] if "of" in row else n for n, row in enumerate(rows)]
    right = sum(family[one] == family[other] for one, other in pairs)
    recall = {}
    for share in (10, 20):
        altered = [n for n, row in enumerate(rows) if row.get("altered") == share]
        found = sum((min(n, family[n]), max(n, family[n])) in pairs for n in altered)
        recall[share] = found / max(1, len(altered))
    figures = {
        "recall_10": round(recall[10], 4),
        "recall_20": round(recall[20], 4),
        "precision": round(right / max(1, len(pairs)), 4),
        "seconds": round(seconds, 2),
        "cpu_seconds": round(spent, 2),
        "rss_mb": round(rss, 1),
    }
    print(
        f"{name:<22}{len(rows):>8} texts{len(pairs):>8} pairs  recall {recall[10]:.4f} / {recall[20]:.4f}  "
        f"precision {figures['precision']:.4f}  {seconds:.1f} s ({spent:.1f} s of CPU)  {rss:.0f} MB"
    )
    if out:
        with out.open("w", encoding="utf-8") as lines:
            for one, other in sorted(pairs):
                pair = {"id": rows[one]["id"], "other": rows[other]["id"], "right": family[one] == family[other]}
                lines.write(json.dumps(pair) + "\n")
    return figures


def _ours(texts: list[str]) -> Pairs:
    return {(one, other) for one, other, _similarity in near_pairs(texts)}


def _one_by_one(texts: list[str]) -> Pairs:
    index = NearIndex(MemoryStore())
    pairs: Pairs = set()
    for n, found in enumerate(index.find_and_add((str(n), text) for n, text in enumerate(texts))):
        pairs.update((int(identity), n) for identity, _similarity in found)
    return pairs


def _jaccard(texts: list[str]) -> Pairs:
    grams = [set(bigrams(text)) for text in texts]
    places: dict[tuple[int, ...], list[int]] = {}
    pairs: Pairs = set()
    for n, digest in enumerate(rensa.RMinHash.digests_from_token_sets(grams, num_perm=128, seed=1)):
        near: set[int] = set()
        for band in range(32):
            members = places.setdefault((band, *digest[band * 4 : band * 4 + 4]), [])
            near.update(members)
            members.append(n)
        for other in near:
            shared = len(grams[n] & grams[other])
            if shared and shared / (len(grams[n]) + len(grams[other]) - shared) >= 0.5:
                pairs.add((other, n))
    return pairs


if __name__ == "__main__":
    import sys

    sys.exit(main(sys.argv[1:]))
