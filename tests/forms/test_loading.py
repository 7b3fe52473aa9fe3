"""Answers of which a script loads more: the button is found, and the browser presses it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hometextile.dedup.urls import canonical_url
from hometextile.forms.asking import Advice, Outcome
from hometextile.forms.interrogation import Interrogation
from hometextile.forms.loading import loading_button
from hometextile.forms.pagers import read_pager
from hometextile.forms.recognising import Verdict
from hometextile.page.document import Document

URL = "http://s.example/find?q=silk"
FORM = "<form action=/find><input name=q><button>搜索</button></form>"


@pytest.mark.parametrize(
    ("html", "selector"),
    [
        ("<button id=b1>加载更多</button>", '[id="b1"]'),
        ("<div class='load-more'>点击加载更多</div>", ".load-more"),
        ("<button id=b2>加載更多</button>", '[id="b2"]'),
        ("<button id=b3>載入更多</button>", '[id="b3"]'),
        ("<button id=b4>载入更多</button>", '[id="b4"]'),
        ("<button id=b5>繼續載入下一頁</button>", '[id="b5"]'),
        ("<a href='javascript:;' class=m>Load more results</a>", ".m"),
        ("<button>Show more</button>", "xpath=/html/body/button"),
        ("<input type=button value='Load 20 more' class='a b'><i class=a></i>", ".b"),
        ("<nav><button>Show more</button></nav>", ""),
        ("<button disabled>加载更多</button>", ""),
        ("<a href='/more'>查看更多</a>", ""),
        ("<p>Load more than you can carry and see what happens</p>", ""),
    ],
)
def test_the_button_that_loads_more(html: str, selector: str) -> None:
    assert loading_button(Document(f"<html><body>{html}</body></html>", URL)) == selector


def test_a_link_that_loads_more_and_has_an_address_is_a_next_page() -> None:
    pager = read_pager(Document("<a href='/find?q=silk&page=2' class=more>加载更多</a>", URL))
    assert pager.onward is not None
    assert pager.onward.url == "http://s.example/find?q=silk&page=2"


# Shows: three results; a button has a script add three more, until there are nine.
SCRIPT = """<ul id="found"></ul><button class="load">加载更多</button><p id="open" hidden>open</p>
<script>var shown = 0, list = document.getElementById('found'), button = document.querySelector('.load');
function add() { for (var n = 0; n < 3; n++) { shown++; list.insertAdjacentHTML('beforeend',
  '<li><a href="/goods/' + shown + '">丝绸 ' + shown + '</a><p>真丝面料</p></li>'); }
  if (shown >= 9) button.style.display = 'none'; }
button.onclick = function () { setTimeout(add, 100); }; SHOW</script>"""
FIRST = "".join(f'<li><a href="/goods/{n}">丝绸 {n}</a><p>真丝面料</p></li>' for n in (1, 2, 3))


def answer(body: str) -> str:
    return f"<html><body>{FORM}<nav><a href='/'>首页</a><a href='/a'>关于</a></nav>{body}</body></html>"


WRITTEN = answer(SCRIPT.replace('<ul id="found"></ul>', f'<ul id="found">{FIRST}</ul>').replace("SHOW", "shown = 3;"))


def asked(counts: list[str], **more: Any) -> Interrogation:
    return Interrogation(
        recognise=lambda form, document: Verdict(is_query=True, certain=True, score=1.0),
        canonical=canonical_url,
        keywords=["丝绸"],
        hosts=["s.example"],
        count=counts.append,
        **more,
    )


def first_answer(one: Interrogation) -> tuple[Outcome, Outcome]:
    """The nonsense word, then the first keyword."""
    (probe,) = one.look(Document(answer(""), "http://s.example/"))
    begun = one.answered(probe.ask, Document(answer("<p>没有找到</p>"), "http://s.example/find?q=zq"))
    return begun, one.answered(begun.steps[0].ask, Document(WRITTEN, URL))


def test_an_answer_with_such_a_button_is_opened_up_and_later_ones_at_once() -> None:
    counts: list[str] = []
    one = asked(counts, browser=True)
    _begun, outcome = first_answer(one)
    (step,) = outcome.steps
    assert step.query is not None
    assert step.actions == [{"more": ".load", "times": 50}]
    assert step.ask.whole
    again = one.answered(
        step.ask, Document(answer(f"<ul id=found>{FIRST}</ul><button class=load>加载更多</button>"), URL)
    )
    # What is still there after fifty presses is left; the next keyword is asked and opened at once.
    assert counts.count("form/pager/more") == 1
    assert all(later.ask.whole and later.actions for later in again.steps)


def test_without_a_browser_it_is_counted() -> None:
    counts: list[str] = []
    _begun, outcome = first_answer(asked(counts))
    assert counts.count("form/pager/needs-a-browser") == 1
    assert not any(step.actions for step in outcome.steps)


def test_what_a_person_wants_done_on_answers() -> None:
    one = asked([], browser=True, advice=[Advice(actions=[{"click": "#all"}])])
    begun, _outcome = first_answer(one)
    assert begun.steps[0].actions == [{"click": "#all"}]


@pytest.mark.browser
def test_the_browser_loads_all_of_it() -> None:
    from hometextile.render.actions import read_actions
    from hometextile.render.browser import Browser
    from hometextile.render.finding import find_browser
    from hometextile.render.guard import AddressGuard

    if find_browser() is None:
        pytest.skip("no browser: install chromium-headless-shell")
    one = asked([], browser=True)
    _begun, outcome = first_answer(one)
    (step,) = outcome.steps

    async def draw() -> Document:
        browser = Browser(AddressGuard(allow_private=True), concurrency=1)
        await browser.open()
        try:
            drawn = await browser.draw(URL, html=WRITTEN, actions=read_actions(step.actions))
        finally:
            await browser.close()
        return Document(drawn.html, URL)

    opened = one.answered(step.ask, asyncio.run(draw()))
    assert [link.url for link in opened.answer.links] == [f"http://s.example/goods/{n}" for n in range(1, 10)]
    assert opened.new == 6
