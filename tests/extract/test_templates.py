"""Templates on pages: which fits, what it gives, what is missing."""

from __future__ import annotations

from typing import Any

import pytest

from hometextile.extract import expressions
from hometextile.extract.schema import TemplateRule
from hometextile.extract.templates import apply, choose, fits
from hometextile.page.document import Document

LIST = """<!-- three records, one without a price, and an advertisement among them -->
<ul><li><a href="/p/1">被套</a><b>99元</b></li><li><a href="/p/2">枕套</a></li>
<li class="ad"><a href="/ad">广告</a><b>1元</b></li>
<li>毛巾<b>9元</b></li></ul>"""


def template(**data: Any) -> TemplateRule:
    return TemplateRule.model_validate({"name": "t", "match": "/list", **data})


def test_the_first_that_fits() -> None:
    page = Document(LIST, "http://example.cn/list?p=1")
    rules = [template(match="/detail"), template(marks=["table"]), template(name="b", marks=["ul", "//li"]), template()]
    chosen = choose(page, rules)
    assert chosen is not None
    assert chosen.name == "b"
    assert choose(page, rules[:2]) is None


def test_records_keep_their_fields_together() -> None:
    rule = template(kind="list", records="li", link="a", drop=[".ad"],
                    fields={"title": {"xpath": "//a|self::li/text()"}, "price": {"css": "b",
                    "type": "price"}})  # fmt: skip
    found = apply(Document(LIST, "http://example.cn/list"), rule)
    assert [(r.one("title"), r.one("price"), r.link) for r in found.records] == [
        ("被套", "99 CNY", "http://example.cn/p/1"), ("枕套", "", "http://example.cn/p/2"), ("毛巾", "9 CNY", ""),
    ]  # fmt: skip


def test_a_record_without_a_required_field_is_told() -> None:
    rule = template(kind="list", records="li", fields={"price": {"css": "b", "required": True}})
    found = apply(Document(LIST, "http://example.cn/list"), rule)
    assert len(found.records) == 3
    assert [record.missing for record in found.incomplete] == [["price"]]


def test_equal_values_are_as_many_as_there_are() -> None:
    page = Document("<b>9</b>" * 18, "http://example.cn/list")
    assert apply(page, template(fields={"price": {"css": "b", "many": True}})).records[0].values["price"] == ["9"] * 18


def test_a_text_in_pieces_is_one_text() -> None:
    page = Document("<p>甲</p><p>乙</p>", "http://example.cn/list")
    assert apply(page, template(fields={"text": {"css": "p"}})).records[0].one("text") == "甲\n\n乙"


def test_what_would_take_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "BUDGET", 20)
    page = Document(LIST, "http://example.cn/list")
    found = apply(page, template(fields={"a": {"xpath": "//li[//b]"}, "b": {"constant": "x"}}))
    assert found.costly == ["a"]
    assert found.records[0].values == {"b": ["x"]}
    assert not fits(page, template(marks=["//li[//b]"]))
