"""Results are records: each card's or row's own link, never navigation, facets, exports or what is popular."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from hometextile.dedup.urls import canonical_url
from hometextile.forms.answers import judge_answer
from hometextile.forms.results import Baseline
from hometextile.page.document import Document

_URL = "http://m.example/find?q={word}"
_TOP = '<nav><a href="/">Home</a><a href="/about">About</a><a href="/news">News</a><a href="/shop">Shop</a></nav>'
_FORM = '<form action="/find"><input name="q"><button>Search</button></form>'


def page(word: str, main: str, side: str = "", title: str = "Search") -> Document:
    html = f"<html><head><title>{title}</title></head><body>{_TOP}{_FORM}<main>{main}</main>{side}</body></html>"
    return Document(html, _URL.format(word=word))


def hot(*numbers: int) -> str:
    """A list of what is popular, which changes from answer to answer."""
    links = "".join(f'<li><a href="/item/{n}">Popular piece number {n} of this week</a></li>' for n in numbers)
    return f'<div class="hot"><h3>Popular</h3><ul class="hotlist">{links}</ul></div>'


def rows(word: str, *numbers: int) -> str:
    body = "".join(
        f'<tr><td><a href="/item/{n}">Piece {n}</a></td><td>{word}, hand made, 19th century</td>'
        f'<td><a href="/maker/{n % 2}">Maker</a></td><td>12 by 30 cm</td></tr>'
        for n in numbers
    )
    facets = "".join(f'<a href="/find?q={word}&amp;_facet={f}">{f}</a> ' for f in ("maker", "year", "place", "kind"))
    heads = "".join(f'<th><a href="/find?q={word}&amp;_sort={f}">{f}</a></th>' for f in ("id", "medium", "size"))
    out = f'<p>Export: <a href="/find.csv?q={word}">CSV</a> <a href="/db?sql=select+{word}">SQL</a></p>'
    return f"{facets}{out}<table class='rows'><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def baseline() -> Baseline:
    made = Baseline()
    made.add(page("", "<p>Welcome</p>", hot(1, 2, 3)), canonical_url)
    made.add(page("zqx", "<p>0 results</p>", hot(4, 5, 6)), canonical_url, nonsense=True)
    return made


def links(document: Document, word: str) -> list[str]:
    answer = judge_answer(document, baseline(), canonical=canonical_url, keyword=word, least=1)
    return [link.url.removeprefix("http://m.example") for link in answer.links]


def test_each_row_gives_its_own_link() -> None:
    assert links(page("silk", rows("silk", 11, 12, 13), hot(7, 8, 9)), "silk") == ["/item/11", "/item/12", "/item/13"]


def test_the_text_of_the_row_comes_with_it() -> None:
    answer = judge_answer(page("silk", rows("silk", 11, 12, 13)), baseline(), canonical=canonical_url, keyword="silk")
    assert "19th century" in answer.links[0].card


def test_a_lone_result_is_one() -> None:
    export = '<p><a href="/find.csv?q=felt">CSV</a></p>'
    main = f'{export}<div class="one"><a href="/item/40">A felt rug</a><p>felt</p></div>'
    assert links(page("felt", main), "felt") == ["/item/40"]


def test_what_is_popular_is_no_result() -> None:
    assert links(page("xyz", "<p>Nothing here.</p>", hot(7, 8, 9)), "xyz") in ([], ["/item/7", "/item/8", "/item/9"])
    answer = judge_answer(
        page("xyz", "<p>No results found</p>", hot(7, 8)), baseline(), canonical=canonical_url, keyword="xyz"
    )
    assert answer.kind == "none"


def test_records_that_the_page_with_the_form_shows_too_are_results() -> None:
    made = Baseline()
    made.add(page("", rows("", 11, 12, 13)), canonical_url)
    made.add(page("zqx", "<p>0 rows</p>"), canonical_url, nonsense=True)
    answer = judge_answer(page("silk", rows("silk", 11, 12)), made, canonical=canonical_url, keyword="silk")
    assert [link.url for link in answer.links] == ["http://m.example/item/11", "http://m.example/item/12"]


@pytest.mark.parametrize(
    ("main", "title", "kind"),
    [
        ("<p>没有找到相关记录</p>", "搜索", "none"),
        ("<p>共找到 0 条</p>", "搜索", "none"),
        ("<p>Your search matched no documents.</p><p>0 results</p>", "Search", "none"),
        ("<p>请输入验证码</p>", "安全验证", "captcha"),
        ("<p>Please verify you are human.</p>", "One moment", "captcha"),
        ("<p>sorry</p>", "500 Internal Server Error", "error"),
        ('<p>请先登录</p><form><input type="password" name="p"></form>', "登录", "login"),
    ],
)
def test_what_is_no_answer_is_told_apart(main: str, title: str, kind: str) -> None:
    document = Document(f"<html><head><title>{title}</title></head><body>{main}</body></html>", _URL.format(word="a"))
    assert judge_answer(document, baseline(), canonical=canonical_url, keyword="a").kind == kind


def test_a_page_with_an_error_status_is_none() -> None:
    answer = judge_answer(page("a", rows("a", 1, 2, 3)), baseline(), canonical=canonical_url, status=503)
    assert (answer.kind, answer.why) == ("error", "status-503")


def test_the_form_again_is_the_same() -> None:
    made = Baseline()
    for word in ("", "zqx"):
        made.add(page(word, "<p>Welcome</p>"), canonical_url, nonsense=bool(word))
    assert judge_answer(page("a", "<p>Welcome</p>"), made, canonical=canonical_url, keyword="a").kind == "same"


def test_addresses_that_only_repeat_the_keyword_are_one() -> None:
    cards = "".join(
        f'<li><a href="/doku?id=a{n}&amp;s%5B%5D=silk&amp;s%5B%5D=rug">Piece {n}</a><p>A silk rug of {n}</p></li>'
        for n in (1, 2, 3)
    )
    assert links(page("silk+rug", f"<ul class=found>{cards}</ul>"), "silk rug") == [f"/doku?id=a{n}" for n in (1, 2, 3)]


def lit(word: str, *numbers: int) -> str:
    """Results whose addresses repeat the word, to light it up."""
    cards = "".join(
        f'<li><a href="/doku?id=a{n}&amp;s%5B%5D={quote(word)}">Piece {n}</a><p>Piece {n} tells of it</p></li>'
        for n in numbers
    )
    return f"<ul class=found>{cards}</ul>"


@pytest.mark.parametrize("encoding", ["gbk", "utf-8", "x-user-defined", "windows-874"])
def test_the_keyword_is_known_in_the_links_whatever_the_page_is_encoded_in(encoding: str) -> None:
    document = page("x", lit("丝绸", 1, 2, 3))
    document.encoding = encoding
    assert links(document, "丝绸") == [f"/doku?id=a{n}" for n in (1, 2, 3)]


def test_a_hit_by_title_and_a_hit_in_the_text_are_one_record() -> None:
    titles = '<ul class=found><li><a href="/doku?id=a2">Piece 2</a><p>Its title</p></li></ul>'
    found = links(page("silk", titles + lit("silk", 1, 2, 3)), "silk")
    assert sorted(found) == [f"/doku?id=a{n}" for n in (1, 2, 3)]


def test_a_lone_result_may_be_named_by_the_keyword_until_others_tell() -> None:
    made = baseline()

    def told(word: str, *numbers: int) -> list[str]:
        answer = judge_answer(page(word, lit(word, *numbers)), made, canonical=canonical_url, keyword=word, least=1)
        return [link.url.removeprefix("http://m.example/doku?") for link in answer.links]

    assert told("silk", 1) == ["id=a1&s%5B%5D=silk"]
    assert told("rug", 1, 2) == ["id=a1", "id=a2"]
    assert told("silk", 1) == ["id=a1"]


def test_results_that_are_told_apart_by_the_keyword_alone_keep_it() -> None:
    cards = "".join(
        f'<li><a href="/word?is={w}">{w}</a><p>Meaning of {w}</p></li>' for w in ("silk", "rug", "silk+rug")
    )
    found = links(page("silk+rug", f"<ul class=found>{cards}</ul>"), "silk rug")
    assert found == ["/word?is=silk", "/word?is=rug", "/word?is=silk+rug"]


def test_what_was_asked_put_otherwise_is_no_result() -> None:
    """A wiki offers the query as a phrase, as a beginning, of the last week, in another order."""
    tools = "".join(
        f'<li><a href="/find?go=search&amp;sf=1&amp;q={value}">{said}</a></li>'
        for value, said in (
            ("silk", "Exact match"), ("silk%2A", "Starts with"), ("%2Asilk", "Ends with"), ("%2Asilk%2A", "Contains"),
            ("silk&amp;min=1%20week%20ago", "Past week"), ("%22silk%22&amp;srt=mtime", "Sort by last modified"),
        )
    )  # fmt: skip
    url = "http://m.example/find?go=search&id=start&q=silk"
    document = Document(f"<html><body>{_TOP}{_FORM}<ul class=tools>{tools}</ul><p>Nothing.</p></body></html>", url)
    assert links(document, "silk") == []
    hits = "".join(f'<li><a href="/find?id=a{n}&amp;s={"silk"}">Piece {n}</a><p>It is silk</p></li>' for n in (1, 2))
    document = Document(
        f"<html><body>{_TOP}{_FORM}<ul class=tools>{tools}</ul><ul class=hits>{hits}</ul></body></html>", url
    )
    assert links(document, "silk") == ["/find?id=a1", "/find?id=a2"]


@pytest.mark.parametrize(("head", "count"), [("", None), ("<p>31 items found</p>", 31), ("<p>共 31 条</p>", 31)])
def test_what_a_record_says_of_itself_is_no_count_of_records(head: str, count: int | None) -> None:
    cards = "".join(
        f'<li><a href="/item/{n}">Set {n}</a><p>{n} items of <b>silk</b>, 共 <b>{n}</b> 件</p></li>'
        for n in (7, 12, 40)
    )
    answer = judge_answer(
        page("silk", f"{head}<ul class=found>{cards}</ul>"), baseline(), canonical=canonical_url, keyword="silk"
    )
    assert (len(answer.links), answer.count) == (3, count)
