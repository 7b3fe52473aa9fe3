"""What is main on a rendered page, by a template's selectors."""

import pytest

from bench.pages.measuring import region_pairs, seen_runs, without_layout
from bench.pages.truth import Entry, Site, Truth, read_sites
from hometextile.blocks.block import LEVELS, Block
from hometextile.blocks.labels import levels_of_runs
from hometextile.blocks.outline import outline
from hometextile.page.document import Document
from hometextile.page.layout import read_layout
from tests.blocks.laid import el, page

# Shows: a bar, an article with a share line, a closed part and a word of a heading in two inline elements; a footer.
HTML = page(
    el("nav", "0 0 1280 40", el("a", "0 0 40 20", "Home"), el("a", "60 0 40 20", "News")),
    el(
        "article",
        "0 60 800 400",
        el("h1", "0 60 800 40", el("span", "0 60 80 40", "Cot"), el("span", "80 60 80 40", "ton")),
        el("p", "0 110 800 60", "It grows in the sun."),
        el("p", "0 0 0 0", "folded away", style="display:none"),
        el("div", "-9000 180 800 20", "for screen readers"),
        el("p", "0 200 800 20", "share this", class_="share"),
    ),
    el("footer", "0 500 1280 40", "copyright"),
)


def site(**levels):
    return Site("a", "by hand", "a", "", "", "", levels, "noise", ())


def truth(entry=None, **levels):
    return Truth(Document(HTML, "http://a.example/"), site(**levels), entry or Entry("a-1", "", "article", "en"))


def test_the_innermost_element_named_decides_and_what_is_unseen_is_left_out():
    found = truth(main=["article"], related=["nav"], noise=["p.share"])
    assert found.text() == "Cotton\nIt grows in the sun."
    assert found.text("related") == "HomeNews"
    assert found.text("noise") == "share this\ncopyright"


def test_a_page_goes_before_its_site():
    entry = Entry("a-1", "", "article", "en", levels={"main": ["p.share"], "related": ["ol"]})
    found = truth(entry, main=["article"], noise=["p.share"])
    assert found.text().endswith("share this")
    assert found.unused == ["ol"]


def test_labels_give_every_run_its_level():
    document = Document(HTML, "http://a.example/")
    labels = truth(main=["article"], related=["nav"], noise=["p.share"]).labels("a-1")
    levels = levels_of_runs(outline(document), {(label.path, label.to): label.level for label in labels})
    said = {run.text: LEVELS[level] for run, level in zip(outline(document).runs, levels, strict=True)}
    assert said["HomeNews"] == "related"
    assert said["Cotton"] == "main"
    assert said["share this"] == said["copyright"] == "noise"


def test_regions_are_compared_by_what_is_seen():
    document = Document(HTML, "http://a.example/")
    out = outline(document)
    seen = seen_runs(out, read_layout(document))
    assert [run.text for run, visible in zip(out.runs, seen, strict=True) if not visible] == ["folded away"]
    blocks = [Block(0, "", elements=[document.tree.find(".//article")], text="x", doc=5, level="main")]
    pairs = region_pairs(out, blocks, [LEVELS.index("main")] * len(out.runs), seen)
    assert pairs and set(pairs) == {(2, 2)}


def test_a_page_without_its_layout():
    document = without_layout(Document(HTML, "http://a.example/"))
    assert read_layout(document) is None


def test_the_set_is_large_enough_and_its_ids_are_unique(tmp_path):
    sites = read_sites()
    assert sum(len(one.pages) for one in sites) >= 60
    assert len(sites) >= 8
    twice = tmp_path / "sites.yaml"
    row = "- site: a\n  generator: x\n  pages:\n    - {id: p, path: p, kind: article}\n    - {id: p, path: q, kind: article}\n"
    twice.write_text(row, encoding="utf-8")
    with pytest.raises(ValueError, match="two pages a-p"):
        read_sites(twice)
