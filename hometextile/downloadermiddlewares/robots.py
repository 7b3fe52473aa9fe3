"""robots.txt, for requests that wait for it together.

Scrapy's middleware keeps one ``Deferred`` a host while robots.txt is on its way, and every request that waits awaits
that one. Whoever awaits a ``Deferred`` takes its result: the first to wait is given the rules, all others ``None``,
which means that there are none, and a forbidden page is fetched. So each waits on a ``Deferred`` of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.robotstxt import RobotParser


class RobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's, with the rules handed to every request that waited for them."""

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """The rules of a request's host, None where it has none.

        Args:
            request: any request.
        """
        coming = self._parsers.get(urlparse_cached(request).netloc)
        if not isinstance(coming, Deferred):
            return await super().robot_parser(request)
        own: Deferred[RobotParser | None] = Deferred()

        def hand_on(rules: RobotParser | None) -> RobotParser | None:
            own.callback(rules)
            return rules

        coming.addCallback(hand_on)
        return await maybe_deferred_to_future(own)
