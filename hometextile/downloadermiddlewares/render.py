"""Layouts: pages are drawn where it pays, and the layout is written into them.

:class:`RenderMiddleware` takes the answer that the crawl fetched and has the browser draw it: the server is asked once,
POST answers and cookies come for free, robots and delays hold. It belongs *below* the HTTP cache (a higher number than
``HttpCacheMiddleware``'s 900) and above decompression and encoding, so that the cache keeps the page as drawn.

The mode is ``never``, ``auto`` or ``always``: ``request.meta["render"]``, else the spider's site file (``render``),
else ``RENDER``. ``request.meta["actions"]`` is a list of actions (:mod:`hometextile.render.actions`); a request with
actions is drawn unless its mode is ``never``.

====================================  ===========  ================================================================
``RENDER``                            ``"auto"``   the mode where nothing else says one
``RENDER_BROWSER``                    none         the browser's path; none: the one that is found
``RENDER_CONCURRENCY``                ``3``        pages drawn at once
``RENDER_TIMEOUT``                    ``25``       seconds a page
``RENDER_MEMORY_MB``                  ``1500``     what the browser may hold
``RENDER_PAGES``                      ``20000``    pages drawn in one crawl at the most
====================================  ===========  ================================================================

Counted: ``render/pages``, ``render/why/REASON``, ``render/failed/REASON``, ``render/requests/KIND``,
``render/refused/REASON`` (requests of pages that the guard refused), ``render/moved``, ``render/slow``, ``render/cut``,
``render/action-failed``, ``render/restarts``, ``render/milliseconds``.
"""

from __future__ import annotations

import asyncio
import logging
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.http import HtmlResponse, Response
from scrapy.http.response.text import TextResponse

from hometextile.downloadermiddlewares.guard import make_guard
from hometextile.page.document import Document
from hometextile.render.actions import read_actions
from hometextile.render.browser import Browser, Drawn, Limits, RenderFailed
from hometextile.render.deciding import LITTLE_TEXT, read_signs, why_render
from hometextile.text.faults import Fault
from hometextile.text.messages import _

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Request

logger = logging.getLogger(__name__)

MODES = ("never", "auto", "always")
#: An ``<html>`` that carries this has been drawn already (from the cache, say).
_MARK = b"data-drawn="


