"""What the elements of a page hand down: bits of what holds them, the box that adds something, lists and tables of facts."""

from __future__ import annotations

import numpy as np

from hometextile.blocks.elements import INSIDE, Elements
from hometextile.blocks.outline import Outline, outline
from hometextile.page.document import Document


def read(html: str) -> tuple[Outline, Elements]:
    out = outline(Document(html, "http://e.test/"))
    return out, Elements(out, np.concatenate(([0.0], np.cumsum(out.tokens))))


def node(out: Outline, name: str) -> int:
    return next(n for n, attributes in enumerate(out.attributes) if attributes.get("id") == name)


def inside(out: Outline, elements: Elements, name: str) -> set[str]:
    mask = int(elements.mask[node(out, name)])
    return {word for bit, word in enumerate([*INSIDE, "hidden"]) if mask >> bit & 1}


def test_what_holds_an_element_by_tag_by_role_and_hidden() -> None:
    out, elements = read(
        '<body><main><div role="Navigation"><ul><li id=a>yarn</ul></div><p id=b>cloth</p></main>'
        "<div hidden><p id=c>loom</p></div></body>"
    )
    assert inside(out, elements, "a") == {"main", "nav", "list"}
    assert inside(out, elements, "b") == {"main"}
    assert inside(out, elements, "c") == {"hidden"}


def test_the_box_that_adds_something_passes_over_those_that_add_nothing() -> None:
    out, elements = read("<body><div id=all><h2>Weaves</h2><div id=same><div id=own><p>twill</p></div></div></div></body>")
    assert elements.grow[node(out, "own")] == elements.grow[node(out, "same")] == node(out, "all")


def test_the_innermost_itemprop_counts() -> None:
    out, elements = read('<body><div itemprop="articleBody"><p id=a>one</p><p id=b itemprop=name>two</p></div></body>')
    assert elements.props[node(out, "a")] != elements.props[node(out, "b")] != 0


def test_lists_and_tables_of_facts_are_groups_and_layout_is_not() -> None:
    facts = "<table id=facts><tr><td>Width</td><td id=width>150 cm</td></tr><tr><td>Yarn</td><td>cotton</td></tr></table>"
    story = "a long text about how cloth is woven from warp and weft on a loom of wood and string by hand " * 2
    out, elements = read(
        f"<body><table id=layout><tr><td id=cell>{story}</td><td>{facts}</td></tr></table>"
        "<ul id=list><li id=item>red</li><li>blue</li></ul><ul><li id=single>green</li></ul></body>"
    )
    assert elements.group[node(out, "width")] == node(out, "facts")
    assert elements.group[node(out, "item")] == node(out, "list")
    assert elements.group[node(out, "cell")] == elements.group[node(out, "single")] == -1
