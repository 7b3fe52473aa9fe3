"""Dates as pages write them, Chinese ones above all.

A date is given back in ISO 8601, as exact as it was said: ``2023年5月`` is ``2023-05`` and never a day that nobody
named. A date without a year is the latest that is not in the future. Explicit years are kept as they are: an
exhibition may well lie ahead. What is written in other languages than Chinese and English is left to dateparser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta, timezone

from hometextile.text.normalise import tidy
from hometextile.text.numbers import CHINESE_NUMBER, chinese_number

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_WEEKDAY = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "1": 0, "2": 1, "3": 2, "4": 3}
_WEEKDAY |= {"5": 4, "6": 5, "7": 6}
_ENGLISH_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
#: What may stand between a date and its time of day.
_GAP = r"[\s,，|·/—–-]{0,4}(?:[(（\[]?(?:星期|周|週|礼拜)[一二三四五六日天][)）\]]?|at\b|on\b|um\b)?[\s,，T|]{0,3}"
_CLOCK = (
    r"(?P<half>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|晚间|晚|AM|PM|am|pm)?\s?"
    r"(?P<hour>[01]?\d|2[0-4])(?:\s?[:：]\s?(?P<minute>[0-5]\d)(?:\s?[:：]\s?(?P<second>[0-5]\d)(?:[.,]\d{1,9})?)?"
    r"|\s?[时時点點](?:\s?(?P<minute2>[0-5]?\d)\s?分?|(?P<half_hour>半))?(?:\s?(?P<second2>[0-5]?\d)\s?秒)?"
    r"|(?=\s?[ap]\.?m\b))"
    r"\s?(?P<half2>[ap]\.?m\b\.?)?\s?(?P<zone>Z\b|(?:UTC|GMT)(?![+-]?\d)|(?:UTC|GMT)?[+-](?:0\d|1[0-4]):?[0-5]\d)?"
)
_TIME = re.compile(_GAP + _CLOCK, re.I)
#: Digits of a longer number or of a version are no part of a date.
_B, _E = r"(?<![\d./-])(?<!\d:)", r"(?![\d]|[./:-]\d)"
_Y4 = r"(?P<y>(?:1[5-9]|20)\d\d)"
_FULL: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.I), order)
    for pattern, order in (
        (rf"(?<!\d){_Y4}\s?年\s?(?P<m>1[0-2]|0?[1-9])\s?月\s?(?P<d>3[01]|[12]\d|0?[1-9])\s?(?:[日号號]|(?!\d))", "ymd"),
        (rf"{_B}{_Y4}\s?-\s?(?P<m>1[0-2]|0?[1-9])\s?-\s?(?P<d>3[01]|[12]\d|0?[1-9])(?!\d|-\d)", "ymd"),
        (rf"{_B}{_Y4}(?P<s>\s?[./]\s?)(?P<m>1[0-2]|0?[1-9])\s?[./]\s?(?P<d>3[01]|[12]\d|0?[1-9]){_E}", "ymd"),
        (rf"{_B}{_Y4}(?P<m>1[0-2]|0[1-9])(?P<d>3[01]|[12]\d|0[1-9])(?![\d.]|[年月-]\d)", "ymd"),
        (rf"(?<![a-z])(?P<mon>{_MONTH})\s?(?P<d>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\s?,?\s?{_Y4}(?!\d)", "mon"),
        (rf"(?<![a-z])(?P<mon>{_MONTH})\s(?P<d>3[01]|[12]\d|0?[1-9])\s\d\d:\d\d:\d\d\s(?:[A-Z]{{2,5}}\s)?{_Y4}", "mon"),
        (rf"(?<!\d)(?P<d>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?:\s?|\s?[-/]\s?|\sof\s)(?P<mon>{_MONTH})"
         rf"\s?[-/,]?\s?{_Y4}(?!\d)", "mon"),
        (rf"{_B}(?P<a>\d\d?)\s?(?P<s>[./-])\s?(?P<b>\d\d?)\s?(?P=s)\s?{_Y4}{_E}", "aby"),
    )
)  # fmt: skip
_SHORT_YEAR = re.compile(rf"{_B}(?P<y>\d\d)(?P<s>[./-])(?P<m>1[0-2]|0[1-9])(?P=s)(?P<d>3[01]|[12]\d|0[1-9]){_E}")
_SHORT_YEAR_ZH = re.compile(
    r"(?<!\d)'?(?P<y>\d\d)年(?P<m>1[0-2]|0?[1-9])月(?:(?P<d>3[01]|[12]\d|0?[1-9])[日号]?)?(?!\d)"
)
_ERA = re.compile(
    r"(?P<era>民国|民國|令和|平成|昭和|大正)\s?(?P<y>\d{1,3}|元)\s?年"
    r"(?:\s?(?P<m>1[0-2]|0?[1-9])\s?月(?:\s?(?P<d>3[01]|[12]\d|0?[1-9])\s?日?)?)?"
)
_ERAS = {"民国": 1911, "民國": 1911, "令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911}
_MONTH_DAY = re.compile(
    rf"(?<!\d)(?:(?P<rel>今|去|前|本|上)年\s?)?(?P<m>1[0-2]|0?[1-9])\s?月\s?(?P<d>3[01]|[12]\d"
    rf"|0?[1-9])\s?[日号號](?!\d)"
    rf"|{_B}(?P<m2>1[0-2]|0[1-9])-(?P<d2>3[01]|[12]\d|0[1-9])(?=\s+\d\d?:\d\d|\s*$|\s*[)）\]】])"
    rf"|(?<![a-z])(?P<mon>{_MONTH})\s?(?P<d3>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\d:]|\s?,?\s?\d{{4}})"
    rf"|(?<!\d)(?P<d4>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\s(?:of\s)?(?P<mon2>{_MONTH})(?!\s?\d)",
    re.I,
)
_YEAR_MONTH = re.compile(
    rf"(?<!\d){_Y4}\s?年\s?(?P<m>1[0-2]|0?[1-9])\s?月(?:份)?|{_B}(?P<y2>(?:1[5-9]|20)\d\d)[-./](?P<m2>1[0-2]"
    rf"|0[1-9]){_E}"
    rf"|(?<![a-z])(?P<mon>{_MONTH})\s?,?\s?(?P<y3>(?:1[5-9]|20)\d\d)(?!\d)",
    re.I,
)
_YEAR = re.compile(r"(?<![\d第])(?P<y>(?:1[5-9]|20)\d\d)\s?年(?!代|前|后|後|[一-龥]?历史)")
_ONLY_YEAR = re.compile(r"(?:c\.|ca\.|circa|约|約)?\s?(?P<y>(?:1[0-9]|20)\d\d)\s?(?:年|AD)?", re.I)
_AGO = re.compile(
    r"(?P<n>\d{1,4}|[一二两兩三四五六七八九十]{1,3}|几|an?|one|半)\s?(?P<half>个半|個半)?\s?[个個]?\s?"
    r"(?P<u>秒钟?|秒鐘|分钟?|分鐘|小时|小時|钟头|天|日|周|週|星期|礼拜|月|年|seconds?|secs?|minutes?|mins?|hours?|hrs?"
    r"|days?|weeks?|months?|years?)\s?(?:之?[前]|以前|\bago\b)",
    re.I,
)
_UNITS = (
    ("秒 sec", timedelta(seconds=1)), ("分 min", timedelta(minutes=1)), ("小 钟 hour hr", timedelta(hours=1)),
    ("天 日 day", timedelta(days=1)), ("周 週 星期 礼拜 week", timedelta(days=7)),
)  # fmt: skip
_DAY_WORD = re.compile(
    r"(?P<w>大前天|前天|昨天|昨日|昨晚|今天|今日|今早|今晚|\byesterday\b|\btoday\b|\bday before yesterday\b)", re.I
)
_DAYS_BACK = {"大前": 3, "前": 2, "昨": 1, "今": 0, "yes": 1, "tod": 0, "day": 2}
_WEEK_WORD = re.compile(
    r"(?P<w>上上|上个?|上個|本|这个?|這個?)?(?:周|週|星期|礼拜"
    r"|禮拜)(?P<d>[一二三四五六日天])(?![\u4e00-\u9fff]{0,1}[0-9])"
    rf"|(?P<last>\blast\s)?\b(?P<en>{'|'.join(_ENGLISH_DAYS)})\b",
    re.I,
)
_MONTH_WORD = re.compile(r"(?P<w>上个?月|上個月|本月|这个?月|這個?月|\blast month\b|\bthis month\b)", re.I)
_YEAR_WORD = re.compile(r"(?P<w>去年|前年|今年)(?:\s?(?P<m>1[0-2]|0?[1-9])\s?月(?!\d))?")
_JUST_NOW = re.compile(r"刚刚|剛剛|刚才|剛才|\bjust now\b", re.I)
_STAMP = re.compile(r"\d{10}(?:\d{3})?")
_LUNAR = re.compile(r"农历|農曆|阴历|陰曆|旧历")
_NUMERALS = re.compile(rf"{CHINESE_NUMBER}(?=\s?[年月日号號时時点點分])")
_CJK = re.compile("[\u3040-\u9fff]")
_CHINA = timezone(timedelta(hours=8))
#: Languages that dateparser is asked for when the caller names none.
_OTHERS = ("fr", "de", "es", "it", "pt", "nl", "ru", "ja", "ko", "sv", "da", "pl", "cs", "tr", "id", "vi")
_DAY_FIRST_ENGLISH = frozenset({"en-gb", "en-au", "en-nz", "en-ie", "en-in", "en-za"})


def read_date(
    text: str, *, now: datetime | None = None, languages: Sequence[str] | None = None, relative: bool = True
) -> str:
    """The first date in *text*; a full one before a partial one.

    Args:
        text: such as ``发布时间：2023年5月6日 09:30``, ``二〇二三年五月六日``, ``民国112年5月6日``, ``上周三``,
            ``2分鐘前``, ``May 6, 2023``, a Unix time.
        now: what relative dates and dates without a year count from; the clock, in Chinese time for Chinese text.
        languages: two-letter codes (``en-gb`` too): the order of day and month in ``5/6/2023``, and which languages
            dateparser may try.
        relative: whether ``3天前``, ``上周三`` and dates without a year are read too.

    Returns:
        ISO 8601: ``2023``, ``2023-05``, ``2023-05-06``, ``2023-05-06T09:30``, with seconds and zone where they were
        given; empty where there is no date. Relative times are exact to the minute.
    """
    text = _arabic(tidy(text[:2000]))
    if not text or not any(c.isdigit() or c in "年月日天周週刚剛期" or c.isalpha() for c in text):
        return ""
    if now is None:
        now = datetime.now(_CHINA if _CJK.search(text) else UTC)
    now = now.replace(tzinfo=None)
    if _STAMP.fullmatch(text):
        seconds = int(text[:10])
        return datetime.fromtimestamp(seconds, UTC).isoformat() if 10**8 <= seconds < 4 * 10**9 else ""
    wanted = tuple(language.lower() for language in languages or ())
    for step in _STEPS if relative else _ABSOLUTE:
        found = step(text, now, wanted)
        if found:
            return found
    return _by_dateparser(text, now, wanted)


def _arabic(text: str) -> str:
    """Chinese numerals before 年, 月, 日 and the like become digits; the first year (元年) stays."""

    def digits(found: re.Match[str]) -> str:
        value = chinese_number(found.group())
        return found.group() if value is None or value % 1 else str(int(value))

    return _NUMERALS.sub(digits, text)


def _iso(year: int, month: int | None = None, day: int | None = None) -> str:
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        return ""
    return "-".join([f"{year:04d}", *(f"{part:02d}" for part in (month, day) if part)])


def _with_time(day: str, rest: str) -> str:
    """*day* with the time of day that *rest* begins with, if it does."""
    found = _TIME.match(rest) if len(day) == 10 else None
    if not found:
        return day
    hour = int(found["hour"])
    half = (found["half"] or found["half2"] or "").lower().replace(".", "")
    if half in {"下午", "傍晚", "晚上", "晚间", "晚", "pm"} and 1 <= hour < 12:
        hour += 12
    elif (half == "中午" and hour < 3) or (half == "am" and hour == 12):
        hour = hour + 12 if half == "中午" else 0
    minute = int(found["minute"] or found["minute2"] or (30 if found["half_hour"] else 0))
    second = found["second"] or found["second2"]
    if hour == 24:
        return day
    out = f"{day}T{hour:02d}:{minute:02d}"
    zone = found["zone"]
    if second is not None:
        out += f":{int(second):02d}"
    elif zone:
        out += ":00"
    if zone:
        sign = re.search(r"[+-]\d\d:?\d\d", zone)
        out += f"{sign.group()[:3]}:{sign.group()[-2:]}" if sign else "+00:00"
    return out


def _full(text: str, now: datetime, languages: tuple[str, ...]) -> str:
    if _LUNAR.search(text):
        return ""
    best: tuple[int, str] | None = None
    for pattern, order in _FULL:
        for found in pattern.finditer(text):
            year = int(found["y"])
            if order == "aby":
                day = _either_order(found, year, languages)
            else:
                month = _month(found["mon"]) if order == "mon" else int(found["m"])
                day = _iso(year, month, int(found["d"]))
            if day and (best is None or found.start() < best[0]):
                best = (found.start(), _with_time(day, text[found.end() : found.end() + 60]))
            if day:
                break
    return best[1] if best else ""


def _month(name: str) -> int:
    return _MONTHS[name.lower().rstrip(".")]


def _either_order(found: re.Match[str], year: int, languages: tuple[str, ...]) -> str:
    first, second = int(found["a"]), int(found["b"])
    if first <= 12 and second <= 12:
        day_first = found["s"] == "." or (bool(languages) and languages[0] not in {"en", "en-us", "zh", "zh-cn"})
        if languages and languages[0] in _DAY_FIRST_ENGLISH:
            day_first = True
    else:
        day_first = first > 12
    return _iso(year, second if day_first else first, first if day_first else second)


def _era(text: str, now: datetime, languages: tuple[str, ...]) -> str:
    found = _ERA.search(text)
    if not found:
        return ""
    year = _ERAS[found["era"]] + (1 if found["y"] == "元" else int(found["y"]))
    day = _iso(year, int(found["m"]) if found["m"] else None, int(found["d"]) if found["d"] else None)
    return _with_time(day, text[found.end() : found.end() + 60])


def _short_year(text: str, now: datetime, languages: tuple[str, ...]) -> str:
    found = _SHORT_YEAR_ZH.search(text) or _SHORT_YEAR.search(text)
    if not found:
        return ""
    year = 2000 + int(found["y"])
    if year > now.year + 1:
        year -= 100
    day = _iso(year, int(found["m"]), int(found["d"]) if found["d"] else None)
    return _with_time(day, text[found.end() : found.end() + 60])


def _ago(text: str, now: datetime, languages: tuple[str, ...]) -> str:
    if _JUST_NOW.search(text):
        return now.strftime("%Y-%m-%dT%H:%M")
    found = _AGO.search(text)
    if not found or found["n"] == "几":
        return ""
    said = found["n"].lower()
    number = 0.5 if said == "半" else 1.0 if said in {"a", "an", "one"} else float(_count(said))
    if found["half"]:
        number += 0.5
    unit = found["u"].lower()
    try:
        for names, length in _UNITS:
            if unit.startswith(tuple(names.split())):
                then = now - number * length
                return then.strftime("%Y-%m-%d" if length >= timedelta(days=1) else "%Y-%m-%dT%H:%M")
        months = int(number * 12) if unit.startswith(("年", "year")) else int(number)
        year, month = divmod(now.year * 12 + now.month - 1 - months, 12)
        return _iso(year) if unit.startswith(("年", "year")) and number >= 1 else _iso(year, month + 1)
    except (OverflowError, ValueError):
        return ""


def _count(said: str) -> int:
    if said.isdigit():
        return int(said)
    value = chinese_number(said)
    return int(value) if value is not None else 0


def _day_word(text: str, now: datetime, languages: tuple[str, ...]) -> str:
    found = _DAY_WORD.search(text)
    if not found:
        return ""
    word = found["w"].lower()
    back = next(days for start, days in _DAYS_BACK.items() if word.startswith(start))
    evening = "晚上" if word.endswith("晚") else ""
    return _with_time((now - timedelta(days=back)).strftime("%Y-%m-%d"), evening + text[found.end() :][:60])


def _week_word(text: str, now: datetime, languages: tuple[str, ...]) -> str:
    found = _WEEK_WORD.search(text)
    if not found:
        return ""
    monday = now - timedelta(days=now.weekday())
    if found["en"]:
        then = monday + timedelta(days=_ENGLISH_DAYS.index(found["en"].lower()))
        if then.date() > now.date() or (found["last"] and then.date() == now.date()):
            then -= timedelta(days=7)
    else:
        then = monday + timedelta(days=_WEEKDAY[found["d"]])
        word = found["w"] or ""
        weeks = 2 if word == "上上" else 1 if word.startswith("上") else 0
        then -= timedelta(days=7 * weeks)
        if not word and then.date() > now.date():
            then -= timedelta(days=7)
    return _with_time(then.strftime("%Y-%m-%d"), text[found.end() : found.end() + 60])


def _month_day(text: str, now: datetime, languages: tuple[str, ...]) -> str:
    if _LUNAR.search(text):
        return ""
    found = _MONTH_DAY.search(text)
    if not found:
        return ""
    name = found["mon"] or found["mon2"]
    month = _month(name) if name else int(found["m"] or found["m2"])
    day = int(found["d"] or found["d2"] or found["d3"] or found["d4"])
    rest = text[found.end() : found.end() + 60]
    if found["rel"]:
        back = {"今": 0, "本": 0, "去": 1, "上": 1, "前": 2}[found["rel"]]
        return _with_time(_iso(now.year - back, month, day), rest)
    for year in range(now.year, now.year - 5, -1):
        then = _with_time(_iso(year, month, day), rest)
        if then and then[:16] <= now.strftime("%Y-%m-%dT%H:%M")[: len(then[:16])]:
            return then
    return ""


def _month_word(text: str, now: datetime, languages: tuple[str, ...]) -> str:
    found = _MONTH_WORD.search(text)
    if found:
        back = int(found["w"].lower().startswith(("上", "last")))
        year, month = divmod(now.year * 12 + now.month - 1 - back, 12)
        return _iso(year, month + 1)
    found = _YEAR_WORD.search(text)
    if found:
        back = {"去": 1, "前": 2, "今": 0}[found["w"][0]]
        return _iso(now.year - back, int(found["m"]) if found["m"] else None)
    return ""


def _partial(text: str, now: datetime, languages: tuple[str, ...]) -> str:
    found = _YEAR_MONTH.search(text)
    if found:
        year = int(found["y"] or found["y2"] or found["y3"])
        return _iso(year, _month(found["mon"]) if found["mon"] else int(found["m"] or found["m2"]))
    return ""


def _year(text: str, now: datetime, languages: tuple[str, ...]) -> str:
    found = _YEAR.search(text) or _ONLY_YEAR.fullmatch(text)
    return _iso(int(found["y"])) if found else ""


_STEPS: tuple[Callable[[str, datetime, tuple[str, ...]], str], ...] = (
    _full, _era, _short_year, _ago, _day_word, _month_day, _partial, _week_word, _month_word, _year,
)  # fmt: skip
_ABSOLUTE = (_full, _era, _short_year, _partial, _year)


def _by_dateparser(text: str, now: datetime, languages: tuple[str, ...]) -> str:
    """What dateparser makes of a short text in another language; it must name a day, a month and a year."""
    # It must name a year: what it makes of less is a guess, and asking it is slow.
    if not 6 <= len(text) <= 60 or not re.search(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", text) or _LUNAR.search(text):
        return ""
    wanted = [language.partition("-")[0] for language in languages if language.partition("-")[0] not in {"zh", "en"}]
    if languages and not wanted:
        return ""
    if not languages and not re.search(r"[^\W\d_]{3}", text):
        return ""
    import dateparser

    found = dateparser.parse(
        text,
        languages=wanted or list(_OTHERS),
        settings={
            "REQUIRE_PARTS": ["day", "month", "year"],
            "RELATIVE_BASE": now,
            "PREFER_DATES_FROM": "past",
            "PARSERS": ["absolute-time"],
            "DATE_ORDER": "DMY",
        },
    )
    if found is None or not 1500 <= found.year < 2100:
        return ""
    if re.search(r"\d\s?[:h]\s?\d\d", text):
        return str(found.replace(microsecond=0).isoformat(timespec="minutes"))
    return str(found.strftime("%Y-%m-%d"))
