"""How far a resource can be trusted, with the reasons (the forestry paper rates what it stores before it is used).

What is rated is what a careful reader looks at first: who says it (the kind of site, a named author, a named source),
whether it can be checked (a date, a standard's, patent's, book's or paper's number, references), and whether it is
written to inform (length, no shouting, no touting).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hometextile.dedup.urls import host_of
from hometextile.text.hosts import suffix_list
from hometextile.text.messages import _

if TYPE_CHECKING:
    from hometextile.extract.resource import Resource

_START = 0.35
_SUFFIXES = {
    "gov": (0.25, "government"),
    "mil": (0.2, "government"),
    "edu": (0.2, "university"),
    "ac": (0.2, "university"),
    "museum": (0.25, "museum"),
    "int": (0.2, "organisation"),
    "org": (0.1, "organisation"),
}
_NUMBERS = {
    "DOI": re.compile(r"\b10\.\d{4,9}/[^\s\"<>]{2,}"),
    "ISBN": re.compile(r"\bISBN(?:-1[03])?[\s:：]*(?:97[89][-\s]?)?(?:\d[-\s]?){9}[\dXx]\b", re.IGNORECASE),
    "ISSN": re.compile(r"\bISSN[\s:：]*\d{4}-\d{3}[\dXx]\b", re.IGNORECASE),
    "standard": re.compile(
        r"\b(?:GB(?:/T|/Z)?|FZ/T|QB/T|HG/T|SN/T|DB\d\d(?:/T)?|T/[A-Z]{2,8}|ISO|ASTM\s?[A-G]|AATCC(?: TM)?"
        r"|(?:BS |DIN )?EN|BS|DIN|JIS\s?[A-Z])[\s-]?\d{2,6}(?:[.\-:—–]\d+)*"
    ),
    "patent": re.compile(r"\b(?:CN|US|EP|WO|JP|DE|GB)\s?\d{6,12}(?:\.\d|[A-Z]\d?)?\b|\bZL\s?\d{8,12}(?:\.[\dX])?"),
}
_REFERENCES = re.compile(r"参考文献|^\s*(?:References|Bibliography)\s*$", re.MULTILINE | re.IGNORECASE)
_TOUTING = re.compile(
    r"加微信|加VX|扫码|点击购买|限时|秒杀|震惊|惊呆|必看|速看|疯抢|躺赚|包治|绝对有效|"
    r"click here|buy now|limited offer|act now|you won't believe|miracle|100% guaranteed",
    re.IGNORECASE,
)
_SHOUTING = re.compile(r"[!！?？]{2,}")
_LONG = {"zh": 400, "en": 1_200}
_SHORT = 60


@dataclass
class Rating:
    """How far a resource can be trusted.

    Attributes:
        score: 0 to 1; a page of which nothing is known has .35.
        reasons: what raised or lowered it, each a readable sentence, and by how much.
    """

    score: float = _START
    reasons: list[tuple[str, float]] = field(default_factory=list)

    def add(self, by: float, reason: str) -> None:
        """Raise or lower the score."""
        self.score += by
        self.reasons.append((reason, by))


def credibility(resource: Resource) -> float:
    """How far a resource can be trusted, 0 to 1.

    Args:
        resource: URL, title, text, fields, author, source and date are looked at.
    """
    return rate(resource).score


def rate(resource: Resource) -> Rating:
    """The same with its reasons."""
    rating = Rating()
    _who(resource, rating)
    _checkable(resource, rating)
    _manner(resource, rating)
    rating.score = round(max(0.0, min(1.0, rating.score)), 4)
    return rating


def _who(resource: Resource, rating: Rating) -> None:
    host = host_of(resource.url)
    suffix = suffix_list()(host).suffix.split(".") if host else []
    for label in suffix:
        if label in _SUFFIXES:
            by, kind = _SUFFIXES[label]
            rating.add(by, _kinds()[kind].format(host=host))
            break
    if resource.author.strip():
        rating.add(0.1, _("an author is named: {name}").format(name=resource.author.strip()[:60]))
    if resource.source.strip():
        rating.add(0.1, _("a source is named: {name}").format(name=resource.source.strip()[:60]))


def _checkable(resource: Resource, rating: Rating) -> None:
    if resource.published:
        rating.add(0.1, _("it says when it was published: {date}").format(date=resource.published))
    values = (str(value) for value in resource.fields.values())
    text = "\n".join([resource.title, *values, resource.text[:20_000]])
    for name, pattern in _NUMBERS.items():
        found = pattern.search(text)
        if found:
            rating.add(
                0.15,
                _("it gives a number that can be looked up ({name}: {number})").format(
                    name=name, number=found[0].strip()
                ),
            )
            break
    if _REFERENCES.search(resource.text):
        rating.add(0.05, _("it lists references"))


def _manner(resource: Resource, rating: Rating) -> None:
    length = len(resource.text)
    if length >= _LONG.get(resource.language, _LONG["zh"]):
        rating.add(0.1, _("a full text of {n} characters").format(n=length))
    elif length < _SHORT and not resource.fields and not resource.images and not resource.videos:
        rating.add(-0.1, _("hardly any text ({n} characters)").format(n=length))
    touting = _TOUTING.search(f"{resource.title}\n{resource.text[:20_000]}")
    if touting:
        rating.add(-0.2, _("it touts: {words}").format(words=touting[0]))
    if _SHOUTING.search(resource.title):
        rating.add(-0.1, _("its title shouts"))


def _kinds() -> dict[str, str]:
    return {
        "government": _("a government site ({host})"),
        "university": _("a university or research site ({host})"),
        "museum": _("a museum's site ({host})"),
        "organisation": _("an organisation's site ({host})"),
    }
