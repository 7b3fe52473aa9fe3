"""Which box takes the keyword, and which forms are never filled."""

from __future__ import annotations

import pytest

from hometextile.forms.filling import fill, keyword_control, search_button
from hometextile.forms.form import Form
from hometextile.forms.reading import read_forms
from hometextile.forms.recognising import Verdict
from hometextile.page.document import Document

YES = Verdict(True, True, 0.99)
DOUBTFUL = Verdict(True, False, 0.7)
NO = Verdict(False, False, 0.1)


def form(html: str, attributes: str = "") -> Form:
    return read_forms(Document(f"<form {attributes}>{html}</form>", "https://example.org/"))[0]


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<input name=q>", "q"),
        ("<input name=city placeholder='Your city'><input name=what placeholder='Search for'>", "what"),
        ("<input name=user placeholder=用户名><input name=kw placeholder=请输入关键字>", "kw"),
        ("<input name=a disabled><input name=b>", "b"),
        ("<input name=price_from placeholder='Price from'><input name=text>", "text"),
        ("<input name=date placeholder=发布日期><input name=bt placeholder=标题>", "bt"),
        ("<input name=first><input type=search name=second>", "second"),
        ("<input name=author placeholder=Author><input name=title placeholder=Title>", "title"),
    ],
)
def test_keyword_control(html: str, name: str) -> None:
    control = keyword_control(form(html))
    assert control is not None
    assert control.name == name


@pytest.mark.parametrize(
    "html",
    ["<select name=s><option>a</select>", "<input name=captcha placeholder=验证码>", "<input type=hidden name=q>"],
)
def test_no_keyword_control(html: str) -> None:
    assert keyword_control(form(html)) is None


def test_query() -> None:
    one = form("<input name=q><select name=c><option>all<option>x</select><input type=hidden name=h value=1>")
    query = fill(one, "窗帘", YES)
    assert query is not None
    assert (query.values, query.keyword, query.url) == ({"q": ["窗帘"]}, "窗帘", "https://example.org/")


def test_hints_in_other_boxes_are_not_sent() -> None:
    one = form("<input name=q><input name=city value='Your city' onfocus=\"this.value=''\"><input name=x value=kept>")
    query = fill(one, "k", YES)
    assert query is not None
    assert query.values == {"q": ["k"], "city": [""]}


@pytest.mark.parametrize("verdict", [YES, None])
@pytest.mark.parametrize(
    "html", ["<input name=q><input type=password name=p>", "<input name=q><input type=file name=f>"]
)
def test_never_a_form_with_a_password_or_a_file(html: str, verdict: Verdict | None) -> None:
    assert fill(form(html), "k", verdict, allow_post=True) is None


def test_a_post_only_when_certain_or_allowed() -> None:
    one = form("<input name=q>", "method=post")
    assert fill(one, "k", YES) is not None
    assert fill(one, "k", DOUBTFUL) is None
    assert fill(one, "k", DOUBTFUL, allow_post=True) is not None
    assert fill(one, "k", None) is None
    assert fill(one, "k", None, allow_post=True) is not None
    assert fill(form("<input name=q>"), "k", DOUBTFUL) is not None


def test_no_query_interface_is_not_filled() -> None:
    assert fill(form("<input name=q>"), "k", NO) is None
    assert fill(form("<input name=q>", "method=dialog"), "k", YES) is None
    assert fill(form("<input>"), "k", YES) is None


def test_the_search_button_among_several() -> None:
    one = form("<input name=q><input type=submit name=login value='Log in'><input type=submit name=go value=Search>")
    button = search_button(one)
    assert button is not None
    assert button.name == "go"
    assert search_button(form("<input name=q><input type=submit value=Search>")) is None


def test_the_end_of_an_interval_takes_no_keyword() -> None:
    (form,) = read_forms(
        Document(
            "<form action=/f><label>Price from <input name=pmin></label><label>to <input name=pmax></label></form>",
            "https://example.org/",
        )
    )
    assert keyword_control(form) is None


def test_a_keyword_is_compared_with_the_field_that_tells_most_and_found_anywhere_in_it() -> None:
    lists = (
        "<select name=c><option value=''>- column -<option>date<option>title</select>"
        "<select name=op><option value=eq>=<option value=has>contains</select>"
    )
    query = fill(form(f"{lists}<input name=v>"), "k", YES)
    assert query is not None
    assert query.values == {"c": ["title"], "op": ["has"], "v": ["k"]}
    # Another box takes the keyword: these lists are none of its business.
    query = fill(form(f"<input type=search name=q>{lists}<input name=v>"), "k", YES)
    assert query is not None
    assert query.values == {"q": ["k"]}
    query = fill(form(f"{lists.replace('- column -', 'All fields')}<input name=v>"), "k", YES)
    assert query is not None
    assert query.values == {"op": ["has"], "v": ["k"]}
