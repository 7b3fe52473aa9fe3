"""robots.txt, for requests that wait for it together, and for hosts that do not give it.

Scrapy's middleware keeps one ``Deferred`` a host while robots.txt is on its way, and every request that waits awaits
that one. Whoever awaits a ``Deferred`` takes its result: the first to wait is given the rules, all others ``None``,
which means that there are none, and a forbidden page is fetched. So each waits on a ``Deferred`` of its own.

Where robots.txt cannot be had for a fault of the server or the network, nothing may be fetched (RFC 9309, 2.3.1.4);
Scrapy fetches everything. A client error (404, 403) means that there are no rules, there and here.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

from hometextile.text.messages import _

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.robotstxt import RobotParser

logger = logging.getLogger(__name__)


class RobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's, with the rules handed to every request that waited for them. Counts ``robotstxt/unreadable``."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        #: Hosts that did not give their rules, and why.
        self._unreadable: dict[str, str] = {}

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """The rules of a request's host, None where it has none.

        Args:
            request: any request.

        Raises:
            IgnoreRequest: the host has rules, but does not give them.
        """
        host = urlparse_cached(request).netloc
        coming = self._parsers.get(host)
        if isinstance(coming, Deferred):
            own: Deferred[RobotParser | None] = Deferred()

            def hand_on(rules: RobotParser | None) -> RobotParser | None:
                own.callback(rules)
                return rules

            coming.addCallback(hand_on)
            rules = await maybe_deferred_to_future(own)
        else:
            rules = await super().robot_parser(request)
        if host in self._unreadable:
            raise IgnoreRequest(_("robots.txt cannot be read: {why}").format(why=self._unreadable[host]))
        return rules

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        if response.status >= 500:
            self._keep_back(netloc, str(response.status))
        await super()._parse_robots(response, netloc, request)

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if not isinstance(exc, IgnoreRequest):
            self._keep_back(netloc, type(exc).__name__)
        super()._robots_error(exc, netloc)

    def _keep_back(self, host: str, why: str) -> None:
        self._unreadable[host] = why
        self._stats.inc_value("robotstxt/unreadable")
        logger.warning(
            _(
                "The robots.txt of %(host)s cannot be read (%(why)s), so nothing is fetched from it this time. "
                "If it never can, write `robots: false` into the site file."
            ),
            {"host": host, "why": why},
        )