class RenderMiddleware:
    """Has pages drawn by a browser and gives them back with their layout."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._mode = str(settings.get("RENDER", "auto"))
        self._most = settings.getint("RENDER_PAGES", 20_000)
        self._browser = Browser(
            make_guard(crawler),
            executable=settings.get("RENDER_BROWSER"),
            concurrency=settings.getint("RENDER_CONCURRENCY", 3),
            limits=Limits(seconds=settings.getfloat("RENDER_TIMEOUT", 25.0)),
            max_memory_mb=settings.getint("RENDER_MEMORY_MB", 1500),
            user_agent=settings.get("USER_AGENT"),
        )
        self._open: bool | None = None
        self._opening = asyncio.Lock()
        self._drawn = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RenderMiddleware:
        middleware = cls(crawler)
        crawler.signals.connect(middleware.spider_closed, signal=signals.spider_closed)
        return middleware

    async def spider_closed(self, spider: Spider) -> None:
        """End the browser."""
        await self._browser.close()

    async def process_response(self, request: Request, response: Response) -> Response | Request:
        """The response as drawn; as it came, where it need not or cannot be drawn; a request where it only leads on."""
        actions = request.meta.get("actions") or ()
        why = self._why(request, response, bool(actions))
        if why is None or not isinstance(response, TextResponse) or not await self._ready():
            return response
        if self._drawn >= self._most:
            self._count("render/failed/limit")
            return response
        self._drawn += 1
        self._count(f"render/why/{why}")
        try:
            drawn = await self._browser.draw(
                response.url,
                html=response.text,
                status=response.status,
                headers=_headers(response),
                cookies=_cookies(request),
                actions=read_actions(actions),
            )
        except RenderFailed as failed:
            self._count(f"render/failed/{failed.reason}")
            logger.info("Not drawn: %s", failed, extra={"spider": self._crawler.spider})
            return response
        except Fault as fault:
            self._count("render/failed/actions")
            logger.warning("%s: %s", response.url, fault, extra={"spider": self._crawler.spider})
            return response
        moved = self._moved(request, response, drawn) if not actions else None
        return moved or self._rewritten(response, drawn, bool(actions))

    def _why(self, request: Request, response: Response, acting: bool) -> str | None:
        """Why the response is to be drawn; None where it is not."""
        mode = self._mode_of(request)
        if mode == "never" or not _drawable(response):
            return None
        if acting:
            return "actions"
        if mode == "always":
            return "always"
        assert isinstance(response, HtmlResponse)
        return why_render(Document(response.text, response.url))

    def _mode_of(self, request: Request) -> str:
        site = getattr(self._crawler.spider, "site", None)
        of_site = getattr(getattr(site, "data", site), "render", None)
        mode = request.meta.get("render") or of_site or self._mode
        return mode if mode in MODES else "auto"

    async def _ready(self) -> bool:
        """Start the browser when it is first wanted; say once if there is none."""
        async with self._opening:
            if self._open is None:
                try:
                    await self._browser.open()
                except RenderFailed as failed:
                    self._open = False
                    logger.warning(
                        _("No browser, so pages are not drawn and the crawl goes on without layouts: %(why)s. "
                          "Install chromium-headless-shell, or run `playwright install chromium-headless-shell`."),
                        {"why": failed}, extra={"spider": self._crawler.spider},
                    )
                else:
                    self._open = True
        if not self._open:
            self._count("render/failed/no-browser")
        return self._open

    def _moved(self, request: Request, response: Response, drawn: Drawn) -> Request | None:
        """A request for the page that an empty one leads on to by script, on the same host.

        The browser was not let go there, so that robots, delays and the guard hold for it as for any other page.
        """
        wanted = (drawn.wanted or "").partition("#")[0]
        times = request.meta.get("redirect_times", 0) + 1
        most = self._crawler.settings.getint("REDIRECT_MAX_TIMES")
        if not wanted or wanted == response.url.partition("#")[0] or times > most:
            return None
        if request.meta.get("dont_redirect") or urlsplit(wanted).netloc != urlsplit(response.url).netloc:
            return None
        signs = read_signs(Document(drawn.html, drawn.url))
        if signs.text + signs.link_text >= LITTLE_TEXT:
            return None
        self._count("render/moved")
        moved: Request = request.replace(url=wanted, method="GET", body=b"")
        moved.meta["redirect_times"] = times
        moved.meta["redirect_urls"] = [*request.meta.get("redirect_urls", []), request.url]
        return moved

    def _rewritten(self, response: TextResponse, drawn: Drawn, moved: bool) -> Response:
        self._count("render/pages")
        for kind, count in drawn.requests.items():
            self._count(f"render/requests/{kind}", count)
        for name, met in (("slow", drawn.slow), ("cut", drawn.cut), ("action-failed", bool(drawn.failed))):
            if met:
                self._count(f"render/{name}")
        if drawn.failed:
            logger.warning(
                _("On %(url)s an action could not be done: %(what)s"),
                {"url": response.url, "what": drawn.failed},
                extra={"spider": self._crawler.spider},
            )
        stats = self._crawler.stats
        if stats is not None:
            stats.inc_value("render/milliseconds", round(drawn.seconds * 1000))
            stats.set_value("render/restarts", self._browser.restarts)
            for reason, count in self._browser.refused.items():
                stats.set_value(f"render/refused/{reason}", count)
        # The page keeps its encoding: it is what its forms are submitted in.
        url = drawn.url if moved else response.url
        return response.replace(url=url, body=drawn.html.encode(response.encoding, "xmlcharrefreplace"),
                                encoding=response.encoding)

    def _count(self, name: str, count: int = 1) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(name, count)


def _drawable(response: Response) -> bool:
    """Whether a response is an HTML page that has not been drawn yet."""
    return (
        isinstance(response, HtmlResponse)
        and response.status not in {204, 304}
        and not 300 <= response.status < 400
        and response.status < 500
        and _MARK not in response.body[:20_000]
    )


def _headers(response: Response) -> list[tuple[str, str]]:
    return [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
    ]


def _cookies(request: Request) -> dict[str, str]:
    """The cookies that the request carried."""
    header: Any = request.headers.get("Cookie")
    if not header:
        return {}
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load(header.decode("latin-1"))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in jar.items()}
