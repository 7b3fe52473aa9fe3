"""The running server: addresses, streams, pictures."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from urllib.request import Request, urlopen

import pytest

from hometextile.demo.server import Server, serve

pytestmark = pytest.mark.network


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve(slow=0.2) as running:
        yield running


def _get(url: str, **headers: str) -> tuple[int, bytes, dict[str, str]]:
    with urlopen(Request(url, headers=headers), timeout=10) as answer:
        return answer.status, answer.read(), dict(answer.headers)


def test_serves_pages_pictures_and_styles(server: Server) -> None:
    status, body, headers = _get(server.address + "/")
    assert status == 200 and "经纬家纺网" in body.decode() and "ETag" in headers
    _, picture, headers = _get(server.address + "/img/gallery-123.jpg")
    assert picture[:3] == b"\xff\xd8\xff" and headers["Content-Type"] == "image/jpeg"
    assert _get(server.address + "/static/portal.css")[2]["Content-Type"].startswith("text/css")


def test_slow_page_takes_its_time(server: Server) -> None:
    start = time.monotonic()
    _get(server.address + "/news/2026/n06.html")
    assert time.monotonic() - start >= 0.2


def test_endless_page_goes_on_until_the_client_leaves(server: Server) -> None:
    with urlopen(server.address + "/_demo/endless", timeout=10) as answer:
        assert len(answer.read(50_000)) == 50_000
    assert _get(server.address + "/about.html")[0] == 200


def test_log_and_visit_over_http(server: Server) -> None:
    _get(server.address + "/lit/", **{"User-Agent": "someone"})
    rows = json.loads(_get(server.address + "/_demo/log")[1])
    assert rows[-1]["path"] == "/lit/" and rows[-1]["agent"] == "someone"
    urlopen(Request(server.address + "/_demo/visit?n=3", method="POST"), timeout=10).close()
    assert server.site.visit == 3
    server.site.visit = 1


def test_a_taken_port_is_told(server: Server) -> None:
    with pytest.raises(OSError):
        serve(port=server.port)


def test_command_prints_its_address_and_stops() -> None:
    command = [sys.executable, "-m", "hometextile.demo", "--port", "0", "--visit", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        assert _get(address + "culture/c26.html")[0] == 200
        process.terminate()
        assert process.wait(10) == 0
