"""Title, date, source, author and the rest of what a page says about itself.

What machines are told (JSON-LD, meta elements) is believed first where it is specific, but a title is only believed
when the page shows it, and a date only when it is not in the future and not the page's clock. Labels are those of
Chinese sites and the government's page standard (``ArticleTitle``, ``PubDate``, ``ContentSource``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

from hometextile.extract.bylines import read_author, read_source
from hometextile.extract.published import read_published
from hometextile.extract.titles import read_title, site_name
from hometextile.page.document import Document
from hometextile.page.embedded import Embedded, embedded, types_of
from hometextile.page.reading import text_of
from hometextile.text.normalise import squeeze

#: schema.org types whose headline, date and author speak of the page itself.
_WORKS = frozenset(
    {"article", "newsarticle", "blogposting", "report", "scholarlyarticle", "techarticle", "webpage", "itempage",
     "product", "recipe", "creativework", "book", "dataset", "event", "exhibitionevent", "videoobject", "visualartwork",
     "discussionforumposting", "qapage", "collectionpage", "aboutpage", "reportagenewsarticle", "analysisnewsarticle",
     "liveblogposting", "socialmediaposting", "productgroup", "review", "howto", "course"}
)  # fmt: skip
_LESS = frozenset({"webpage", "itempage", "collectionpage", "review"})
_KEYWORD_METAS = (
    "keywords",
    "news_keywords",
    "article:tag",
    "citation_keywords",
    "dc.subject",
    "parsely-tags",
    "sailthru.tags",
)
_DESCRIPTION_METAS = (
    "description",
    "og:description",
    "dc.description",
    "dcterms.abstract",
    "citation_abstract",
    "twitter:description",
)
_SPLIT = re.compile(r"\s*[,，;；、|]\s*")
_HAN, _KANA, _LATIN = re.compile("[\u4e00-\u9fff]"), re.compile("[\u3040-\u30ff]"), re.compile("[A-Za-z]")


@dataclass
class Metadata:
    """What a page says about itself; empty where it does not say.

    Attributes:
        title: its title, without the site's name.
        published: ISO 8601, as exact as said.
        source: who says so: the newspaper, firm or museum named as the source, else the publisher or site.
        author: who wrote or made it; several joined by ", ".
        description: its own summary.
        keywords: its own keywords.
        language: ``zh``, ``en``, or what the page declares.
        image: absolute address of its main picture.
        canonical: absolute address under which it wants to be known.
    """

    title: str = ""
    published: str = ""
    source: str = ""
    author: str = ""
    description: str = ""
    keywords: list[str] = field(default_factory=list)
    language: str = ""
    image: str = ""
    canonical: str = ""


def metadata(document: Document, *, now: datetime | None = None, use_embedded: bool = True) -> Metadata:
    """What a page says about itself.

    Args:
        document: the page.
        now: when it was fetched; dates after it are not believed.
        use_embedded: whether JSON-LD, microdata and OpenGraph are read (benchmarks read pages without them).
    """
    key = f"metadata.{use_embedded}"
    known = document.derived.get(key) if now is None else None
    if isinstance(known, Metadata):
        return known
    data = embedded(document) if use_embedded else Embedded()
    works = list(_works(data))
    lines = _lines(document)
    title = read_title(document, data)
    site = site_name(document, data)
    dates = [_text(work.get(name)) for work in works for name in ("datePublished", "uploadDate", "dateCreated")]
    out = Metadata(
        title=title,
        published=read_published(document, data, dates, lines, title, now=now, chinese=language_of(document) == "zh"),
        source=read_source(data, lines, title, _property(works, "publisher", "sourceOrganization"), site, document),
        author=read_author(document, data, _authors(works), lines, title, site),
        description=_first(data, _DESCRIPTION_METAS) or _property(works, "description"),
        keywords=_keywords(data, works),
        language=language_of(document),
        image=_image(document, data, works),
        canonical=_canonical(document),
    )
    if now is None:
        document.derived[key] = out
    return out


def _works(data: Embedded) -> Iterator[dict[str, Any]]:
    """What is told of the page itself, the most specific first."""
    found = [item for item in data.json_ld if {name.lower() for name in types_of(item)} & _WORKS]
    found.extend(item for item in data.of_type(*_WORKS) if item not in found)
    yield from sorted(found, key=lambda item: bool({name.lower() for name in types_of(item)} & _LESS))


def _lines(document: Document) -> list[str]:
    known = document.derived.get("metadata.lines")
    if known is None:
        body = document.tree.find("body")
        text = text_of(document.tree if body is None else body, cells="  ")
        known = document.derived["metadata.lines"] = [line for line in text.split("\n") if line.strip()]
    assert isinstance(known, list)
    return known


def _first(data: Embedded, names: tuple[str, ...]) -> str:
    return next((value for name in names if (value := squeeze(data.meta.get(name, "")))), "")


def _text(value: Any) -> str:
    """A property's text: of a list the first, of an object its name."""
    if isinstance(value, list):
        return next((text for item in value if (text := _text(item))), "")
    if isinstance(value, dict):
        return _text(value.get("name") or value.get("@value") or value.get("url") or "")
    return squeeze(str(value)) if isinstance(value, str | int | float) else ""


