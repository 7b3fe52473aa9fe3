"""The way of a page as an ordered list of steps, run without Scrapy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from hometextile.blocks.outline import MAX_NODES
from hometextile.library.library import Library
from hometextile.page.page import Page, Way
from hometextile.sites import parse_site
from hometextile.steps import STEPS, Workshop, run_steps

TEXT = (
    "这批提花床品四件套采用长绒棉织成，经纬密度高，花型取自缠枝莲，分酒红与月白两色。面料经预缩处理，水洗后尺寸变化"
    "在百分之二以内，枕套与被套均用隐形拉链。织造厂说，下半年还要推出同系列的窗帘与抱枕，供样板间整套选用。"
)
OFF_TOPIC = (
    "昨晚的足球联赛中，主队凭借下半场的两个进球逆转取胜，教练在赛后的发布会上称赞了年轻球员的表现，球迷在看台上久久不愿离去。"
    * 2
)


def _page(number: int, title: str, text: str, kind: str = "link") -> Page:
    html = f"<html><head><title>{title}</title></head><body><h1>{title}</h1><div><p>{text}</p></div></body></html>"
    return Page("s", f"http://a.cn/n/{number}.html", html, way=Way(kind))


@pytest.fixture
def counts() -> Counter[str]:
    return Counter()


@pytest.fixture
def shop(counts: Counter[str]) -> Iterator[Workshop]:
    with Library.open("sqlite://") as library:

        def count(name: str, n: int = 1) -> None:
            counts[name] += n

        yield Workshop.open(parse_site("start: [http://a.cn/]\n", "s", "s.yaml"), library, count=count)


def test_the_order_is_the_designs() -> None:
    names = [step.name for step in STEPS]
    assert names[:6] == ["segment", "filter_noise", "extract", "judge_topic", "dedup", "store"]


def test_a_page_on_topic_is_stored_with_class_and_relevance(shop: Workshop, counts: Counter[str]) -> None:
    page = _page(1, "缠枝莲提花床品四件套", TEXT)
    run_steps(page, shop)
    (stored,) = shop.library.resources()
    assert stored["title"] == "缠枝莲提花床品四件套"
    assert stored["relevance"] > 0.5
    assert stored["library"] in shop.pack.libraries
    assert counts["store/new"] == 1


def test_a_page_off_topic_is_kept_with_its_reason_and_gives_nothing(shop: Workshop, counts: Counter[str]) -> None:
    page = _page(2, "主队逆转取胜", OFF_TOPIC)
    run_steps(page, shop)
    assert page.dropped == "off-topic"
    assert list(shop.library.resources()) == []
    assert counts["page/dropped/off-topic"] == counts["store/pages"] == 1


def test_a_list_is_not_even_cut(shop: Workshop) -> None:
    page = _page(3, "床品", TEXT, kind="answer")
    run_steps(page, shop)
    assert (page.dropped, page.blocks, page.story["dropped_by"]) == ("list", [], "segment")


def test_what_is_left_of_a_page_is_counted_with_its_reason(shop: Workshop, counts: Counter[str]) -> None:
    page = _page(4, "床品", f"{TEXT}{'<p>a' * MAX_NODES}")
    STEPS[0].run(page, shop)
    assert page.blocks
    assert counts["block/too-many-elements"] == 1
    assert page.story["blocks"] == "too-many-elements"
    STEPS[0].run(_page(5, "床品", TEXT), shop)
    assert counts["block/too-many-elements"] == 1


def test_the_same_content_under_another_address_and_a_reprint_are_duplicates(
    shop: Workshop, counts: Counter[str]
) -> None:
    run_steps(_page(1, "缠枝莲提花床品四件套", TEXT), shop)
    run_steps(_page(4, "缠枝莲提花床品四件套", TEXT), shop)
    run_steps(_page(5, "缠枝莲提花床品四件套", TEXT.replace("酒红", "墨绿").replace("下半年", "明年")), shop)
    assert len(list(shop.library.resources())) == 1
    assert (counts["dedup/same-content"], counts["dedup/near"]) == (1, 1)


def test_run_twice_nothing_twice(shop: Workshop, counts: Counter[str]) -> None:
    for _ in range(2):
        run_steps(_page(1, "缠枝莲提花床品四件套", TEXT), shop)
    assert len(list(shop.library.resources())) == 1
    assert (counts["store/new"], counts["store/same"]) == (1, 1)
