"""What a spider yields to have a form submitted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hometextile.forms.form import Query


@dataclass
class QueryItem:
    """A query with what Scrapy is to keep for its answer; everything but the query goes into the request as it is.

    A bare :class:`~hometextile.forms.form.Query` may be yielded too; its answer goes to the spider's ``parse``.

    Attributes:
        query: the form, filled in.
        callback: called with the answer.
        errback: called when there is none.
        cb_kwargs: given to the callback.
        meta: the request's ``meta``.
        headers: beside those of the form.
        priority: of the request.
        dont_filter: whether the same query may be sent again.
        refused: called with the query and the :class:`~hometextile.forms.submission.Refused` when a form makes no
            request, so that a spider can go on to the next keyword or form; what it returns is ignored.
    """

    query: Query
    callback: Callable[..., Any] | None = None
    errback: Callable[..., Any] | None = None
    cb_kwargs: dict[str, Any] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    priority: int = 0
    dont_filter: bool = False
    refused: Callable[..., Any] | None = None
