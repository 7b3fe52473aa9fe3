"""Feeds: a page's resources, one a row; formula cells made safe."""

from __future__ import annotations

import csv
import json
from io import BytesIO, StringIO

from hometextile.exporters import ResourceCsvExporter, ResourceJsonLinesExporter
from hometextile.extract.resource import Resource
from hometextile.page.page import Page


def _page(*resources: Resource, dropped: str | None = None) -> Page:
    return Page("s", "http://a.cn/1", "", resources=list(resources), dropped=dropped)


def test_a_page_gives_its_resources_one_a_row() -> None:
    out = BytesIO()
    exporter = ResourceJsonLinesExporter(out, encoding="utf-8")
    exporter.export_item(_page(Resource("a", "http://a.cn/1", "云锦"), Resource("b", "http://a.cn/2", "宋锦")))
    exporter.export_item(_page(Resource("c", "http://a.cn/3", "转载", duplicate_of="a")))
    exporter.export_item(_page(Resource("d", "http://a.cn/4", "足球"), dropped="off-topic"))
    rows = [json.loads(line) for line in out.getvalue().decode().splitlines()]
    assert [row["title"] for row in rows] == ["云锦", "宋锦"]


def test_a_csv_cell_is_no_formula() -> None:
    out = BytesIO()
    exporter = ResourceCsvExporter(out, encoding="utf-8")
    exporter.export_item(_page(Resource("a", "http://a.cn/1", "=HYPERLINK(1)", text="-1 度")))
    exporter.finish_exporting()
    row = next(csv.DictReader(StringIO(out.getvalue().decode())))
    assert row["title"] == "'=HYPERLINK(1)"
    assert row["text"] == "'-1 度"


def test_other_items_pass() -> None:
    out = BytesIO()
    ResourceJsonLinesExporter(out).export_item({"x": 1})
    assert json.loads(out.getvalue()) == {"x": 1}
