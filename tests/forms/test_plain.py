"""How far a form is asked, as plain data and back."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

from hometextile.forms.answers import Baseline
from hometextile.forms.form import Control, Form, Option, Query
from hometextile.forms.plain import from_plain, to_plain


def test_objects_sets_and_odd_keys_come_back() -> None:
    value = {
        None: {"b", "a"}, "x": ("y", 1, 2.5, None, True), "base": Baseline({"u"}, {"l"}),
        "query": Query(Form([Control("select", "s", options=[Option("1", "一")])], url="http://a"), {"q": ["宋锦"]}),
    }  # fmt: skip
    again = from_plain(json.loads(json.dumps(to_plain(value))))
    assert again == value
    assert again["query"].form.fingerprint == value["query"].form.fingerprint  # type: ignore[union-attr]


def test_what_is_not_of_the_room_becomes_none() -> None:
    assert to_plain({"x": object(), "y": print}) == {"is": "dict", "of": [["x", None], ["y", None]]}


def test_a_field_that_is_missing_has_its_default() -> None:
    data: Any = to_plain(Baseline({"u"}, {"l"}))
    del data["of"]["lines"]
    assert from_plain(data) == Baseline({"u"}, set())
    assert {field.name for field in fields(Baseline)} >= {"links", "lines"}


@pytest.mark.parametrize(
    "data",
    [
        {"is": "os:system", "of": {}},
        {"is": "hometextile.forms.form:nothing", "of": {}},
        {"is": "hometextile.forms.form:Form.fingerprint", "of": {}},
        {"is": "hometextile.forms.nowhere:X", "of": {}},
        {"is": "hometextile.forms.plain:import_module", "of": {}},
        {"is": "hometextile.forms.form:Form", "of": []},
        {},
    ],
)
def test_nothing_else_is_made(data: Any) -> None:
    with pytest.raises(ValueError, match=r"no class of this room|not the state"):
        from_plain(data)


def test_what_is_nested_without_end_ends() -> None:
    value: list[Any] = []
    value.append(value)
    assert to_plain(value)
