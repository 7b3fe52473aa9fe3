"""A request and an answer as the demo source sees them, before and after any web server."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote

if TYPE_CHECKING:
    from hometextile.demo.content import Item
    from hometextile.demo.site import Site


@dataclass
class Call:
    """A request.

    Attributes:
        method: upper case.
        path: decoded, without ``;jsessionid=...``.
        raw_query: as sent.
        body: as sent.
        headers: lower-case names.
        site: the running source, with its visit and its state.
    """

    method: str
    path: str
    raw_query: str = ""
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    site: Site = field(default=None, repr=False)  # type: ignore[assignment]

    @property
    def visit(self) -> int:
        """The visit that the source plays."""
        return self.site.visit

    @cached_property
    def query(self) -> dict[str, str]:
        """The query's values, the last of each name, read as UTF-8."""
        return dict(parse_qsl(self.raw_query, keep_blank_values=True, errors="replace"))

    @cached_property
    def gbk_query(self) -> dict[str, str]:
        """The same, read as GBK."""
        return dict(parse_qsl(self.raw_query, keep_blank_values=True, encoding="gb18030", errors="replace"))

    @cached_property
    def gbk_form(self) -> dict[str, str]:
        """The posted urlencoded values, read as GBK."""
        text = self.body.decode("ascii", "replace")
        return dict(parse_qsl(text, keep_blank_values=True, encoding="gb18030", errors="replace"))

    def page(self, name: str = "page", values: dict[str, str] | None = None) -> int:
        """The page number asked for, 1 when it is none."""
        value = (self.query if values is None else values).get(name, "1")
        return max(1, int(value)) if value.isdecimal() and len(value) < 5 else 1


@dataclass
class Reply:
    """An answer.

    Attributes:
        text: the page; None when ``body`` is the answer.
        encoding: Python's name of the encoding its bytes are in.
        body: the bytes of what is no page.
        content_type: the header as sent.
        status: HTTP status.
        headers: further headers.
        modified: the visit of the last change, 0 when the answer tells none.
        delay: seconds to wait before it is sent.
        item: the record it shows, if it shows one.
    """

    text: str | None = None
    encoding: str = "utf-8"
    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    modified: int = 0
    delay: float = 0.0
    item: Item | None = None

    def payload(self) -> bytes:
        """The bytes sent."""
        return self.body if self.text is None else self.text.encode(self.encoding, "xmlcharrefreplace")


def moved(where: str, status: int = 301) -> Reply:
    """A redirect."""
    text = f'<html><body><a href="{where}">Moved</a></body></html>'
    return Reply(text, status=status, headers={"Location": quote(where, safe="/:?&=%;[]@+,~")})


def gone(status: int, url: str) -> Reply:
    """A plain error page, as a web server writes it."""
    words = {404: "404 Not Found", 410: "410 Gone", 500: "500 Internal Server Error"}.get(status, str(status))
    text = f"<html><head><title>{words}</title></head><body><center><h1>{words}</h1></center><hr>{url}</body></html>"
    return Reply(text, status=status)
