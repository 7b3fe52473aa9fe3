"""The small language: what it gives, and that nothing else is in it."""

from __future__ import annotations

from typing import Any

import pytest

from hometextile.mediator.expressions import Broken, evaluate, names, parse, stands_in

RECORD: dict[str, Any] = {
    "title": "宋锦四件套",
    "source": "",
    "keywords": ["宋锦", "丝绸"],
    "images": [{"url": "http://a/1.jpg"}, {"url": "http://a/2.jpg"}],
    "fields": {"克重(g/m²)": "200", "a.b": "点", "count": 40, "title": "别的", "品牌": "苏州"},
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("title", "宋锦四件套"),
        ("fields.title", "别的"),
        ("品牌", "苏州"),
        ("fields.品牌", "苏州"),
        ("fields.`克重(g/m²)`", "200"),
        ("fields.a.b", "点"),
        ("images.0.url", "http://a/1.jpg"),
        ("images.url", ["http://a/1.jpg", "http://a/2.jpg"]),
        ("images.9.url", None),
        ("nothing", None),
        ("title.nothing", None),
        ('title + " / " + fields.count', "宋锦四件套 / 40"),
        ("source + fields.nothing", ""),
        ('first(source, nothing, "none")', "none"),
        ("first(source, fields.count)", 40),
        ('join(keywords, "、")', "宋锦、丝绸"),
        ("join(images)", "http://a/1.jpg; http://a/2.jpg"),
        ("keywords + '!'", "宋锦; 丝绸!"),
        ("upper('abc') + lower(\"DEF\")", "ABCdef"),
        ("(title)", "宋锦四件套"),
        ("12.5 + '元'", "12.5元"),
        ("__class__", None),
        ("title.__class__.__mro__", None),
    ],
)
def test_values(text: str, value: Any) -> None:
    assert evaluate(parse(text), RECORD) == value


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "something is missing at the end"),
        ("title +", "something is missing at the end"),
        ("title source", "unexpected: source"),
        ("open('/etc/passwd')", "there is no function open"),
        ("first()", "unexpected: )"),
        ("first(a", "something is missing at the end → write ) here; inside { }"),
        ("join(a, b, c)", "join takes 1 to 2 values, not 3"),
        ("a[0]", "can't be read from here: [0]"),
        ("'open", "can't be read from here: 'open"),
        ("a * b", "can't be read from here"),
        ("(" * 30 + "a" + ")" * 30, "too many brackets"),
        ("a" * 2001, "the expression is too long"),
    ],
)
def test_what_is_no_expression(text: str, problem: str) -> None:
    with pytest.raises(Broken) as caught:
        parse(text)
    assert problem in str(caught.value)
    assert " → " in str(caught.value)


def test_a_record_without_fields_is_its_own_fields() -> None:
    assert evaluate(parse("fields.price"), {"price": "9"}) == "9"
    assert stands_in({"price": ""}, ("fields", "price"))
    assert not stands_in({"price": ""}, ("prise",))


def test_names_of_an_expression() -> None:
    found = names(parse('first(a, b.c) + "x" + join(d)'))
    assert [str(name) for name in found] == ["a", "b.c", "d"]


def test_a_deep_record_is_only_looked_at_as_far_as_asked() -> None:
    deep: Any = "bottom"
    for _level in range(5000):
        deep = [deep]
    assert evaluate(parse("deep.0.0"), {"deep": deep}) is not None
