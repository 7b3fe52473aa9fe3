"""The browser's only way out: a proxy on loopback that judges every connection.

Interception inside the browser misses what it does not see as a request of the page: web sockets, workers, redirects of
sub-resources, preconnects, pop-ups. So Chromium is started with this proxy for everything, loopback included, and with
a resolver that knows no name. The proxy asks :class:`hometextile.render.guard.AddressGuard`, connects to the very
address that was judged, and passes bytes on: TLS stays between browser and server.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable

from hometextile.render.guard import AddressGuard, Target, read_target

_HEAD_LIMIT = 64 * 1024
_CHUNK = 64 * 1024
_HOP_HEADERS = (b"proxy-connection:", b"proxy-authorization:", b"connection:", b"keep-alive:")


class GuardProxy:
    """An HTTP proxy that only lets through what the guard allows.

    Args:
        guard: judges each target; it may be replaced between pages.
        max_bytes: what one connection may bring at the most.
        idle: seconds without a byte after which a connection is closed.
        on_refused: called with the URL and the guard's reason.
    """

    def __init__(
        self,
        guard: AddressGuard,
        *,
        max_bytes: int = 64 * 1024 * 1024,
        idle: float = 30.0,
        on_refused: Callable[[str, str], None] | None = None,
    ) -> None:
        self.guard = guard
        self.max_bytes = max_bytes
        self.idle = idle
        self.refused: Counter[str] = Counter()
        self._on_refused = on_refused
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> str:
        """Listen on a free port of loopback; the address as ``127.0.0.1:PORT``."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_HEAD_LIMIT)
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"{host}:{port}"

    async def close(self) -> None:
        """Stop listening and end every connection."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._one(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            pass  # either side went away: the browser sees a failed request, which is what it is
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), self.idle)
        request, _end, headers = head.partition(b"\r\n")
        method, _space, rest = request.partition(b" ")
        address = rest.rpartition(b" ")[0].decode("latin-1")
        url = f"https://{address}/" if method == b"CONNECT" else address
        target = read_target(url)
        reason = await self.guard.check_async(url)
        if reason is not None or target is None:
            self._refuse(url, reason or "bad-url", writer)
            await writer.drain()
            return
        upstream = await self._connect(target)
        if upstream is None:
            writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
            return
        if method == b"CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            upstream[1].write(_origin_form(method, url, headers))
        await self._relay((reader, writer), upstream)

    def _refuse(self, url: str, reason: str, writer: asyncio.StreamWriter) -> None:
        self.refused[reason] += 1
        if self._on_refused is not None:
            self._on_refused(url, reason)
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    async def _connect(self, target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        allowed = self.guard.allows(target.host, target.port)
        for address in await self.guard.addresses_async(target.host):
            # The name is not resolved again: this is the answer that was judged.
            if not allowed and self.guard.judge(address) is not None:
                continue
            try:
                return await asyncio.wait_for(asyncio.open_connection(address, target.port), self.idle)
            except (OSError, TimeoutError):
                continue
        return None

    async def _relay(
        self,
        browser: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        # Only the server's silence ends a connection: a browser rightly says nothing while it reads.
        up = asyncio.ensure_future(self._pump(browser[0], server[1], None))
        down = asyncio.ensure_future(self._pump(server[0], browser[1], self.idle))
        try:
            # The browser keeps its side open; when the server has said all, the connection is over.
            await down
        finally:
            up.cancel()
            down.cancel()
            await asyncio.gather(up, down, return_exceptions=True)
            server[1].close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, idle: float | None) -> None:
        left = self.max_bytes
        while left > 0:
            data = await asyncio.wait_for(reader.read(_CHUNK), idle)
            if not data:
                break
            left -= len(data)
            writer.write(data)
            await writer.drain()


def _origin_form(method: bytes, url: str, headers: bytes) -> bytes:
    """The request as the server wants it: path instead of URL, one request a connection."""
    rest = url.split("://", 1)[1]
    cut = min((i for i in (rest.find("/"), rest.find("?")) if i >= 0), default=len(rest))
    path = rest[cut:].split("#", 1)[0] or "/"
    if not path.startswith("/"):
        path = "/" + path
    kept = [line for line in headers.split(b"\r\n") if line and not line.lower().startswith(_HOP_HEADERS)]
    return b"\r\n".join([method + b" " + path.encode("latin-1") + b" HTTP/1.1", *kept, b"Connection: close", b"", b""])
