"""XPaths of elements."""

import lxml.html

from hometextile.blocks.paths import Paths


def test_paths_lead_back():
    tree = lxml.html.document_fromstring(
        "<body><p>a</p>text<!-- c --><x-card>b</x-card><p>c<b>d</b></p><svg><g/><a:b/></svg>"
        "<div><div><p>e</p></div></div>"
    )
    paths = Paths()
    for element in tree.iter():
        if isinstance(element.tag, str):
            assert tree.xpath(paths.of(element)) == [element]
    assert paths.of(tree.findall(".//p")[1]) == "/html/body[1]/p[2]"
    assert paths.of(tree.find(".//x-card")) == "/html/body[1]/x-card[1]"
    assert paths.of(tree) == "/html"
