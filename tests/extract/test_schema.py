"""Rules as a person writes them: what is refused, at which key, with what remedy."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from hometextile.extract.schema import FieldRule, TemplateRule


@pytest.mark.parametrize(
    ("rule", "place", "problem"),
    [
        ({}, (), "no way to find the field"),
        ({"css": "a", "xpath": "//a"}, (), "two ways"),
        ({"xpath": "//a["}, ("xpath",), "broken XPath"),
        ({"css": "a["}, ("css",), "broken CSS"),
        ({"regex": "(a"}, ("regex",), "broken regular expression"),
        ({"between": ["<div", "</div>"]}, ("between",), "not closed"),
        ({"between": ["<div>"]}, ("between",), "two texts"),
        ({"css": "a", "replace": {"(": "x"}}, ("replace",), "broken regular expression"),
        ({"css": "a", "within": "//a"}, ("within",), "broken CSS"),
        ({"css": "a", "many": True, "join": "x"}, (), "exclude each other"),
        ({"label": " ： "}, (), "label is empty"),
        ({"label": []}, (), "label is empty"),
        ({"css": "a", "typ": "x"}, ("typ",), "not permitted"),
        ({"css": "a", "type": "money"}, ("type",), "text"),
        ({"css": "a", "many": "yes"}, ("many",), "boolean"),
    ],
)
def test_refused_field(rule: dict[str, Any], place: tuple[str, ...], problem: str) -> None:
    with pytest.raises(ValidationError) as caught:
        FieldRule.model_validate(rule)
    error = caught.value.errors()[0]
    assert error["loc"] == place
    assert problem in error["msg"]


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ({"name": "a"}, "which pages"),
        ({"name": "a", "match": "x", "records": "li"}, "for lists"),
        ({"name": "a", "match": "x", "kind": "list", "link": "a"}, "needs records"),
        ({"name": "a", "match": "(?<=x)"}, "lookbehind"),
        ({"name": "a", "match": "x", "fields": {"1a": {"css": "a"}}}, "no name for a field"),
        ({"name": "a", "match": "x", "marks": ["//a["]}, "broken XPath"),
    ],
)
def test_refused_template(rule: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TemplateRule.model_validate(rule)
    assert problem in str(caught.value)


def test_a_whole_template() -> None:
    rule = TemplateRule.model_validate(
        {"name": "产品", "match": r"/product/\d+", "marks": ["h1", "//dl"], "drop": [".related"],
         "fields": {"产地": {"label": "产地"}, "price": {"css": ".price", "type": "price", "required": True}}}
    )  # fmt: skip
    assert [field.way for field in rule.fields.values()] == ["label", "css"]
