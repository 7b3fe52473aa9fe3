"""XPath, CSS and regular expressions: refused with a remedy, bounded, forgiving where people copy from browsers."""

from __future__ import annotations

import time

import pytest

from hometextile.extract import expressions
from hometextile.extract.expressions import TooCostly, check_css, check_regex, check_selector, check_xpath, cost, find
from hometextile.page.document import Document

PAGE = """<!-- a table without tbody, an svg with a title of its own, a class list -->
<html><head><title>家纺</title></head><body><svg><title>图标</title><a>x</a></svg>
<table id="t"><tr><td>产地</td><td class="v main">南通</td></tr></table></body></html>"""


@pytest.fixture
def document() -> Document:
    return Document(PAGE, "http://example.cn/")


@pytest.mark.parametrize(
    ("xpath", "problem"),
    [
        ("//a[", "broken XPath"), ("", "empty"), ("ends-with(a, 'b')", "no function ends-with()"),
        ("//a[matches(., 'x')]", "re:test"),
        ("document('file:///etc/passwd')", "no function document()"), ("//a[str:split(.)]", "no function str:split()"),
        ("//a[$x]", "variable"), ("//a[re:test(., '(?=x)')]", "no lookahead"), ("/" + "a/" * 2000 + "b", "more than"),
        ("//a[//b[//c[//d[//e]]]]", "too often"), ("//foo:bar", "broken XPath"),
    ],
)  # fmt: skip
def test_refused_xpath(xpath: str, problem: str) -> None:
    if xpath == "//foo:bar":
        assert find(Document(PAGE, "http://example.cn/"), xpath) == []
        return
    with pytest.raises(ValueError, match="→") as caught:
        check_xpath(xpath)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    "xpath",
    ["//h1/text()", "(//a)[last()]/@href", "normalize-space(//h1)", "//a[has-class('b') and re:test(., '^\\d+$')]",
    ".//td[2]",
     "//a[not(@x) or (position() div 2) = 1]", "//div/descendant::text()", "//p[contains(., 'document(')]"],
)  # fmt: skip
def test_allowed_xpath(xpath: str) -> None:
    assert check_selector(xpath) == xpath


def test_tbody_of_a_browser_is_left_out(document: Document) -> None:
    assert find(document, "/html/body/table/tbody/tr/td[2]/text()") == ["南通"]
    assert find(document, "//table/tbody[1]/tr[1]/td[1]/text()") == ["产地"]
    assert find(document, "table#t > tbody > tr > td:nth-child(2)::text") == ["南通"]


def test_svg_has_its_own_title(document: Document) -> None:
    assert [e.text for e in find(document, "//title")] == ["家纺"]
    assert find(document, "//a") == []
    assert [e.text for e in find(document, "//svg/title")] == ["图标"]


def test_classes_and_patterns(document: Document) -> None:
    assert [e.text for e in find(document, "//td[has-class('v', 'main')]")] == ["南通"]
    assert [e.text for e in find(document, "//td[re:test(., '^产')]")] == ["产地"]
    assert find(document, "count(//td)") == ["2"]


def test_within_a_context_two_slashes_mean_below_it(document: Document) -> None:
    cell = find(document, "//td")[0]
    assert find(document, "//td", cell) == []
    assert find(document, "td", cell) == []


def test_backtracking_is_not_to_be_had() -> None:
    page = Document(f"<p>{'a' * 5000}b</p>", "http://example.cn/")
    start = time.process_time()
    assert find(page, check_xpath("//p[re:test(., '^(a+)+$')]")) == []
    assert time.process_time() - start < 1


def test_an_expression_is_costed_before_it_runs(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cost(document, "//td") < cost(document, "//td[//td]") < cost(document, "//td[//td[//td]]")
    monkeypatch.setattr(expressions, "BUDGET", 50)
    with pytest.raises(TooCostly):
        find(document, "//td[//td]")


def test_a_hostile_page_is_not_walked_twice_over() -> None:
    page = Document("<b></b>" * 100_000, "http://example.cn/")
    with pytest.raises(TooCostly):
        find(page, "//b[count(//b) > 3]")


@pytest.mark.parametrize(
    ("css", "problem"), [("a:::b", "broken CSS"), ("", "empty"), ("//a", "use the key xpath"), ("a[", "broken CSS")]
)
def test_refused_css(css: str, problem: str) -> None:
    with pytest.raises(ValueError, match="→") as caught:
        check_css(css)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [("(?<=a)b", "no lookahead"), ("(?!a)b", "no lookahead"), ("(a", "broken"), (r"(a)\1", "back references"), ("",
    "empty"),
     ("a" * 3000, "more than")],
)  # fmt: skip
def test_refused_regex(pattern: str, problem: str) -> None:
    with pytest.raises(ValueError, match="→") as caught:
        check_regex(pattern)
    assert problem in str(caught.value)


def test_allowed_regex() -> None:
    assert check_regex(r"价格[:：]\s*(?P<v>\d+)\\1") == r"价格[:：]\s*(?P<v>\d+)\\1"
