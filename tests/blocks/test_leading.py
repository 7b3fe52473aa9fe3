"""Front pages, further pages of lists and forms are no resources; a short text at such an address is one."""

from __future__ import annotations

import pytest

from hometextile.blocks.leading import is_index_address, leads_only
from hometextile.blocks.segment import segment
from hometextile.page.document import Document

TEXT = (
    "这幅缂丝以通经断纬之法织成，水波与芦苇层层晕染，双禽的羽色由十一种丝线交替而来，背面同样清晰，是明代内府的典型作品。"
    * 2
)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.cn/museum/", True),
        ("http://a.cn/", True),
        ("http://a.cn/news/index_6.html", True),
        ("http://a.cn/list-3-2.html", True),
        ("http://a.cn/so?q=%E5%BA%8A", True),
        ("http://a.cn/items.php?page=2", True),
        ("http://a.cn/news/2026/n01.html", False),
        ("http://a.cn/show.asp?id=12", False),
        ("http://a.cn/item/12", False),
    ],
)
def test_index_addresses(url: str, expected: bool) -> None:
    assert is_index_address(url) is expected


def _leads(body: str, url: str) -> str | None:
    document = Document(f"<html><body><div>{body}</div></body></html>", url)
    blocks = segment(document)
    for block in blocks:
        block.level = "main"
    return leads_only(document, blocks)


def test_a_list_of_summaries() -> None:
    rows = "".join(
        f'<div class="r"><h3><a href="/n/{n}.html">新闻{n}</a></h3><p>摘要{n}：{TEXT[:40]}</p></div>' for n in range(6)
    )
    assert _leads(rows, "http://a.cn/news/index_2.html") == "list"
    assert _leads(rows, "http://a.cn/news/2026/n02.html") is None  # its address says that it is one: related articles


def test_a_welcome_and_a_search_box() -> None:
    assert _leads("<h1>标准检索</h1><p>请选择条件并检索。</p><form><input name=q></form>", "http://a.cn/std/") == "list"


def test_a_text_at_a_folder_address_is_a_text() -> None:
    assert _leads(f"<h1>双禽缂丝</h1><p>{TEXT}</p>", "http://a.cn/object/m2/") is None


def test_a_page_that_is_a_form() -> None:
    form = "<h1>上传花型</h1><form><p>花型名称</p><input name=t><input type=file name=f></form>"
    assert _leads(form, "http://a.cn/user/upload") == "form"
    assert _leads(f"<p>{TEXT}</p><form>登录<input type=password></form>", "http://a.cn/show.asp?id=1") is None
