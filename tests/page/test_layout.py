"""A layout read from a page's attributes."""

from hometextile.page.document import Document
from hometextile.page.layout import read_layout


def read(html):
    document = Document(html, "http://a.example/")
    return document.tree, read_layout(document)


def test_none_without_boxes():
    assert read("<p>text</p>")[1] is None
    assert read("")[1] is None


def test_boxes_and_inherited_styles():
    tree, layout = read(
        '<html data-box="0 0 1280 900" data-drawn="1300 2000 1280 800" data-style="font-size:16;font-weight:400">'
        '<body data-box="0 0 1280 900" data-style="background:#eeeeee"><div data-box="1.5 2 3 4" '
        'data-style="font-size:20;'
        'color:#ff0000;display:inline;position:fixed"><b data-box="5 6 7 8" data-style="font-weight:700">x</b></div>'
    )
    div, b = tree.find(".//div"), tree.find(".//b")
    assert (layout.page_width, layout.page_height) == (1300, 2000)
    assert (layout.window_width, layout.window_height) == (1280, 800)
    assert layout.box(div) == (1.5, 2, 3, 4)
    sight = layout.sight(b)
    assert (sight.font_size, sight.font_weight, sight.color) == (20, 700, "#ff0000")
    assert (sight.background, sight.own_background) == ("#eeeeee", "")
    assert sight.inline and layout.sight(div).inline
    assert (layout.sight(div).position, sight.position) == ("fixed", "static")
    assert layout.visible(b)
    assert not layout.cut


def test_visibility_is_inherited_and_may_come_back():
    tree, layout = read(
        '<div data-box="0 0 9 9" data-style="visibility:hidden"><p data-box="0 0 9 9">a</p>'
        '<i data-box="0 0 9 9" data-style="visibility:visible">b</i></div>'
    )
    assert not layout.visible(tree.find(".//p"))
    assert layout.visible(tree.find(".//i"))


def test_what_is_not_drawn_has_no_children():
    tree, layout = read('<div data-box="0 0 0 0" data-style="display:none"><p data-box="0 0 9 9">a</p></div>')
    assert layout.sight(tree.find(".//div")).drawn is False
    assert layout.box(tree.find(".//p")) is None


def test_page_is_as_large_as_what_is_on_it():
    _tree, layout = read('<div data-box="0 0 100 50"><p data-box="20 3000 400 20">a</p></div>')
    assert (layout.page_width, layout.page_height) == (420, 3020)


def test_nonsense_is_left_out():
    tree, layout = read(
        '<html data-drawn="a b c d" data-cut="1"><p data-box="1 2 3">a</p><p data-box="1 2 -3 4">b</p>'
        '<p data-box="nan 0 1 1">c</p><p data-box="1e99 0 1 1">d</p>'
        '<p data-box="0 0 1 1" data-style="font-size:big;font-weight:;nonsense;x:y" data-texts="1 2,3 4 5 6">e</p>'
    )
    paragraphs = tree.findall(".//p")
    assert [layout.box(p) is not None for p in paragraphs] == [False, False, False, False, True]
    assert layout.sight(paragraphs[4]).font_size == 16
    assert layout.sight(paragraphs[4]).texts == [(3, 4, 5, 6)]
    assert layout.cut
