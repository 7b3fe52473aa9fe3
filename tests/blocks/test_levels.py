"""Levels by region: which blocks a region holds, what the lexicon says of it, and a model trained on few pages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hometextile.blocks.block import LEVELS
from hometextile.blocks.features import Spans, measure
from hometextile.blocks.level_training import LevelLesson, LevelSchooling, levels_of_groups, train_levels
from hometextile.blocks.levels import MAIN, NOISE, RELATED, LevelLexicon, LevelModel, columns, grouping
from hometextile.blocks.outline import Outline, outline
from hometextile.blocks.regions import ranges, regions
from hometextile.blocks.tag_classes import spans_of_runs
from hometextile.page.document import Document

MENU = "<ul class=menu>" + "".join(f"<li><a href=/{n}>Section {n}</a></li>" for n in range(6)) + "</ul>"
TEXT = "<div class=story><h1>On looms</h1>" + "<p>Cloth is woven from warp and weft, row by row.</p>" * 4 + "</div>"
FOOT = "<div class=legal>Copyright of the mill, all rights reserved</div>"


def page(*parts: str) -> Outline:
    return outline(Document(f"<body>{''.join(parts)}</body>", "http://e.test/"))


def test_ranges_are_the_regions_without_names() -> None:
    out = page(MENU, TEXT, FOOT)
    assert ranges(out) == [(region.first, region.last) for region in regions(out)]


def test_every_run_of_a_block_is_in_one_region() -> None:
    out = page(MENU, TEXT, FOOT)
    groups = grouping(out, spans_of_runs(out))
    assert groups.block.tolist() == list(range(len(out.runs)))
    assert len(groups) == len(regions(out)) == 3
    assert groups.means(np.ones(len(out.runs))).tolist() == pytest.approx([1, 1, 1])
    assert groups.sums(groups.weight).sum() == pytest.approx(out.tokens.sum() + 0.1 * len(out.runs))


def test_a_block_over_several_regions_has_the_mean_of_their_levels() -> None:
    # as VIPS may cut: one block is the menu, one everything else; the fourth run is in no block
    out = page(MENU, TEXT, FOOT)
    size = len(out.runs)
    spans = Spans(np.array([0, 0]), np.array([0, 6]), np.array([3, size]), np.zeros((2, 4)), (1.0, 1.0))
    groups = grouping(out, spans)
    assert groups.block.tolist() == [0] * 3 + [1] * (size - 6)
    assert groups.region.tolist() == [0] * 3 + [1] * (size - 7) + [2]


def test_the_level_of_a_region_is_that_of_most_of_its_tokens() -> None:
    out = page(MENU, TEXT, FOOT)
    groups = grouping(out, spans_of_runs(out))
    level = np.full(len(out.runs), -1)
    level[:6] = RELATED
    level[6], level[7:11] = NOISE, MAIN
    assert levels_of_groups(level, groups).tolist() == [RELATED, MAIN, -1]


def test_names_count_by_share_and_words_of_the_text_once() -> None:
    out = page('<ul class="menu"><li class="on">Home page</li><li>Home shop</li></ul>')
    spans = spans_of_runs(out)
    groups, table = grouping(out, spans), measure(out, spans)
    weights = np.array([[1.0, 0, 0], [0, 2.0, 0], [0, 0, 4.0]])
    lexicon = LevelLexicon(["o:on", "a:menu", "w:home"], weights, np.array([0.5, 0.0, 0.0]))
    assert lexicon.scores(table.words, groups).tolist() == [pytest.approx([1.0, 2.0, 4.0])]


def lesson(out: Outline, level: list[int]) -> LevelLesson:
    spans = spans_of_runs(out)
    table, groups = measure(out, spans), grouping(out, spans)
    probability = np.where(np.array([run.link_chars for run in out.runs]) > 0, 0.1, 0.8)
    return LevelLesson(table.values, table, probability, groups, np.array(level))


@pytest.fixture(scope="module")
def trained() -> LevelModel:
    pages = [lesson(page(MENU, TEXT, FOOT), [RELATED, MAIN, NOISE]) for _ in range(9)]
    return train_levels(pages, LevelSchooling(networks=2, epochs=60, decay=0.01))


def said(model: LevelModel, out: Outline) -> list[str]:
    spans = spans_of_runs(out)
    table = measure(out, spans)
    probability = np.where(np.array([run.link_chars for run in out.runs]) > 0, 0.1, 0.8)
    found = model.judge(out, spans, table, table.values, probability)
    assert np.allclose(found.sum(axis=1), 1)
    return [LEVELS[number] for number in found.argmax(axis=1)]


def test_a_page_of_another_order_is_told_by_its_words(trained: LevelModel) -> None:
    levels = said(trained, page(MENU, TEXT, MENU, FOOT))
    assert levels == ["related"] * 6 + ["main"] * 5 + ["related"] * 6 + ["noise"]


def test_a_model_is_the_same_after_it_was_kept(trained: LevelModel, tmp_path: Path) -> None:
    from skops.io import dump, load

    dump(trained.content(), tmp_path / "levels.skops")
    again = LevelModel.of_content(load(tmp_path / "levels.skops"))
    out = page(TEXT, MENU)
    assert said(again, out) == said(trained, out)
    assert again.lexicon.words == trained.lexicon.words


def test_blocks_that_hold_nothing_are_noise(trained: LevelModel) -> None:
    out = page(TEXT)
    spans = Spans(np.array([0]), np.array([0]), np.array([0]), np.zeros((1, 4)), (1.0, 1.0))
    table = measure(out, spans)
    assert trained.judge(out, spans, table, table.values, np.array([0.5])).tolist() == [[1.0, 0.0, 0.0]]


def test_a_level_that_nobody_gave_can_still_be_trained() -> None:
    model = train_levels([lesson(page(MENU, TEXT), [RELATED, MAIN])] * 6, LevelSchooling(networks=1, epochs=30))
    rows = lesson(page(MENU, TEXT), [RELATED, MAIN])
    scores = model.lexicon.scores(rows.table.words, rows.groups)
    found = model.of_regions(columns(rows.values, rows.table, rows.probability, rows.groups, scores))
    assert found.shape == (2, 3)
    assert not (found.argmax(axis=1) == NOISE).any()
