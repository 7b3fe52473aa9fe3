"""Whole pages by sight: what a person would name as their parts."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometextile.blocks.vips import segment_by_sight
from tests.blocks.laid import el, page, read


def segmented(html, pdoc=5):
    document, layout = read(html)
    return segment_by_sight(document, layout, pdoc)


def lines(blocks):
    return [block.text.replace("\n", "|") for block in blocks]


def column(x, y, width, texts, step=40):
    return [el("p", f"{x} {y + step * n} {width} {step - 16}", text) for n, text in enumerate(texts)]


# Shows: a header, a list of links beside an article, a footer.
CLASSIC = page(
    el(
        "div",
        "0 0 1280 80",
        el("h1", "20 20 300 40", "Site", style="font-size:32;font-weight:700"),
        style="background:#223344",
    ),
    el(
        "div",
        "0 100 1280 1700",
        el("div", "0 100 250 1700", *column(10, 100, 230, ["home", "news", "shop"], 560)),
        el("div", "300 100 980 1700", *column(300, 100, 980, ["one " * 99, "two " * 99, "three " * 99], 560)),
    ),
    el("div", "0 1830 1280 60", "copyright", style="background:#223344"),
)


def test_header_columns_footer():
    blocks = segmented(CLASSIC)
    assert [text[:9] for text in lines(blocks)] == ["Site", "home|news", "one one o", "copyright"]
    assert [block.id for block in blocks] == [0, 1, 2, 3]
    assert blocks[1].box == (0.0, 100.0, 250.0, 1700.0)
    assert blocks[2].path == "/html/body[1]/div[2]/div[2]"
    assert all(block.doc is not None and 1 <= block.doc <= 10 for block in blocks)


def test_pdoc_grows_finer_and_never_coarser():
    counts = [len(segmented(CLASSIC, pdoc)) for pdoc in range(1, 12)]
    assert counts == sorted(counts)
    assert counts[0] == 1 and counts[-1] == 8


def test_nested_layout_tables():
    # Shows: an old page, everything in one cell of one table.
    def table(box, *rows):
        return el("table", box, *(el("tr", row_box, *cells) for row_box, cells in rows))

    def cell(box, *inside, **more):
        return el("td", box, *inside, **more)

    html = page(
        table(
            "0 0 1280 1200",
            (
                "0 0 1280 1200",
                [
                    cell(
                        "0 0 1280 1200",
                        table(
                            "0 0 1280 100",
                            ("0 0 1280 100", [cell("0 0 1280 100", "banner", style="background:#cc0000")]),
                        ),
                        table(
                            "0 110 1280 1000",
                            (
                                "0 110 1280 1000",
                                [
                                    cell(
                                        "0 110 200 1000",
                                        *column(0, 110, 200, ["dir a", "dir b"], 400),
                                        style="background:#eeeeee",
                                    ),
                                    cell(
                                        "200 110 1080 1000",
                                        *column(220, 110, 1000, ["firm " * 50, "street " * 50], 400),
                                    ),
                                ],
                            ),
                        ),
                    )
                ],
            ),
        ),
        height=1200,
    )
    assert [text[:8] for text in lines(segmented(html))] == ["banner", "dir a|di", "firm fir"]


def test_loose_text_beside_blocks_is_a_block_of_its_own():
    big = "word " * 50
    html = page(
        el(
            "div",
            "0 0 1280 1800",
            f"{big}<b data-box='0 300 90 20'>bold</b> tail",
            el("div", "0 700 1280 500", big),
            "end",
            texts="0 0 1280 320,90 300 90 20,0 1500 300 20",
        )
    )
    blocks = segmented(html, 9)
    assert [text[-9:] for text in lines(blocks)] == ["bold tail", "word word", "end"]
    assert blocks[0].path == "/html/body[1]/div[1]/text()[1]"
    assert [element.tag for element in blocks[0].elements] == ["b"]
    assert [number for _parent, number in blocks[0].texts] == [1, 2]
    assert blocks[2].path == "/html/body[1]/div[1]/text()[3]"


def test_what_floats_does_not_hide_the_bands():
    html = page(
        el("div", "1100 0 180 1900", "chat with us " * 9, style="position:fixed;background:#00ff00"),
        el("div", "0 0 1280 80", "header", style="background:#223344"),
        el("div", "0 120 1280 1600", *column(0, 120, 1280, ["one " * 99, "two " * 99], 500)),
    )
    assert [text[:6] for text in lines(segmented(html))] == ["chat w", "header", "one on"]


def test_cards_of_a_list_are_one_block_until_pdoc_parts_them():
    def card(x, y, name):
        inside = el("img", f"{x} {y} 300 300"), el("p", f"{x} {y + 310} 300 20", name)
        return el("div", f"{x} {y} 300 340", *inside, class_="card")

    names = "abcdefghi"
    cards = [card(320 * (n % 3), 360 * (n // 3), name * 5) for n, name in enumerate(names)]
    html = page(el("div", "0 0 960 1080", *cards), height=1080)
    assert len(segmented(html, 5)) == 1
    assert [text[0] for text in lines(segmented(html, 8)) if text] == list(names)


@pytest.mark.parametrize(
    "html",
    [
        '<html data-box="0 0 0 0"></html>',
        '<html data-box="0 0 9 9" data-style="display:none"><body data-box="0 0 9 9">x</body></html>',
        '<html data-box="0 0 9 9" data-style="visibility:hidden"><body data-box="0 0 9 9">x</body></html>',
        '<html data-box="0 0 9 9"><frameset data-box="0 0 9 9"></frameset></html>',
    ],
)
def test_nothing_to_see(html):
    assert segmented(html) == []


def test_one_element():
    assert lines(segmented('<p data-box="0 0 100 20">only</p>')) == ["only"]


def test_broken_boxes_are_left_out():
    html = (
        '<body data-box="a b c d"><p data-box="1 2 3">x</p><p data-box="0 0 nan inf">y</p><p data-box="0 0 9 9">z</p>'
    )
    assert lines(segmented(html)) == ["z"]


def test_text_in_svg_is_text():
    html = page(el("svg", "0 0 300 300", "<text data-box='0 0 90 20'>in svg</text>", style="display:block"))
    assert lines(segmented(html)) == ["in svg"]


def test_right_to_left():
    html = page(
        el("div", "1000 0 280 800", "قائمة " * 40, style="background:#eeeeee"),
        el("div", "0 0 980 800", "نص " * 200),
        height=800,
    )
    assert [block.box[0] for block in segmented(html)] == [1000, 0]


def nested(draw, x, y, width, height, depth):
    """A random page part in which every word is unique, and boxes may overlap."""
    if depth == 0 or draw(st.booleans()):
        return el(
            draw(st.sampled_from(["p", "div", "span", "a", "td", "li"])), f"{x} {y} {width} {height}", next(draw.words)
        )
    parts = []
    for number in range(draw(st.integers(1, 4))):
        if draw(st.integers(0, 4)) == 0:
            parts.append(next(draw.words))
        if draw(st.integers(0, 6)) == 0:
            parts.append(el("hr", f"{x} {y} {width} 2"))
        shift = draw(st.integers(0, 60))
        part = nested(
            draw, x + shift, y + number * max(height // 4, 1), max(width // 2, 1), max(height // 4, 1), depth - 1
        )
        parts.append(part)
    tag = draw(st.sampled_from(["div", "table", "tr", "ul", "span", "p", "section"]))
    style = draw(st.sampled_from(["", "background:#eeeeee", "position:absolute", "font-size:30"]))
    return el(tag, f"{x} {y} {width} {height}", *parts, style=style)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(1, 11))
def test_every_word_once_in_order_and_always_the_same(data, pdoc):
    class Draw:
        words = (f"w{number}e " for number in range(10_000))

        def __call__(self, strategy):
            return data.draw(strategy)

    html = page(nested(Draw(), 0, 0, 1280, 2000, 4))
    document, layout = read(html)
    blocks = segment_by_sight(document, layout, pdoc)
    words = [word for block in blocks for word in block.text.split()]
    assert sorted(words) == sorted(document.tree.text_content().split())
    if len({id(block) for block in blocks}) == 1:
        assert words == document.tree.text_content().split()
    again = segment_by_sight(*read(html), pdoc)
    assert [(b.path, b.box, b.doc, b.text) for b in again] == [(b.path, b.box, b.doc, b.text) for b in blocks]


def test_five_thousand_elements_and_hostile_shapes():
    rows = [el("div", f"0 {20 * n} 1280 20", el("span", f"0 {20 * n} 90 20", f"s{n}")) for n in range(2500)]
    start = time.process_time()
    blocks = segmented(page(*rows, height=50_000))
    assert sum(len(block.text.split()) for block in blocks) == 2500
    # A staircase: every cut leaves all but one block.
    stairs = [el("div", f"{n * 10} {n * 10} 10 10", f"d{n}", style=f"background:#{n:06x}") for n in range(400)]
    assert sum(len(block.text.split()) for block in segmented(page(*stairs, height=5000))) == 400
    assert time.process_time() - start < 5


def test_five_thousand_rules_and_ten_thousand_siblings_are_no_trap():
    lines = [el("p", f"0 {40 * n} 600 20", f"p{n}") + el("hr", f"0 {40 * n + 30} 600 2") for n in range(5000)]
    grid = [
        el("div", f"{n % 100 * 40} {n // 100 * 40} 20 20", f"g{n}", style=f"font-size:{n % 7 + 9}")
        for n in range(10_000)
    ]
    for parts, count, height in ((lines, 5000, 200_000), (grid, 10_000, 4000)):
        document, layout = read(page(*parts, height=height))
        start = time.process_time()
        blocks = segment_by_sight(document, layout)
        assert time.process_time() - start < 3
        assert sum(len(block.text.split()) for block in blocks) == count
