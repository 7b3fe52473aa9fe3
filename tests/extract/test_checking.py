"""A rule file's own check: the text must come out of the rules, not of a fall-back."""

from __future__ import annotations

from hometextile.extract.checking import check
from hometextile.extract.schema import TemplateRule
from hometextile.page.document import Document

PAGE = "<h1>纯棉 被套</h1><p>产地：南通</p><p>说明</p>"


def rule(**fields: dict[str, object]) -> list[TemplateRule]:
    return [TemplateRule.model_validate({"name": "产品", "match": "/p/", "fields": fields})]


def test_passed() -> None:
    report = check(Document(PAGE, "http://example.cn/p/1"), "纯棉被套".replace("被", " 被"), rule(title={"css": "h1"}))
    assert report.passed
    assert (report.template, report.fields, report.empty) == ("产品", {"title": 1}, [])


def test_a_dead_rule_is_found_out() -> None:
    report = check(Document(PAGE, "http://example.cn/p/1"), "南通", rule(title={"css": "h1"}, place={"css": ".gone"}))
    assert not report.passed
    assert report.empty == ["place"]


def test_a_missing_required_field_fails() -> None:
    rules = rule(title={"css": "h1"}, place={"css": ".gone", "required": True})
    assert not check(Document(PAGE, "http://example.cn/p/1"), "纯棉", rules).passed


def test_no_template() -> None:
    report = check(Document(PAGE, "http://example.cn/news"), "纯棉", rule(title={"css": "h1"}))
    assert not report.passed
    assert report.template == ""
