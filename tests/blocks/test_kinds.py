"""Kinds of pages."""

from __future__ import annotations

import pytest

from hometextile.blocks.kinds import page_kind
from hometextile.blocks.segment import segment
from hometextile.page.document import Document

PROSE = "<p>" + "The quilt was pieced in the winter of that year, and it has been in the family since. " * 4 + "</p>"
CARDS = "".join(
    f'<li><a href="/p/{n}"><img src="/{n}.jpg"></a><a href="/p/{n}">Duvet cover {n}</a><span>￥{n}99</span></li>'
    for n in range(8)
)
RESULTS = "".join(
    f'<div class="r"><h3><a href="/n/{n}">A headline number {n}</a></h3><p>A summary of the news, a line or two '
    "long, as lists of news have them.</p></div>"
    for n in range(8)
)

PAGES = {
    "article": ("http://e.test/n/1", f"<h1>A quilt</h1>{PROSE}{PROSE}"),
    "collection": ("http://e.test/shop", f"<ul>{CARDS}</ul>"),
    "listing": ("http://e.test/news", f"<main>{RESULTS}</main>"),
    "product": (
        "http://e.test/p/1",
        "<h1>Duvet cover</h1><span>￥299</span><button>加入购物车</button>"
        "<table><tr><th>材质</th><td>棉</td></tr></table>",
    ),
    "forum": (
        "http://e.test/forum/topic-1",
        "".join(f'<div class="post"><span>user{n}</span>{PROSE}</div>' for n in range(4)),
    ),
    "gallery": ("http://e.test/g", "<div>" + "".join(f'<p><img src="/{n}.jpg"></p>' for n in range(6)) + "</div>"),
    "other": ("http://e.test/x", "<p>x</p>"),
}


@pytest.mark.parametrize("kind", PAGES)
def test_kind(kind: str) -> None:
    url, body = PAGES[kind]
    document = Document(f"<html><body>{body}</body></html>", url)
    assert page_kind(document, segment(document)) == kind


def test_stated_kind() -> None:
    html = f'<script type="application/ld+json">{{"@type":"NewsArticle","headline":"x"}}</script>{PROSE}'
    document = Document(html, "http://e.test/")
    assert page_kind(document, segment(document)) == "article"


def test_long_summaries_make_no_article_of_a_list():
    summary = "A summary of many words, as a museum writes them, about how the bed curtain came into the house. " * 2
    items = "".join(f'<div class="o"><h3><a href="/o/{n}">Object {n}</a></h3><p>{summary}{n}</p></div>' for n in range(14))
    document = Document(f"<body><main><h1>Objects</h1>{items}</main></body>", "http://e.test/objects")
    assert page_kind(document, segment(document)) == "listing"


def test_a_list_beside_a_short_text_makes_no_listing_of_it():
    text = "<p>" + "The quilt was shown for a week in the town hall, and many came to see it. " * 3 + "</p>"
    more = "".join(f'<li><a href="/n/{n}">Another piece of news, number {n} of this week</a></li>' for n in range(12))
    html = f"<body><article><h1>A quilt</h1>{text}</article><ul class=more>{more}</ul></body>"
    document = Document(html, "http://e.test/n/1")
    blocks = segment(document)
    for block in blocks:
        block.level = "main" if block.elements[0].getparent().tag == "article" else "related"
    assert page_kind(document, blocks) == "article"
