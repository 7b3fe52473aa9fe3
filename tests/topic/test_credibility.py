"""Credibility, and that each reason can be read."""

from __future__ import annotations

from hometextile.extract.resource import Resource
from hometextile.topic.credibility import credibility, rate


def test_a_paper_of_a_university_is_more_credible_than_a_touting_page() -> None:
    paper = Resource(
        "", "https://lib.example.edu.cn/a/1", title="竹浆纤维毛巾的吸水性", author="李某", source="纺织学报",
        published="2021-04", text="摘要 " + "结果表明吸水性提高。" * 60 + "\n参考文献\n[1] doi 10.1234/abc.5",
    )  # fmt: skip
    touting = Resource("", "http://shop.example.com/x", title="震惊！！！这床被子", text="加微信限时抢")
    assert credibility(paper) > 0.8
    assert credibility(touting) < 0.2


def test_a_page_of_which_nothing_is_known_stands_in_the_middle() -> None:
    rating = rate(Resource("", "http://www.example.com/", title="窗帘", text="窗帘的洗法很多。" * 10))
    assert rating.reasons == []
    assert 0.3 <= rating.score <= 0.4


def test_every_reason_is_a_sentence_and_adds_up() -> None:
    numbered = {"号": "GB/T 22796-2021"}
    rating = rate(Resource("", "https://www.example.gov.cn/", title="通知", published="2020", fields=numbered))
    assert rating.score == round(0.35 + sum(by for _reason, by in rating.reasons), 4)
    assert any("GB/T 22796-2021" in reason for reason, _by in rating.reasons)
    assert all(" " in reason for reason, _by in rating.reasons)


def test_a_name_in_a_path_is_no_kind_of_site() -> None:
    assert credibility(Resource("", "https://example.com/gov/edu.org", text="长" * 80)) == 0.35


def test_it_never_leaves_0_to_1() -> None:
    low = Resource("", "", title="快看!!!", text="限时秒杀")
    assert 0 <= credibility(low) <= 1
    assert credibility(Resource("", "not a url")) >= 0
