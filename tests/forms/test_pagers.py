"""Pagers: which link says next, and how a list goes on."""

from __future__ import annotations

import pytest

from hometextile.forms.pagers import Pager, read_pager
from hometextile.forms.reading import read_forms
from hometextile.forms.submission import Submission, submit
from hometextile.page.document import Document

_URL = "http://l.example/list?page=2"


def pager(body: str, url: str = _URL, head: str = "") -> Pager:
    document = Document(f"<html><head>{head}</head><body>{body}</body></html>", url)
    return read_pager(document, read_forms(document))


def urls(found: Pager) -> tuple[str | None, str | None]:
    """Of the link that says next, and of the one that leads on."""
    said, on = found.next, found.onward
    return said.url if said else None, on.url if on else None


@pytest.mark.parametrize(
    "body",
    [
        '<a href="?page=1">上一页</a> <a href="?page=3">下一页</a>',
        '<div class="pagination"><a href="?page=1">«</a><span>2</span><a href="?page=3">»</a></div>',
        '<a rel="prev" href="?page=1">Previous</a><a rel="next" href="?page=3">Next</a>',
        '<div class=pages><a href="?page=3"><img alt="next page" src=n.gif></a></div>',
    ],
)
def test_a_link_says_next(body: str) -> None:
    assert urls(pager(body)) == ("http://l.example/list?page=3",) * 2


def test_a_number_leads_on_without_saying_next() -> None:
    body = '<ul class="pages"><li><a href="?page=1">1</a></li><li><b>2</b></li><li><a href="?page=3">3</a></li></ul>'
    assert urls(pager(body)) == (None, "http://l.example/list?page=3")


def test_the_head_leads_on_without_saying_next() -> None:
    assert urls(pager("<p>x</p>", head='<link rel="next" href="/list?page=3">')) == (
        None,
        "http://l.example/list?page=3",
    )


def test_older_entries_lead_on_whichever_way_the_arrow_points() -> None:
    left = pager(
        '<div class="nav-previous"><a href="/page/5">← Older posts</a></div>'
        '<div class="nav-next"><a href="/page/3">Newer posts →</a></div>',
        "http://l.example/page/4",
    )
    assert urls(left) == ("http://l.example/page/3", "http://l.example/page/5")
    assert left.previous is not None
    assert left.previous.url == "http://l.example/page/5"
    right = pager('<a href="/page/3">Newer posts</a> <a href="/page/5">Older posts</a>', "http://l.example/page/4")
    assert urls(right) == ("http://l.example/page/5",) * 2


@pytest.mark.parametrize(
    "body",
    [
        '<div>每页显示 <a href="?size=20">20</a> <a href="?size=40">40</a> <a href="?size=60">60</a></div>',
        '<div>Results per page: <a href="?n=10">10</a> <a href="?n=25">25</a> <a href="?n=50">50</a></div>',
        '<p><a href="/a/7">下一篇：蜡染的工艺</a></p>',
        '<p><a href="/a/7">Next article</a></p>',
        "<p>no links</p>",
    ],
)
def test_sizes_and_articles_are_no_pages(body: str) -> None:
    assert urls(pager(body, "http://l.example/a/6")) == (None, None)


def test_the_last_page_leads_nowhere() -> None:
    assert urls(pager('<a href="?page=1">上一页</a> <a href="?page=2">下一页</a>')) == (None, None)


def test_a_post_back_of_asp_net() -> None:
    found = pager(
        '<form method="post" action="list.aspx"><input type=hidden name=__VIEWSTATE value=abc>'
        '<input type=hidden name=__EVENTTARGET value=""><input type=hidden name=__EVENTARGUMENT><span>1</span>'
        "<a href=\"javascript:__doPostBack('pager$next','')\">下一页</a>"
        "<input name=key value=锦><input type=submit name=find value=查询></form>"
    )
    assert found.query is not None
    assert found.query.values == {"__EVENTTARGET": ["pager$next"], "__EVENTARGUMENT": [""]}
    # the button would have the server search again instead of turning the page
    sent = submit(found.query)
    assert isinstance(sent, Submission)
    assert [name for name, _value in sent.entries] == ["__VIEWSTATE", "__EVENTTARGET", "__EVENTARGUMENT", "key"]


def test_a_script_that_sends_the_form_again() -> None:
    found = pager(
        '<form method="post" name="f" action="/find"><input name="q" value="锦">'
        '<input type=hidden name="pageNo" value="1">'
        '<a href="javascript:goPage(2)">下一页</a></form>'
    )
    assert found.query is not None
    assert found.query.values == {"pageNo": ["2"]}
