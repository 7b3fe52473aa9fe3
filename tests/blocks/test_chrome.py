"""What a site repeats on every page is chrome; labels and frequent values of facts are not."""

from __future__ import annotations

from hometextile.blocks.block import Block
from hometextile.blocks.chrome import Chrome
from hometextile.blocks.segment import segment
from hometextile.page.document import Document


def _page(number: int, name: str, *, place: str = "苏州") -> str:
    """A page of a shop: a slogan and a notice that every page has, a text and facts of its own."""
    return f"""<html><body><div id="top"><div>布行天下，一线相通</div><div>热烈祝贺本站会员突破十万家</div></div>
    <div id="main"><h1>{name}</h1><p>{name}，第{number}号，{"柔软厚实，" * number}适合做冬天的被面和靠垫。</p>
    <table><tr><td>产地</td><td>{place}</td></tr><tr><td>型号</td><td>T-{number:04}</td></tr></table></div>
    <div id="foot"><p>站内公告</p><p>本站信息由会员自行维护</p></div></body></html>"""


def _mark(chrome: Chrome, html: str) -> list[Block]:
    blocks = segment(Document(html, "http://shop.example/"))
    for block in blocks:
        block.level = "main"
    chrome.mark(blocks)
    return blocks


def _noise(blocks: list[Block]) -> str:
    return "".join("".join(block.text.split()) for block in blocks if block.level == "noise")


def test_repeated_texts_become_noise_after_three_other_pages() -> None:
    chrome = Chrome()
    first = [_mark(chrome, _page(n, f"提花布{n}")) for n in range(3)]
    assert all(_noise(blocks) == "" for blocks in first)
    noise = _noise(_mark(chrome, _page(7, "缂丝片")))
    for text in ("布行天下，一线相通", "热烈祝贺本站会员突破十万家", "站内公告", "本站信息由会员自行维护"):
        assert text in noise


def test_labels_and_frequent_values_stay() -> None:
    chrome = Chrome()
    for n in range(5):
        _mark(chrome, _page(n, f"提花布{n}"))
    noise = _noise(_mark(chrome, _page(9, "云锦")))
    for text in ("产地", "苏州", "型号", "T-0009", "云锦"):
        assert text not in noise


def test_the_same_page_under_other_addresses_is_one_page() -> None:
    chrome = Chrome()
    for _ in range(6):
        blocks = _mark(chrome, _page(1, "提花布"))
    assert _noise(blocks) == ""


def test_memory_is_bounded() -> None:
    chrome = Chrome(most=20)
    for n in range(50):
        _mark(chrome, _page(n, f"名{n}"))
    assert len(chrome._seen) <= 20
