"""Library and class."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometextile.extract.resource import Resource
from hometextile.text.faults import Fault
from hometextile.text.pack import load_pack
from hometextile.topic.class_model import ClassModel, load_class_model, train_class_model
from hometextile.topic.classify import WordClassifier, classify

PACK = load_pack()


@pytest.mark.parametrize(
    ("title", "text", "category"),
    [
        ("一种防滑床笠", "本实用新型公开了一种床笠，其特征在于四周设有弹性带。申请号 CN2020", "patent"),
        ("GB/T 22844 配套床上用品", "本标准规定了要求、试验方法、检验规则。", "standard"),
        ("毛巾大赛征稿启事", "参赛作品截稿日期为五月，评委评出金奖一名。", "competition"),
        ("Dresden quilt", "Cotton, about 1930. Gift of the maker. Accession 1987.12.", "museum_collection"),
        ("Bed linen: call for papers", "Symposium abstracts are due in May; keynote speakers follow.", "conference"),
        ("在线设计抱枕", "上传照片，拖拽编辑，实时预览。", "self_custom"),
    ],
)  # fmt: skip
def test_clear_cases(title: str, text: str, category: str) -> None:
    verdict = classify(Resource("", "", title=title, text=text), PACK)
    assert verdict.category == category
    assert verdict.library == PACK.library_of(category)
    assert 0 < verdict.score <= 1


def test_nothing_to_go_by() -> None:
    assert classify(Resource("", ""), PACK) == ("", "", 0.0)


def test_a_video_speaks_for_the_video_library() -> None:
    resource = Resource("", "", title="窗帘缝纫教程", text="跟着老师学", videos=[{"url": "https://host/a.mp4"}])
    assert classify(resource, PACK).category == "teaching_video"


def test_a_price_speaks_for_trade() -> None:
    words = WordClassifier(PACK)
    plain, priced = Resource("", "", title="羊毛毯"), Resource("", "", title="羊毛毯", fields={"价格": "99"})
    assert words.scores(priced)["product"] > words.scores(plain)["product"]
    assert words.scores(priced)["history"] == words.scores(plain)["history"]


def toy_model() -> ClassModel:
    scores = [{"a": 3.0, "b": 0.0}, {"a": 0.0, "b": 3.0}] * 3
    return train_class_model(scores, ["a", "b"] * 3, ["a", "b"])


def test_a_model_is_kept_and_read_again(tmp_path: Path) -> None:
    model = toy_model()
    model.save(tmp_path / "m.skops", {"what": "a toy"})
    again = load_class_model(tmp_path / "m.skops", tmp_path / "m.json", ["a", "b"])
    assert again.shares({"a": 2.0}) == pytest.approx(model.shares({"a": 2.0}))
    assert again.shares({"a": 2.0})["a"] > 0.5


def test_a_model_for_another_taxonomy_or_a_changed_one_is_a_fault(tmp_path: Path) -> None:
    file, card = tmp_path / "m.skops", tmp_path / "m.json"
    toy_model().save(file, {})
    with pytest.raises(Fault, match="taxonomy"):
        load_class_model(file, card, ["a", "b", "c"])
    file.write_bytes(file.read_bytes() + b"x")
    with pytest.raises(Fault, match="card"):
        load_class_model(file, card, ["a", "b"])
    card.unlink()
    with pytest.raises(Fault, match="card"):
        load_class_model(file, card, ["a", "b"])


def test_a_library_that_a_rule_named_is_kept() -> None:
    pack = load_pack()
    resource = Resource("a", "http://a.cn/1", "滨江印染厂直播四件套", text="印染工艺与四件套产品，提花、绗缝、刺绣工艺教学。")
    resource.library = "directory"
    verdict = classify(resource, pack)
    assert verdict.library == "directory"
    assert verdict.category in pack.libraries["directory"].classes
