"""Submission against what Chromium sent (bench/submit_cases, recorded by ``script/bench submit --record``)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.submit_cases import Case, load_cases
from hometextile.forms.form import Control, Form, Query
from hometextile.forms.reading import read_forms
from hometextile.forms.submission import Refused, Submission, submit
from hometextile.page.document import Document
from hometextile.text.encodings import decode

RECORDED = json.loads(Path(__file__).with_name("submit_recorded.json").read_text(encoding="utf-8"))["answers"]


def forms_of(source: str, url: str = "http://cases.example/dir/page?old=1#top", encoding: str = "utf-8") -> list[Form]:
    return read_forms(Document(source, url, encoding))


def sent(case: Case) -> dict[str, str]:
    decoded = decode(case.body, case.content_type)
    forms = [f for f in read_forms(Document(decoded.text, case.url, decoded.encoding)) if not f.virtual]
    nothing = {"method": "", "url": "", "content_type": "", "body": ""}
    if case.form >= len(forms):
        return nothing
    form = forms[case.form]
    buttons = [control for control in form.controls if control.kind in ("submit", "image")]
    submitter = None if case.button is None else buttons[case.button]
    made = submit(Query(form, case.values, submitter=submitter))
    if isinstance(made, Refused):
        return nothing
    kind, body = made.headers.get("Content-Type", ""), (made.body or b"").decode("latin-1")
    _, found, boundary = kind.partition("boundary=")
    if found:
        kind, body = kind.replace(boundary, "BOUNDARY"), body.replace(boundary, "BOUNDARY")
    return {"method": made.method, "url": made.url, "content_type": kind, "body": body}


@pytest.mark.parametrize("case", load_cases(), ids=lambda case: case.name)
def test_the_request_is_chromiums(case: Case):
    assert sent(case) == (case.ours if case.deviation else RECORDED[case.name])


def test_every_case_is_recorded():
    assert {case.name for case in load_cases()} == set(RECORDED)


def test_a_deviation_is_one():
    for case in load_cases():
        if case.deviation:
            assert case.ours != RECORDED[case.name], case.name


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("<form action='javascript:search()'><input name=q></form>", "javascript"),
        ("<form action='mailto:a@b.example'><input name=q></form>", "scheme"),
        ("<form action='ftp://b.example/'><input name=q></form>", "scheme"),
        ("<form action='http://[::1'><input name=q></form>", "address"),
        ("<form method=dialog><input name=q></form>", "dialog"),
        ("<div><input name=q><button>Search</button></div>", "virtual"),
    ],
)
def test_refusals_have_a_reason(source: str, reason: str):
    made = submit(Query(forms_of(source)[0]))
    assert isinstance(made, Refused)
    assert made.reason == reason


def test_a_value_for_a_control_that_is_not_there_is_refused():
    made = submit(Query(forms_of("<form><input name=q></form>")[0], {"qq": ["x"]}))
    assert made == Refused("control", "qq")


def test_buttons_that_cannot_be_pressed_are_refused():
    form, other = forms_of(
        "<form><input type=submit disabled name=a><button name=b></button></form><form><button></form>"
    )
    assert submit(Query(form, submitter=form.controls[0])) == Refused("submitter", "a")
    assert submit(Query(form, submitter=other.controls[0])) == Refused("submitter", "")
    assert isinstance(submit(Query(form, submitter=form.controls[1])), Submission)


def test_what_a_script_sends_has_no_button_and_goes_where_the_form_says() -> None:
    page = "<form action=/list><input name=q value=a><button name=b value=c formaction=/other formmethod=post>Go</button>"
    (form,) = read_forms(Document(page, "http://a.example/"))
    by_button, by_script = submit(Query(form)), submit(Query(form, by_script=True))
    assert isinstance(by_button, Submission) and isinstance(by_script, Submission)
    assert (by_button.method, by_button.url, by_button.body) == ("POST", "http://a.example/other", b"q=a&b=c")
    assert (by_script.method, by_script.url) == ("GET", "http://a.example/list?q=a")


def test_a_query_made_by_hand_needs_no_page():
    form = Form([Control("text", "q")], action="/s", url="http://h.example/x", page_encoding="no-such")
    made = submit(Query(form, {"q": ["绸"]}))
    assert made == Submission("GET", "http://h.example/s?q=%E7%BB%B8", entries=(("q", "绸"),))


def test_a_form_of_a_page_without_an_address_is_refused():
    assert submit(Query(Form(url=""))) == Refused("address", "")


def test_submitting_changes_nothing_on_the_form():
    (form,) = forms_of(
        "<form><input name=q value=a><select name=s><option>1<option>2</select><input type=radio name=r></form>"
    )
    before = repr(form)
    submit(Query(form, {"q": ["b"], "s": ["2"], "r": ["on"]}))
    assert repr(form) == before


def test_the_same_query_is_the_same_request():
    source = "<form method=post enctype=multipart/form-data><input name=q></form>"
    first, second = (submit(Query(forms_of(source)[0], {"q": ["x"]})) for _ in range(2))
    assert first == second


def test_a_boundary_that_stands_in_a_value_is_not_taken():
    (form,) = forms_of("<form method=post enctype=multipart/form-data><input type=hidden name=q></form>")
    first = submit(Query(form, {"q": ["x"]}))
    assert isinstance(first, Submission)
    boundary = first.headers["Content-Type"].partition("boundary=")[2]
    made = submit(Query(form, {"q": [f"x{boundary}"]}))
    assert isinstance(made, Submission)
    assert (made.body or b"").count(made.headers["Content-Type"].partition("boundary=")[2].encode()) == 2


_TEXT = st.text(max_size=40)


_PIECES = [
    *"<>/='\"! -",
    *(
        "form",
        "input",
        "select",
        "option",
        "table",
        "tr",
        "td",
        "textarea",
        "button",
        "template",
        "noscript",
        "fieldset",
    ),
    *("name", "disabled", "action", "form=", "id", "<form ", "<input ", "</", "<!--", "床", "\x00", "\ud800"),
]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(_PIECES), max_size=60).map("".join),
    _TEXT,
    st.sampled_from(["utf-8", "gbk", "big5", "iso-2022-jp", "windows-1252", "nonsense", "utf-16le", "replacement"]),
)
def test_no_page_makes_it_raise(source: str, value: str, encoding: str):
    for form in forms_of(f"<form action='{value}'><input name=q>" + source, encoding=encoding):
        values = {control.name: [value] for control in form.controls}
        for given_values in ({}, values):
            made = submit(Query(form, given_values))
            assert isinstance(made, Submission | Refused)
            if isinstance(made, Submission):
                assert made.url.isascii()
                assert "#" not in made.url


@settings(max_examples=100, deadline=None)
@given(_TEXT, _TEXT, st.sampled_from(["post", "get"]))
def test_utf_8_comes_back_as_it_was(name: str, value: str, method: str):
    from urllib.parse import parse_qsl

    form = Form([Control("hidden", name)], action="/s", method=method, url="http://h.example/")
    if name.lower() == "_charset_" or not name:
        return
    made = submit(Query(form, {name: [value]}))
    assert isinstance(made, Submission)
    encoded = (made.body or b"").decode() if method == "post" else made.url.partition("?")[2]

    def lines(text: str) -> str:
        return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")

    assert parse_qsl(encoded, keep_blank_values=True) == [(lines(name), lines(value))]
