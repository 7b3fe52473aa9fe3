"""A crawl that fetches images and files and writes into a table: stored by content, guarded, nothing twice."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import create_engine, text
from warcio.archiveiterator import ArchiveIterator

from hometextile.library.exports.warc import warc
from hometextile.library.library import Library

pytestmark = [pytest.mark.network, pytest.mark.timeout(300)]
PDF = b"%PDF-1.4\n% a standard"
PAGE = """<html><head><title>{title}</title></head><body><h1>{title}</h1>
<div class="text">宋锦是苏州的丝织品，用于被面与靠垫，{title}的织造工艺保存至今。<a href="{pdf}">标准全文</a>
<img src="/pattern.png"><img src="{other}"></div></body></html>"""
RULES = """
start: [{base}/]
relevance: 0
render: never
mode: surface
allow: {{private: [127.0.0.1]}}
limits: {{delay: 0}}
download: [images, files]
integrate: maps/patterns.yaml
templates:
  - name: pattern
    match: /p\\d
    fields:
      title: {{css: h1}}
      text: {{css: .text}}
      images: {{css: "img::attr(src)", type: image, many: true}}
"""
MAP = """
database: env:PATTERNS_DB
table: patterns
key: url
create: true
columns: {url: url, title: {from: title, length: 100}, image: images.0.url}
"""


def picture(colour: str, size: tuple[int, int] = (640, 480)) -> bytes:
    buffer = BytesIO()
    Image.new("RGBA", size, colour).save(buffer, "PNG")
    return buffer.getvalue()


@dataclass
class Crawled:
    """What two crawls left."""

    folder: Path
    asked: Counter[str]
    first: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    stats: list[dict[str, Any]] = field(default_factory=list)
    first_page: bytes = b""

    @property
    def files(self) -> list[dict[str, Any]]:
        engine = create_engine(f"sqlite:///{self.folder / 'library.db'}")
        with engine.connect() as connection:
            query = text("SELECT f.*, r.title FROM files f JOIN resources r ON r.id = f.resource_id ORDER BY f.id")
            return [dict(row) for row in connection.execute(query).mappings()]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    folder = tmp_path_factory.mktemp("project")
    asked: Counter[str] = Counter()
    red = picture("red")
    answers: dict[str, tuple[str, bytes]] = {
        "/robots.txt": ("text/plain", b"User-agent: *\nDisallow: /secret"),
        "/pattern.png": ("image/png", red),
        "/%E5%90%8C.png": ("image/png", red),
        "/broken.png": ("image/png", red[:400]),
        "/tiny.png": ("image/png", picture("blue", (8, 8))),
        "/bomb.png": ("image/png", picture("blue", (12_000, 9_000))),
        "/page.png": ("text/html", b"<html>log in first</html>"),
        "/secret/x.png": ("image/png", red),
        "/gb.pdf": ("application/pdf", PDF),
        "/login.pdf": ("text/html", b"<html>log in first</html>"),
    }

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked[f"{self.headers['Host'].split(':')[0]}{self.path}"] += 1
            if self.path not in answers:
                self.send_error(404)
                return
            kind, body = answers[self.path]
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("0.0.0.0", 0), Handler) as server:
        port = server.server_address[1]
        base = f"http://127.0.0.1:{port}"
        others = ["/同.png", "/broken.png", "/none.png", "/tiny.png", "/bomb.png", "/page.png", "/secret/x.png",
                  f"http://127.0.0.2:{port}/inside.png"]  # fmt: skip
        for number, other in enumerate(others):
            pdf = "/login.pdf" if number else "/gb.pdf"
            body = PAGE.format(title=f"第{number}号纹样 {'缠枝莲' * number}", other=other, pdf=pdf)
            answers[f"/p{number}"] = ("text/html; charset=gbk", body.encode("gb18030"))
        links = "".join(f'<p><a href="/p{number}">纹样 {number}</a></p>' for number in range(len(others)))
        answers["/"] = ("text/html; charset=utf-8", f"<html><body>{links}</body></html>".encode())
        threading.Thread(target=server.serve_forever, daemon=True).start()
        (folder / "rules").mkdir()
        (folder / "maps").mkdir()
        (folder / "rules" / "shop.yaml").write_text(RULES.format(base=base), encoding="utf-8")
        (folder / "maps" / "patterns.yaml").write_text(MAP, encoding="utf-8")
        done = Crawled(folder, asked, first_page=answers["/p0"][1])
        _crawl(done)
        done.first = Counter(asked)
        _crawl(done)
        yield done
        server.shutdown()


def _crawl(done: Crawled) -> None:
    environment = {
        **os.environ,
        "SCRAPY_SETTINGS_MODULE": "hometextile.settings",
        "LC_ALL": "C.UTF-8",
        "HOMETEXTILE_LIBRARY_URL": f"sqlite:///{done.folder / 'library.db'}",
        "PATTERNS_DB": f"sqlite:///{done.folder / 'mine.db'}",
    }
    stats = done.folder / "stats.json"
    settings = {"RULES_FOLDER": done.folder / "rules", "STATS_FILE": stats, "PROGRESS": 0, "FRONTIER_REVISIT_DAYS": 0,
                "IMAGES_MIN_WIDTH": 16}  # fmt: skip
    options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    result = subprocess.run(
        [sys.executable, "-m", "scrapy", "crawl", "shop", *options],
        cwd=done.folder, env=environment, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr[-4000:]
    done.errors.append(result.stderr)
    done.stats.append(json.loads(stats.read_text(encoding="utf-8")))


def test_an_image_lies_there_once_by_its_content_with_a_thumbnail(crawled: Crawled) -> None:
    store = crawled.folder / "files"
    key = hashlib.sha256(picture("red")).hexdigest()
    stored = sorted(str(path.relative_to(store)) for path in store.rglob("*") if path.is_file())
    pdf = hashlib.sha256(PDF).hexdigest()
    assert stored == [
        f"files/{pdf[:2]}/{pdf}.pdf",
        f"images/{key[:2]}/{key}.png",
        f"thumbs/small/{key[:2]}/{key}.jpg",
    ]
    assert (store / stored[1]).read_bytes() == picture("red"), "the bytes as they came"
    assert (store / stored[0]).read_bytes() == PDF
    with Image.open(store / stored[2]) as small:
        assert small.size == (320, 240)


def test_rows_say_where_each_lies_or_why_not(crawled: Crawled) -> None:
    rows = {(row["title"][1], row["url"].rpartition("/")[2]): row for row in crawled.files}
    assert len(rows) == len(crawled.files), "nothing twice after two crawls"
    pattern = rows["0", "pattern.png"]
    key = hashlib.sha256(picture("red")).hexdigest()
    assert (pattern["kind"], pattern["path"], pattern["checksum"]) == ("image", f"images/{key[:2]}/{key}.png", key)
    assert (pattern["width"], pattern["height"], pattern["media_type"]) == (640, 480, "image/png")
    assert pattern["size"] == len(picture("red"))
    assert pattern["thumbnail"] == f"thumbs/small/{key[:2]}/{key}.jpg"
    assert rows["0", "%E5%90%8C.png"]["path"] == pattern["path"]
    assert rows["0", "gb.pdf"]["media_type"] == "application/pdf"
    reasons = {name: row["status"] for (_number, name), row in rows.items() if not row["path"]}
    assert reasons == {
        "broken.png": "broken",
        "none.png": "404",
        "tiny.png": "too small",
        "bomb.png": "too large",
        "page.png": "no image",
        "x.png": "robots",
        "inside.png": "loopback",
        "login.pdf": "a page",
    }


def test_guard_and_robots_hold_for_files(crawled: Crawled) -> None:
    assert not [host for host in crawled.asked if host.startswith("127.0.0.2")]
    assert crawled.asked["127.0.0.1/secret/x.png"] == 0


def test_what_lies_there_is_not_fetched_again(crawled: Crawled) -> None:
    assert crawled.first["127.0.0.1/pattern.png"] == crawled.asked["127.0.0.1/pattern.png"] == 1
    assert (crawled.stats[0]["images/downloaded"], crawled.stats[0]["files/downloaded"]) == (2, 1)
    assert "images/downloaded" not in crawled.stats[1]
    assert "files/downloaded" not in crawled.stats[1]


def test_a_document_that_is_page_and_file_is_fetched_once(crawled: Crawled) -> None:
    assert crawled.first["127.0.0.1/gb.pdf"] == 1
    assert crawled.stats[0]["files/fetched-once"] == 1
    # Every page was due at the second visit, this one too; its file lay there.
    assert crawled.asked["127.0.0.1/gb.pdf"] == 2


def test_a_page_is_kept_as_the_server_sent_it(crawled: Crawled) -> None:
    with Library.open(f"sqlite:///{crawled.folder / 'library.db'}", create=False) as library:
        pages = [page for page in library.pages() if page.url.endswith("/p0")]
        assert [page.body for page in pages] == [crawled.first_page]
        archive = BytesIO()
        warc(library.pages(), archive, compress=False)
    archive.seek(0)
    kinds = Counter(record.rec_type for record in ArchiveIterator(archive))
    assert set(kinds) == {"warcinfo", "response"}, "nothing was drawn here"


def test_no_traceback(crawled: Crawled) -> None:
    for errors in crawled.errors:
        assert "Traceback" not in errors
        assert " ERROR: " not in errors
        assert "mine.db" not in errors, "no address in a log"


def test_the_table_has_each_resource_once(crawled: Crawled) -> None:
    engine = create_engine(f"sqlite:///{crawled.folder / 'mine.db'}")
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT url, title, image FROM patterns ORDER BY url")).all()
    assert [row.url[-3:] for row in rows] == [f"/p{number}" for number in range(8)]
    assert rows[0].image.endswith("/pattern.png")
    assert crawled.stats[0]["integrate/new"] == 8
    with Library.open(f"sqlite:///{crawled.folder / 'library.db'}", create=False) as library:
        assert [one["title"] for one in library.resources()] != []
