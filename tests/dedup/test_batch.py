"""Many at once finds what one by one finds."""

from __future__ import annotations

import random

from hometextile.dedup.batch import near_pairs
from hometextile.dedup.near import MemoryStore, NearIndex

CHARACTERS = (
    "家纺床品窗帘毛巾地毯刺绣提花印花织锦蚕丝棉麻羊毛被枕垫毯纱线染整色牢度花型纹样面料博览会设计大赛标准专利厂商报价"
)


def texts() -> list[str]:
    chance = random.Random(5)
    made = ["".join(chance.choices(CHARACTERS, k=chance.randint(20, 120))) for _ in range(60)]
    edited = [text[:7] + "略" + text[9:] for text in made[:20]]
    joined = [
        one[: len(one) // 2] + other[len(other) // 2 :] for one, other in zip(made[20:30], made[30:40], strict=True)
    ]
    return [*made, *edited, *joined, "", "……", "Ｑuilt", "quilt", "quilts", made[3], "a\0b", "\ud800"]


def test_the_same_pairs() -> None:
    index = NearIndex(MemoryStore())
    expected = {}
    for n, found in enumerate(index.find_and_add((str(n), text) for n, text in enumerate(texts()))):
        expected.update({(int(identity), n): round(similarity, 6) for identity, similarity in found})
    pairs = near_pairs(texts())
    assert {(one, other): round(similarity, 6) for one, other, similarity in pairs} == expected
    assert len(pairs) > 20


def test_nothing_to_compare() -> None:
    assert near_pairs([]) == []
    assert near_pairs(["", "…"]) == []
    assert near_pairs(["家纺"]) == []
