"""Record lists: one record a card, row or post."""

from __future__ import annotations

from hometextile.blocks.records import find_records
from hometextile.page.document import Document

NAV = "<nav><ul>" + "".join(f"<li><a href=/{n}>Item {n}</a></li>" for n in range(9)) + "</ul></nav>"


def lists(html: str) -> list[list[str]]:
    return [[record.title for record in found.records] for found in find_records(Document(html, "http://e.test/x/"))]


def test_cards_come_before_navigation() -> None:
    # a shop's page of cards beside a menu
    cards = "".join(
        f'<div class="card{" odd" if n % 2 else ""}"><a href="/p/{n}"><img src="{n}.jpg"></a><h3>Sheet {n}</h3>'
        f"<span>￥{n}9</span></div>"
        for n in range(6)
    )
    found = lists(f"<body>{NAV}<div id=list>{cards}</div></body>")
    assert found[0] == [f"Sheet {n}" for n in range(6)]


def test_rows_without_the_head_row() -> None:
    # a table of standards
    rows = "".join(
        f"<tr><td><a href=/s/{n}>GB/T {n}</a></td><td>Title {n}</td><td>2020-01-0{n}</td></tr>" for n in range(1, 6)
    )
    found = lists(f"<table><tr><th>No</th><th>Title</th><th>Date</th></tr>{rows}</table>")
    assert found[0] == [f"GB/T {n}" for n in range(1, 6)]


def test_records_that_span_siblings() -> None:
    # search results as dt and dd
    pairs = "".join(f"<dt><a href=/r/{n}>Result {n}</a></dt><dd>What it says, number {n}.</dd>" for n in range(4))
    records = find_records(Document(f"<dl>{pairs}</dl>", "http://e.test/"))[0].records
    assert len(records) == 4
    assert len(records[0].elements) == 2
    assert records[2].link == "http://e.test/r/2"


def test_a_list_inside_a_record_is_its_own_business() -> None:
    # posts, each with a list of tags
    posts = "".join(
        f"<article><h2><a href=/t/{n}>Post {n}</a></h2><p>Some words of the post number {n}, and some more of them.</p>"
        "<ul><li><a href=/a>a</a><li><a href=/b>b</a><li><a href=/c>c</a></ul></article>"
        for n in range(5)
    )
    found = lists(f"<main>{posts}</main>")
    assert found == [[f"Post {n}" for n in range(5)]]


def test_paragraphs_are_no_records() -> None:
    # an article
    html = "<body>" + "".join(f"<p>Sentence number {n} of an article, with words.</p>" for n in range(12)) + "</body>"
    assert lists(html) == []


def test_layout_tables_are_no_records() -> None:
    # header, body and footer of an old page as three tables
    html = (
        "<body><table><tr><td><a href=/>Home</a> <a href=/n>News</a></td></tr></table>"
        "<table><tr><td><h1>Title</h1>"
        + "<p>Long text of the page, sentence after sentence.</p>"
        * 9
        + "</td></tr></table>"
        "<table><tr><td><a href=/c>Contact</a> Copyright 2020</td></tr></table></body>"
    )
    for found in find_records(Document(html, "http://e.test/")):
        assert found.score < 5
