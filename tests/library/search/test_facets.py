"""Ranges as terms: what lies in the range has one of the terms, and there are few of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hometextile.library.search.facets import date_cover, date_facets, price_cover, price_facets

_DATES = st.dates().map(lambda day: day.isoformat())
_PRICES = st.floats(min_value=0, max_value=1e12, allow_nan=False)


def test_terms_of_dates() -> None:
    assert date_facets("2019-06-03T10:00") == ["h20", "d201", "y2019", "m201906"]
    assert date_facets("2019") == ["h20", "d201", "y2019", "x2019"]
    assert date_facets("") == []
    assert date_facets("0031-05-05") == date_facets("soon") == ["dodd"]
    assert date_cover("2010", "2031-02") == ["dodd", "d201", "d202", "y2030", "x2031", "m203101", "m203102"]


@given(day=_DATES, first=_DATES, last=_DATES)
def test_a_date_in_the_range_has_a_term_of_it(day: str, first: str, last: str) -> None:
    if first <= day <= last:
        cover = set(date_cover(first, last))
        assert cover & set(date_facets(day))
        assert len(cover) < 90
    if first <= day:
        assert set(date_cover(first, None)) & set(date_facets(day))
    if day <= last:
        assert set(date_cover(None, last)) & set(date_facets(day))


@given(price=_PRICES, low=_PRICES, high=_PRICES)
def test_a_price_in_the_range_has_a_term_of_it(price: float, low: float, high: float) -> None:
    if low <= price <= high:
        assert set(price_cover(low, high)) & set(price_facets(price))
    if low <= price:
        assert set(price_cover(low, None)) & set(price_facets(price))
    assert len(price_cover(None, None)) < 30


def test_no_price_has_no_term() -> None:
    assert price_facets(None) == []
    assert price_facets(float("inf")) == price_facets(1e300)
    assert price_facets(-5) == price_facets(0)
