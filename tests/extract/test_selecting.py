"""One field off one page."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from hometextile.extract.schema import FieldRule
from hometextile.extract.selecting import largest_of, select
from hometextile.page.document import Document

PAGE = """<!-- a product page with one value for every type -->
<html><head><base href="/goods/"><meta name="date" content="2023-05-06"></head><body>
<h1>  纯棉
 被套 </h1><div class="price"><span><span>&nbsp;</span>￥237.00</span></div><i class="n">销量 1.2万 件</i>
<p class="w">克重：133 g/m²</p><time datetime="2023-05-06T10:00">昨天</time><p class="d">发布时间：3天前</p>
<a class="more" href="detail.html?a=1#x"><img src="blank.gif" data-original="//img.example.cn/a.jpg" alt="图"></a>
<div class="text"><p>第一段<br>第二行</p><p>第三段</p></div><ul><li>红</li><li></li><li>蓝</li></ul>
<input id="q" value="在售"><div style="background:url('b.png')" class="bg"></div></body></html>"""
NOW = datetime(2023, 5, 10, 9, 0)


@pytest.fixture(scope="module")
def document() -> Document:
    return Document(PAGE, "http://example.cn/p/1.html")


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        ({"css": "h1"}, ["纯棉 被套"]),
        ({"css": ".price", "type": "price"}, ["237 CNY"]),
        ({"css": ".n", "type": "number"}, ["12000"]),
        ({"label": "克重", "type": "quantity"}, ["133 g/m2"]),
        ({"css": "time", "type": "date"}, ["2023-05-06T10:00"]),
        ({"css": ".d", "type": "date"}, ["2023-05-07"]),
        ({"xpath": "//meta[@name='date']", "type": "date"}, ["2023-05-06"]),
        ({"css": "a.more", "type": "url"}, ["http://example.cn/goods/detail.html?a=1#x"]),
        ({"css": "a.more", "type": "image"}, ["http://img.example.cn/a.jpg"]),
        ({"css": ".bg", "type": "image"}, ["http://example.cn/goods/b.png"]),
        ({"css": ".text"}, ["第一段\n第二行\n\n第三段"]),
        ({"css": ".text p", "join": "|"}, ["第一段\n第二行|第三段"]),
        ({"css": ".text p", "type": "html"}, ["<p>第一段<br>第二行</p>"]),
        ({"css": "li", "many": True}, ["红", "蓝"]),
        ({"css": "#q"}, ["在售"]),
        ({"regex": r"销量 (\S+)"}, ["1.2万"]),
        ({"regex": r'<time datetime="([^"]+)"'}, ["2023-05-06T10:00"]),
        ({"between": ['<div class="text">', "</div>"]}, ["第一段\n第二行\n\n第三段"]),
        ({"constant": "水星"}, ["水星"]),
        ({"css": ".none", "default": "无"}, ["无"]),
        ({"css": ".none"}, []),
        ({"css": "li", "within": ".none", "default": "无"}, ["无"]),
        ({"css": "h1", "replace": {r"(\S+) (\S+)": r"\2 \1"}}, ["被套 纯棉"]),
        ({"css": "h1", "type": "price"}, []),
        ({"xpath": "string(//h1)"}, ["纯棉\n 被套"]),
    ],
)
def test_values(document: Document, rule: dict[str, Any], values: list[str]) -> None:
    assert select(document, FieldRule(**rule), now=NOW) == values


def test_dropped_parts_give_nothing(document: Document) -> None:
    skip = {document.tree.xpath("//p[br]")[0]}
    assert select(document, FieldRule(css=".text"), skip=skip) == ["第三段"]
    assert select(document, FieldRule(css=".text p"), skip=skip) == ["第三段"]


def test_within_a_record(document: Document) -> None:
    place = document.tree.xpath("//ul")[0]
    assert select(document, FieldRule(xpath="//li"), place) == ["红"]
    assert select(document, FieldRule(css="h1"), place) == []
    assert select(document, FieldRule(between=["<li>", "</li>"], many=True), place) == ["红", "蓝"]


def test_script_addresses_are_none() -> None:
    page = Document("<a href='javascript:void(0)'>x</a><b>file:///etc/passwd</b>", "http://example.cn/")
    assert select(page, FieldRule(css="a", type="url")) == []
    assert select(page, FieldRule(xpath="string(//b)", type="url")) == []


def test_srcset() -> None:
    assert largest_of("a.jpg 320w, b.jpg 1280w, c.jpg 640w") == "b.jpg"
    assert largest_of("a.jpg, b.jpg 2x") == "b.jpg"
    assert largest_of("") == ""
