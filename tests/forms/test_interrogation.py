"""Asking a site's forms: a small shop of our own answers in memory."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from hometextile.dedup.urls import canonical_url
from hometextile.forms.form import Form
from hometextile.forms.interrogation import Advice, Ask, Interrogation, Step
from hometextile.forms.meanings import Meanings
from hometextile.forms.recognising import Verdict
from hometextile.forms.words import form_words
from hometextile.page.document import Document

_NAV = '<nav><a href="/">首页</a><a href="/about">关于</a><a href="/help">帮助</a><a href="/map">地图</a></nav>'
_FORM = '<form action="/find" method="{method}"><input name="q"><button>搜索</button></form>'
_BOX = '<div class="search"><input id="kw" type="text" placeholder="搜索"><span id="go" class="btn">搜索</span></div>'
_GOODS = {
    **{n: f"刺绣 抱枕 {n}" for n in range(1, 31)},
    **{n: f"蜡染 桌布 {n}" for n in range(31, 56)},
    **{n: f"不锈钢 水壶 {n}" for n in range(56, 90)},
    **{n: f"蜡染 壁挂 缂丝 {n}" for n in range(90, 96)},
}
_PAGE = 10


def page(url: str, method: str = "get", form: str = _FORM) -> Document:
    """A page of the shop; /find answers ten goods a page."""
    asked = parse_qs(urlsplit(url).query)
    word, number = asked.get("q", [""])[0], int(asked.get("page", ["1"])[0])
    main = "<p>欢迎</p>"
    if word:
        goods = [n for n, name in _GOODS.items() if all(part in name for part in word.split())]
        shown = goods[(number - 1) * _PAGE : number * _PAGE]
        cards = "".join(
            f'<li><a href="/goods/{n}.html">{_GOODS[n]}</a><p>手工{_GOODS[n]}，现货供应</p></li>' for n in shown
        )
        more = (
            f'<a href="/find?q={quote(word)}&amp;page={number + 1}">下一页</a>' if number * _PAGE < len(goods) else ""
        )
        main = (
            f"<p>共找到 {len(goods)} 件</p><ul class='goods'>{cards}</ul>{more}" if goods else "<p>没有找到相关商品</p>"
        )
    return Document(f"<html><body>{_NAV}{form.format(method=method)}{main}</body></html>", url)


def sure(form: Form, document: Document) -> Verdict:
    return Verdict(is_query=True, certain=False, score=0.9)


def about(title: str, text: str) -> float | None:
    """On the topic, beside it, or silent."""
    return 0.1 if "不锈钢" in text else 0.9 if any(word in text for word in ("刺绣", "蜡染", "缂丝")) else None


def asking(counts: dict[str, int], **more: object) -> Interrogation:
    def count(name: str) -> None:
        counts[name] = counts.get(name, 0) + 1

    options: dict[str, object] = {"keywords": ["刺绣", "毛巾", "地毯"], "hosts": ["s.example"], "judge": about}
    return Interrogation(recognise=sure, canonical=canonical_url, count=count, **{**options, **more})  # type: ignore[arg-type]


def send(step: Step) -> str:
    """The address that a step asks for."""
    if step.url is not None and not step.actions:
        return step.url
    assert step.query is not None
    return f"http://s.example/find?q={quote(step.query.values['q'][0])}"


def run(one: Interrogation, steps: list[Step], *, restart_at: int | None = None) -> tuple[set[str], list[str]]:
    """Ask to the end; result links and addresses asked."""
    found: set[str] = set()
    sent: list[str] = []
    while steps:
        step = steps.pop(0)
        sent.append(send(step))
        outcome = one.answered(step.ask, page(sent[-1]))
        found.update(urlsplit(link.url).path for link in outcome.links)
        steps += outcome.steps
        if len(sent) == restart_at:
            state = json.loads(json.dumps(one.state(step.ask.form)))
            one = asking({})
            assert one.restore(step.ask.form, state)
    return found, sent


@pytest.mark.parametrize("restart_at", [None, 4])
def test_words_of_the_answers_find_the_rest_of_the_topic(restart_at: int | None) -> None:
    counts: dict[str, int] = {}
    one = asking(counts)
    found, sent = run(one, one.look(page("http://s.example/")), restart_at=restart_at)
    wanted = {f"/goods/{n}.html" for n, name in _GOODS.items() if "刺绣" in name}
    assert wanted <= found
    assert not any(path in found for path in ("/", "/about", "/help", "/map"))
    assert len(sent) < 60


def test_counts_say_what_happened() -> None:
    counts: dict[str, int] = {}
    one = asking(counts)
    run(one, one.look(page("http://s.example/")))
    assert counts["form/recognised"] == counts["form/query-interface"] == counts["form/probed"] == 1
    assert counts["form/answer/none"] >= 1
    assert counts.get("form/ended/nothing-new", 0) + counts.get("form/ended/all-asked", 0) == 1


def test_a_doubtful_post_is_refused() -> None:
    counts: dict[str, int] = {}
    assert asking(counts).look(page("http://s.example/", "post")) == []
    assert counts["form/refused/post"] == 1


def test_who_could_allow_a_form_is_told_of_it_once() -> None:
    told: list[tuple[str, list[str], bool]] = []
    one = asking({}, held_back=lambda form, keys, entered: told.append((form.action, keys, entered)))
    for _ in range(2):
        one.look(page("http://s.example/", "post"))
    one.look(page("http://s.example/", form=_BOX))  # no line of a site file helps
    assert told == [("/find", ["post"], False)]


def test_all_that_an_entry_lacks_is_told_at_once_and_what_it_has_is_not() -> None:
    told: list[tuple[list[str], bool]] = []
    form = '<form method="post" action="http://other.example/find"><input name="q"><button>搜索</button></form>'
    for advice in ([], [Advice(action="other", elsewhere=True)]):
        one = asking({}, advice=advice, held_back=lambda form, keys, entered: told.append((keys, entered)))
        one.look(page("http://s.example/", form=form))
    assert told == [(["elsewhere", "post"], False), (["post"], True)]


def test_another_host_is_refused() -> None:
    counts: dict[str, int] = {}
    form = '<form action="http://other.example/find"><input name="q"><button>搜索</button></form>'
    assert asking(counts).look(page("http://s.example/", form=form)) == []
    assert counts["form/refused/other-host"] == 1


def test_a_box_without_a_form_is_asked_in_the_browser() -> None:
    counts: dict[str, int] = {}
    assert asking(counts).look(page("http://s.example/", form=_BOX)) == []
    assert counts["form/refused/needs-a-browser"] == 1
    steps = asking({}, browser=True).look(page("http://s.example/", form=_BOX))
    assert [step.url for step in steps] == ["http://s.example/"]
    fill, press, wait = steps[0].actions
    assert fill["fill"] == '[id="kw"]'
    assert press["click"].startswith("xpath=/html/body/div")
    assert wait["wait"] > 0


def test_only_what_a_person_fixed_is_asked() -> None:
    one = asking({}, named=["蜡染"], fixed=True)
    _found, sent = run(one, one.look(page("http://s.example/")))
    assert {parse_qs(urlsplit(url).query)["q"][0] for url in sent[1:]} == {"蜡染"}


def test_pages_without_anything_new_are_left() -> None:
    counts: dict[str, int] = {}
    one = asking(counts, keywords=["不锈钢"], judge=lambda title, text: 0.0)
    steps = one.look(page("http://s.example/"))
    many = {n: f"不锈钢 {n}" for n in range(1_000, 1_200)}
    _GOODS.update(many)
    try:
        _found, sent = run(one, steps)
    finally:
        for n in many:
            del _GOODS[n]
    assert counts["form/pager/dry"] == 1
    assert len(sent) < 20


def test_a_form_that_fails_thrice_is_given_up() -> None:
    counts: dict[str, int] = {}
    one = asking(counts, keywords=["刺绣", "毛巾", "地毯", "窗帘", "床单", "被子"])
    steps = one.look(page("http://s.example/"))
    steps = one.answered(steps[0].ask, page("http://s.example/find?q=zq")).steps
    while steps:
        steps += one.failed(steps.pop(0).ask)
    assert counts["form/answer/failed"] >= 3
    assert counts["form/ended/errors"] == 1


def test_a_captcha_ends_a_form_and_is_no_result() -> None:
    counts: dict[str, int] = {}
    one = asking(counts)
    steps = one.look(page("http://s.example/"))
    steps = one.answered(steps[0].ask, page("http://s.example/find?q=zq")).steps
    html = "<html><head><title>安全验证</title></head><body><p>请输入验证码</p></body></html>"
    blocked = Document(html, "http://s.example/c")
    outcome = one.answered(steps[0].ask, blocked)
    assert (outcome.answer.kind, outcome.links, outcome.steps) == ("captcha", [], [])
    assert counts["form/ended/captcha"] == 1


def test_an_answer_to_an_unknown_form_is_an_error() -> None:
    assert asking({}).answered(Ask("nobody", "x"), page("http://s.example/")).answer.kind == "error"


def test_pages_of_results_say_what_silent_cards_are_worth() -> None:
    one = asking({}, judge=lambda title, text: None)
    steps = one.look(page("http://s.example/"))
    mark = steps[0].ask.form
    steps = one.answered(steps[0].ask, page("http://s.example/find?q=zq")).steps
    links = one.answered(steps[0].ask, page(send(steps[0]))).links
    before = sum(one._forms[mark].chooser.sample.on)
    for link in links:
        one.feedback(mark, link.url, True)
    assert sum(one._forms[mark].chooser.sample.on) > 2 * before


def test_words_of_an_answer_under_way_are_waited_for() -> None:
    one = asking({}, keywords=["缂丝", "毛巾"])
    found, _sent = run(one, one.look(page("http://s.example/")))
    assert {f"/goods/{n}.html" for n, name in _GOODS.items() if "蜡染" in name} <= found


def test_a_site_in_traditional_characters_is_asked_in_them() -> None:
    simplified = {step.query.values["q"][0] for step in _after(asking({}), _FORM) if step.query}
    other = _after(asking({}), _FORM + "<p>歡迎搜尋本館典藏的織品與刺繡資料庫，傳統紋樣、絲綢與編織工藝圖錄</p>")
    traditional = {step.query.values["q"][0] for step in other if step.query}
    assert "刺绣" in simplified
    assert "刺繡" in traditional
    assert "刺绣" not in traditional


def _after(one: Interrogation, form: str) -> list[Step]:
    """What is asked after the nonsense word."""
    (probe,) = one.look(page("http://s.example/", form=form))
    return one.answered(probe.ask, page("http://s.example/find?q=zq", form=form)).steps


_FILTER = (
    '<form action="/find"><select name="c"><option value="">- column -<option>title<option>note<option>maker</select>'
    '<select name="op"><option value="eq">=<option value="ne">!=<option value="has">contains</select>'
    '<input name="v"><button>Apply</button></form>'
)
_ROWS = [{"title": f"刺绣 抱枕 {n}", "note": "", "maker": "甲"} for n in range(20)] + [
    {"title": f"壁挂 {n}", "note": "刺绣", "maker": "乙"} for n in range(20)
]


def rows(values: dict[str, list[str]]) -> Document:
    """A table's page: the rows whose column has the word; all of them where no column is named."""
    column, manner, word = (values.get(name, [""])[0] for name in ("c", "op", "v"))
    had = [
        (n, row)
        for n, row in enumerate(_ROWS)
        if not column or (word in row[column] if manner == "has" else word == row[column])
    ]
    lines = "".join(
        f'<tr><td><a href="/row/{n}">{row["title"]}</a></td><td>{row["note"]}</td><td>手工布艺 {n}</td></tr>'
        for n, row in had
    )
    return Document(f"<html><body>{_NAV}{_FILTER}<table>{lines}</table></body></html>", "http://s.example/find?x=1")


