"""The demo source as a web server: a thread of its own with an event loop, or the foreground."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from types import TracebackType

from aiohttp import web

from hometextile.demo.call import Reply
from hometextile.demo.site import Site

LARGEST_BODY = 1_000_000


def application(site: Site) -> web.Application:
    """The aiohttp application around a :class:`Site`."""

    async def handle(request: web.Request) -> web.StreamResponse:
        body = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        reply = site.reply(request.method, request.raw_path, body, headers)
        if reply.delay:
            await asyncio.sleep(reply.delay)
        if "X-Demo-Stream" in reply.headers:
            return await _stream(request, reply)
        response = web.Response(body=reply.payload(), status=reply.status, headers=reply.headers)
        if reply.status != 304:
            response.headers["Content-Type"] = reply.content_type
        return response

    app = web.Application(client_max_size=LARGEST_BODY)
    app.router.add_route("*", "/{tail:.*}", handle)
    return app


async def _stream(request: web.Request, reply: Reply) -> web.StreamResponse:
    """A page that goes on and on: ``X-Demo-Stream`` says for how many pieces (0: until the client leaves)."""
    pieces = int(reply.headers.pop("X-Demo-Stream"))
    response = web.StreamResponse(headers={"Content-Type": reply.content_type})
    await response.prepare(request)
    async for piece in _pieces(reply.payload(), pieces):
        await response.write(piece)
    return response


async def _pieces(piece: bytes, count: int) -> AsyncIterator[bytes]:
    sent = 0
    while count == 0 or sent < count:
        yield piece
        sent += 1
        if count == 0:
            await asyncio.sleep(0.02)


class Server:
    """The running demo source. A context manager; leaving it stops the server.

    Attributes:
        site: its state; ``server.site.visit = 2`` plays the second visit on the same address.
        address: ``http://127.0.0.1:PORT``, no slash at the end.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 0, *, visit: int = 1, slow: float = 2.0) -> None:
        self.site = Site(visit=visit, slow=slow)
        self._host = host
        self._loop = asyncio.new_event_loop()
        self._runner = web.AppRunner(application(self.site), access_log=None, shutdown_timeout=0.5)
        self._ready = threading.Event()
        self._error: OSError | None = None
        self.port = port
        self._thread = threading.Thread(target=self._run, name="hometextile-demo", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            raise self._error

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://{self._host}:{self.port}"

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._start())
        except OSError as error:
            self._error = error
            self._loop.run_until_complete(self._runner.cleanup())
            self._ready.set()
            self._loop.close()
            return
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._runner.cleanup())
        self._loop.close()

    async def _start(self) -> None:
        await self._runner.setup()
        place = web.TCPSite(self._runner, self._host, self.port)
        await place.start()
        self.port = self._runner.addresses[0][1]

    def close(self) -> None:
        """Stop the server and wait for its thread."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(10)

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def serve(host: str = "127.0.0.1", port: int = 0, *, visit: int = 1, slow: float = 2.0) -> Server:
    """Start the demo source in a thread.

    Args:
        host: address to listen on; loopback unless you know why not.
        port: 0 takes a free one.
        visit: which of the three weekly visits it plays.
        slow: seconds that the slow page takes.

    Returns:
        The running server; close it or use it as a context manager.

    Raises:
        OSError: the port is taken.
    """
    return Server(host, port, visit=visit, slow=slow)
