"""A source of many small pages on loopback, for the frontier's benchmarks: a tree of links, with its own log."""

from __future__ import annotations

import asyncio
import threading
import time
from types import TracebackType

from aiohttp import web

_WORDS = [
    *("宋锦", "云锦", "蜀锦", "缂丝", "夏布", "蓝印花布", "提花", "刺绣", "绗缝", "扎染"),
    *("蜡染", "棉布", "亚麻", "真丝", "羊毛", "四件套", "窗帘", "抱枕"),
]


class SmallSource:
    """Pages ``/0`` to ``/N-1``; page i links to 3i+1, 3i+2, 3i+3, its parent and a few it should not fetch twice.

    One child in fifty is linked by an address that redirects to it; one page in a hundred links to one that is gone.

    Args:
        pages: how many.
        flat: page 0 links to all others, and they to none: what the queue costs, and nothing else.

    Attributes:
        log: time and path of each request.
    """

    def __init__(self, pages: int, *, flat: bool = False) -> None:
        self.pages = pages
        self.flat = flat
        self.log: list[tuple[float, str]] = []
        self.port = 0
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def text(self, number: int) -> str:
        """A page."""
        if self.flat:
            return _page(number, [str(link) for link in range(1, self.pages)] if number == 0 else [])
        children = [child for child in range(3 * number + 1, 3 * number + 4) if child < self.pages]
        links = [f"moved/{child}" if child % 50 == 0 else str(child) for child in children]
        links += [str(other) for other in (number // 3, number - 1, number // 2) if other >= 0]
        if number % 100 == 7:
            links.append(f"gone/{number}")
        return _page(number, links)

    async def _handle(self, request: web.Request) -> web.Response:
        self.log.append((time.time(), request.path))
        name = request.path.strip("/")
        if name.startswith("moved/"):
            raise web.HTTPFound("/" + name.removeprefix("moved/"))
        if not name.isdigit() or int(name) >= self.pages:
            return web.Response(status=404, text="no such page")
        return web.Response(text=self.text(int(name)), content_type="text/html")

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        app = web.Application()
        app.router.add_route("GET", "/{name:.*}", self._handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        self._loop.run_until_complete(runner.setup())
        self._loop.run_until_complete(web.TCPSite(runner, "127.0.0.1", 0).start())
        self.port = runner.addresses[0][1]
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()

    def __enter__(self) -> SmallSource:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)


def _page(number: int, links: list[str]) -> str:
    words = "，".join(_WORDS[(number * step + step) % len(_WORDS)] for step in range(1, 9))
    anchors = "\n".join(f'<a href="/{link}">{link}</a>' for link in links)
    return (
        f"<!DOCTYPE html><html><head><title>第 {number} 页</title></head>"
        f"<body><p>第 {number} 页说的是{words}。编号 {number * 7919 % 100003}。</p>{anchors}</body></html>"
    )
