"""Queries that a spider yields become requests, just as a browser sends them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from scrapy import FormRequest
from scrapy.http import Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from w3lib.url import safe_url_string

from hometextile.forms.form import Query
from hometextile.forms.submission import Refused, Submission, submit
from hometextile.spiders.queries import QueryItem

logger = logging.getLogger(__name__)


class FormRequestMiddleware(BaseSpiderMiddleware):
    """Turns each ``Query`` or ``QueryItem`` into a ``FormRequest``.

    Stands nearer to the spider than Scrapy's own middlewares (950), so that they see requests only. Counts
    ``form/submitted``, and by reason what a form does not send (``form/refused/javascript`` ...).
    """

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """A request for a query, None for one that cannot be sent, anything else as it is."""
        if isinstance(item, Query):
            item = QueryItem(item)
        if not isinstance(item, QueryItem):
            return item
        return to_request(item, self._count, longest=self.crawler.settings.getint("URLLENGTH_LIMIT"))

    def _count(self, key: str) -> None:
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value(key)


def to_request(item: QueryItem, count: Callable[[str], Any], *, longest: int = 0) -> FormRequest | None:
    """The request that a query is sent by; None for one that cannot be sent.

    What an errback yields after a failed download does not come through spider middlewares: a spider calls this itself.

    Args:
        item: the query.
        count: called with a counter's name.
        longest: characters that an address may have (Scrapy would drop a longer one, and its form wait for ever); 0 for
            any number.
    """
    submission = submit(item.query)
    if isinstance(submission, Submission) and longest and len(submission.url) > longest:
        submission = Refused("long-address", f"{len(submission.url)} characters")
    if isinstance(submission, Refused):
        count(f"form/refused/{submission.reason}")
        logger.debug("No request from a form on %s: %s", item.query.form.url, submission)
        if item.refused is not None:
            item.refused(item.query, submission)
        return None
    count("form/submitted")
    meta = dict(item.meta)
    if safe_url_string(submission.url) != submission.url:
        meta["verbatim_url"] = True
    return FormRequest(
        submission.url,
        method=submission.method,
        headers={**submission.headers, **item.headers},
        body=submission.body,
        callback=item.callback,
        errback=item.errback,
        cb_kwargs=dict(item.cb_kwargs),
        meta=meta,
        priority=item.priority,
        dont_filter=item.dont_filter,
    )
