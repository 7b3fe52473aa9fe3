"""Filters as terms of the index, so that a filter narrows a frequent word before anything is read.

A site, a library, a class is one term. Dates and prices are ranges: a document carries its century, decade, year and
month, and its price's order of magnitude and eighth of it; a range is covered by few of them. The cover may take in a
little more than the range, the columns of ``search_documents`` have the last word.
"""

from __future__ import annotations

import math
import re

from hometextile.library.values import digest

#: The term that every document has.
ALL = "a"
_FIRST_YEAR, _LAST_YEAR = 1000, 2199
_ODD_DATE = "dodd"
_DATE = re.compile(r"(\d{4})(?:-(\d{2}))?")
_PARTS = 8
_LOWEST, _HIGHEST = -2, 9


def facet(kind: str, value: str | int) -> str:
    """The term of a site, library or class: letters and digits, whatever the value is made of.

    Args:
        kind: ``site``, ``library``, ``category``, ``both`` (site and library) or ``each`` (site and class).
        value: the site's number, the library's or class's name, or the two with a stroke between.
    """
    return f"{kind[0]}{digest(str(value))[:12]}"


def place_facets(site_id: int, library: str, category: str) -> list[str]:
    """The terms of a document's site, library and class, and of site and library or class together."""
    terms = [facet("site", site_id)]
    if library:
        terms += [facet("library", library), facet("both", f"{site_id}/{library}")]
    if category:
        terms += [facet("category", category), facet("each", f"{site_id}/{category}")]
    return terms


def place_terms(site_id: int | None, library: str | None, category: str | None) -> list[str]:
    """The fewest terms that say site, library and class: FTS5 takes its time for each."""
    if site_id is None:
        pairs: list[tuple[str, str | None]] = [("library", library), ("category", category)]
    elif category is not None:
        pairs = [("library", library), ("each", f"{site_id}/{category}")]
    elif library is not None:
        pairs = [("both", f"{site_id}/{library}")]
    else:
        pairs = [("site", str(site_id))]
    return [facet(kind, value) for kind, value in pairs if value is not None]


def date_facets(published: str) -> list[str]:
    """The terms of a date: ``2019-06-03`` gives its century, decade, year and month; none for no date."""
    if not published:
        return []
    found = _DATE.match(published)
    if not found or not _FIRST_YEAR <= int(found[1]) <= _LAST_YEAR:
        return [_ODD_DATE]
    year, month = found[1], found[2]
    # A date that is a year and no more may lie in any part of it.
    return [f"h{year[:2]}", f"d{year[:3]}", f"y{year}", f"m{year}{month}" if month else f"x{year}"]


def date_cover(since: str | None, until: str | None) -> list[str]:
    """Terms of which every date of the range has at least one.

    Args:
        since: ISO date, as exact as wanted.
        until: the same, included.
    """
    first, last = _month(since, _FIRST_YEAR * 12, 1), _month(until, _LAST_YEAR * 12 + 11, 12)
    terms = [_ODD_DATE]
    at = first
    while at <= last:
        year = at // 12
        for letter, years, shown in (("h", 100, 100), ("d", 10, 10), ("y", 1, 1)):
            if at % (years * 12) == 0 and at + years * 12 - 1 <= last:
                terms.append(f"{letter}{year // shown}")
                at += years * 12
                break
        else:
            if f"x{year}" not in terms:
                terms.append(f"x{year}")
            terms.append(f"m{year}{at % 12 + 1:02}")
            at += 1
    return terms


def _month(date: str | None, default: int, month: int) -> int:
    found = _DATE.match(date or "")
    if not found:
        return default
    year = min(_LAST_YEAR, max(_FIRST_YEAR, int(found[1])))
    return year * 12 + min(12, max(1, int(found[2] or month))) - 1


def price_facets(price: float | None) -> list[str]:
    """The terms of a price; none for no price."""
    if price is None:
        return []
    part = _part(price)
    return [f"q{part // _PARTS - _LOWEST}", f"p{part - _LOWEST * _PARTS}"]


def _part(price: float) -> int:
    """The eighth of an order of magnitude that a price lies in; below a cent and above a thousand million, the last."""
    if not price > 0:
        return _LOWEST * _PARTS
    if math.isinf(price):
        return _HIGHEST * _PARTS
    return min(_HIGHEST * _PARTS, max(_LOWEST * _PARTS, math.floor(math.log10(price) * _PARTS)))


def price_cover(low: float | None, high: float | None) -> list[str]:
    """Terms of which every price of the range has at least one."""
    at = _LOWEST * _PARTS if low is None else _part(low)
    last = _HIGHEST * _PARTS if high is None else _part(high)
    terms = []
    while at <= last:
        if at % _PARTS == 0 and at + _PARTS - 1 <= last:
            terms.append(f"q{at // _PARTS - _LOWEST}")
            at += _PARTS
        else:
            terms.append(f"p{at - _LOWEST * _PARTS}")
            at += 1
    return terms
