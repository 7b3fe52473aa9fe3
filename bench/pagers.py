"""``script/bench pagers``: next links of real pages with pagers."""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from urllib.parse import urljoin

from hometextile.forms.pagers import read_pager
from hometextile.forms.reading import read_forms
from hometextile.page.document import Document
from hometextile.text.encodings import decode


def main(argv: list[str]) -> int:
    """Run the benchmark: a page's next link is right when it is one of those that people marked."""
    parser = argparse.ArgumentParser(prog="script/bench pagers")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="write each prediction, one JSON line a page")
    options = parser.parse_args(argv)
    data = options.data / "pagers" if (options.data / "pagers").is_dir() else options.data
    hit = predicted = true = 0
    rows = []
    for line in (data / "index.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        document = Document(decode(gzip.decompress((data / row["file"]).read_bytes())).text, row["url"])
        pager = read_pager(document, read_forms(document))
        wanted = {urljoin(document.base_url, href).partition("#")[0] for href in row["links"].get("next", [])}
        found = pager.next.url if pager.next else None
        hit += found in wanted
        predicted += found is not None
        true += bool(wanted)
        rows.append({"file": row["file"], "next": found, "wanted": sorted(wanted)})
        if (found is not None or wanted) and found not in wanted:
            print(f"  {row['file']}: found {found}, wanted {sorted(wanted)[:2]}")
    figures = {"precision": hit / predicted if predicted else 0.0, "recall": hit / true if true else 0.0}
    print(f"{len(rows)} pages, {true} with a next page, {predicted} found, {hit} right")
    if options.out:
        options.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(json.dumps(figures))
    return 0
