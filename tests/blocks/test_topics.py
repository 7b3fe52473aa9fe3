"""Topic blocks after paper 5."""

from __future__ import annotations

from hometextile.blocks.segment import segment
from hometextile.blocks.topics import NaiveBayes, load_bayes, marks, rate_by_topic, topic_blocks, topic_similarity
from hometextile.page.document import Document

LONG = "cotton sheet woven densely from long cotton yarn and washed before sale"


def test_similarity_is_shared_tokens_over_the_shorter() -> None:
    assert topic_similarity([LONG, "cotton sheet shop", "login help"]) == [1.0, 2 / 3, 0.0]


def test_similarity_of_nothing() -> None:
    assert topic_similarity([]) == []
    assert topic_similarity(["", ""]) == [0.0, 0.0]


def test_bayes_learns_and_both_is_the_intersection() -> None:
    seen = [(marks(LONG), True)] * 6 + [(marks("login register help", 0.9), False)] * 6
    bayes = NaiveBayes.fit(seen)
    assert bayes.posterior(marks(LONG)) > 0.5 > bayes.posterior(marks("login help", 0.9))
    chosen = topic_blocks([LONG, "login register help cotton sheet"], [0.0, 0.9], bayes)
    assert chosen["both"] == [one and two for one, two in zip(chosen["similarity"], chosen["bayes"], strict=True)]
    assert chosen["both"] == [True, False]


def test_a_page_is_never_left_without() -> None:
    # two lines that say nothing
    document = Document("<p>a b</p><p>c d e</p>", "http://e.test/")
    blocks = segment(document)
    rate_by_topic(blocks, document, NaiveBayes(prior=-20.0))
    assert [block.level for block in blocks] == ["noise", "main"]


def test_the_shipped_model_tells_prose_from_navigation() -> None:
    bayes = load_bayes()
    prose = (
        "The museum has shown its collection of embroidered quilts since the spring, and visitors came from far away."
    )
    assert bayes.posterior(marks(prose, 0.0)) > 0.5 > bayes.posterior(marks("登录 注册 帮助", 1.0))
