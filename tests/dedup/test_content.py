"""Equal content, equal hash."""

from __future__ import annotations

from hometextile.dedup.content import content_hash
from hometextile.extract.resource import Resource


def test_width_case_and_white_space_do_not_count() -> None:
    one = Resource("1", "http://a/", title="全棉 ＱＵＩＬＴ", text="一\n\n二", fields={"价": "9", "色": ["红", "白"]})
    other = Resource("2", "http://b/", title="全棉 quilt", text=" 一 二 ", fields={"色": ["红", "白"], "价": "9"})
    assert content_hash(one) == content_hash(other)
    assert len(content_hash(one)) == 64


def test_what_counts() -> None:
    base = Resource("", "", title="毯", text="羊毛", fields={"价": "9"})
    hashes = {
        content_hash(base),
        content_hash(Resource("", "", title="毯子", text="羊毛", fields={"价": "9"})),
        content_hash(Resource("", "", title="毯", text="羊绒", fields={"价": "9"})),
        content_hash(Resource("", "", title="毯", text="羊毛", fields={"价": "8"})),
        content_hash(Resource("", "", title="毯羊毛", text="", fields={"价": "9"})),
    }
    assert len(hashes) == 5


def test_pictures_without_a_caption_are_known_by_their_pictures() -> None:
    one = Resource("", "", title="花型", images=[{"url": "http://h/1.jpg?utm_source=a"}])
    same = Resource("", "", title="花型", images=[{"url": "http://h/1.jpg"}])
    other = Resource("", "", title="花型", images=[{"url": "http://h/2.jpg"}])
    assert content_hash(one) == content_hash(same) != content_hash(other)


def test_nothing_has_no_hash() -> None:
    assert content_hash(Resource("", "")) == ""
    assert content_hash(Resource("", "", fields={"价": ""})) == ""


def test_a_broken_character_is_hashed() -> None:
    assert content_hash(Resource("", "", text="\ud800"))
