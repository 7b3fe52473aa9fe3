"""Nearly the same text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pytest

from hometextile.dedup.idf import Idf, codes_of, count, load_idf
from hometextile.dedup.near import BANDS, Judge, MemoryStore, NearIndex, bands_of, is_spread

REPORT = (
    "记者从南通家纺城获悉，今年上半年家纺产品出口同比增长百分之八，其中床品四件套增长最快。"
    "市场负责人说，直播带来了新的客源，许多商户把仓库搬到了城边，夜里十点还在打包发货。"
    "进入七月，夏凉被和凉席的订单已经排满，有厂家把织机的班次从两班改成了三班。"
)
EDITED = (
    "本报讯 从南通家纺城了解到，上半年家纺产品出口同比增长百分之八，其中床品四件套的增长最快。"
    "市场的负责人说，直播带来了新客源，不少商户把仓库搬到了城边，夜里十点仍在打包发货。"
    "进入七月以来，夏凉被、凉席的订单已经排满，有厂家把织机班次从两班改成三班。"
)
OTHER = (
    "高阳毛巾历史悠久，本届毛巾节于九月开幕，来自全国的客商齐聚一堂，共商毛巾产业发展大计。"
    "开幕式上，十家企业展出了用再生棉织成的浴巾，手感与新棉相差无几，价格却低了两成。"
    "节庆期间，老织机和旧商标在会展中心展出，不少老人带着孙辈前来，讲起当年的故事。"
)


def test_an_edited_report_is_found_and_another_is_not() -> None:
    index = NearIndex(MemoryStore())
    index.add("report", REPORT)
    index.add("other", OTHER)
    found = index.find(EDITED)
    assert [identity for identity, _similarity in found] == ["report"]
    assert 0.3 < found[0][1] < 1


def test_an_equal_text_is_as_near_as_can_be_and_comes_first() -> None:
    index = NearIndex(MemoryStore())
    index.add("edited", EDITED)
    index.add("equal", REPORT)
    assert index.find(REPORT)[0] == ("equal", pytest.approx(1.0))


def test_halves_of_two_texts_joined_are_neither() -> None:
    half = len(REPORT) // 2
    joined = REPORT[:half] + OTHER[half:]
    index = NearIndex(MemoryStore())
    index.add("report", REPORT)
    index.add("other", OTHER)
    assert index.find(joined) == []
    assert not is_spread(codes_of(joined), codes_of(REPORT))
    assert is_spread(codes_of(EDITED), codes_of(REPORT))


def test_short_texts_must_be_equal() -> None:
    index = NearIndex(MemoryStore())
    index.add("a", "联系我们")
    assert index.find("联系我们!") == [("a", 1.0)]
    assert index.find("联系他们") == []


@pytest.mark.parametrize("text", ["", "……", "  \n"])
def test_a_text_without_letters_is_never_the_same(text: str) -> None:
    index = NearIndex(MemoryStore())
    index.add("empty", text)
    assert index.find(text) == []
    assert bands_of(text) == []


def test_a_new_text_replaces_the_old_one() -> None:
    index = NearIndex(MemoryStore())
    index.add("page", REPORT)
    index.add("page", OTHER)
    assert index.find(REPORT) == []
    assert [identity for identity, _similarity in index.find(OTHER)] == ["page"]


def test_many_at_once_give_what_one_by_one_gives() -> None:
    texts = [("1", REPORT), ("2", OTHER), ("3", EDITED), ("4", ""), ("5", REPORT)]
    slow, fast = NearIndex(MemoryStore()), NearIndex(MemoryStore())
    expected = []
    for identity, text in texts:
        expected.append(slow.find(text))
        slow.add(identity, text)
    assert list(fast.find_and_add(texts, batch=2)) == expected


def test_bands_are_numbers_that_a_database_holds_and_are_the_same_each_time() -> None:
    bands = bands_of(REPORT)
    assert len(bands) == len(set(bands)) == BANDS
    assert all(-(2**63) <= band < 2**63 for band in bands)
    assert bands == bands_of(REPORT)
    # What a library has stored stays valid: change this number only with a migration that makes the table anew.
    assert bands_of("蓝印花布四件套")[0] == FIRST_BAND


FIRST_BAND = -2628147526155480839


def test_a_store_need_not_be_ours() -> None:
    class Table:
        def __init__(self) -> None:
            self.rows: list[tuple[int, str]] = []
            self.kept: dict[str, str] = {}

        def find_bands(self, bands: Sequence[int]) -> Iterable[str]:
            return {identity for band, identity in self.rows if band in set(bands)}

        def add_bands(self, identity: str, bands: Sequence[int], text: str) -> None:
            self.rows += [(band, identity) for band in bands]
            self.kept[identity] = text

        def texts(self, identities: Iterable[str]) -> Mapping[str, str]:
            return {each: self.kept[each] for each in identities}

    index = NearIndex(Table())
    index.add("report", REPORT)
    assert index.find(EDITED)


def test_the_judge_needs_no_index() -> None:
    judge = Judge()
    assert judge.similarity(codes_of(REPORT), codes_of(EDITED)) is not None
    assert judge.similarity(codes_of(REPORT), codes_of(OTHER)) is None
    assert judge.euclid(codes_of(REPORT), codes_of(REPORT)) == pytest.approx(0, abs=1e-6)
    assert judge.euclid(codes_of("甲乙丙"), codes_of("丁戊己")) == pytest.approx(2**0.5)


def test_rare_pairs_of_characters_weigh_more() -> None:
    idf = load_idf()
    common, rare = idf.weights(codes_of("我们")), idf.weights(codes_of("缂丝"))
    assert common[0] < rare[0]
    table = count(["家纺", "家纺", "床品"])
    own = Idf(table)
    assert own.weights(codes_of("家纺"))[0] < own.weights(codes_of("床品"))[0]
    with pytest.raises(ValueError, match="table"):
        Idf(b"short")


def test_english_texts_on_one_subject_are_two_and_a_reprint_is_one() -> None:
    """Pairs of letters would make the first two alike: English is compared by pairs of words."""
    tablecloth = (
        "A short history of the tablecloth. Before there were plates for everyone there was a cloth for everyone, and "
        "guests wiped their hands on its hem. Linen damask came later, woven with hunting scenes, and a household "
        "counted its napkins by the dozen."
    )
    carpet = (
        "Cloud bands in Chinese carpets. A cloud in a Chinese carpet is a ribbon with three curls, and it moves. On "
        "throne carpets it drifts around dragons; on saddle covers it fills the corners, and weavers count its curls by "
        "the dozen."
    )
    index = NearIndex(MemoryStore())
    index.add("tablecloth", tablecloth)
    assert index.find(carpet) == []
    reprint = tablecloth.replace("hunting scenes", "garden scenes").replace("household", "family")
    assert [identity for identity, _likeness in index.find(reprint)] == ["tablecloth"]
