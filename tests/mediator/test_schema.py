"""Maps: each mistake is one line with file, line, key and remedy; the documents name what there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from hometextile.mediator.mediator import Mediator
from hometextile.mediator.schema import ColumnRule, MapFile, Take, load_map
from hometextile.text.faults import Fault
from tests.mediator.conftest import User, read

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
BASE = "table: t\nkey: k\ncreate: true\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("columns: {k: k", "m.yaml:5: not readable as YAML"),
        ("columns: {k: k, p: {from: p, tpye: price}}", "m.yaml:5: columns.p.tpye: unknown key → did you mean `type`?"),
        ("columns: {k: k, p: {from: p, type: money}}", "columns.p.type: 'money' is not one of the values"),
        ("columns: {k: k, p: 'first(a'}", "m.yaml:5: columns.p: something is missing at the end → write )"),
        ("columns: {k: k, p: ['a b', c]}", "columns.p: unexpected: b → put + between two parts"),
        ("columns: {k: k, p: {from: [a, 'b c']}}", "columns.p.from: unexpected: c → put + between two parts"),
        ("columns: {k: k, p: {type: price}}", "columns.p: neither from nor constant → write `from: FIELD`"),
        ("columns: {k: k, p: {from: a, constant: 1}}", "columns.p: both from and constant"),
        ("columns: {k: k, p: {from: a, unit: stone_age}}", "columns.p.unit: there is no unit stone_age"),
        ("columns: {k: k, p: {from: a, unit: m, type: date}}", "a column with a unit holds numbers, not date"),
        ("columns: {k: k, p: {from: a, assume: m}}", "columns.p: assume stands without unit"),
        ("columns: {k: k, p: {from: a, type: number, default: viel}}", "columns.p.default: viel is no number"),
        ("columns: {k: k, p: {constant: viel, type: date}}", "columns.p.constant: viel is no date"),
        ("columns: {k: {constant: 1}}", "columns.k: a key that is the same in every row tells none apart"),
        ("columns: {a: a}", "m.yaml:3: key: the key k is none of the columns → write one of: a"),
        ("columns: {}", "columns"),
        ("units: {匹: lang}\ncolumns: {k: k}", "m.yaml:5: units.匹: lang is no quantity → write it like 40 m"),
        ("on_error: ignore\ncolumns: {k: k}", "on_error: 'ignore' is not one of the values"),
    ],
)
def test_mistakes(small: User, text: str, fault: str) -> None:
    with pytest.raises(Fault) as caught:
        Mediator(read(BASE + text, "m"))
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_key_is_described() -> None:
    text = (DOCS / "mediator.md").read_text(encoding="utf-8")
    models: list[type[BaseModel]] = [MapFile, Take, ColumnRule]
    keys = [field.alias or name for model in models for name, field in model.model_fields.items()]
    assert [key for key in keys if f"| `{key}` |" not in text] == []


def test_the_example_works(small: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRODUCTS_DB", small.url)
    mapping = load_map(ROOT / "maps" / "products.yaml")
    fields = {"price": "面议", "克重": "200", "纱支": "40支", "幅宽": "三尺", "匹长": "2匹", "组织": "缎纹"}
    record = {"library": "trade", "url": "http://a/1", "title": "宋锦", "source": "苏州", "published": "2023-05",
              "images": [{"url": "http://a/1.jpg"}], "fields": fields}  # fmt: skip
    done = small.run(mapping, record)
    assert done.counts == {"read": 1, "new": 1}
    assert done.unknown == []
    assert small.rows("SELECT * FROM products") == [
        {"url": "http://a/1", "title": "宋锦", "brand": "苏州", "price": None, "weight_gsm": 200, "yarn_tex": 14.76,
         "width_cm": 100, "length_m": 80, "weave": "satin", "published": "2023-05-01", "label": "宋锦（苏州）",
         "first_image": "http://a/1.jpg", "currency": "CNY"}
    ]  # fmt: skip


def test_files_that_are_no_maps(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="cannot be read: No such file"):
        load_map(tmp_path / "none.yaml")
    (tmp_path / "gbk.yaml").write_bytes("table: 表".encode("gbk"))
    with pytest.raises(Fault, match="is not UTF-8"):
        load_map(tmp_path / "gbk.yaml")
    (tmp_path / "list.yaml").write_text("- a\n")
    with pytest.raises(Fault, match="not made of `key: value` lines"):
        load_map(tmp_path / "list.yaml")
