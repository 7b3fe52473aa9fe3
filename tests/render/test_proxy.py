"""The browser's way out, without a browser."""

import asyncio

import pytest

from hometextile.render.guard import AddressGuard
from hometextile.render.proxy import GuardProxy

pytestmark = pytest.mark.network


def talk(guard, *requests, **more):
    """Send each request through a proxy and give back what came."""

    async def go():
        proxy = GuardProxy(guard, **more)
        host, port = (await proxy.open()).split(":")
        answers = []
        try:
            for request in requests:
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(request)
                answers.append(await asyncio.wait_for(reader.read(), 10))
                writer.close()
        finally:
            await proxy.close()
        return answers, dict(proxy.refused)

    return asyncio.run(go())


def get(url, *headers):
    return "\r\n".join([f"GET {url} HTTP/1.1", "Host: x", *headers, "", ""]).encode()


def test_passes_on_and_makes_it_one_request_a_connection(server):
    server.pages = {"/a": (200, {}, b"body")}
    answers, refused = talk(
        AddressGuard([f"127.0.0.1:{server.port}"]),
        get(f"{server.url}/a?b=c#d", "Proxy-Connection: keep-alive", "Cookie: x=y"),
        get(f"{server.url}?q"),
    )
    assert answers[0].endswith(b"body")
    assert server.paths() == ["/a?b=c", "/?q"]
    head = server.seen[0][2]
    assert "Connection: close" in head and "Proxy-Connection" not in head and "Cookie: x=y" in head
    assert refused == {}


def test_tunnels(server):
    server.pages = {"/a": (200, {}, b"body")}

    async def go():
        proxy = GuardProxy(AddressGuard([f"127.0.0.1:{server.port}"]))
        host, port = (await proxy.open()).split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\n\r\n".encode())
        assert b"200" in await reader.readuntil(b"\r\n\r\n")
        writer.write(get("/a"))
        body = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        await proxy.close()
        return body

    assert asyncio.run(go()).endswith(b"body")


def test_refuses_and_counts(canary):
    _answers, refused = talk(
        AddressGuard(),
        get(f"{canary.url}/a"),
        f"CONNECT 127.0.0.2:{canary.port} HTTP/1.1\r\n\r\n".encode(),
        f"CONNECT [::ffff:127.0.0.2]:{canary.port} HTTP/1.1\r\n\r\n".encode(),
        get("file:///etc/passwd"),
        b"garbage\r\n\r\n",
    )
    assert canary.connections == 0
    assert refused["loopback"] == 3
    assert refused["scheme"] >= 1


def test_connects_to_the_address_that_was_judged(server, canary):
    # The name answers with the server first and with the canary from then on: nobody asks again.
    answers = [["127.0.0.1"], ["127.0.0.2"]]
    guard = AddressGuard(["127.0.0.1"], resolver=lambda host: answers.pop(0))
    server.pages = {"/": (200, {}, b"right")}
    got, _refused = talk(
        guard, get(f"http://rebind.example:{server.port}/"), get(f"http://rebind.example:{server.port}/")
    )
    assert [answer.endswith(b"right") for answer in got] == [True, True]
    assert canary.connections == 0
    assert answers == [["127.0.0.2"]]


def test_a_stream_without_end_is_cut(server):
    async def endless(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        for _number in range(10_000):
            writer.write(b"x" * 10_000)
            await writer.drain()

    server.pages = {"/": endless}
    (answer,), _refused = talk(AddressGuard(["127.0.0.1"]), get(f"{server.url}/"), max_bytes=1_000_000)
    assert 900_000 < len(answer) < 1_200_000


def test_nobody_there_is_a_bad_gateway():
    async def free_port():
        one = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
        port = one.sockets[0].getsockname()[1]
        one.close()
        return port

    port = asyncio.run(free_port())
    (answer,), _refused = talk(AddressGuard(["127.0.0.1"]), get(f"http://127.0.0.1:{port}/"))
    assert answer.startswith(b"HTTP/1.1 502")
