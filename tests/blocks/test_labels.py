"""Labels of people: files, votes, agreement."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometextile.blocks.block import LEVELS
from hometextile.blocks.labelling import LabelServer
from hometextile.blocks.labels import (
    Label,
    cohen_kappa,
    fleiss_kappa,
    kappa,
    levels_of_runs,
    page_id,
    parse_levels,
    read_labels,
    vote,
    write_labels,
)
from hometextile.blocks.outline import outline
from hometextile.blocks.regions import regions
from hometextile.page.document import Document
from hometextile.text.faults import Fault

# a page of a menu, a text of two paragraphs and a footer
PAGE = (
    "<body><ul><li><a href=/a>Home</a><li><a href=/b>News</a></ul><div><p>"
    + "A long sentence about weaving. " * 8
    + "</p><p>"
    + "Another one about dyeing. " * 8
    + "</p></div><div>Copyright 2020</div></body>"
)


def document() -> Document:
    return Document(PAGE, "http://e.test/")


def test_regions_hold_every_run_once() -> None:
    out = outline(document())
    found = regions(out)
    assert [run for region in found for run in range(region.first, region.last)] == list(range(len(out.runs)))
    assert len(found) == 3


def test_a_row_that_lays_out_the_page_is_cut_and_a_row_of_facts_is_not() -> None:
    menu = "".join(f"<li><a href=/{n}>Section number {n}</a></li>" for n in range(9))
    text = "<h1>Weaving</h1><p>" + "Cloth is made of warp and weft. " * 6 + "</p>"
    facts = "<tr><td>Width of the cloth in centimetres</td><td>" + "one hundred and fifty " * 12 + "</td></tr>"
    page = f"<body><table><tr><td><ul>{menu}</ul></td><td>{text}</td></tr></table><table>{facts}</table></body>"
    found = regions(outline(Document(page, "http://e.test/")))
    assert [region.path.split("/")[-1] for region in found] == ["ul[1]", "h1[1]", "tr[1]"]


def test_levels_file_to_labels_and_back_to_runs(tmp_path: Path) -> None:
    out = outline(document())
    labels = parse_levels("1 related # the menu\n2 m\n3-3 noise\n", regions(out), "p", "ann")
    write_labels(tmp_path, "ann", "p", labels)
    write_labels(tmp_path, "ann", "p", labels)
    assert read_labels(tmp_path) == labels
    levels = levels_of_runs(out, {(label.path, label.to): label.level for label in labels})
    assert levels == [1, 1, 2, 2, 0]
    assert "weaving" not in (tmp_path / "ann.jsonl").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "what"),
    [("1 main", "2, 3"), ("x main", "number and a level"), ("1 great", "number and a level"), ("9 main", "no block 9")],
)
def test_bad_levels_files(text: str, what: str) -> None:
    with pytest.raises(Fault, match=what):
        parse_levels(text, regions(outline(document())), "p", "ann", file="l.txt")


def test_bad_lines_and_names(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"page": "p"}\n', "utf-8")
    with pytest.raises(Fault, match=r"x\.jsonl:1"):
        read_labels(tmp_path)
    with pytest.raises(Fault):
        write_labels(tmp_path, "..", "p", [])


def test_page_ids() -> None:
    assert page_id("/x/seven-kinds-01.html.gz") == "seven-kinds-01"
    assert page_id("http://e.test/a/b.htm?x=1") == "b.htm-x-1"


def test_votes_and_ties() -> None:
    def label(level: str, who: str) -> Label:
        return Label("p", "/a", "/a", level, who)

    assert vote([label("main", "a"), label("main", "b"), label("noise", "c")]) == {("p", "/a", "/a"): "main"}
    assert vote([label("main", "a"), label("related", "b")]) == {("p", "/a", "/a"): "related"}


def test_kappas() -> None:
    # Cohen: 7 of 10 agree, chance 0.5; Fleiss: everyone agrees
    pairs = [("main", "main")] * 4 + [("noise", "noise")] * 3 + [("main", "noise")] + [("noise", "main")] * 2
    assert cohen_kappa(pairs) == pytest.approx((0.7 - 0.5) / 0.5)
    assert fleiss_kappa([["main"] * 3, ["noise"] * 3]) == 1.0
    assert fleiss_kappa([["main", "noise", "related"]] * 4) < 0
    assert kappa([])[0] == "none"


def test_kappa_counts_what_two_people_or_more_have_labelled() -> None:
    # three people in turns: one region by all, one by two of them, one by a single person
    given = {"a": ("main", "main", "main"), "b": ("noise", "noise"), "c": ("related",)}
    labels = [
        Label("p", path, path, level, f"who{number}")
        for path, levels in given.items()
        for number, level in enumerate(levels)
    ]
    assert kappa(labels) == ("fleiss", 1.0, 2)
    assert kappa(labels[-1:]) == ("none", 0.0, 0)
    assert kappa([label for label in labels if label.who != "who2"])[::2] == ("cohen", 2)


def test_fleiss_takes_rows_of_different_length() -> None:
    # agreement of pairs: 1 in the first row, 1/3 in the second; shares .8 and .2
    value = fleiss_kappa([["main", "main"], ["main", "main", "noise"]])
    assert value == pytest.approx((2 / 3 - 0.68) / (1 - 0.68))


def test_the_labelling_page_takes_levels(tmp_path: Path) -> None:
    server = LabelServer({"p": document()}, tmp_path)
    assert "Copyright 2020" in server.form("p")
    server.take({"page": "p", "who": "ann", "r0": "related", "r1": "main", "r2": "noise"})
    assert [label.level for label in read_labels(tmp_path)] == ["related", "main", "noise"]
    with pytest.raises(Fault):
        server.take({"page": "p", "who": "bob", "r0": "related"})
    assert "ann" in server.index()


def test_a_place_inside_another_has_its_own_level():
    html = "<body><nav><a href=/>one</a></nav><div><p>text</p><p>share</p></div></body>"
    out = outline(Document(html, "http://a.example/"))
    given = {("/html/body[1]",) * 2: "noise", ("/html/body[1]/nav[1]",) * 2: "related"}
    given |= {("/html/body[1]/div[1]",) * 2: "main", ("/html/body[1]/div[1]/p[2]",) * 2: "noise"}
    assert [LEVELS[level] for level in levels_of_runs(out, given)] == ["related", "main", "noise"]
