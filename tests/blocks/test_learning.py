"""From folders of pages to a model: what is read of each, and levels learned from pages that have no true text."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hometextile.blocks.importance import load_model
from hometextile.blocks.labels import Label, write_labels
from hometextile.blocks.learning import read_index, read_study, train_from_data
from hometextile.blocks.outline import outline
from hometextile.blocks.regions import regions
from hometextile.blocks.segment import segment
from hometextile.blocks.training import Effort
from hometextile.page.document import Document
from hometextile.text.faults import Fault

TEXT = "本页说明第{n}种面料的织法，经线与纬线交织，幅宽与克重各不相同，适合做窗帘、床品和沙发套，洗后不易变形。"
MENU = "".join(f'<li><a href="/{n}">栏目{n}</a></li>' for n in range(6))
#: A box of links that by rule leads on, and that the people who labelled these pages take for noise.
OFFERS = "".join(f'<li><a href="/go/{n}">今日特惠第{n}号</a></li>' for n in range(6))


def page(number: int) -> str:
    return (
        f'<html><head><title>面料{number}</title></head><body><ul class="menu">{MENU}</ul>'
        f'<div class="text"><h1>面料{number}</h1><p>{TEXT.format(n=number)}</p><p>{TEXT.format(n=number + 1)}</p></div>'
        f'<div class="offers"><ul>{OFFERS}</ul></div><p class="foot">版权所有 面料网</p></body></html>'
    )


def folder(at: Path, count: int, *, texts: bool) -> Path:
    at.mkdir()
    rows = []
    for n in range(count):
        (at / f"{n}.html").write_text(page(n), "utf-8")
        text = f"面料{n}\n{TEXT.format(n=n)}\n{TEXT.format(n=n + 1)}"
        rows.append({"file": f"{n}.html", "url": f"http://site{n}.test/", **({"text": text} if texts else {})})
    (at / "index.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return at


def label(labels: Path, prefix: str, count: int) -> None:
    for n in range(count):
        given = []
        for region in regions(outline(Document(page(n), f"http://site{n}.test/"))):
            level = "related" if "ul[1]" in region.path and "div" not in region.path else "noise"
            level = "main" if "div[1]" in region.path else level
            given.append(Label(f"{prefix}{n}", region.path, region.to, level, "ann"))
        write_labels(labels, "ann", f"{prefix}{n}", given)


def test_a_row_without_text(tmp_path: Path) -> None:
    bare = folder(tmp_path / "bare", 1, texts=False)
    assert read_index(bare, texts=False)[0]["file"] == "0.html"
    with pytest.raises(Fault, match="no file and text"):
        read_index(bare)
    (bare / "index.jsonl").write_text('{"page": 1}\n', "utf-8")
    with pytest.raises(Fault, match="this line has no file"):
        read_index(bare, texts=False)


def test_pages_with_labels_only_stand_behind_the_others(tmp_path: Path) -> None:
    label(tmp_path / "labels", "bare-", 2)
    bare = folder(tmp_path / "bare", 3, texts=False)
    study = read_study(folder(tmp_path / "data", 2, texts=True), tmp_path / "labels", also=[bare])
    # the third page of the folder has no labels
    assert [example.told for example in study.examples] == [True, True, False, False]
    assert (len(study.rows), len(study.texts), study.labelled) == (2, 2, 2)
    assert not study.examples[2].main.any()
    assert study.digest() != read_study(tmp_path / "data", tmp_path / "labels").digest()
    assert set(study.examples[2].level.tolist()) == {0, 1, 2}


def test_levels_are_learned_from_pages_without_a_true_text(tmp_path: Path) -> None:
    label(tmp_path / "labels", "bare-", 24)
    bare = folder(tmp_path / "bare", 24, texts=False)
    card = train_from_data(
        folder(tmp_path / "data", 8, texts=True),
        tmp_path / "labels",
        tmp_path / "small.skops",
        Effort(svm_rows=200, inner_svm_rows=200, level_networks=1, partners=1, epochs=2),
        also=[bare],
    )
    assert card["trained_on"]["pages"] == 8
    assert card["trained_on"]["labelled_pages"] == card["trained_on"]["without_true_text"] == 24
    model = load_model(tmp_path / "small.skops")
    document = Document(page(40), "http://site40.test/")
    blocks = segment(document)
    model.rate(blocks, document)
    levels = {block.text: block.level for block in blocks}
    assert levels["栏目3"] == "related"
    assert levels["今日特惠第3号"] == "noise"
    # what nobody said is not taken for "not main": the text is still found
    assert levels[TEXT.format(n=40)] == "main"
    assert np.isfinite([block.score or 0.0 for block in blocks]).all()
