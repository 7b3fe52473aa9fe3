"""Cleaning to XHTML: what goes, what stays, and that it can be parsed as XML."""

from __future__ import annotations

import pytest
from lxml import etree

from hometextile.page.document import Document
from hometextile.page.xhtml import to_xhtml


def clean(page: str) -> str:
    xhtml = to_xhtml(Document(page, "http://example.cn/"))
    etree.fromstring(xhtml.encode(), etree.XMLParser(resolve_entities=False, no_network=True))
    return xhtml


def test_what_goes_and_what_stays() -> None:
    page = """<!-- presentation, behaviour and data in one paragraph -->
    <head><meta name=a content=b><title>a &amp; b</title><style>p {}</style></head>
    <body onload="x()"><P CLASS="c" style="color:red" data-id="7" align=left
    >t<font color=red>r</font>u<script>1</script>v</P>
    <a href="/x?a=1&b=2" target=_blank foo=bar onclick="y()">l</a><img src=a.png alt=b width=3></body>"""
    xhtml = clean(page)
    assert "<title>a &amp; b</title>" in xhtml
    assert '<p class="c" data-id="7">t<span>r</span>uv</p>' in xhtml
    assert '<a href="/x?a=1&amp;b=2" target="_blank" foo="bar">l</a><img src="a.png" alt="b"/>' in xhtml
    assert not any(word in xhtml for word in ("script", "style", "onload", "meta", "<!--"))


@pytest.mark.parametrize(
    "page",
    [
        '<p @click="x" :a="1" {foo}="2" 1a=3 xml:lang=zh xlink:href=x>t</p>',
        "<p>a</p><!-- -- -- --><p>b</p>",
        "<o:p>a</o:p><st1:place w:st='on'>b</st1:place>",
        "<p>\x01\x0b\ufffe a</p>",
        "<svg viewBox='0 0 1 1'><title>s</title></svg>",
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="zh"><body><p>a</p></body></html>',
        "<table><td>a<td>b</table>",
        "",
    ],
)
def test_it_is_well_formed(page: str) -> None:
    assert clean(page).startswith("<html")


def test_no_namespace_hides_a_paragraph() -> None:
    xhtml = clean('<html xmlns="http://www.w3.org/1999/xhtml"><body><p>a</p></body></html>')
    assert etree.fromstring(xhtml).xpath("//p/text()") == ["a"]


def test_the_documents_own_tree_is_not_touched() -> None:
    document = Document("<p style=x>a<script>1</script></p>", "http://example.cn/")
    before = etree.tostring(document.tree)
    to_xhtml(document)
    assert etree.tostring(document.tree) == before
