"""Forms that are broken or hostile, met by a whole crawl: each is counted with its reason, and no exception is logged."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

ROOT = Path(__file__).parent.parent.parent
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

_BOX = "<input type=search name={name} placeholder='Search textiles'><button>Search</button>"


def _form(name: str, attributes: str) -> str:
    return f"<form {attributes}>{_BOX.format(name=name)}</form>"


def _pages(elsewhere: str) -> dict[str, str]:
    """Path to what stands there; *elsewhere*: another host that answers."""
    evil = "http://evil.example"
    boxes = "".join(f"<label>field {n} <input name=f{n}></label>" for n in range(5_000))
    return {
        "/no-action": _form("a", ""),
        "/script": _form("b", "action='javascript:find(this)'"),
        "/mail": _form("c", "action='mailto:who@evil.example'"),
        "/evil": _form("d", "action=//evil.example/find") + _form("e", f"action={evil}/find method=post"),
        "/base": f"<base href={evil}/>" + _form("f", "action=find"),
        "/pressed": "<form action=/find><input type=search name=g><button formaction=//evil.example/>Search</button></form>",
        "/posted": "<form action=/find><input name=h><button formmethod=post formaction=//evil.example/>Go</button></form>",
        "/no-address": _form("i", "action='http://[nowhere/'"),
        "/other-scheme": _form("j", f"action=ftp://{urlsplit(evil).hostname}/find"),
        "/elsewhere": _form("k", f"action={elsewhere}/find"),
        "/many": f"<form action=/find>{boxes}{_BOX.format(name='l')}</form>",
        "/nested": f"<form action=/find>{'<form action=//evil.example/>' * 500}{_BOX.format(name='m')}",
        "/cut-off": "<form action=/find><p>Search</p><input type=search name=n><select name=s><option>a<option value='b",
        "/frames": "<frameset cols=*><frame src=/framed><noframes>"
        + _form("o", f"action={evil}")
        + "</noframes></frameset>",
        "/iframe": f'<iframe srcdoc="{_form("p", "action=//evil.example/").replace(chr(34), "")}"></iframe><a href=/framed>x</a>',
        "/framed": _form("q", "action=/find"),
        "/charset": _form("r", "action=/find accept-charset='no-such-thing, nor-this'"),
        "/large": _form("s", "action=/find") + f"<p>{'word ' * 200}</p>\n" * 9_500,
        "/backslash": _form("u", r"action='/\\evil.example/find'") + _form("v", "action='&#9;/&#10;/evil.example'"),
        "/leads-away": _form("w", "action=/away"),
    }


class _Handler(BaseHTTPRequestHandler):
    server: Any

    def do_GET(self) -> None:
        self.server.log.append(self.path)
        where = urlsplit(self.path)
        page = self.server.pages.get(where.path)
        if where.path == "/":
            page = "".join(f"<p><a href={path}>{path}</a></p>" for path in self.server.pages)
        if where.query or where.path == "/find":
            words = [values[0] for values in parse_qs(where.query).values()]
            some = any(word in {"silk", "linen"} for word in words)
            page = (
                "".join(f"<li><a href=/item/{n}>{w} cloth {n}</a>" for w in ("silk",) for n in range(4))
                if some
                else "No results."
            )
        if where.path.startswith("/item/"):
            page = f"<h1>Silk cloth</h1><p>A silk textile, number {where.path[6:]}.</p>"
        body = (page or "").encode()
        self.send_response(302 if where.path == "/away" else 200 if page is not None else 404)
        if where.path == "/away":
            self.send_header("Location", "http://evil.example/found")
        charset = "no-such-charset" if where.path == "/charset" else "utf-8"
        self.send_header("Content-Type", f"text/html; charset={charset}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(OSError):  # who asked has gone
            self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - the base class calls it so

    def log_message(self, *arguments: Any) -> None:
        """Nothing on the screen."""


@dataclass
class Crawled:
    """What a crawl left."""

    stats: dict[str, Any]
    errors: str
    asked: list[str]
    elsewhere: list[str]


def _serve(host: str, pages: dict[str, str]) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer((host, 0), _Handler)
    server.pages, server.log = pages, []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    folder = tmp_path_factory.mktemp("bad")
    other = _serve("127.0.0.1", {})
    server = _serve("127.0.0.1", _pages(f"http://localhost:{other.server_port}"))
    (folder / "bad.yaml").write_text(
        f"start: [http://127.0.0.1:{server.server_port}/]\nallow: {{private: [127.0.0.1, localhost]}}\n"
        "keywords: [silk, linen]\nkeywords_fixed: true\nrender: never\nlimits: {delay: 0, timeout: 60, minutes: 3}\n"
        "forms:\n  - {url: /elsewhere, elsewhere: true}\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "crawl", "bad", "-s", f"RULES_FOLDER={folder}", "-s", "LOG_LEVEL=DEBUG",
         "-s", f"STATS_FILE={folder / 'stats.json'}", "-s", "PROGRESS=0", "-s", "RETRY_TIMES=0"],
        cwd=ROOT, capture_output=True, text=True, timeout=280, check=False,
        env={**os.environ, "SCRAPY_SETTINGS_MODULE": "hometextile.settings", "LC_ALL": "C.UTF-8",
             "HOMETEXTILE_LIBRARY_URL": f"sqlite:///{folder / 'library.db'}"})  # fmt: skip
    server.shutdown()
    other.shutdown()
    assert done.returncode == 0, done.stderr[-4000:]
    stats = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
    yield Crawled(stats, done.stderr, server.log, other.log)  # type: ignore[attr-defined]


def test_no_exception_in_the_log(crawled: Crawled) -> None:
    assert "Traceback" not in crawled.errors
    assert " ERROR: " not in crawled.errors
    assert not [name for name in crawled.stats if name.startswith("spider_exceptions")]


def test_the_host_nobody_allowed_gets_no_request(crawled: Crawled) -> None:
    asked = re.compile(r"(?:Crawled|Retrying|Gave up|DNS|Error|failed).*evil\.example")
    assert not [line for line in crawled.errors.splitlines() if asked.search(line)]
    assert not [name for name in crawled.stats if "ResolveHost" in name]
    assert not [name for name in crawled.stats if "evil" in name]


def test_the_host_that_the_site_file_allows_is_asked(crawled: Crawled) -> None:
    assert any("k=silk" in path for path in crawled.elsewhere)


@pytest.mark.parametrize("name", ["a", "m", "n", "q", "r", "s"])
def test_forms_that_lead_somewhere_are_asked(crawled: Crawled, name: str) -> None:
    assert any(f"{name}=silk" in path for path in crawled.asked), sorted(crawled.stats.items())


def test_each_other_form_is_counted_with_its_reason(crawled: Crawled) -> None:
    refused = {name[13:]: n for name, n in crawled.stats.items() if name.startswith("form/refused/")}
    assert refused == {"needs-a-browser": 1, "script-action": 1, "other-host": 7, "bad-action": 2, "long-address": 3}
    assert crawled.stats["form/led-away"] >= 1
    # An address too long is found out query by query.
    assert crawled.stats["form/found"] == crawled.stats["form/recognised"] + sum(refused.values()) - 3
    assert crawled.stats["form/ended/errors"] >= 1


def test_forms_that_a_person_could_allow_are_told_of(crawled: Crawled) -> None:
    told = [line for line in crawled.errors.splitlines() if "Looks like a search, not asked: " in line]
    assert len(told) == crawled.stats["form/refused/other-host"]
    assert all("elsewhere: true" in line and line.endswith("}]") for line in told), told
    # one that goes to another host by POST needs both, and is told of both at once
    assert any("elsewhere: true, post: true}]" in line for line in told), told
