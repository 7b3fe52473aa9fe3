"""What follows an answer: its next page, or the counted reason why that is left."""

from __future__ import annotations

from collections import Counter

import pytest

from hometextile.forms.answers import Answer, Baseline
from hometextile.forms.asking import Advice, Ask, Interrogated, Outcome, Step, Yield
from hometextile.forms.form import Query
from hometextile.forms.keywords import KeywordChooser
from hometextile.forms.pagers import read_pager
from hometextile.forms.reading import read_forms
from hometextile.forms.recognising import Verdict
from hometextile.forms.sending import DRY_PAGES, Sending
from hometextile.page.document import Document

URL = "http://s.example/find"
FORM = Document("<form action=/find><input name=q><button>Search</button></form>", URL)
NEXT = "<a rel=next href='/find?q=silk&page=2'>Next</a>"
#: The next page is the form sent again, to another host.
ELSEWHERE = (
    "<form method=post action='http://evil.example/find'><input type=hidden name=page value=2>"
    "<button>Next page</button></form>"
)


def asked(advice: Advice | None = None) -> Interrogated:
    (form,) = read_forms(FORM)
    return Interrogated(form, Verdict(True, True, 1.0), advice, KeywordChooser(first=["silk"]), Baseline())


def turned(
    html: str = NEXT, *, page: int = 1, moving: bool = True, dry: int = 0, more: str = "", browser: bool = False
) -> tuple[list[Step], str, Counter[str]]:
    counts: Counter[str] = Counter()
    sending = Sending(hosts={"s.example"}, browser=browser, max_pages=3, count=lambda name: counts.update([name]))
    one, ask = asked(), Ask("mark", "silk", page)
    query = sending.query(one, "silk", ask)
    assert query is not None
    one.gains[ask.key] = Yield(query, dry=dry)
    outcome = Outcome(Answer("results", pager=read_pager(Document(html, URL)), more=more))
    sending.turn(one, ask, outcome.answer, outcome, moving=moving)
    return outcome.steps, outcome.stopped, counts


def test_the_next_page_goes_with_what_was_asked() -> None:
    (step,), stopped, counts = turned()
    assert step.url == "http://s.example/find?q=silk&page=2"
    assert (step.ask.keyword, step.ask.page, stopped) == ("silk", 2, "")
    assert not counts


@pytest.mark.parametrize(
    ("given", "stopped", "counted"),
    [
        ({"html": "<p>the end</p>"}, "", []),
        ({"moving": False}, "", ["form/pager/endless"]),
        ({"page": 3}, "limit", ["form/pager/limit"]),
        ({"dry": DRY_PAGES}, "dry", ["form/pager/dry"]),
        ({"more": "#more"}, "", ["form/pager/needs-a-browser"]),
        ({"more": "#more", "browser": True, "page": 2}, "", []),
    ],
)
def test_where_it_ends(given: dict[str, object], stopped: str, counted: list[str]) -> None:
    steps, why, counts = turned(**given)  # type: ignore[arg-type]
    assert (steps, why, list(counts)) == ([], stopped, counted)


def test_a_button_that_loads_more_is_pressed_on_the_same_answer() -> None:
    (step,), _stopped, counts = turned(more="#more", browser=True)
    assert step.query is not None
    assert step.ask.whole
    assert step.actions
    assert list(counts) == ["form/pager/more"]


def test_a_pager_that_is_sent_to_another_host_is_left() -> None:
    pager = read_pager(Document(ELSEWHERE, URL))
    (form,) = read_forms(Document(ELSEWHERE, URL))
    pager.query = pager.query or Query(form)
    counts: Counter[str] = Counter()
    sending = Sending(hosts={"s.example"}, browser=False, max_pages=3, count=lambda name: counts.update([name]))
    outcome = Outcome(Answer("results", pager=pager))
    sending.turn(asked(), Ask("mark", "silk"), outcome.answer, outcome, moving=True)
    assert not outcome.steps
    assert list(counts) == ["form/pager/other-host"]
    allowed = Outcome(Answer("results", pager=pager))
    sending.turn(asked(Advice(elsewhere=True)), Ask("mark", "silk"), allowed.answer, allowed, moving=True)
    assert [step.query for step in allowed.steps] == [pager.query]


def test_what_a_person_wants_done_goes_with_each_step() -> None:
    advice = Advice(actions=[{"wait": 1}])
    sending = Sending(hosts={"s.example"}, browser=True, max_pages=3, count=lambda name: None)
    one, ask = asked(advice), Ask("mark", "silk")
    query = sending.query(one, "silk", ask)
    assert query is not None
    assert sending.step(ask, query, one).actions == [{"wait": 1}]
