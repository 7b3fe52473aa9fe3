"""Data that a page carries for machines."""

from __future__ import annotations

from hometextile.page.document import Document
from hometextile.page.embedded import Embedded, embedded, read_json, types_of

PAGE = """<!-- a product told in every way there is -->
<html><head><meta property="og:title" content="被套  四件套">
<meta name="Keywords" content="家纺"><meta property="og:image" content="a.jpg">
<meta property="og:image" content="b.jpg">
<script type="application/ld+json">// <![CDATA[
{"@context": "https://schema.org", "@graph": [{"@type": "schema:Product", "name": "被套",}, {"@type": ["NewsArticle"]}]}
// ]]></script>
<script type="application/ld+json">{broken</script>
<script id="__NEXT_DATA__" type="application/json">{"props": {"id": 1}}</script>
<script>window.__INITIAL_STATE__ = {"list": [1, 2]}; var x = {a: 1};</script></head>
<body><div itemscope itemtype="https://schema.org/Product"><b itemprop="name">枕套</b>
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="99"></div>
<a itemprop="url" href="/p">x</a></div></body></html>"""


def read(page: str) -> Embedded:
    return embedded(Document(page, "http://example.cn/"))


def test_everything_is_read() -> None:
    found = read(PAGE)
    assert [types_of(item) for item in found.json_ld] == [["Product"], ["NewsArticle"]]
    assert found.meta["keywords"] == "家纺"
    assert found.opengraph["og:image"] == ["a.jpg", "b.jpg"]
    assert found.opengraph["og:title"] == ["被套 四件套"]
    assert found.next_data == {"props": {"id": 1}}
    assert found.state["__INITIAL_STATE__"] == {"list": [1, 2]}
    product = next(item for item in found.of_type("Product") if item["name"] == "枕套")
    assert product["offers"]["price"] == "99"
    assert product["url"] == "/p"


def test_it_is_read_once() -> None:
    document = Document(PAGE, "http://example.cn/")
    assert embedded(document) is embedded(document)


def test_common_breaks_are_mended() -> None:
    assert read_json('{"a": "x\ty", "b": [1,],}') == {"a": "x\ty", "b": [1]}
    assert read_json("{&quot;a&quot;: 1}") == {"a": 1}
    assert read_json("[" * 100_000) is None
    assert read_json("nothing") is None


def test_hostile_nesting_does_no_harm() -> None:
    deep = "[" * 900 + "]" * 900
    assert read(f'<script type="application/ld+json">{deep}</script>').json_ld == []
    assert len(read("<div itemscope><b itemprop=a>x" * 3000).microdata) >= 1
