"""Dublin Core, MARCXML, RIS and BibTeX: well formed, complete, and only what reference managers know."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from hometextile.library.exports import exporting
from hometextile.library.library import Library
from tests.library.conftest import page, resource

_DC = "{http://purl.org/dc/elements/1.1/}"
_MARC = "{http://www.loc.gov/MARC21/slim}"


@pytest.fixture
def shelf(small: Library) -> Library:
    rows: list[dict[str, Any]] = [
        {
            "title": "床上用品 {GB} & 100% <棉>", "library": "academic", "category": "standard", "language": "zh",
            "fields": {"标准号": "GB/T 22796-2021", "status": "现行"}, "keywords": ["床品"],
        },
        {
            "title": "Brocade_of_Song", "library": "academic", "category": "literature", "author": "王丽、李强",
            "fields": {"doi": "10.1000/x_1", "journal": "丝绸", "issue": "3", "pages": "12-18"}, "language": "en",
        },
        {"title": "新品", "category": "product", "text": "a\x0bb"},
    ]  # fmt: skip
    for number, values in enumerate(rows, 1):
        small.save(page(number, resource(number, **values)))
    return small


def export(shelf: Library, path: Path, name: str, **filters: Any) -> str:
    exporting.export(shelf, str(path), name, filters)
    return path.read_text("utf-8")


def test_dublin_core(shelf: Library, tmp_path: Path) -> None:
    export(shelf, tmp_path / "x.xml", "dc")
    root = etree.parse(tmp_path / "x.xml").getroot()
    records = [{(one.tag, one.text) for one in record} for record in root]
    assert len(records) == 3
    assert (f"{_DC}title", "床上用品 {GB} & 100% <棉>") in records[0]
    assert (f"{_DC}identifier", "GB/T 22796-2021") in records[0]
    assert {(f"{_DC}creator", "王丽"), (f"{_DC}creator", "李强"), (f"{_DC}identifier", "doi:10.1000/x_1")} <= records[1]


def test_marcxml(shelf: Library, tmp_path: Path) -> None:
    export(shelf, tmp_path / "x.xml", "marcxml")
    root = etree.parse(tmp_path / "x.xml").getroot()
    assert root.tag == f"{_MARC}collection"
    for record in root:
        assert len(record.findtext(f"{_MARC}leader", "")) == 24
        assert len(record.findtext(f"{_MARC}controlfield[@tag='008']", "")) == 40
        assert record.find(f"{_MARC}datafield[@tag='245']/{_MARC}subfield[@code='a']") is not None
    titles = [one.text for one in root.iterfind(f".//{_MARC}datafield[@tag='245']/{_MARC}subfield")]
    assert titles == ["床上用品 {GB} & 100% <棉>", "Brocade_of_Song", "新品"]


def test_ris_of_what_reference_managers_know(shelf: Library, tmp_path: Path) -> None:
    text = export(shelf, tmp_path / "x.ris", "ris")
    assert re.findall(r"^TY  - (\w+)", text, re.M) == ["STAND", "JOUR"]
    assert text.count("ER  - ") == 2
    for line in (
        "AU  - 王丽",
        "AU  - 李强",
        "DO  - 10.1000/x_1",
        "JO  - 丝绸",
        "DA  - 2023/05/06/",
        "M1  - GB/T 22796-2021",
    ):
        assert line in text
    assert "TY  - ELEC" in export(shelf, tmp_path / "y.ris", "ris", library="trade")


def test_bibtex(shelf: Library, tmp_path: Path) -> None:
    text = export(shelf, tmp_path / "x.bib", "bibtex")
    assert re.findall(r"^@(\w+)\{(\w+),", text, re.M) == [("techreport", "ht1"), ("article", "ht2")]
    assert r"title = {{床上用品 \{GB\} \& 100\% <棉>}}" in text
    assert "author = {{王丽} and {李强}}" in text
    assert "pages = {12--18}" in text
    assert text.count("{") == text.count("}")
