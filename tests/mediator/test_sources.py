"""Intermediate files, well formed, broken and hostile; the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometextile.library.library import Library
from hometextile.mediator.sources import from_file, from_library, numbers_of
from hometextile.text.faults import Fault
from tests.library.conftest import page, resource

FEED = """<?xml version="1.0" encoding="utf-8"?>
<!-- what Scrapy's XML feed looks like -->
<items>
<item><title>宋锦</title><keywords><value>丝</value></keywords><fields><克重>19姆米</克重></fields></item>
<item><title>a &amp; b</title><colour>red</colour><colour>blue</colour><price unit="元"/><empty></empty></item>
</items>
"""


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_xml(tmp_path: Path) -> None:
    found = list(from_file(write(tmp_path / "f.xml", FEED)))
    assert [one.fields for one in found] == [
        {"title": "宋锦", "keywords": ["丝"], "fields": {"克重": "19姆米"}},
        {"title": "a & b", "colour": ["red", "blue"], "price": {"unit": "元"}, "empty": ""},
    ]
    assert [one.place for one in found] == ["f.xml:4", "f.xml:5"]


def test_xml_records_deep_inside(tmp_path: Path) -> None:
    text = '<r xmlns="urn:x"><head><n>1</n></head><list><rec id="7"><n>2</n></rec><rec><n>3</n></rec></list></r>'
    found = list(from_file(write(tmp_path / "f.xml", text), "rec"))
    assert [one.fields for one in found] == [{"id": "7", "n": "2"}, {"n": "3"}]


def test_xml_in_gbk(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="gbk"?><r><i><title>宋锦</title></i></r>'.encode("gbk")
    assert [one.fields for one in from_file(write(tmp_path / "f.xml", text))] == [{"title": "宋锦"}]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r><i>&x;</i></r>', "document type declarations"),
        ('<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><r><i>&b;</i></r>', "document type declarations"),
        ('<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd"><r><i>1</i></r>', "document type declarations"),
        ("<r>\n<i>1</i>\n<i>2", "f.xml:3: not readable as XML"),
        ("<r>\n<i>a & b</i></r>", "f.xml:2: not readable as XML"),
        ("", "not readable as XML"),
        ("<r>" + "<a>" * 100_000, "not readable as XML"),
    ],
)
def test_xml_that_is_broken_or_hostile(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(Fault) as caught:
        list(from_file(write(tmp_path / "f.xml", text)))
    assert problem in str(caught.value)
    assert "root:" not in str(caught.value)


def test_json_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "f.jsonl", '\ufeff{"title": "宋锦"}\n\n{"n": 1.5}')
    assert [(one.fields, one.place) for one in from_file(path)] == [
        ({"title": "宋锦"}, "f.jsonl:1"),
        ({"n": 1.5}, "f.jsonl:3"),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b'{"a": 1}\n{"a": ', "f.jsonl:2: the line is not JSON → write one JSON object a line, in UTF-8"),
        (b"[1]", "f.jsonl:1: the line is no JSON object"),
        (b'{"a": NaN}', "the line is not JSON"),
        ("宋锦".encode("gbk"), "the file is not UTF-8"),
        (b"[" * 200_000, "the line is not JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "the line is not JSON"),
    ],
)
def test_json_lines_that_are_broken(tmp_path: Path, text: bytes, problem: str) -> None:
    with pytest.raises(Fault) as caught:
        list(from_file(write(tmp_path / "f.jsonl", text)))
    assert problem in str(caught.value)


def test_other_files(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="is no intermediate file that can be read"):
        list(from_file(write(tmp_path / "f.csv", "a,b")))
    with pytest.raises(Fault, match="cannot be read"):
        list(from_file(tmp_path / "none.xml"))


def test_the_library(tmp_path: Path) -> None:
    with Library.open(f"sqlite:///{tmp_path / 'library.db'}") as library:
        library.save(page(1, resource(1), resource(2, duplicate_of=None)))
        library.save(page(2, resource(3, duplicate_of="http://site.example/1")))
        found = list(from_library(library))
        assert [one.fields["url"] for one in found] == ["http://site.example/1", "http://site.example/2"]
        assert (found[0].fields["site"], found[0].fields["price"]) == ("example", 299.0)
        assert found[0].place == "resource 1"
        assert numbers_of(library, ["http://site.example/2", "http://no.example/"]) == [2]
        assert [one.fields["id"] for one in from_library(library, ids=[2])] == [2]
