"""What goes into the frontier and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

#: How a request that is known already is taken: ``child``: only what was not seen in this visit, and a page that is not
#: due stays as it is; ``start``: fetched once in each visit; ``again``: fetched again, unless it waits already.
Manner = Literal["child", "start", "again"]


@dataclass(slots=True)
class Entry:
    """A request to be fetched.

    Attributes:
        url: its address.
        fingerprint: in hex; a site has it once.
        host: whose turn it takes.
        request: the request as the scheduler packs it.
        kind: ``start``, ``link``, ``answer``, ``result``, ``next``.
        priority: greater first.
        depth: links from a start page.
        form: of a query: the form's fingerprint.
        manner: see :data:`Manner`.
        parent: the request whose page it came from.
    """

    url: str
    fingerprint: str
    host: str
    request: bytes
    kind: str = "link"
    priority: float = 0.0
    depth: int = 0
    form: str | None = None
    manner: Manner = "child"
    parent: int | None = None


@dataclass(slots=True)
class Leased:
    """A request that this worker has to fetch.

    Attributes:
        id: the row's number.
        request: as it was packed.
        host: whose turn it takes.
        priority: greater first.
        tries: how often it was begun, this time counted.
        form: of a query: the form's fingerprint.
        fetches: how often it was fetched before.
        etag, last_modified: what the server said of the page when it was fetched last; empty where it said nothing.
        content_hash: of the bytes that came then.
    """

    id: int
    request: bytes
    fingerprint: str
    host: str
    priority: float = 0.0
    tries: int = 1
    form: str | None = None
    fetches: int = 0
    etag: str = ""
    last_modified: str = ""
    content_hash: str = ""


@dataclass(slots=True)
class Outcome:
    """What came of a request.

    Attributes:
        id: the row's number.
        state: ``done``, ``failed``, ``gone``, ``refused``, or ``waiting`` when it is to be fetched once more.
        status: of the answer; None where there was none.
        etag, last_modified, content_hash: of the answer.
        changed: whether it was different from the last time.
        reason: why it failed or was refused.
        fingerprint: of the request.
        moved: address before and after, where the server said that the page moved for good.
        children: the requests that came of it.
        forms: of each form it asked: how far that form is asked now.
        found: of each form that was found on its page: how it begins.
    """

    id: int
    state: str = "done"
    status: int | None = None
    etag: str = ""
    last_modified: str = ""
    content_hash: str = ""
    changed: bool = False
    reason: str = ""
    fingerprint: str = ""
    moved: tuple[str, str] | None = None
    children: list[Entry] = field(default_factory=list)
    forms: dict[str, Any] = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict)
