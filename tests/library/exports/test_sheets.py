"""JSON lines, CSV, XLSX and Parquet read back by other programs: nothing lost, no formula run, numbers typed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from hometextile.library.exports import exporting
from hometextile.library.exports.flat import number_of
from hometextile.library.exports.sheets import safe
from hometextile.library.library import Library
from hometextile.text.faults import Fault
from tests.library.conftest import page, resource


@pytest.fixture
def shelf(small: Library) -> Library:
    rows: list[dict[str, Any]] = [
        {"title": "=HYPERLINK(\"http://evil\")", "fields": {"count": "200", "code": "0042", "price": "299元"}},
        {"title": "-5 度", "author": "+86 512", "fields": {"count": 350.5, "title": "@cmd"}},
        {"title": "第一行\n第二行,“引号”\"", "keywords": ["宋锦", "丝绸"], "fields": {"count": -3, "n": "9" * 19}},
    ]  # fmt: skip
    for number, values in enumerate(rows, 1):
        small.save(page(number, resource(number, **values)))
    return small


def export(shelf: Library, path: Path, name: str | None = None, **filters: Any) -> int:
    return exporting.export(shelf, str(path), exporting.format_of(str(path), name), filters)


def test_jsonl_has_everything(shelf: Library, tmp_path: Path) -> None:
    assert export(shelf, tmp_path / "x.jsonl") == 3
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text("utf-8").splitlines()]
    assert [row["title"] for row in rows] == [one["title"] for one in shelf.resources()]
    assert rows[2]["keywords"] == ["宋锦", "丝绸"]
    assert (rows[0]["class"], rows[0]["site"]) == ("product", "example")


def test_csv_for_a_spreadsheet(shelf: Library, tmp_path: Path) -> None:
    assert export(shelf, tmp_path / "x.csv") == 3
    data = (tmp_path / "x.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert [row["title"] for row in rows] == ['\'=HYPERLINK("http://evil")', "'-5 度", '第一行\n第二行,“引号”"']
    assert rows[1]["author"] == "'+86 512"
    assert [row["count"] for row in rows] == ["200", "350.5", "-3"], "numbers stay numbers, negative ones too"
    assert (rows[0]["code"], rows[0]["field:price"], rows[0]["price"]) == ("0042", "299元", "299.0")
    assert rows[1]["field:title"] == "'@cmd"


@pytest.mark.parametrize("cell", ["=1", " =1", "+1a", "-x", "@x", "\t=1", "\r1", "\n1", "＝1", "＋1"])
def test_what_a_spreadsheet_would_run_is_made_safe(cell: str) -> None:
    assert safe(cell) == "'" + cell


@pytest.mark.parametrize("cell", [-5, 3.5, None, "a=1", "", "5-6", "锦"])
def test_what_it_would_not_run_stays(cell: Any) -> None:
    assert safe(cell) == cell


def test_xlsx_has_numbers_and_no_formula(shelf: Library, tmp_path: Path) -> None:
    from openpyxl import load_workbook

    assert export(shelf, tmp_path / "x.xlsx") == 3
    sheet = load_workbook(tmp_path / "x.xlsx").active
    assert sheet is not None
    rows = list(sheet.iter_rows())
    heads = [cell.value for cell in rows[0]]
    titles = [row[heads.index("title")] for row in rows[1:]]
    assert [cell.data_type for cell in titles] == ["s", "s", "s"]
    assert titles[0].value == '=HYPERLINK("http://evil")'
    assert [row[heads.index("count")].value for row in rows[1:]] == [200, 350.5, -3]
    assert rows[1][heads.index("code")].value == "0042"
    assert rows[3][heads.index("n")].value == "9" * 19


def test_parquet_is_typed(shelf: Library, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    assert export(shelf, tmp_path / "x.parquet") == 3
    table = pq.read_table(tmp_path / "x.parquet")
    kinds = {name: str(table.schema.field(name).type) for name in ("id", "count", "code", "price", "title")}
    assert kinds == {"id": "int64", "count": "double", "code": "string", "price": "double", "title": "string"}
    assert table.column("count").to_pylist() == [200.0, 350.5, -3.0]


def test_an_empty_library_gives_heads_alone(small: Library, tmp_path: Path) -> None:
    for ending in ("csv", "xlsx", "parquet", "jsonl"):
        assert export(small, tmp_path / f"x.{ending}") == 0
        assert (tmp_path / f"x.{ending}").exists()


def test_filters_hold_for_exports(shelf: Library, tmp_path: Path) -> None:
    assert export(shelf, tmp_path / "x.csv", price_from=300) == 0
    assert export(shelf, tmp_path / "x.csv", limit=2) == 2


def test_an_older_file_stays_until_the_new_one_is_whole(
    shelf: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("older")

    def full(_resources: object, file: Any) -> int:
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(exporting.FORMATS, "csv", full)
    with pytest.raises(Fault, match=r"x\.csv: can't be written: No space left on device → make room"):
        export(shelf, path)
    assert path.read_text() == "older"
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_formats_that_are_none(shelf: Library, tmp_path: Path) -> None:
    with pytest.raises(Fault, match="there is no format doc"):
        export(shelf, tmp_path / "x.csv", "doc")
    with pytest.raises(Fault, match="add --format"):
        export(shelf, tmp_path / "x.doc")
    with pytest.raises(Fault, match="can't be written"):
        export(shelf, tmp_path / "none" / "x.csv")


def test_numbers() -> None:
    assert [number_of(value) for value in ("1", "-1.50", "0", "1e5", "007", "1,000", "1" * 16, True, "", None)] == [
        1, -1.5, 0, None, None, None, None, None, None, None
    ]  # fmt: skip
