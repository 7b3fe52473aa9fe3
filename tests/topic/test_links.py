"""Link scores."""

from __future__ import annotations

import pytest

from hometextile.text.pack import load_pack
from hometextile.topic.links import LinkMemory, link_score, url_words

PACK = load_pack()


def test_anchor_around_url_and_parent_each_raise_the_score() -> None:
    nothing = link_score("http://host/a/1", "更多", "", PACK)
    assert link_score("http://host/a/1", "床品四件套", "", PACK) > 0.5 > nothing
    assert link_score("http://host/a/1", "更多", "家纺新闻", PACK) > nothing
    assert link_score("http://host/curtain-fabric/1", "更多", "", PACK) > nothing
    assert link_score("http://host/a/1", "更多", "", PACK, 0.9) > nothing


def test_off_topic_links_sink() -> None:
    assert link_score("http://host/2", "女装连衣裙", "", PACK) < PACK.settings.link_relevance
    assert link_score("http://host/3", "足球比赛", "", PACK) < link_score("http://host/3", "毛巾", "", PACK)


def test_a_link_among_the_noise_is_worth_half() -> None:
    main = link_score("http://host/1", "窗帘", "", PACK, block="main")
    assert link_score("http://host/1", "窗帘", "", PACK, block="noise") == pytest.approx(main / 2, abs=1e-3)


def test_many_relevant_pages_say_more_than_one() -> None:
    assert link_score("http://host/1", "", "", PACK, [0.9] * 5) > link_score("http://host/1", "", "", PACK, [0.9])
    assert link_score("http://host/1", "", "", PACK, [0.9, 0, 0]) < link_score("http://host/1", "", "", PACK, [0.9])


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://h/Home_Textile/bedLinen.html?cat=quilt&id=12", "Home Textile bed Linen cat quilt"),
        ("https://h/%E7%AA%97%E5%B8%98/list.php", "窗帘 list"),
        ("http://[bad/", ""),
    ],
)
def test_url_words(url: str, words: str) -> None:
    assert url_words(url) == words


def test_the_memory_forgets_the_longest_unseen() -> None:
    memory = LinkMemory(2)
    memory.seen("a", 0.1)
    memory.seen("b", 0.2)
    assert memory.seen("a", 0.3) == [0.1, 0.3]
    memory.seen("c", 0.4)
    assert memory.seen("b", 0.5) == [0.5]
