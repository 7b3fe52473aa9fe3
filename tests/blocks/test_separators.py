"""Bands between blocks and how visible they are."""

from hometextile.blocks.separators import gap_weight, separators, similar
from tests.blocks.laid import el, find, page, tree


def bands(html, *, horizontal=True, tag="div"):
    top = find(tree(html), "body")
    blocks = [child for child in top.children if child.tag != "hr"]
    lines = [child for child in top.children if child.tag == "hr"]
    return separators(blocks, lines, horizontal=horizontal)[1]


def block(box, text="words", style="", tag="div"):
    return el(tag, box, text, style=style)


def test_gap():
    assert [gap_weight(gap) for gap in (0, 8, 9, 15, 16, 31, 32, 63, 64, 500)] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def test_crossing_shrinks_covering_deletes():
    # b crosses the band under a, c lies beside b, d is parted from all by 40 pixels.
    html = page(block("0 0 600 100"), block("0 110 600 100"), block("600 90 600 200"), block("0 330 1200 50"))
    assert [(band.start, band.end, band.before) for band in bands(html)] == [(290.0, 330.0, 3)]


def test_both_directions_and_none_at_the_border():
    html = page(block("10 10 300 300"), block("350 10 300 300"), block("700 10 300 300"))
    assert bands(html) == []
    assert [(band.start, band.end) for band in bands(html, horizontal=False)] == [(310.0, 350.0), (650.0, 700.0)]


def test_blocks_that_touch_are_parted_by_their_colour():
    html = page(block("0 0 1280 60", style="background:#333333"), block("0 60 1280 60"))
    assert [band.weight for band in bands(html)] == [3]
    assert [band.weight for band in bands(page(block("0 0 1280 60"), block("0 60 1280 60")))] == [0]


def test_hr_weighs():
    above, below = block("0 0 600 100", style="font-size:20"), block("0 120 600 100")
    plain = bands(page(above, below))[0].weight
    assert bands(page(above, el("hr", "0 109 600 2"), below))[0].weight == plain + 2
    # Beside what is parted, or upright, it is no rule between them.
    assert bands(page(above, el("hr", "700 109 300 2"), below))[0].weight == plain
    assert bands(page(above, el("hr", "0 102 2 16"), below))[0].weight == plain


def test_fonts_weigh_between_above_and_below_only():
    text, heading = block("0 0 600 100"), block("0 120 600 40", "Heading", "font-size:24;font-weight:700")
    assert bands(page(text, heading))[0].weight == 3 + 2 + 2
    above, below = block("0 0 600 40", "Heading", "font-size:24;font-weight:700"), block("0 60 600 100")
    assert bands(page(above, below))[0].weight == 3 + 2
    left, right = block("0 0 300 100"), block("320 0 300 100", "Heading", "font-size:24")
    assert bands(page(left, right), horizontal=False)[0].weight == 3


def test_plain_text_on_both_sides_weighs_less():
    assert bands(page(block("0 0 600 100"), block("0 120 600 100")))[0].weight == 1


def test_cards_are_alike_in_both_directions():
    cards = [
        el(
            "div",
            f"{x} {y} 300 200",
            el("img", f"{x} {y} 300 150"),
            el("p", f"{x} {y + 160} 300 20", "name"),
            class_="card",
        )
        for y in (0, 220)
        for x in (0, 320)
    ]
    html = page(*cards)
    assert [band.weight for band in bands(html)] == [1]
    assert [band.weight for band in bands(html, horizontal=False)] == [1]
    top = find(tree(html), "body")
    assert similar(*top.children[:2])
    other = tree(
        page(el("div", "0 0 300 200", el("ul", "0 0 300 150", "x"), el("p", "0 160 300 20", "y"), class_="menu"))
    )
    assert not similar(top.children[0], find(other, "div"))


def test_what_does_not_face_is_not_compared():
    # Only the right column is coloured: the band parts what faces it.
    html = page(block("0 0 600 100"), block("700 0 500 100", style="background:#eeeeee"), block("0 120 600 100"))
    assert bands(html)[0].weight == 1


def test_a_bold_word_does_not_make_it_another_kind_of_text():
    bold = el("b", "0 0 50 20", "b", style="font-weight:700")
    text = el("p", "0 0 600 100", "a longer text " * 3, bold)
    other = el("p", "0 116 600 100", "another text " * 3)
    assert [band.weight for band in bands(page(text, other))] == [1]
    heading = el("p", "0 116 600 100", "all of it " * 3, style="font-weight:700")
    assert [band.weight for band in bands(page(text, heading))] == [5]
