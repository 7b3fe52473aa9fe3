"""``script/gate``: the shipped models on a fixed small part of the real pages, held against ``bench/baseline.json``.

A fall of more than a point (0.01) fails. The part is fixed by a hash of each page's file name, so that it does not
depend on the order of the index.
"""

from __future__ import annotations

import argparse
import gzip
import json
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from bench.score import binary_report, content_report
from hometextile.blocks.content import main_text
from hometextile.blocks.importance import load_model
from hometextile.blocks.segment import segment
from hometextile.forms.pagers import read_pager
from hometextile.forms.reading import read_forms
from hometextile.forms.recognising import Recogniser
from hometextile.page.document import Document
from hometextile.text.encodings import decode

BASELINE = Path(__file__).with_name("baseline.json")
#: One page in so many of each set.
CONTENT, FORMS = 12, 4
FALL = 0.01


def chosen(name: str, one_in: int) -> bool:
    """Whether a page belongs to the fixed part."""
    return int(sha256(name.encode()).hexdigest(), 16) % one_in == 0


def rows(folder: Path, one_in: int) -> list[dict[str, Any]]:
    """The fixed part of a set's index."""
    lines = (folder / "index.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if chosen(row["file"], one_in)]


def document(folder: Path, row: dict[str, Any]) -> Document:
    """A saved page."""
    found = decode(gzip.decompress((folder / row["file"]).read_bytes()))
    return Document(found.text, row.get("url") or "http://unknown.invalid/", found.encoding)


def blocks(data: Path) -> dict[str, float]:
    """F1 of the main text, all pages and Chinese ones."""
    model = load_model()
    pairs: list[tuple[str, tuple[str, str]]] = []
    for row in rows(data / "content", CONTENT):
        page = document(data / "content", row)
        found = segment(page)
        model.rate(found, page)
        pairs.append((row["language"], (main_text(found, page).text, row["text"])))
    return {
        "blocks_f1_all": content_report(pair for _language, pair in pairs)["f1"],
        "blocks_f1_zh": content_report(pair for language, pair in pairs if language.startswith("zh"))["f1"],
    }


def forms(data: Path) -> dict[str, float]:
    """F1 of query interfaces."""
    recogniser = Recogniser.load()
    pairs = []
    for row in rows(data / "forms", FORMS):
        page = document(data / "forms", row)
        real = [form for form in read_forms(page) if not form.virtual]
        for form, verdict in zip(real, recogniser.recognise_all(real, page), strict=True):
            number = real.index(form)
            truth = next((each for each in row["forms"] if each["n"] == number and each["kind"] is not None), None)
            if truth is not None:
                pairs.append((verdict.is_query, truth["kind"] == "search"))
    return {"forms_f1": binary_report(pairs)["f1"]}


def pagers(data: Path) -> dict[str, float]:
    """F1 of next links."""
    hit = predicted = true = 0
    for row in rows(data / "pagers", 1):
        page = document(data / "pagers", row)
        pager = read_pager(page, read_forms(page))
        wanted = {urljoin(page.base_url, href).partition("#")[0] for href in row["links"].get("next", [])}
        found = pager.next.url if pager.next else None
        hit, predicted, true = hit + (found in wanted), predicted + (found is not None), true + bool(wanted)
    return {"pagers_f1": 2 * hit / (predicted + true) if predicted + true else 0.0}


def main(argv: list[str]) -> int:
    """Measure, print, compare; 1 when something fell."""
    parser = argparse.ArgumentParser(prog="script/gate")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="make what is measured now the baseline")
    options = parser.parse_args(argv)
    figures = {key: round(value, 4) for part in (forms, pagers, blocks) for key, value in part(options.data).items()}
    recorded = json.loads(BASELINE.read_text(encoding="utf-8")) if BASELINE.is_file() else {}
    floors = recorded.get("gate", {})
    fallen = [key for key, floor in floors.items() if figures.get(key, 0.0) < floor - FALL]
    for key, value in figures.items():
        print(f"{key:16} {value:.4f}  (baseline {floors.get(key, 0):.4f}){'  FELL' if key in fallen else ''}")
    if options.write:
        text = json.dumps({**recorded, "gate": figures}, indent=1, sort_keys=True)
        BASELINE.write_text(text + "\n", encoding="utf-8")
    print(json.dumps(figures))
    return 1 if fallen else 0


if __name__ == "__main__":
    import sys

    sys.exit(main(sys.argv[1:]))
