"""What the library keeps of a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Resource:
    """One thing the library keeps: an article, a product, a standard, a firm, a pattern, a video ...

    Attributes:
        identity: what makes it the same thing on the next visit; the canonical URL, plus a record's key where a page
            gives several.
        url: where a reader finds it.
        title: its title.
        published: ISO 8601 date or time, as exact as the page says (``2023-05`` stays a month); empty if unknown.
        source: who says so (newspaper, firm, museum).
        author: who wrote or made it.
        text: the main text, line breaks kept.
        markdown: the same with headings, lists and tables as Markdown.
        description: the page's own summary.
        keywords: the page's own keywords.
        language: ``zh``, ``en`` or empty.
        images: ``{"url", "alt", "width", "height"}`` each, absolute addresses.
        videos: ``{"url", "poster", "duration", "title"}`` each.
        links: ``{"url", "text"}`` each, of the main text only.
        fields: the site's own fields, name to value or list of values.
        library: one of the pack's libraries, empty before it is classified.
        category: one of the pack's classes (``class`` is a Python word).
        relevance: 0 to 1.
        credibility: 0 to 1.
        content_hash: of title, text and fields; equal content, equal hash.
        duplicate_of: identity of the resource it repeats, if it does.
        rules: names of the rules that gave its fields.
        blocks: ids of the blocks its text was taken from.
        provenance: site, form, keyword, page, link, depth, crawl.
        extra: what a step wants to hand to a later one; not stored.
    """

    identity: str
    url: str
    title: str = ""
    published: str = ""
    source: str = ""
    author: str = ""
    text: str = ""
    markdown: str = ""
    description: str = ""
    keywords: list[str] = field(default_factory=list)
    language: str = ""
    images: list[dict[str, Any]] = field(default_factory=list)
    videos: list[dict[str, Any]] = field(default_factory=list)
    links: list[dict[str, Any]] = field(default_factory=list)
    fields: dict[str, Any] = field(default_factory=dict)
    library: str = ""
    category: str = ""
    relevance: float = 0.0
    credibility: float = 0.0
    content_hash: str = ""
    duplicate_of: str | None = None
    rules: list[str] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    provenance: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict, repr=False)
