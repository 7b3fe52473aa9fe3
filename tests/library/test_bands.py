"""The near-duplicates' table is what the near-duplicates' index asks for."""

from __future__ import annotations

from hometextile.dedup.near import NearIndex
from hometextile.library.library import Library

_TEXT = "宋锦起源于宋代，是中国传统的丝制工艺品之一，因其主要产地在苏州，故又称苏州宋锦，色泽华丽，图案精致，质地坚柔。"


def test_bands_are_found_replaced_and_told_apart_by_sign(library: Library) -> None:
    store = library.near_store()
    store.add_bands("a", [1, 2, -1, -(2**63)], "text a")
    store.add_bands("b", [2, 3, 2**63 - 1], "text b\ud800")
    assert list(store.find_bands([2])) == ["a", "b"]
    assert list(store.find_bands([-1, -1, 99])) == ["a"]
    assert list(store.find_bands([])) == []
    assert store.texts(["b", "none", "a"]) == {"a": "text a", "b": "text b\ud800"}
    store.add_bands("a", [7], "other")
    assert list(store.find_bands([1, 2, -1])) == ["b"]
    assert store.texts(["a"]) == {"a": "other"}


def test_the_index_finds_a_near_duplicate_after_a_restart(any_url: str) -> None:
    with Library.open(any_url) as library:
        NearIndex(library.near_store()).add("http://a", _TEXT)
    with Library.open(any_url) as library:
        found = NearIndex(library.near_store()).find(_TEXT.replace("华丽", "绚丽"))
    assert [identity for identity, _similarity in found] == ["http://a"]
