"""Rating by sight, and training what is learned from drawn pages."""

import gzip
import json

import numpy as np
import pytest

from hometextile.blocks.importance import load_model
from hometextile.blocks.labels import Label, write_labels
from hometextile.blocks.outline import outline
from hometextile.blocks.segment import segment
from hometextile.blocks.sight import by_sight, rate_blocks, read_sight, runs_in_sight, shipped_sight, spatial
from hometextile.blocks.sight_training import drawn_page, fit_sight, train_sight
from hometextile.blocks.spans import spans_of
from hometextile.page.document import Document
from hometextile.page.layout import layout_of
from hometextile.text.faults import Fault
from tests.blocks.laid import el, page

TEXT = "Cotton grows in the sun, and the mill by the river spins it into yarn of many counts. "


def drawn(number=0):
    """A bar of links, a text beside a box of links, something folded away, a footer; every page with other words."""
    links = "".join(el("a", f"{80 * n} 10 60 20", f"Section {n}") for n in range(6))
    side = "".join(el("li", f"900 {120 + 30 * n} 300 20", el("a", f"900 {120 + 30 * n} 200 20", f"More {n}")) for n in range(5))
    text = "".join(el("p", f"0 {160 + 80 * n} 860 60", f"{TEXT * 2}{number} {n}") for n in range(5))
    return page(
        el("div", "0 0 1280 40", links, class_="bar", style="background:#223344"),
        el("div", "0 100 860 500", el("h1", "0 100 860 40", f"Mills of the north {number}"), text, class_="text"),
        el("div", "900 100 340 300", el("ul", "900 110 340 200", side), class_="side", style="background:#eeeeee"),
        el("div", "0 0 0 0", el("p", "0 0 0 0", "folded away"), style="display:none"),
        el("div", "0 900 1280 40", "copyright 2026, all rights reserved", class_="foot", style="background:#223344"),
        height=940,
    )


def levels_of(document):
    found = {}
    for name, level in (("bar", "related"), ("text", "main"), ("side", "related"), ("foot", "noise")):
        element = document.tree.find(f".//div[@class='{name}']")
        path = outline(document).path(outline(document).index[element])
        found[path, path] = level
    return found


def test_a_drawn_page_is_rated_by_sight():
    document = Document(drawn(), "http://a.example/")
    blocks = segment(document)
    rate_blocks(blocks, document, load_model())
    assert blocks.method == "vips"
    said = {block.text.split()[0]: block for block in blocks}
    assert all(block.level == "main" and block.chosen for word, block in said.items() if word in {"Mills", "Cotton"})
    assert said["Section"].level != "main" and said["copyright"].level != "main"
    assert all(0 <= block.score <= 1 for block in blocks)


def test_a_page_that_nobody_drew_is_left_to_the_importance_model():
    html = "<body><p>" + TEXT * 3 + "</p><p>copyright</p></body>"
    one, other = Document(html, "http://a.example/"), Document(html, "http://a.example/")
    blocks, plain = segment(one), segment(other)
    rate_blocks(blocks, one, load_model())
    load_model().rate(plain, other)
    assert [(block.level, block.score) for block in blocks] == [(block.level, block.score) for block in plain]


def test_only_what_the_blocks_hold_is_in_sight_with_its_own_box():
    document = Document(drawn(), "http://a.example/")
    out = outline(document)
    seen, runs = runs_in_sight(out, spans_of(segment(document), out), layout_of(document))
    texts = [out.runs[run].text for run in seen]
    assert "folded away" not in texts and len(texts) == len(out.runs) - 1
    assert runs.box[texts.index("Mills of the north 0")].tolist() == [0, 100, 860, 40]
    columns = spatial(runs)
    assert columns.shape == (len(seen), 6) and columns.min() >= 0
    assert columns[-1][1] > 0.9 and columns[-1][5] == 0


def test_a_page_of_blocks_that_the_outline_lacks():
    document = Document(page(el("svg", "0 0 100 100"), el("p", "0 120 300 20", "x")), "http://a.example/")
    out, layout = outline(document), layout_of(document)
    none = spans_of([], out)
    main, related, chosen = by_sight(out, none, layout, load_model(), shipped_sight())
    assert len(main) == len(related) == len(chosen) == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    top = tmp_path_factory.mktemp("drawn")
    (top / "pages").mkdir()
    lines = []
    for number in range(8):
        name = f"a-{number}"
        (top / "pages" / f"{name}.html.gz").write_bytes(gzip.compress(drawn(number).encode()))
        document = Document(drawn(number), "http://a.example/")
        labels = [Label(name, path, to, level, "t") for (path, to), level in levels_of(document).items()]
        write_labels(top / "labels", "t", name, labels)
        lines.append(json.dumps({"file": f"pages/{name}.html.gz", "text": TEXT, "family": f"site {number}"}))
    (top / "index.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return top


def test_trained_written_and_read(folder, tmp_path):
    card = train_sight([folder], tmp_path / "mine.skops")
    assert card["trained_on"]["pages"] == 8 and (tmp_path / "mine.json").is_file()
    sight = read_sight(tmp_path / "mine.skops")
    document = Document(drawn(99), "http://b.example/")
    blocks = segment(document)
    rate_blocks(blocks, document, load_model(), sight=sight)
    levels = {block.text.split()[0]: block.level for block in blocks}
    assert levels["Section"] == "related" and levels["Mills"] == "main" and levels["copyright"] == "noise"


def test_the_same_pages_give_the_same_model(folder):
    pages = [drawn_page(document, levels_of(document), f"s{n}") for n in range(4) for document in [Document(drawn(n), "")]]
    one, other = fit_sight(pages), fit_sight(pages)
    assert one.main.calibration == other.main.calibration
    assert np.array_equal(one.main.pipeline[-1].support_vectors_, other.main.pipeline[-1].support_vectors_)


def test_without_levels_the_importance_model_says_them(folder, tmp_path):
    pages = [drawn_page(Document(drawn(n), ""), None, f"s{n}", text=TEXT * 2) for n in range(4)]
    model = fit_sight(pages)
    assert model.levels is None
    model.save(tmp_path / "none.skops")
    again = read_sight(tmp_path / "none.skops")
    assert again.levels is None
    document = Document(drawn(), "http://a.example/")
    out, layout = outline(document), layout_of(document)
    _seen, runs = runs_in_sight(out, spans_of(segment(document), out), layout)
    known = load_model().judge(out, runs).levels
    bar = by_sight(out, spans_of(segment(document), out), layout, load_model(), again)[1][0]
    assert bar == pytest.approx(known[0])


def test_without_levels_main_is_what_stands_in_the_true_text():
    document = Document(drawn(), "http://a.example/")
    found = drawn_page(document, None, "a", text=TEXT * 2 + "0 1")
    assert set(found.level.tolist()) == {-1} and set(found.main.tolist()) == {0, 1}
    assert found.main[-1] == 0


def test_a_page_without_a_layout_cannot_be_learned_from():
    with pytest.raises(Fault, match="layout"):
        drawn_page(Document("<p>text</p>", "http://a.example/"), {})


def test_what_is_no_model(tmp_path):
    (tmp_path / "x.skops").write_bytes(b"nothing")
    with pytest.raises(Fault, match="drawn pages"):
        read_sight(tmp_path / "x.skops")
    with pytest.raises(Fault, match="drawn pages"):
        read_sight(tmp_path / "none.skops")
