"""Levels of a drawn page's regions: what the networks see, the gate, what counts how much."""

import numpy as np
import pytest

from hometextile.blocks.block import LEVELS
from hometextile.blocks.features import COLUMNS, measure
from hometextile.blocks.levels import MAIN, LevelModel, grouping
from hometextile.blocks.looks import LINKS, STYLES, looks
from hometextile.blocks.outline import outline
from hometextile.blocks.segment import segment
from hometextile.blocks.sight import runs_in_sight
from hometextile.blocks.sight_levels import GATE, Gate, SightLevels, columns, summary
from hometextile.blocks.spans import spans_of
from hometextile.page.document import Document
from hometextile.page.layout import layout_of
from tests.blocks.laid import el, page

TEXT = "Cotton grows in the sun, and the mill by the river spins it into yarn of many counts. "
HTML = page(
    el(
        "ul",
        "0 0 1280 40",
        *(el("li", f"{100 * n} 0 90 40", el("a", f"{100 * n} 0 60 20", f"Section {n}", href="/s")) for n in range(6)),
    ),
    el("div", "320 100 640 400", *(el("p", f"320 {100 + 80 * n} 640 60", TEXT * 2) for n in range(5))),
    height=1000,
)


def laid():
    document = Document(HTML, "http://a.example/")
    out, layout = outline(document), layout_of(document)
    seen, spans = runs_in_sight(out, spans_of(segment(document), out), layout)
    return out, spans, looks(out, layout)[seen]


def gate(bias):
    zeros = np.zeros(len(GATE))
    return Gate(zeros, zeros + 1, zeros, bias)


def test_the_networks_see_the_box_around_each_region():
    out, spans, seen = laid()
    groups = grouping(out, spans)
    assert len(groups) == 2
    values = np.zeros((len(spans), 1))
    rows = columns(values, seen, spans, groups, np.zeros((2, len(LEVELS))))
    left, width, _tall, top, above, below = rows[:, 1:7].T
    assert left.tolist() == [0, 0.25] and width.tolist() == pytest.approx([590 / 1280, 0.5])
    assert top.tolist() == [0, 0.1] and above.tolist() == [0, 0.125]
    assert below.tolist() == pytest.approx([1, (1000 - 480) / 800])


def test_the_neighbours_links_and_scores_are_seen_too():
    out, spans, seen = laid()
    groups = grouping(out, spans)
    said = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    rows = columns(np.zeros((len(spans), 1)), seen, spans, groups, said)
    menu, text = (groups.means(seen)[at] for at in (0, 1))
    start = 1 + 6 + 7
    assert rows[0, start : start + len(LINKS) + len(STYLES)].tolist() == menu.tolist()
    near = (0, 3, 5, *range(len(LINKS), len(LINKS) + 4))
    start += len(LINKS) + len(STYLES) + 3
    assert rows[1, start : start + 7].tolist() == menu[list(near)].tolist()
    assert rows[0, start : start + 7].tolist() == [0] * 7
    assert rows[0, start + 7 : start + 14].tolist() == text[list(near)].tolist()
    assert rows[0, -3:].tolist() == rows[1, -3:].tolist() == [2.5, 3.5, 4.5]


def test_the_gate_does_not_see_boxes():
    assert set(GATE) == set(COLUMNS) - {"x", "y", "width", "height", "y_page", "y_window"}
    out, spans, _seen = laid()
    before = summary(measure(out, spans))
    spans.box[:] *= 3
    assert summary(measure(out, spans)).tolist() == before.tolist()


def test_the_gate_leans_to_what_it_was_told():
    out, spans, _seen = laid()
    table = measure(out, spans)
    assert gate(0.0).share(table) == 0.5
    assert gate(-9.0).share(table) < 0.01 < 0.99 < gate(9.0).share(table)
    heavy = gate(0.0)
    heavy.weights = heavy.weights.copy()
    heavy.weights[GATE.index("page_tokens")] = 2.0
    assert heavy.share(table) > 0.9


def test_every_run_has_the_level_of_its_region_and_a_file_keeps_it_all():
    out, spans, seen = laid()
    table = measure(out, spans)
    width = columns(table.values, seen, spans, grouping(out, spans), np.zeros((2, 3))).shape[1]
    # a network that looks at the first region's number only: the fraction of regions before it
    weights = np.zeros((width, 1))
    weights[table.values.shape[1] + 6 + 3, 0] = 1.0
    network = {"mean": np.zeros(width), "scale": np.ones(width), "in": weights, "in_bias": np.zeros(1)}
    network |= {"out": np.array([[0.0, 0.0, 20.0]]), "out_bias": np.array([0.0, 5.0, 0.0])}
    content = {"words": "", "weights": np.zeros((0, 3)), "bias": np.zeros(3), "networks": [network]}
    model = SightLevels(LevelModel.of_content(content), gate(1.0))
    levels, share = model.judge(out, spans, table, (table.values, seen))
    assert [LEVELS[each] for each in levels.argmax(axis=1)] == ["related"] * 6 + ["main"] * 5
    assert levels[:, MAIN].max() > 0.99 and share == pytest.approx(0.731, abs=0.001)
    again, same = SightLevels.of_content(model.content()).judge(out, spans, table, (table.values, seen))
    assert again.tolist() == levels.tolist() and same == share
