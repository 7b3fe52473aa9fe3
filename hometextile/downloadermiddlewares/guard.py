"""Addresses and limits: nothing is sent to an address that is not the crawl's business.

:class:`GuardMiddleware` judges every request, redirects, form actions and robots.txt included, since each comes through
the downloader as a request of its own. :class:`GuardedResolver` judges once more at the moment of connecting and hands
out the addresses that were judged, so that a name cannot change between the two. What answered is judged a third time.

Settings:

====================  ========  =====================================================================================
``GUARD_ENABLED``     ``True``
``GUARD_HOSTS``       ``[]``    private hosts, ``host:port`` or networks that may be fetched, beside ``allow.private``
                                of the site file
``GUARD_PRIVATE``     ``False`` allow every private address (behind a proxy that answers names with such)
====================  ========  =====================================================================================

Sizes and times are Scrapy's own: ``DOWNLOAD_MAXSIZE`` ends a large answer while it comes, ``DOWNLOAD_TIMEOUT`` is the
time for the whole answer, so that an endless trickle ends too.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies

from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.resolver import CachingThreadedResolver
from twisted.internet.base import ReactorBase
from twisted.internet.error import DNSLookupError

from hometextile.render.guard import AddressGuard, read_target
from hometextile.text.faults import Fault
from hometextile.text.messages import _

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response
    from twisted.internet.defer import Deferred

logger = logging.getLogger(__name__)


class AddressRefused(IgnoreRequest):
    """The guard refused an address.

    Attributes:
        reason: one of :data:`hometextile.render.guard.REASONS`.
    """

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{reason}: {url}")
        self.reason = reason


def allowed_hosts(spider: Spider | None) -> list[str]:
    """The private hosts that the site file of a spider allows (``allow.private``)."""
    data = getattr(getattr(spider, "site", None), "data", None)
    return list(getattr(getattr(data, "allow", None), "private", None) or [])


def make_guard(crawler: Crawler) -> AddressGuard:
    """A guard as the settings and the site file want it.

    Raises:
        Fault: an entry is no host, address or network.
    """
    entries = [*crawler.settings.getlist("GUARD_HOSTS"), *allowed_hosts(crawler.spider)]
    guard = AddressGuard(allow_private=crawler.settings.getbool("GUARD_PRIVATE"))
    for entry in entries:
        try:
            guard.allow(entry)
        except ValueError:
            raise Fault(
                _("{entry} is no host, address or network").format(entry=entry),
                key="allow.private",
                remedy=_("write a host (intranet.example), an address (10.0.0.5) or a network (10.0.0.0/8)"),
            ) from None
    return guard


class GuardMiddleware:
    """Refuses requests to private, loopback and link-local addresses and to schemes other than http and https."""

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("GUARD_ENABLED", True):
            raise NotConfigured
        self._crawler = crawler
        self.guard = make_guard(crawler)
        self._told: set[tuple[str, str]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> GuardMiddleware:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Raise :class:`AddressRefused` where the request may not be sent."""
        reason = await self.guard.check_async(request.url)
        if reason is None and request.url.partition(":")[0].lower() not in {"http", "https"}:
            reason = "scheme"
        if reason:
            self._refuse(request.url, reason)

    def process_response(self, request: Request, response: Response) -> Response:
        """Drop an answer that came from a refused address all the same."""
        if response.ip_address is None or request.meta.get("proxy"):
            return response
        target = read_target(request.url)
        if target is not None and self.guard.allows(target.host, target.port):
            return response
        reason = self.guard.judge(str(response.ip_address))
        if reason:
            self._refuse(request.url, reason)
        return response

    def _refuse(self, url: str, reason: str) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(f"guard/refused/{reason}")
        target = read_target(url)
        host = target.host if target else url[:80]
        if (host, reason) not in self._told:
            self._told.add((host, reason))
            logger.warning(
                _("Refused %(host)s (%(reason)s). If it belongs to the site, name it under allow: private: in the "
                  "site file."),
                {"host": host, "reason": reason},
                extra={"spider": self._crawler.spider},
            )
        raise AddressRefused(url, reason)


class GuardedResolver(CachingThreadedResolver):
    """Scrapy's resolver, with every answer judged; for ``TWISTED_DNS_RESOLVER``.

    There is one resolver in a process, and it comes before the spiders: what their site files allow is asked for when a
    name is. A proxy of the environment (``http_proxy``) may be private: its host is let through.
    """

    def __init__(self, reactor: ReactorBase, cache_size: int, timeout: float, source: Any = None) -> None:
        super().__init__(reactor, cache_size, timeout)
        self._source = source
        proxies = [address if "//" in address else f"http://{address}" for address in getproxies().values()]
        targets = [read_target(address) for address in proxies]
        self._proxies = {target.host for target in targets if target is not None}

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: Any) -> GuardedResolver:
        """Made from a Crawler or, by Scrapy's commands, from the CrawlerProcess."""
        size = crawler.settings.getint("DNSCACHE_SIZE") if crawler.settings.getbool("DNSCACHE_ENABLED") else 0
        return cls(reactor, size, crawler.settings.getfloat("DNS_TIMEOUT"), crawler)

    def _guards(self) -> list[AddressGuard]:
        crawlers = getattr(self._source, "crawlers", None) or [self._source]
        return [make_guard(crawler) for crawler in crawlers if hasattr(crawler, "spider")] or [AddressGuard()]

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> Deferred[str]:  # noqa: N802 (Twisted's name)
        """The address of a name; DNSLookupError where it is not for a crawler."""
        found = super().getHostByName(name, timeout)
        return found.addCallback(self._judge(name))

    def _judge(self, name: str) -> Callable[[str], str]:
        def judge(address: str) -> str:
            host = name.lower().rstrip(".")
            if host in self._proxies:
                return address
            reason = None
            for guard in self._guards():
                # host:port entries are the middleware's business: the port is not known here.
                reason = None if guard.names(host) else guard.judge(str(ipaddress.ip_address(address)))
                if reason is None:
                    return address
            raise DNSLookupError(f"{name}: {address} is refused ({reason})")

        return judge
