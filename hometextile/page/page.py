"""A page: a fetched document with its way here, and what the steps find in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hometextile.page.document import Document

if TYPE_CHECKING:
    from hometextile.blocks.block import Block
    from hometextile.extract.resource import Resource


@dataclass
class Way:
    """How a page was come by.

    Attributes:
        kind: ``start``, ``link``, ``answer`` (of a query), ``result`` (linked from an answer) or ``next``.
        form: the fingerprint of the form that was submitted, if any.
        keyword: the keyword that was put into it.
        values: what was sent, name to values, in order.
        referrer: the page that linked here.
        anchor: the text of that link.
        depth: links from a start page.
    """

    kind: str = "start"
    form: str | None = None
    keyword: str | None = None
    values: list[tuple[str, str]] = field(default_factory=list)
    referrer: str | None = None
    anchor: str = ""
    depth: int = 0


@dataclass
class Page:
    """A fetched document with its way here: site, form, keyword, link, depth.

    Steps write into ``blocks``, ``resources``, ``dropped`` and ``counts``; nothing else changes after the fetch.

    Attributes:
        site: name of the site file.
        url: address after redirects.
        text: the decoded page; with a layout, the page as the browser drew it, ``data-box`` attributes and all.
        encoding: WHATWG name of the encoding.
        status: HTTP status.
        headers: response headers, lower-case names.
        body: the bytes as received (for files and hashes); empty when the text is all there is.
        rendered: whether ``text`` carries a layout.
        way: how it was come by.
        fetched: ISO 8601 time, UTC.
        request_id: the frontier's number for the request, if there is a frontier.
        crawl_id: the crawl's number in the library.
        template: the name of the rule template that fits the page, if any.
        blocks: the page's blocks in document order, set by step ``segment``.
        resources: what the page gives, set by step ``extract``.
        dropped: why the page gives nothing, if so: a short English word for counting, such as ``off-topic``.
        story: what each step found worth telling, for ``scrapy library show``.
        fingerprint: of the request, in hex: what makes it the same page on the next visit; empty where none is known.
    """

    site: str
    url: str
    text: str
    encoding: str = "utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    rendered: bool = False
    way: Way = field(default_factory=Way)
    fetched: str = ""
    request_id: int | None = None
    crawl_id: int | None = None
    template: str | None = None
    blocks: list[Block] = field(default_factory=list)
    resources: list[Resource] = field(default_factory=list)
    dropped: str | None = None
    story: dict[str, Any] = field(default_factory=dict)
    fingerprint: str = ""

    @cached_property
    def document(self) -> Document:
        """The parsed page, parsed once."""
        return Document(self.text, self.url, self.encoding)
