"""One form for text that is compared."""

from hometextile.text.normalise import compose, fold, squeeze, tidy


def test_full_width_becomes_half_width() -> None:
    assert tidy("２０２３年，￥２９．９０") == "2023年,¥29.90"


def test_white_space_is_folded_and_case_goes() -> None:
    assert fold(" GB/T\u3000 22796\u00a0\n—２０２１\u200b ") == "gb/t 22796 —2021"


def test_a_fraction_is_not_glued_to_its_number() -> None:
    assert compose("1½") == "1 1⁄2"


def test_squeeze_keeps_what_the_page_wrote() -> None:
    assert squeeze("  ￥２９ \n 元\ufeff") == "￥２９ 元"
