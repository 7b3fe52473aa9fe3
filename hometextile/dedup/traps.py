"""Addresses that lead nowhere new: spider traps, seen from the URL alone and from what a host gave so far.

Heritrix's defaults stand behind the limits: a path segment may be there twice, a path twenty segments deep.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from dataclasses import dataclass
from datetime import date
from urllib.parse import parse_qsl, urlsplit

from hometextile.dedup.urls import canonical_url, host_of


@dataclass(frozen=True)
class Limits:
    """What an address may be.

    Attributes:
        length: characters of the whole address.
        depth: path segments.
        repeats: times that one path segment may follow itself, or a run of segments the same run.
        parameters: query parameters.
        same_parameter: times that one parameter may be there.
        years: years that a calendar may lie before or after today.
        shape: addresses of one shape (the same path and parameter names but for their numbers and dates) that are
            fetched while they bring nothing new; 0 for no limit.
        hosts: hosts whose shapes are remembered.
    """

    length: int = 2_000
    depth: int = 20
    repeats: int = 2
    parameters: int = 30
    same_parameter: int = 2
    years: int = 2
    shape: int = 60
    hosts: int = 1_000


_DATE = re.compile(
    r"(?<!\d)(?P<year>(?:19|20|21)\d\d)(?:[-_/.]?(?P<month>0?[1-9]|1[0-2]))(?:[-_/.]?(?P<day>0?[1-9]|[12]\d|3[01]))?(?!\d)"
)
_CALENDAR = re.compile(r"calendar|events?|agenda|schedule|diary|rili|day|week|month|date|year|日历|日程", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


class TrapGuard:
    """Looks at addresses before they are fetched.

    Args:
        limits: what an address may be.
        today: the day that calendars are measured from; None for the day of the call.
    """

    def __init__(self, limits: Limits | None = None, *, today: date | None = None) -> None:
        self.limits = limits or Limits()
        self._today = today
        self._barren: OrderedDict[str, Counter[str]] = OrderedDict()

    def check(self, url: str) -> str | None:
        """Why *url* looks like a trap: a short English word for counting; None if it does not.

        ``length``, ``depth``, ``repetition`` (of path segments), ``query`` (too many parameters, or one of them again
        and again), ``calendar`` (a date far from today), ``barren`` (many of its shape brought nothing new).
        """
        if len(url) > self.limits.length:
            return "length"
        try:
            parts = urlsplit(url)
            pairs = parse_qsl(parts.query.replace("amp;", ""), keep_blank_values=True, max_num_fields=500)
        except ValueError:
            return "address"
        segments = [segment for segment in parts.path.split("/") if segment]
        if len(segments) > self.limits.depth:
            return "depth"
        if repeats(segments) > self.limits.repeats:
            return "repetition"
        names = Counter(name for name, _value in pairs)
        if len(pairs) > self.limits.parameters:
            return "query"
        if names and _most_often_alike(pairs) > self.limits.same_parameter:
            return "query"
        if self._far_date(parts.path, pairs):
            return "calendar"
        counts = self._barren.get(host_of(url))
        if self.limits.shape and counts and counts[shape_of(url)] >= self.limits.shape:
            return "barren"
        return None

    def learn(self, url: str, *, new: bool) -> None:
        """Tell what a fetched page brought.

        Args:
            url: its address.
            new: whether it gave a resource, or a link, that was not known before. One that did clears its shape.
        """
        host = host_of(url)
        counts = self._barren.setdefault(host, Counter())
        self._barren.move_to_end(host)
        if len(self._barren) > self.limits.hosts:
            self._barren.popitem(last=False)
        if new:
            counts.pop(shape_of(url), None)
        elif len(counts) < 10_000:
            counts[shape_of(url)] += 1

    def _far_date(self, path: str, pairs: list[tuple[str, str]]) -> bool:
        """Whether an address of a calendar names a day too far off. ``/news/1998/`` is no calendar."""
        today = self._today or date.today()
        texts = [value for name, value in pairs if _CALENDAR.search(name)]
        if _CALENDAR.search(path):
            texts += [path, *(value for _name, value in pairs)]
        texts += _year_and_month(pairs)
        years = [int(found["year"]) for text in texts for found in _DATE.finditer(text)]
        return any(abs(year - today.year) > self.limits.years for year in years)


def repeats(segments: list[str]) -> int:
    """How often a run of one to six path segments follows itself: ``a/b/a/b/a/b`` gives 3."""
    most = 1
    for length in range(1, min(6, len(segments) // 2) + 1):
        for start in range(len(segments) - 2 * length + 1):
            run = segments[start : start + length]
            count = 1
            while segments[start + count * length : start + (count + 1) * length] == run:
                count += 1
            most = max(most, count)
    return most


def shape_of(url: str) -> str:
    """An address with its numbers taken out, and its parameters' values too: what many pages of one kind share."""
    canonical = canonical_url(url)
    path, _mark, query = canonical.partition("?")
    names = sorted({piece.partition("=")[0] for piece in query.split("&") if piece})
    return _NUMBER.sub("0", path) + "?" + "&".join(names)


def _most_often_alike(pairs: list[tuple[str, str]]) -> int:
    """How often one parameter comes with one value: ``a=1&a=2`` is a choice of two, ``a=1&a=1&a=1`` is growing."""
    return max(Counter(pairs).values())


def _year_and_month(pairs: list[tuple[str, str]]) -> list[str]:
    values = {name.lower(): value for name, value in pairs}
    year = next((values[name] for name in ("year", "y", "nian") if name in values), "")
    month = next((values[name] for name in ("month", "m", "mon", "yue") if name in values), "")
    return [f"{year}-{int(month):02d}"] if year.isdecimal() and month.isdecimal() else []