def _property(works: list[dict[str, Any]], *names: str) -> str:
    for work in works:
        for name in names:
            if text := _text(work.get(name)):
                return text
    return ""


def _authors(works: list[dict[str, Any]]) -> list[str]:
    for work in works:
        value = work.get("author") or work.get("creator")
        names: list[str] = []
        for item in (value if isinstance(value, list) else [value])[:20]:
            name = _text(item)
            if name and name not in names and not name.startswith("http"):
                names.append(name)
        if names:
            return names
    return []


def _keywords(data: Embedded, works: list[dict[str, Any]]) -> list[str]:
    raw: list[str] = []
    for name in _KEYWORD_METAS:
        raw.extend(data.opengraph.get(name) or ([data.meta[name]] if name in data.meta else []))
        if raw:
            break
    if not raw:
        for work in works:
            value = work.get("keywords")
            raw.extend(str(item) for item in (value if isinstance(value, list) else [value]) if isinstance(item, str))
    words: list[str] = []
    for text in raw:
        parts = _SPLIT.split(squeeze(text))
        if len(parts) == 1 and len(_HAN.findall(text)) * 2 > len(text):
            parts = parts[0].split()
        words.extend(part for part in parts if part and len(part) <= 60 and part not in words)
    return words[:50]


def language_of(document: Document) -> str:
    """``zh`` or ``en`` by the letters that the page shows, else what it declares (two letters), else empty."""
    known = document.derived.get("metadata.language")
    if isinstance(known, str):
        return known
    declared = document.tree.get("lang") or document.tree.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    declared = declared.strip().lower()[:2]
    text = "".join(_lines(document))[:50_000]
    han, kana, latin = (len(pattern.findall(text)) for pattern in (_HAN, _KANA, _LATIN))
    if kana * 10 > han and kana > 20:
        language = "ja"
    elif han * 4 > latin and han >= 4:
        language = "zh"
    elif latin and (not declared or declared == "zh"):
        language = "en"
    else:
        language = declared if re.fullmatch("[a-z]{2}", declared) else ""
    document.derived["metadata.language"] = language
    return language


def _image(document: Document, data: Embedded, works: list[dict[str, Any]]) -> str:
    told: Any = data.meta.get("og:image") or data.meta.get("og:image:url") or data.meta.get("twitter:image") or ""
    if not told:
        for work in works:
            value = work.get("image")
            value = value[0] if isinstance(value, list) and value else value
            told = (value.get("url") or value.get("contentUrl") or "") if isinstance(value, dict) else value
            told = told if isinstance(told, str) else ""
            if told:
                break
    return _absolute(document, told)


def _canonical(document: Document) -> str:
    for link in document.tree.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split():
            return _absolute(document, link.get("href") or "")
    return ""


def _absolute(document: Document, address: str) -> str:
    if not address.strip():
        return ""
    try:
        joined = urljoin(document.base_url, address.strip())
    except ValueError:
        return ""
    return joined if joined.startswith(("http://", "https://")) else ""
