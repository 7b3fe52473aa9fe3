"""Queries done in the browser: a box and a button without a form, driven by script."""

from __future__ import annotations

import asyncio

import pytest

from hometextile.dedup.urls import canonical_url
from hometextile.forms.acting import actions_of, keep_selectors, needs_browser
from hometextile.forms.answers import judge_answer
from hometextile.forms.filling import fill
from hometextile.forms.form import Form
from hometextile.forms.reading import read_forms
from hometextile.forms.results import Baseline
from hometextile.page.document import Document
from hometextile.render.actions import read_actions

# Shows: a search box without a form; a script writes three results, or says that there are none.
PAGE = """<html><body><nav><a href="/">首页</a><a href="/a">关于</a></nav>
<div class="find"><input type="text" class="word" placeholder="搜索商品"><span class="btn-search">搜索</span></div>
<ul id="found"></ul>
<script>document.querySelector('.btn-search').onclick = function () {
  var word = document.querySelector('.word').value, list = document.getElementById('found');
  list.innerHTML = word === '蜡染' ? [1, 2, 3].map(function (n) {
    return '<li><a href="/goods/' + n + '">蜡染桌布 ' + n + '</a><p>手工蜡染，棉布</p></li>';
  }).join('') : '<li>没有找到</li>';
};</script></body></html>"""
URL = "http://shop.example/"


def box() -> Form:
    (form,) = read_forms(Document(PAGE, URL))
    return form


def test_the_actions_of_a_box_without_a_form() -> None:
    form = box()
    assert needs_browser(form)
    keep_selectors(form)
    query = fill(form, "蜡染", allow_post=True)
    assert query is not None
    fill_in, press, wait = actions_of(query)
    assert fill_in["value"] == "蜡染"
    assert "input" in fill_in["fill"]
    assert "span" in press["click"]
    assert wait["wait"] > 0
    assert len(read_actions(actions_of(query))) == 3


def test_a_form_that_a_script_sends_needs_the_browser() -> None:
    html = '<form action="javascript:find()"><input id="k" name="k"><input type="button" value="搜索"></form>'
    (form,) = read_forms(Document(html, URL))
    assert needs_browser(form)
    query = fill(form, "锦")
    assert query is not None
    assert actions_of(query)[0] == {"fill": '[id="k"]', "value": "锦"}


@pytest.mark.browser
def test_the_browser_gets_the_results() -> None:
    from hometextile.render.browser import Browser
    from hometextile.render.finding import find_browser
    from hometextile.render.guard import AddressGuard

    if find_browser() is None:
        pytest.skip("no browser: install chromium-headless-shell")
    form = box()
    keep_selectors(form)

    async def ask(word: str) -> Document:
        query = fill(form, word, allow_post=True)
        assert query is not None
        browser = Browser(AddressGuard(allow_private=True), concurrency=1)
        await browser.open()
        try:
            drawn = await browser.draw(URL, html=PAGE, actions=read_actions(actions_of(query)))
        finally:
            await browser.close()
        return Document(drawn.html, URL)

    baseline = Baseline()
    baseline.add(Document(PAGE, URL), canonical_url)
    baseline.add(asyncio.run(ask("zqx")), canonical_url, nonsense=True)
    answer = judge_answer(asyncio.run(ask("蜡染")), baseline, canonical=canonical_url, keyword="蜡染")
    assert [link.url for link in answer.links] == [f"http://shop.example/goods/{n}" for n in (1, 2, 3)]
