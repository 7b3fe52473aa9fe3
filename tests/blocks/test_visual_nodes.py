"""What counts as seen, and how text stands in the tree."""

from hometextile.blocks.visual_nodes import visible_text
from tests.blocks.laid import el, find, page, tree, walk


def text_of(html):
    top = tree(html)
    return visible_text([top]) if top else ""


def test_area_is_width_by_height_wherever_it_stands():
    # A known fault: x times y of the position taken for the area.
    top = tree(page(el("div", "0 0 300 200", "a"), el("div", "700 900 300 200", "b")))
    assert [find(top, "div", n).area for n in (0, 1)] == [60000, 60000]


def test_invisible_things_are_no_nodes():
    html = page(
        el("div", "0 0 0 0", "none", style="display:none"),
        el("div", "0 0 100 0", "flat"),
        el("div", "0 10 100 20", "hidden", style="visibility:hidden"),
        el("div", "-9999 10 100 20", "outside"),
        el("div", "0 10 1 1", el("span", "0 10 90 20", "for screen readers"), style="position:absolute"),
        "<script>var x = 'script'</script><noscript>noscript</noscript><!-- comment -->",
        el("div", "0 40 100 20", "seen"),
    )
    assert text_of(html) == "seen"


def test_a_collapsed_container_holds_its_floats():
    top = tree(page(el("div", "0 0 1280 0", el("div", "0 0 300 40", "left"), el("div", "900 0 300 40", "right"))))
    outer = find(top, "div")
    assert (outer.x, outer.y, outer.width, outer.height) == (0, 0, 1200, 40)


def test_hidden_parent_visible_child():
    inner = el("p", "0 0 100 20", "seen", style="visibility:visible")
    assert text_of(page(el("div", "0 0 100 60", "unseen", inner, style="visibility:hidden"))) == "seen"


def test_virtual_text_is_recursive():
    deep = el("a", "0 0 90 20", el("b", "0 0 90 20", el("i", "0 0 90 20", "deep")))
    top = tree(page(el("p", "0 0 300 20", deep)))
    assert find(top, "a").virtual
    with_picture = el("a", "0 0 90 20", el("b", "0 0 90 20", el("img", "0 0 20 20"), "deep", texts="20 0 70 20"))
    assert not find(tree(page(el("p", "0 0 300 20", with_picture))), "a").virtual


def test_inline_between_blocks_is_one_run():
    html = page(
        el(
            "div",
            "0 0 600 100",
            "before ",
            el("b", "60 0 40 20", "bold"),
            " after",
            el("p", "0 40 600 20", "para"),
            "end",
            texts="0 0 60 20,100 0 60 20,0 80 60 20",
        )
    )
    top = tree(html)
    assert [child.tag for child in find(top, "div").children] == ["#run", "p", "#text"]
    assert text_of(html) == "before bold after\npara\nend"
    run = find(top, "#run")
    assert (run.x, run.right) == (0, 160)


def test_text_numbers_are_those_of_xpath():
    # The first text node is white space, a comment stands between two others.
    html = page(
        el(
            "div",
            "0 0 600 100",
            "\n",
            el("b", "0 0 9 9", "x"),
            " one <!-- c --> two ",
            el("i", "0 0 9 9", "y"),
            texts="9 0 9 9,19 0 9 9",
        )
    )
    nodes = [node for node in walk(tree(html)) if node.ordinal > 0 and node.element.tag == "div"]
    for node in nodes:
        assert node.element.xpath(f"text()[{node.ordinal}]")[0].strip() == node.text.strip()
    assert [node.text.strip() for node in nodes] == ["one", "two"]


def test_fonts_and_breaks():
    html = page(
        el(
            "p",
            "0 0 300 60",
            "one<br>two ",
            el("b", "0 40 50 20", "three", style="font-weight:700"),
            texts="0 0 50 20,0 20 50 20",
        )
    )
    assert text_of(html) == "one\ntwo three"
    paragraph = find(tree(html), "p")
    assert paragraph.font is None
    assert paragraph.main_font == (16.0, 700)


def test_nothing_seen():
    assert tree(page(height=10, style="display:none")) is None or text_of(page(style="display:none")) == ""
    assert tree('<html data-box="0 0 0 0"></html>') is None


def test_depth_of_two_thousand():
    html = '<html data-box="0 0 9 9"><body data-box="0 0 9 9">'
    html += '<div data-box="0 0 9 9">' * 2000 + "deep" + "</div>" * 2000
    assert "deep" in text_of(html)


def test_white_space_between_inline_elements_parts_their_words():
    # A known fault: a bar of links, or code with a span for each word, came out as one word.
    links = el("div", "0 0 300 20", el("a", "0 0 40 20", "Home"), "\n", el("a", "50 0 40 20", "News"))
    assert text_of(page(links)) == "Home News"
    touching = el("div", "0 0 300 20", el("b", "0 0 40 20", "H"), el("i", "40 0 40 20", "ome"))
    assert text_of(page(touching)) == "Home"


def test_lines_and_indents_of_pre_are_kept():
    code = el(
        "pre",
        "0 0 300 80",
        el("b", "0 0 30 20", "def"),
        " f():\n    ",
        el("b", "0 20 60 20", "return"),
        "\n\n",
        el("i", "0 60 60 20", "# end  of it"),
        "  \n",
        texts="30 0 60 40",
    )
    assert text_of(page(el("p", "0 100 300 20", "a\n  b"), code)) == "a b\ndef f():\n    return\n\n# end  of it"
