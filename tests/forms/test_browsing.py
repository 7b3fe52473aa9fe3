"""Forms asked by their lists: those without a box, and those whose answers are cut off. A shop of ours in memory."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

from hometextile.dedup.urls import canonical_url
from hometextile.forms.asking import Advice, Step
from hometextile.forms.browsing import PATIENCE, Browsing
from hometextile.forms.interrogation import Interrogation
from hometextile.forms.meanings import Meanings
from hometextile.forms.recognising import Verdict
from hometextile.forms.submission import Submission, submit
from hometextile.forms.templates import Input
from hometextile.forms.words import form_words
from hometextile.page.document import Document

KINDS = ("beds", "baths", "rugs", "towels")
NAV = '<nav><a href="/">Home</a><a href="/about">About</a><a href="/help">Help</a><a href="/news">News</a></nav>'
LISTS = (
    "<select name=kind title=Category><option value=''>Choose</option>"
    + "".join(f"<option value={kind}>{kind}</option>" for kind in KINDS)
    + "</select><select name=lang title=Language><option>en<option>fr</select><button>Search</button>"
)
PICKER = f"<form action=/list>{LISTS}</form>"
SHOP = f"<form action=/list><input name=q placeholder=Search>{LISTS}</form>"
#: Forty goods, ten of a kind; no word tells which.
GOODS = {n: f"silk piece no. {n}" for n in range(40)}


def page(url: str, form: str, cap: int | None = None) -> Document:
    """The form; below it the goods that were asked for, which without a kind or a word are none."""
    asked = parse_qs(urlsplit(url).query)
    kind, word = asked.get("kind", [""])[0], asked.get("q", [""])[0]
    found = [n for n in GOODS if (kind or word) and kind in ("", KINDS[n % 4]) and word in GOODS[n]]
    cards = "".join(f'<li><a href="/goods/{n}">{GOODS[n]}</a><p>A {GOODS[n]}, woven.</p></li>' for n in found[:cap])
    told = f"<p>{len(found)} results found</p><ul class=goods>{cards}</ul>" if found else "<p>No results found</p>"
    return Document(f"<html><body>{NAV}{form}{told}</body></html>", url)


def asking(counts: dict[str, int], **more: object) -> Interrogation:
    def count(name: str) -> None:
        counts[name] = counts.get(name, 0) + 1

    words = form_words()
    options: dict[str, object] = {
        "keywords": ["silk"],
        "hosts": ["s.example"],
        "meanings": Meanings(words.fields, words.stopwords),
        "count": count,
        "canonical": canonical_url,
        "recognise": lambda form, document: Verdict(is_query=True, certain=False, score=0.9),
        **more,
    }
    return Interrogation(**options)  # type: ignore[arg-type]


def address(step: Step) -> str:
    if step.url is not None:
        return step.url
    assert step.query is not None
    sent = submit(step.query)
    assert isinstance(sent, Submission)
    return sent.url


def run(one: Interrogation, form: str, cap: int | None = None, *, restart: bool = False) -> tuple[set[str], list[str]]:
    steps = one.look(page("http://s.example/", form, cap))
    found, sent = set(), []
    while steps:
        step = steps.pop(0)
        sent.append(address(step))
        outcome = one.answered(step.ask, page(sent[-1], form, cap))
        found |= {urlsplit(link.url).path for link in outcome.links}
        steps += outcome.steps
        if restart:
            assert one.restore(step.ask.form, json.loads(json.dumps(one.state(step.ask.form))))
    return found, sent


def test_a_form_of_lists_is_asked_by_them() -> None:
    for restart in (False, True):
        counts: dict[str, int] = {}
        found, sent = run(asking(counts), PICKER, restart=restart)
        assert found == {f"/goods/{n}" for n in GOODS}
        assert counts["form/query-interface"] == counts["form/ended/all-asked"] == 1
        # One query a kind: a language is no setting, and nothing is asked twice.
        assert len(sent) == len(set(sent)) == 4


def test_goods_that_the_page_of_the_form_shows_are_results_all_the_same() -> None:
    shown = '<ul class=goods><li><a href="/goods/0">a</a><p>New</p></li><li><a href="/goods/1">b</a><p>New</p></li></ul>'
    found, _sent = run(asking({}), PICKER + shown.replace("class=goods", "class=new"))
    # These stand on every page, as navigation does; nothing else is lost.
    assert found == {f"/goods/{n}" for n in GOODS} - {"/goods/0", "/goods/1"}


def test_a_first_answer_that_fails_holds_nothing_up() -> None:
    one = asking({})
    first, second = one.look(page("http://s.example/", PICKER))
    steps = one.failed(first.ask)
    found = set()
    steps.insert(0, second)
    while steps:
        step = steps.pop(0)
        outcome = one.answered(step.ask, page(address(step), PICKER))
        found |= {urlsplit(link.url).path for link in outcome.links}
        steps += outcome.steps
    assert found == {f"/goods/{n}" for n in GOODS if n % 4}


def test_lists_that_nobody_knows_the_meaning_of_are_left() -> None:
    counts: dict[str, int] = {}
    assert run(asking(counts, meanings=None), PICKER) == (set(), [])
    assert counts["form/refused/no-place-for-a-keyword"] == 1


def test_keywords_whose_answers_are_cut_off_are_asked_with_each_setting() -> None:
    found, sent = run(asking({}), SHOP, 10)
    alone = {f"/goods/{n}" for n in range(10)}
    assert alone < found == {f"/goods/{n}" for n in GOODS}
    assert any("kind=rugs" in url and "q=silk" in url for url in sent)


def test_where_nothing_is_cut_off_lists_keep_their_defaults() -> None:
    found, sent = run(asking({}), SHOP)
    assert len(found) == 40
    assert not any("kind=rugs" in url for url in sent)


def test_what_a_person_set_is_not_set_otherwise() -> None:
    advice = Advice(set={"kind": "rugs"})
    found, sent = run(asking({}, advice=[advice]), SHOP, 10)
    assert all("kind=rugs" in url for url in sent)
    assert len(found) == 10


def test_settings_end_when_they_bring_nothing_new() -> None:
    one = Browsing([Input("n", tuple((("n", str(value)),) for value in range(40)))], [])
    asked = 0
    while (chosen := one.next()) is not None:
        one.learn(chosen[1], f"answer {asked}")
        one.done(0.0)
        asked += 1
    assert 12 < asked <= 12 + PATIENCE
    assert one.number == asked