def test_a_word_is_looked_for_in_one_field_after_another() -> None:
    words = form_words()
    one = asking({}, meanings=Meanings(words.fields, words.stopwords), max_queries=40)
    start = Document(f"<html><body>{_NAV}{_FILTER}</body></html>", "http://s.example/find")
    steps, found, columns = one.look(start), set(), []
    while steps:
        step = steps.pop(0)
        assert step.query is not None
        columns.append(step.query.values["c"][0])
        assert step.query.values["op"] == ["has"]
        outcome = one.answered(step.ask, rows(step.query.values))
        found.update(urlsplit(link.url).path for link in outcome.links)
        steps += outcome.steps
    assert found == {f"/row/{n}" for n in range(40)}
    assert columns[0] == "title"
    assert columns.count("title") <= 21
    assert {"note", "maker"} <= set(columns)
    assert len(columns) <= 41


@pytest.mark.parametrize(
    ("meanings", "advice"),
    [(True, []), (False, []), (True, [Advice(action="find", set={"c": "title"})])],
)
def test_queries_that_other_fields_do_not_take_are_asked_in_the_first(meanings: bool, advice: list[Advice]) -> None:
    # every field answers alike, so that templates keep none of them; each answer has a record of its own
    words = form_words()
    told = Meanings(words.fields, words.stopwords) if meanings else None
    one = asking({}, meanings=told, max_queries=60, advice=advice, named=[f"布{n}" for n in range(200)])
    steps, sent = one.look(Document(f"<html><body>{_NAV}{_FILTER}</body></html>", "http://s.example/find")), 0
    while steps:
        step = steps.pop(0)
        assert step.query is not None
        sent += not step.ask.probe
        word = "" if step.ask.probe else step.query.values["v"][0]
        lines = "".join(f'<tr><td><a href="/row/{word}{n}">抱枕 {word} {n}</a></td></tr>' for n in range(4) if word)
        page_ = f"<html><body>{_NAV}{_FILTER}<table>{lines}</table></body></html>"
        steps += one.answered(step.ask, Document(page_, "http://s.example/find?x=1")).steps
    assert 58 <= sent <= 60
