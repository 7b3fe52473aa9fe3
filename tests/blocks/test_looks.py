"""What the runs of a drawn page look like, and where their links lead."""

import numpy as np

from hometextile.blocks.looks import LINKS, STYLES, looks
from hometextile.blocks.outline import outline
from hometextile.page.document import Document
from hometextile.page.layout import layout_of
from tests.blocks.laid import el, page

TEXT = "Cotton grows in the sun, and the mill by the river spins it into yarn of many counts. " * 3
HTML = page(
    el(
        "div",
        "0 0 1280 40",
        el("p", "0 0 200 20", el("a", "0 0 80 20", "Mills", href="http://other.example/")),
        el("p", "200 0 200 20", el("a", "200 0 80 20", "Yarns", href="/yarns")),
        style="background:#223344;position:fixed;color:#ffffff",
    ),
    el("p", "0 100 860 200", TEXT),
    el("p", "0 320 860 20", el("a", "0 320 80 20", "up", href="#top"), style="font-size:8"),
    el("p", "0 360 860 20", "name", el("input", "80 360 80 20", type="text"), el("input", "0 0 0 0", type="hidden")),
    el("p", "0 400 860 20", el("a", "0 400 16 16", el("img", "0 400 16 16", src="up.png"), href="#top")),
    el("p", "0 440 860 20", "strong words", style="font-weight:700"),
)


def seen():
    document = Document(HTML, "http://mills.example/")
    out = outline(document)
    table = looks(out, layout_of(document))
    assert table.shape == (len(out.runs), len(LINKS) + len(STYLES))
    return {run.text: dict(zip((*LINKS, *STYLES), row, strict=True)) for run, row in zip(out.runs, table, strict=True)}


def test_where_links_lead():
    rows = seen()
    assert [rows[word]["elsewhere"] for word in ("Mills", "Yarns", "up")] == [1, 0, 0]
    assert [rows[word]["in_page"] for word in ("Mills", "Yarns", "up")] == [0, 0, 1]
    assert rows["up"]["links"] == np.log1p(1) and rows[TEXT.strip()]["links"] == 0


def test_controls_are_counted_but_for_hidden_ones():
    rows = seen()
    assert rows["name"]["controls"] == np.log1p(1)
    assert rows["up"]["controls"] == 0


def test_a_picture_without_a_word():
    rows = seen()
    assert (rows[""]["picture"], rows[""]["wordless"], rows[""]["any_in_page"]) == (1, 1, 1)
    assert rows["Mills"]["picture"] == rows["Mills"]["wordless"] == 0


def test_styles_are_compared_with_those_of_most_text():
    rows = seen()
    text = rows[TEXT.strip()]
    assert [text[name] for name in STYLES] == [1, 0, 0, 0, 0]
    assert (rows["Mills"]["background"], rows["Mills"]["colour"], rows["Mills"]["stays"]) == (1, 1, 1)
    assert rows["up"]["font"] == 0.5
    assert rows["strong words"]["bold"] == 1


def test_an_address_that_is_none():
    document = Document(page(el("p", "0 0 80 20", el("a", "0 0 80 20", "x", href="http://[1/"))), "http://a.example/")
    assert looks(outline(document), layout_of(document))[0, LINKS.index("elsewhere")] == 1


def test_a_page_of_nothing():
    document = Document(page(el("div", "0 0 80 20")), "http://a.example/")
    assert looks(outline(document), layout_of(document)).shape == (0, len(LINKS) + len(STYLES))
