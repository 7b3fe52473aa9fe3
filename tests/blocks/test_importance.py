"""The shipped model, the choice of the cut, models that are none, and the SVM as a matrix product."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hometextile.blocks import kernel
from hometextile.blocks.block import Block
from hometextile.blocks.choosing import as_its_like, choose, draw_together
from hometextile.blocks.context import cut_by_expectation
from hometextile.blocks.features import COLUMNS, measure
from hometextile.blocks.importance import load_model
from hometextile.blocks.kernel import KernelMachine, fit_svm
from hometextile.blocks.outline import outline
from hometextile.blocks.segment import segment
from hometextile.blocks.spans import spans_of
from hometextile.blocks.tag_classes import spans_of_runs
from hometextile.page.document import Document
from hometextile.text.faults import Fault

# a Chinese news page of the old kind: layout tables, links, text broken by br, copyright
NEWS = (
    "<html><head><title>柯桥面料市场回暖 - 纺织资讯网</title></head><body><table width=960><tr>"
    + "".join(f"<td><a href=/{n}>{word}</a></td>" for n, word in enumerate(("首页", "资讯", "产品", "企业", "展会")))
    + "</tr></table><table><tr><td width=200><ul>"
    + "".join(f"<li><a href=/hot/{n}>热点新闻第{n}条标题</a></li>" for n in range(8))
    + "</ul></td><td><h1>柯桥面料市场回暖</h1><p>三月以来，柯桥轻纺城面料成交量逐步回升，窗帘布、家纺布订单增加，"
    "部分企业排单到五月。</p><p>业内人士表示，原料价格趋稳，外贸客户陆续回来询价，下半年走势仍需观察。</p>"
    "<p>与此同时，当地印染企业加快改造，交货期比去年同期缩短了三天左右。</p></td></tr></table>"
    "<table><tr><td>版权所有 纺织资讯网 京ICP备00000000号</td></tr></table></body></html>"
)


def rate(html: str) -> list[Block]:
    document = Document(html, "http://e.test/news/1.html")
    blocks = segment(document)
    load_model().rate(blocks, document)
    return blocks


def test_a_chinese_news_page() -> None:
    blocks = rate(NEWS)
    main = "".join(block.text for block in blocks if block.level == "main")
    for words in ("成交量逐步回升", "原料价格趋稳", "交货期比去年同期"):
        assert words in main
    assert "版权所有" not in main
    assert "热点新闻" not in main
    levels = {block.text: block.level for block in blocks}
    assert levels["热点新闻第3条标题"] == "related"


def test_rating_is_the_same_each_time() -> None:
    assert [(b.level, b.score) for b in rate(NEWS)] == [(b.level, b.score) for b in rate(NEWS)]


def test_models_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="no block model named"):
        load_model("nosuch")
    with pytest.raises(Fault, match="no such model file"):
        load_model(tmp_path / "x.skops")
    wrong = tmp_path / "wrong.skops"
    wrong.write_bytes(b"not a zip")
    with pytest.raises(Fault, match="not a block model"):
        load_model(wrong)


def test_the_matrix_product_says_what_libsvm_says() -> None:
    random = np.random.RandomState(0)
    values = random.randn(300, 12)
    target = values[:, 0] * values[:, 1] > 0
    pipeline = fit_svm(values, target, np.ones(300))
    asked = random.randn(50, 12) * 4
    assert np.allclose(KernelMachine(pipeline).decide(asked), pipeline.decision_function(asked), atol=1e-3)


def test_many_rows_are_taken_in_parts_and_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.RandomState(1)
    values = random.randn(300, 12)
    machine = KernelMachine(fit_svm(values, values[:, 0] > 0, np.ones(300)))
    asked = random.randn(1_001, 12)
    whole = machine.decide(asked)
    taken: list[int] = []
    monkeypatch.setattr(kernel, "ROWS", 100)
    decide = KernelMachine._decide
    monkeypatch.setattr(KernelMachine, "_decide", lambda self, part: (taken.append(len(part)), decide(self, part))[1])
    assert np.allclose(machine.decide(asked), whole, atol=1e-5)
    assert taken == [100] * 10 + [1]


def test_cut_by_expectation() -> None:
    # one sure block of ten tokens, two doubtful ones of the same size
    tokens = np.array([10.0, 10.0, 10.0])
    assert cut_by_expectation(np.array([0.9, 0.8, 0.1]), tokens).tolist() == [True, True, False]
    assert cut_by_expectation(np.zeros(0), np.zeros(0)).tolist() == []


def test_facts_of_one_table_are_drawn_together() -> None:
    rows = "".join(f"<tr><th>Fact {n}</th><td>value {n}</td></tr>" for n in range(5))
    out = outline(Document(f"<body><p>{'Some text here. ' * 30}</p><table>{rows}</table></body>", "http://e.test/"))
    table = measure(out, spans_of_runs(out))
    probability = np.array([0.9] + [0.2, 0.6] * 5)
    drawn = draw_together(probability, table)
    assert drawn[0] == 0.9
    assert drawn[1:].max() - drawn[1:].min() == pytest.approx(0.2)
    assert choose(probability, table).dtype == bool


def test_features_are_finite_and_named() -> None:
    for html in (NEWS, "<p>x</p>", "<body></body>"):
        out = outline(Document(html, "http://e.test/"))
        table = measure(out, spans_of_runs(out))
        assert table.values.shape == (len(out.runs), len(COLUMNS))
        assert np.isfinite(table.values).all()


def test_blocks_of_another_segmentation_are_found_by_their_elements() -> None:
    # one block that spans two paragraphs, one whose element is not of the page
    document = Document("<body><p>one</p><p>two</p><div>three</div></body>", "http://e.test/")
    out = outline(document)
    first, second = document.tree.iter("p")
    blocks = [
        Block(0, "", [first, second], "one two", (0, 0, 100, 40), 8),
        Block(1, "", [Document("<i>x", "").tree], "x", (0, 40, 100, 20), 8),
    ]
    spans = spans_of(blocks, out)
    assert (spans.first.tolist(), spans.last.tolist()) == ([0, 0], [2, 0])
    load_model().rate(blocks, document)
    assert all(block.level for block in blocks)


def test_levels_are_drawn_to_those_of_the_like() -> None:
    entries = "".join(f"<li>entry {n}</li>" for n in range(5))
    out = outline(Document(f"<body><ul>{entries}</ul><p>another thing altogether</p></body>", "http://e.test/"))
    table = measure(out, spans_of_runs(out))
    drawn = as_its_like(np.array([0.9, 0.1, 0.1, 0.1, 0.1, 0.5]), table)
    assert np.ptp(drawn[:5]) == pytest.approx(0)
    assert 0.1 < drawn[0] < 0.9
    assert drawn[5] == 0.5
    assert as_its_like(np.zeros(0), table).tolist() == []


def test_a_block_may_be_main_and_not_in_the_text() -> None:
    one = Block(0, "", [], "price", None, None, level="main", chosen=False)
    other = Block(1, "", [], "text", None, None, level="main")
    assert [block.in_text for block in (one, other)] == [False, True]
