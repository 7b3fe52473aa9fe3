"""The parsed document: broken, empty, deep and hostile pages give a tree all the same."""

from __future__ import annotations

import pytest

from hometextile.page.document import Document


def body(text: str) -> str:
    return str(Document(text, "http://example.cn/").tree.xpath("string(//body)"))


@pytest.mark.parametrize(
    "text", ["", "   ", "<!-- only -->", "\x00", "\ud800", "<", "<html>", '<?xml version="1.0"?>', "<frameset>"]
)
def test_there_is_always_a_root(text: str) -> None:
    assert Document(text, "http://example.cn/").tree.tag == "html"


def test_what_comes_after_the_end_belongs_to_the_body() -> None:
    assert body("<html><body><p>甲</p></body></html><p>乙</p></body></html>丙") == "甲乙丙"


@pytest.mark.parametrize("tag", ["div", "font", "b"])
def test_deep_nesting_loses_no_text(tag: str) -> None:
    text = f"<{tag}>" * 5000 + "深" + f"</{tag}>" * 5000 + "<p>后</p>"
    assert body(text) == "深后"


def test_a_declaration_and_control_characters_do_no_harm() -> None:
    text = '<?xml version="1.0" encoding="gb2312"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>家\x0b纺</p></body></html>'
    assert Document(text, "http://example.cn/").tree.xpath("//p/text()") == ["家纺"]


def test_long_pages_are_cut_and_say_so() -> None:
    document = Document("x" * 100, "http://example.cn/", max_chars=10)
    assert document.truncated
    assert document.text == "x" * 10


@pytest.mark.parametrize(
    ("href", "base"),
    [("/a/", "http://example.cn/a/"), ("http://b.cn/x", "http://b.cn/x"), ("javascript:x",
    "http://example.cn/p/q.html"),
     ("http://[", "http://example.cn/p/q.html")],
)  # fmt: skip
def test_base(href: str, base: str) -> None:
    assert Document(f'<base href="{href}"><base href="/no/">', "http://example.cn/p/q.html").base_url == base
