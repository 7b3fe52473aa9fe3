"""Blocks as ranges of the outline's runs: those of VIPS by their elements and by their texts."""

from hometextile.blocks.block import Block
from hometextile.blocks.outline import outline
from hometextile.blocks.spans import spans_of
from hometextile.page.document import Document

# A bar of inline links, text beside a list, a script between two texts, and a paragraph.
PAGE = (
    "<body><div id=bar><a href=/a>one</a> <a href=/b>two</a></div>"
    "<div id=mixed>before<ul><li>entry</li></ul>after<script>x()</script> more</div><p>last</p></body>"
)


def spans(make):
    document = Document(PAGE, "http://a.example/")
    out = outline(document)
    elements, texts = make(document.tree)
    block = Block(0, "", elements=elements, texts=texts, text="x", doc=5)
    found = spans_of([block], out)
    first, last = int(found.first[0]), int(found.last[0])
    return [run.text for run in out.runs[first:last]], out.elements[int(found.node[0])]


def test_inline_elements_stand_in_the_run_around_them():
    texts, node = spans(lambda tree: (tree.xpath("//div[@id='bar']/a"), []))
    assert texts == ["one two"]
    assert node.get("id") == "bar"


def test_a_text_node_is_found_by_its_number():
    for number, text in ((1, "before"), (2, "after more"), (3, "after more")):
        texts, node = spans(lambda tree, number=number: ([], [(tree.xpath("//div[@id='mixed']")[0], number)]))
        assert texts == [text]
        assert node.get("id") == "mixed"


def test_elements_and_texts_together_stand_under_what_holds_them():
    def make(tree):
        mixed = tree.xpath("//div[@id='mixed']")[0]
        return [mixed.find("ul")], [(mixed, 1)]

    texts, node = spans(make)
    assert texts == ["before", "entry"]
    assert node.get("id") == "mixed"


def test_one_element_stands_for_itself():
    texts, node = spans(lambda tree: (tree.xpath("//ul"), []))
    assert texts == ["entry"]
    assert node.tag == "ul"


def test_what_the_outline_does_not_have_is_an_empty_range():
    assert spans(lambda tree: (tree.xpath("//script"), []))[0] == []
