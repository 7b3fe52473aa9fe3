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
