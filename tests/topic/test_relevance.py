"""Relevance: home textiles from their neighbours, short pages and long ones."""

from __future__ import annotations

import pytest

from hometextile.extract.resource import Resource
from hometextile.text.pack import load_pack
from hometextile.topic.relevance import relevance, topic_vector

PACK = load_pack()
FILLER = "会议强调要进一步完善工作机制，加强组织领导，明确责任分工，切实把各项任务落到实处。" * 20


def score(title: str = "", text: str = "", **more: object) -> float:
    return relevance(Resource("", "", title=title, text=text, **more), PACK)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("冬被怎么选", ""),
        ("全棉四件套", "60支长绒棉，活性印花，200×230厘米"),
        ("宋錦靠墊", "傳統紋樣織錦"),
        ("Textile fragment", "silk velvet, Italian"),
        ("Needle lace edging", ""),
        ("How to wash a down duvet", "Use a large machine, a mild soap and a low heat."),
    ],
)
def test_on_topic(title: str, text: str) -> None:
    assert score(title, text) >= PACK.threshold


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("春季连衣裙上新", "棉麻面料，收腰显瘦，透气舒适"),
        ("实木双人床 1.8米", "白橡木床架，榫卯结构，可选床头柜"),
        ("宫保鸡丁的做法", "鸡胸肉切丁，花生米炸脆，大火快炒"),
        ("球队客场取胜", "主教练赛后称赞球员的斗志"),
        ("外交部发言人答记者问", "各方应保持克制"),
        ("Linen shirt for men", "A slim shirt with a soft collar, jacket weight, sizes S to XL"),
        ("Leather sofa", "A two-seat couch on oak legs"),
        ("联系我们", "电话 地址 邮箱"),
        ("", ""),
    ],
)
def test_off_topic(title: str, text: str) -> None:
    assert score(title, text) < PACK.threshold


def test_a_long_page_that_mentions_a_curtain_once_is_off_topic() -> None:
    assert score("工作会议", FILLER + "会场挂着窗帘。") < PACK.threshold


def test_a_long_page_full_of_textiles_is_on_topic_whatever_its_title() -> None:
    assert score("公司简介", "我厂生产床单、被套、枕套和毛巾，面料为全棉。" * 20) >= PACK.threshold


def test_description_keywords_and_fields_count() -> None:
    assert score("产品展示", description="床品与窗帘面料", keywords=["家纺", "四件套"]) >= PACK.threshold
    assert score("Panel", fields={"medium": "silk brocatelle", "classification": ["Textiles"]}) >= PACK.threshold


def test_an_address_in_a_field_is_no_evidence() -> None:
    assert score("图片", fields={"image": "https://host/curtain/quilt.jpg"}) == 0


def test_the_evidence_is_told() -> None:
    evidence = topic_vector(PACK).evidence(Resource("", "", title="真丝连衣裙", text="刺绣面料"))
    assert "刺绣" in evidence.words
    assert evidence.against == ["连衣裙"]
