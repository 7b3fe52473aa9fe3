"""Facts of pages without rules, and what looks like one and is none."""

from __future__ import annotations

import pytest

from hometextile.blocks.block import Block
from hometextile.extract.facts import facts
from hometextile.page.document import Document


def read(page: str) -> dict[str, str]:
    return facts(Document(page, "http://example.cn/"))


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("<table><tr><td>产 地<td>江苏南通</tr><tr><td>规格：<td>200×230cm</table>", {"产地": "江苏南通",
        "规格": "200×230cm"}),
        ("<table><tr><th>品牌<td>水星<th>支数<td>60支</tr></table>", {"品牌": "水星", "支数": "60支"}),
        ("<dl><dt>标准号<dd>GB/T 22796-2021<dt>归口单位<dd>标委会</dl>", {"标准号": "GB/T 22796-2021",
        "归口单位": "标委会"}),
        ("<p>品牌：水星 材质：纯棉　克重：133g/m²</p>", {"品牌": "水星", "材质": "纯棉", "克重": "133g/m²"}),
        ("<div>地址：南通市<br>电话：0513-86512345<br>官网：<a href=x>http://a.cn</a></div>",
         {"地址": "南通市", "电话": "0513-86512345", "官网": "http://a.cn"}),
        ("<ul><li><span>面料</span><span>贡缎</span><li><span>支数</span><span>60</span><li><span>工艺</span><span>印染</span></ul>",
         {"面料": "贡缎", "支数": "60", "工艺": "印染"}),
        ("<dl><dt>作者<dd>沈若溪<dt>发表日期<dd>2022-06</dl>", {"作者": "沈若溪", "发表日期": "2022-06"}),
        ("<div><b>联系人：</b>王经理</div>", {"联系人": "王经理"}),
        ("<table><tr><td>Weight<td>133 g<tr><td>Width<td>250 cm</table>", {"Weight": "133 g", "Width": "250 cm"}),
    ],
)  # fmt: skip
def test_facts(page: str, found: dict[str, str]) -> None:
    assert read(page) == found


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><td><a href=1>关于举办展览会的通知</a><td>2023-05-06"
        "<tr><td><a href=2>标准发布</a><td>2023-05-07</table>",
        "<table><tr><th>型号<th>价格</tr><tr><td>A1<td>35</tr><tr><td>B2<td>36</tr></table>",
        "<p>他说：“很好。”</p><p>她问：为什么？</p>",
        "<p>下午3:30开会，10:15结束</p>",
        "<ul><li><a href=1>书记：改革之路</a><li><a href=2>部长：新的政策</a></ul>",
        "<p>来源：新华网 作者：王某 发布时间：2023-05-06</p>",
        "<table><tr><td>用户名：<td><input name=u><tr><td>密码：<td><input type=password name=p></table>",
        "<p>结论：这是一句很长的话。后面还有一句。</p>",
        "<h1>被套：新品</h1>",
        "<p>织女：学习了，感谢小编整理。</p><p>老布头：图片再大一点就好了。</p>",
    ],
)
def test_no_facts(page: str) -> None:
    assert read(page) == {}


def test_several_values_of_one_label_are_kept() -> None:
    assert read("<p>颜色：红 尺寸：大</p><p>颜色：蓝 尺寸：大</p>") == {"颜色": "红; 蓝", "尺寸": "大"}


def test_lines_in_noise_are_left_out() -> None:
    document = Document(
        "<div id=a><p>品牌：水星 材质：纯棉</p></div><div id=b><p>热线：400 传真：500</p></div>", "http://example.cn/"
    )
    noise = Block(1, "", elements=document.tree.xpath("//div[@id='b']"), level="noise")
    assert facts(document, [noise]) == {"品牌": "水星", "材质": "纯棉"}


def test_a_products_own_properties() -> None:
    page = """<script type="application/ld+json">{"@type": "Product", "additionalProperty":
    [{"name": "Thread count", "value": 300}]}</script>"""
    assert read(page) == {"Thread count": "300"}


def test_hostile_pages_take_no_time() -> None:
    assert read("<div>" * 3000 + "x" + "<table><tr><td>" * 500) == {}
    assert len(read("<p>甲乙：一 丙丁：二</p>" * 5000)) == 2


def test_a_grid_of_one_record_is_its_facts() -> None:
    heads = "<tr><th>title<th>medium<th>classification</tr>"
    row = "<tr><td>Lappet<td>flax thread<td>Textiles</tr>"
    assert read(f"<table>{heads}{row}</table>") == {
        "title": "Lappet", "medium": "flax thread", "classification": "Textiles",
    }  # fmt: skip
    assert read(f"<table>{heads}{row}{row}</table>") == {}
