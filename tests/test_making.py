"""From a page with rated blocks to resources: with a template and without."""

from __future__ import annotations

from hometextile.blocks.segment import segment
from hometextile.making import make_resources
from hometextile.page.page import Page, Way
from hometextile.sites import Site, parse_site

TEXT = "这件云锦妆花缎以真金线挖花，底色朱红，花头用十二色绒线分层晕染，是清代江宁织造的典型作品，现藏于示例博物馆。"
DETAIL = f"""<html><head><title>妆花缎 - 示例博物馆</title></head><body><h1>妆花缎</h1><div class="t"><p>{TEXT}</p><p>{TEXT[5:]}</p></div>
<table><tr><td>年代</td><td>清</td></tr><tr><td>尺寸</td><td>纵 50 厘米</td></tr></table></body></html>"""
LIST = """<html><body><table class="firms"><tr id="a"><td>锦川布行</td><td><a href="/c/1">详情</a></td><td>电话：000-1</td></tr>
<tr id="b"><td>桑溪丝厂</td><td></td><td>电话：000-2</td></tr></table></body></html>"""


def _site(more: str = "") -> Site:
    return parse_site("start: [http://a.cn/]\n" + more, "s", "s.yaml")


def _page(html: str, url: str, kind: str = "link") -> Page:
    page = Page("s", url, html, way=Way(kind))
    page.blocks = segment(page.document)
    for block in page.blocks:
        block.level = "main"
    return page


def test_without_rules() -> None:
    resources, dropped = make_resources(_page(DETAIL, "http://a.cn/o/1.html?utm_source=x"), _site())
    assert dropped is None
    (resource,) = resources
    assert resource.title == "妆花缎"
    assert resource.identity == "http://a.cn/o/1.html"
    assert TEXT in resource.text
    assert resource.fields["年代"] == "清"


def test_with_a_template() -> None:
    more = """templates:
  - name: object
    match: /o/
    library: culture
    category: museum_collection
    fields: {title: {css: h1}, 年代: {label: 年代}, text: {css: .t}}
"""
    resources, dropped = make_resources(_page(DETAIL, "http://a.cn/o/1.html"), _site(more))
    assert dropped is None
    (resource,) = resources
    assert (resource.library, resource.category, resource.fields) == ("culture", "museum_collection", {"年代": "清"})
    assert resource.rules == ["object.text", "object.title", "object.年代"]


def test_a_list_gives_a_resource_for_each_record() -> None:
    more = """templates:
  - name: firms
    match: /list
    kind: list
    library: directory
    records: table.firms tr[id]
    link: td a
    fields: {title: {css: "td:nth-child(1)"}, 电话: {label: 电话}}
"""
    resources, dropped = make_resources(_page(LIST, "http://a.cn/list"), _site(more))
    assert dropped is None
    assert [(r.title, r.fields["电话"], r.url) for r in resources] == [
        ("锦川布行", "000-1", "http://a.cn/c/1"),
        ("桑溪丝厂", "000-2", "http://a.cn/list"),
    ]
    assert len({r.identity for r in resources}) == 2


def test_a_required_field_that_is_missing() -> None:
    more = "templates: [{name: o, match: /o/, fields: {title: {css: .no-such, required: true}}}]\n"
    page = _page(DETAIL, "http://a.cn/o/1.html")
    assert make_resources(page, _site(more)) == ([], "required-field-missing")
    assert page.story["missing"] == ["title"]


def test_a_file_that_is_none_of_ours() -> None:
    page = Page("s", "http://a.cn/x.bin", "", body=b"\x00\x01", headers={"content-type": "application/octet-stream"})
    assert make_resources(page, _site()) == ([], "file-unknown-kind")
