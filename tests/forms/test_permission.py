"""Whether a form may be sent, and what a person's word changes."""

from __future__ import annotations

import pytest

from hometextile.forms.asking import Advice
from hometextile.forms.form import Form
from hometextile.forms.permission import advice_for, filled, needed, refusal
from hometextile.forms.reading import read_forms
from hometextile.forms.recognising import Verdict
from hometextile.page.document import Document

CERTAIN, DOUBTED = Verdict(True, True, 0.99), Verdict(True, False, 0.7)
HOSTS = {"s.example"}


def form(method: str = "post", action: str = "/find") -> Form:
    html = f"<form method={method} action='{action}'><input name=q><input name=w><button>Search</button></form>"
    return read_forms(Document(html, "http://s.example/"))[0]


@pytest.mark.parametrize(
    ("verdict", "advice", "may"),
    [
        (CERTAIN, None, True),
        (DOUBTED, None, False),
        (CERTAIN, Advice(keywords=["silk"]), True),  # advice does not take back what is beyond doubt
        (DOUBTED, Advice(keywords=["silk"]), False),
        (DOUBTED, Advice(post=True), True),
        (CERTAIN, Advice(use=False), False),
    ],
)
def test_a_post_needs_certainty_or_a_persons_word(verdict: Verdict, advice: Advice | None, may: bool) -> None:
    one = form()
    assert (refusal(one, verdict, advice, hosts=HOSTS) == "") is may
    if advice is None or advice.use:
        assert (filled(one, verdict, advice, "silk") is not None) is may
        assert (filled(one, verdict, advice, None, {"w": ["x"]}) is not None) is may


def test_what_a_person_set_goes_before_all_else() -> None:
    query = filled(form("get"), CERTAIN, Advice(keyword_in="w", set={"q": "fixed"}), "silk", {"q": ["other"]})
    assert query is not None
    assert (query.values, query.keyword) == ({"q": ["fixed"], "w": ["silk"]}, "silk")


def test_no_advice_has_a_password_filled_in() -> None:
    html = "<form action=/in><input name=q><input type=password name=p><button>Search</button></form>"
    (one,) = read_forms(Document(html, "http://s.example/"))
    assert filled(one, CERTAIN, Advice(keyword_in="q"), "silk") is None


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("javascript:go()", "needs-a-browser"),
        ("mailto:a@b.c", "script-action"),
        ("http://o.example/", "other-host"),
        ("//o.example/", "other-host"),
        (r"/\o.example/", "other-host"),
        ("/&#9;/o.example/", "other-host"),
        ("http://[o/", "bad-action"),
        ("ftp://s.example/", "bad-action"),
        ("", ""),
    ],
)
def test_where_a_form_leads(action: str, why: str) -> None:
    assert refusal(form("get", action), CERTAIN, None, hosts=HOSTS) == why


@pytest.mark.parametrize(
    ("button", "verdict", "why"),
    [
        ("formaction=//o.example/", CERTAIN, "other-host"),
        ("formmethod=post", DOUBTED, "post"),
        ("formmethod=post", CERTAIN, ""),
        ("formmethod=dialog", CERTAIN, "dialog"),
        ("disabled formaction=//o.example/", CERTAIN, ""),
    ],
)
def test_the_button_pressed_says_where_to(button: str, verdict: Verdict, why: str) -> None:
    html = f"<form action=/find><input name=q><button {button}>Search</button></form>"
    (one,) = read_forms(Document(html, "http://s.example/"))
    assert refusal(one, verdict, None, hosts=HOSTS) == why


def test_the_first_advice_that_fits() -> None:
    first, second = Advice(action="basket"), Advice(action="find", post=True)
    assert advice_for(form(), [first, second]) is second
    assert advice_for(form(action="/else"), [first, second]) is None


@pytest.mark.parametrize(
    ("verdict", "method", "action", "keys"),
    [
        (CERTAIN, "post", "/find", []),
        (DOUBTED, "post", "/find", ["post"]),
        (DOUBTED, "get", "http://o.example/", ["elsewhere"]),
        (DOUBTED, "post", "http://o.example/", ["elsewhere", "post"]),
        (DOUBTED, "post", "mailto:a@b.c", []),  # no line of a site file helps
        (Verdict(False, False, 0.1), "post", "/find", []),
    ],
)
def test_what_a_site_file_has_to_say_for_a_form_to_be_sent(
    verdict: Verdict, method: str, action: str, keys: list[str]
) -> None:
    assert needed(form(method, action), verdict, HOSTS) == keys
