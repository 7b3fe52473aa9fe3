"""Labelled forms."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from hometextile.forms.dataset import data_hash, labelled_forms, site_of
from hometextile.text.faults import Fault

SEARCH = "<form><input name=q><input type=hidden name=t value={}></form>"


def write(folder: Path, pages: dict[str, tuple[str, list[str | None]]]) -> Path:
    """Pages, url to HTML and kinds, as a set."""
    lines = []
    for n, (url, (html, kinds)) in enumerate(pages.items()):
        (folder / f"{n}.html.gz").write_bytes(gzip.compress(html.encode()))
        lines.append(
            json.dumps(
                {"file": f"{n}.html.gz", "url": url, "forms": [{"n": i, "kind": k} for i, k in enumerate(kinds)]}
            )
        )
    (folder / "index.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_labels_find_their_forms(tmp_path: Path) -> None:
    html = "<form><input type=password></form><form><input name=x></form>" + SEARCH.format(1)
    found = labelled_forms(write(tmp_path, {"https://a.example/": (html, ["login", None, "search"])}))
    assert [(one.kind, one.n, one.is_query, one.has_text) for one in found] == [
        ("login", 0, False, False),
        ("search", 2, True, True),
    ]


def test_identical_forms_of_a_site_count_once(tmp_path: Path) -> None:
    pages = {
        "https://www.a.co.uk/1": (SEARCH.format(1), ["search"]),
        "https://shop.a.co.uk/2": (SEARCH.format(2), ["search"]),
        "https://b.co.uk/": (SEARCH.format(1), ["search"]),
    }
    assert [one.site for one in labelled_forms(write(tmp_path, pages))] == ["a.co.uk", "b.co.uk"]


def test_a_form_within_a_form_is_read_by_itself(tmp_path: Path) -> None:
    html = "<form><input type=password name=p><form><input name=q></form></form>"
    found = labelled_forms(write(tmp_path, {"https://a.example/": (html, [None, "search"])}))
    assert [[control.name for control in one.form.controls] for one in found] == [["q"]]


def test_site_of() -> None:
    assert site_of("https://www.news.bbc.co.uk/x") == "bbc.co.uk"
    assert site_of("http://127.0.0.1:8000/") == "127.0.0.1"


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"file": "a.gz"}', '{"file": "none.gz", "url": "https://a.example/", "forms": []}']
)
def test_a_bad_line_is_told(tmp_path: Path, line: str) -> None:
    (tmp_path / "index.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(Fault) as told:
        labelled_forms(tmp_path)
    assert told.value.line == 1


def test_no_index(tmp_path: Path) -> None:
    with pytest.raises(Fault, match=r"no index\.jsonl"):
        labelled_forms(tmp_path)


def test_hash(tmp_path: Path) -> None:
    write(tmp_path, {"https://a.example/": (SEARCH, ["search"])})
    assert len(data_hash(tmp_path)) == 64
