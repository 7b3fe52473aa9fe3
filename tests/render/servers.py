"""Small servers on loopback."""

import asyncio
import threading


class Server:
    """Answers whatever is asked from a mapping of path to (status, headers, body), and notes every connection.

    A raw socket server: web sockets and garbage are noted like everything else.
    """

    def __init__(self, host="127.0.0.1", pages=None):
        self.host = host
        self.pages = pages or {}
        self.seen = []
        self.connections = 0
        self._loop = asyncio.new_event_loop()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        started.wait(5)

    def _run(self, started):
        asyncio.set_event_loop(self._loop)
        self._server = self._loop.run_until_complete(asyncio.start_server(self._serve, self.host, 0))
        self.port = self._server.sockets[0].getsockname()[1]
        started.set()
        self._loop.run_forever()

    async def _serve(self, reader, writer):
        self.connections += 1
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
            method, path = head.split(b" ", 2)[:2]
            length = next(
                (
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length")
                ),
                0,
            )
            body = await reader.readexactly(length)
            self.seen.append((method.decode(), path.decode(), head.decode("latin-1"), body))
            page = self.pages.get(path.decode().split("?")[0], (404, {}, b"none"))
            if callable(page):
                await page(writer)
                return
            status, headers, content = page
            lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(content)}", "Connection: close"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            pass
        finally:
            writer.close()

    @property
    def url(self):
        return f"http://{self.host}:{self.port}"

    def paths(self):
        return [path for _method, path, _head, _body in self.seen]

    def close(self):
        async def stop():
            self._server.close()
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()

        asyncio.run_coroutine_threadsafe(stop(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()
