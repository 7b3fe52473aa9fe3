"""The public suffix list: two-part suffixes, and one reading for all."""

from hometextile.text.hosts import suffix_list


def test_a_suffix_of_two_parts_is_one() -> None:
    assert suffix_list()("www.jiafang.com.cn").top_domain_under_public_suffix == "jiafang.com.cn"


def test_the_list_is_read_once() -> None:
    assert suffix_list() is suffix_list()
