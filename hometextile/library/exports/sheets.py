"""JSON lines, CSV, XLSX and Parquet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO

from hometextile.library.exports.flat import Plan, plan

Resources = Callable[[], Iterable[Mapping[str, Any]]]

#: What makes a spreadsheet take a cell for a formula (OWASP, CSV Injection), full-width forms too.
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_CELL = 32_767
_ROWS = 1_048_576
_BATCH = 1000
_LEFT_OUT = {"identity_hash", "site_id", "page_id", "category", "blocks"}


def safe(cell: Any) -> Any:
    """A cell that no spreadsheet runs: an apostrophe before what begins like a formula; numbers stay numbers."""
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA):
        return "'" + cell
    return cell


def jsonl(resources: Resources, file: BinaryIO) -> int:
    """One JSON object a line, with everything but what only the database needs."""
    count = 0
    for resource in resources():
        row = {name: value for name, value in resource.items() if name not in _LEFT_OUT}
        file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        count += 1
    return count


def _rows(resources: Resources, columns: Plan) -> Iterator[list[Any]]:
    for resource in resources():
        yield columns.row(resource)


def as_csv(resources: Resources, file: BinaryIO) -> int:
    """RFC 4180 in UTF-8 with a byte order mark, which Excel wants; formula cells made safe."""
    columns = plan(resources())
    count = 0
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="", write_through=True)
    try:
        writer = csv.writer(text)
        writer.writerow([safe(name) for name in columns.columns])
        for row in _rows(resources, columns):
            writer.writerow(["" if cell is None else safe(cell) for cell in row])
            count += 1
    finally:
        text.detach()
    return count


def xlsx(resources: Resources, file: BinaryIO) -> int:
    """An Excel workbook: numbers as numbers, text as text, never as a formula; a new sheet when one is full."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    columns = plan(resources())
    book = Workbook(write_only=True)
    rows = _rows(resources, columns)
    count = 0
    first = next(rows, None)
    while first is not None or not book.worksheets:
        sheet = book.create_sheet(f"resources {len(book.worksheets) + 1}" if book.worksheets else "resources")
        sheet.freeze_panes = "A2"
        heads = []
        for name in columns.columns:
            head = WriteOnlyCell(sheet, value=None)
            head.font = Font(bold=True)
            _write_text(head, name)
            heads.append(head)
        sheet.append(heads)
        for row in () if first is None else [first, *islice(rows, _ROWS - 2)]:
            cells = []
            for value in row:
                if isinstance(value, str):
                    cell = WriteOnlyCell(sheet, value=None)
                    _write_text(cell, value)
                    cells.append(cell)
                else:
                    cells.append(value)
            sheet.append(cells)
            count += 1
        first = next(rows, None)
    book.save(file)
    return count


def _write_text(cell: Any, value: str) -> None:
    cell.value = _CONTROL.sub("", value)[:_CELL]
    # openpyxl takes "=1+1" for a formula and "#N/A" for an error; it is text here.
    cell.data_type = "s"


def parquet(resources: Resources, file: BinaryIO) -> int:
    """Apache Parquet, zstd; numbers typed, text as UTF-8."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    columns = plan(resources())
    kinds = {"text": pyarrow.string(), "number": pyarrow.float64(), "whole": pyarrow.int64()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns.columns.items()])
    count = 0
    rows = _rows(resources, columns)
    with ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(rows, _BATCH)):
            arrays = [
                pyarrow.array(values, schema.field(place).type)
                for place, values in enumerate(zip(*_floats(batch, columns), strict=True))
            ]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            count += len(batch)
    return count


def _floats(rows: list[list[Any]], columns: Plan) -> list[list[Any]]:
    """Whole numbers in number columns as floats, as Parquet wants one type a column."""
    number = [kind == "number" for kind in columns.columns.values()]
    return [
        [float(cell) if wanted and cell is not None else cell for cell, wanted in zip(row, number, strict=True)]
        for row in rows
    ]
