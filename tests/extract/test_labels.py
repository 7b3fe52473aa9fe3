"""The value beside a label, whatever lies between them."""

from __future__ import annotations

import pytest

from hometextile.extract.labels import values_beside
from hometextile.page.document import Document


@pytest.mark.parametrize(
    ("page", "value"),
    [
        ("<p>产地：江苏南通</p>", "江苏南通"),
        ("<p>产 地 : 江苏南通</p>", "江苏南通"),
        ("<table><tr><td>产地</td><td>江苏南通</td></tr></table>", "江苏南通"),
        ("<table><tr><th>品牌<td>水星<th>产地：<td>江苏南通</tr></table>", "江苏南通"),
        ("<dl><dt>产地</dt><dd>江苏南通</dd></dl>", "江苏南通"),
        ("<p><b>产地</b>：江苏南通<br>品牌：水星</p>", "江苏南通"),
        ("<p><b>产地：</b><a href=x>江苏</a>南通</p>", "江苏南通"),
        ("<li><span><em>产地</em></span><span>江苏南通</span></li>", "江苏南通"),
        ("<p>品牌：水星 产地：江苏南通 材质：纯棉</p>", "江苏南通"),
        ("<div>产地</div><div>江苏南通</div>", "江苏南通"),
        ("<p>【产地】江苏南通</p>", "江苏南通"),
        ("<p>原产地证书</p><p>产地：江苏南通</p>", "江苏南通"),
    ],
)
def test_beside(page: str, value: str) -> None:
    assert values_beside(Document(page, "http://example.cn/").tree, ["产地"]) == [value]


def test_the_row_may_move_and_the_wording_change() -> None:
    page = "<table><tr><td>品牌<td>水星<tr><td>Origin:<td>Nantong</table>"
    assert values_beside(Document(page, "http://example.cn/").tree, ["产地", "origin"]) == ["Nantong"]


def test_every_place_counts_and_dropped_parts_do_not() -> None:
    root = Document("<p>产地：甲</p><aside><p>产地：乙</p></aside><p>产地：丙</p>", "http://example.cn/").tree
    assert values_beside(root, ["产地"]) == ["甲", "乙", "丙"]
    assert values_beside(root, ["产地"], skip={root.find(".//aside")}) == ["甲", "丙"]


def test_no_label_no_value() -> None:
    assert values_beside(Document("<p>这里说到产地，没有值</p>", "http://example.cn/").tree, ["产地"]) == []
