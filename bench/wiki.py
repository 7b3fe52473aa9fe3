"""``script/bench wiki``: a wiki program that none of us wrote, asked through its own search form.

DokuWiki (Debian's package, PHP's own server) with 1,500 articles of an encyclopaedia in English; and once more with its
Chinese interface and Chinese pages, behind a small front of ours that serves GBK and takes the search by POST. Wanted
in English: the pages with two textile terms or more per thousand words, asked with the pack's words. The Chinese pages
are news, and next to none is about textiles: there the topic is health, asked with nine words, and wanted are pages
with ten of them or more per thousand. A page is found when the crawl has fetched it.
"""

from __future__ import annotations

import argparse
import gzip
import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from bench.museum import ROOT, free_port
from bench.serving import serving
from hometextile.text.pack import Pack, load_pack
from hometextile.text.words import language_of

#: Debian's places of the program and its settings, and the packages it needs.
PROGRAM, SETTINGS = Path("/usr/share/dokuwiki"), Path("/etc/dokuwiki")
PACKAGES = ("dokuwiki", "php-cli", "php-xml")
ARTICLES = 1_500
#: Textile terms per word from which on a page is wanted.
WANTED = 2 / 1000
#: What the Chinese wiki is asked, and the share of these words from which on a page is wanted.
HEALTH, WANTED_ZH = "医院 医生 患者 手术 疾病 健康 治疗 药物 食品".split(), 10 / 1000  # noqa: SIM905
_BOX = '<input type="text" name="q"><input type="submit" value="搜索">'
_FORM = f'<form id="find" action="/search" method="post">{_BOX}</form>'
_SEARCH = re.compile(r"<form[^>]*(?:dw__search|role=\"search\"|class=\"[^\"]*search)[^>]*>.*?</form>", re.DOTALL)


def install() -> None:
    """Have DokuWiki and PHP installed, if they are not."""
    if PROGRAM.is_dir() and shutil.which("php"):
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *PACKAGES]
    subprocess.run(command, check=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


def english(data: Path) -> list[tuple[str, str]]:
    """Title and text of 1,500 articles."""
    found = []
    with gzip.open(data / "links" / "articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            found.append((row["title"], row["text"]))
    # Every third, so that no letter of the alphabet is left out.
    return found[::3][:ARTICLES]


def chinese(data: Path) -> list[tuple[str, str]]:
    """Title and text of the Chinese pages."""
    found = []
    for line in (data / "content" / "index.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = row.get("text") or ""
        if row.get("language", "").startswith("zh") or language_of(text) == "zh":
            found.append((text.strip().split("\n")[0][:30], text))
    return found


def wanted_pages(pages: list[tuple[str, str]], language: str, pack: Pack) -> set[str]:
    """Ids of the pages on the topic."""
    terms = {word for word, weight in pack.terms.items() if weight >= 0.5} if language == "en" else set(HEALTH)
    least = WANTED if language == "en" else WANTED_ZH
    found = set()
    for number, (title, text) in enumerate(pages):
        words = pack.cutter.cut(f"{title}\n{text}")
        if words and sum(word in terms for word in words) / len(words) >= least:
            found.add(f"a{number:04}")
    return found


def build(folder: Path, pages: list[tuple[str, str]], language: str) -> Path:
    """A wiki with the pages, indexed; gives its folder."""
    wiki = folder / "wiki"
    shutil.copytree(PROGRAM, wiki, ignore_dangling_symlinks=True, ignore=shutil.ignore_patterns("conf", "data"))
    shutil.copytree(SETTINGS, wiki / "conf", ignore_dangling_symlinks=True)
    data = wiki / "data"
    for name in (
        "pages",
        "attic",
        "media",
        "media_attic",
        "media_meta",
        "meta",
        "cache",
        "index",
        "locks",
        "tmp",
        "log",
    ):
        (data / name).mkdir(parents=True)
    define = f"<?php define('DOKU_CONF', '{wiki}/conf/');"
    (wiki / "inc" / "preload.php").write_text(define, encoding="utf-8")
    settings = {
        "title": "Wiki",
        "lang": language,
        "useacl": 0,
        "savedir": str(data),
        "useheading": "1",
        "template": "dokuwiki",
    }
    body = "".join(f"$conf[{key!r}] = {value!r};\n" for key, value in settings.items())
    (wiki / "conf" / "local.php").write_text("<?php\n" + body, encoding="utf-8")
    (data / "pages" / "start.txt").write_text("====== Wiki ======\n\nAn encyclopaedia.\n", encoding="utf-8")
    for number, (title, text) in enumerate(pages):
        lines = [line.strip() for line in text.splitlines()]
        page = f"====== {title} ======\n\n" + "\n\n".join(line for line in lines if line)
        (data / "pages" / f"a{number:04}.txt").write_text(page, encoding="utf-8")
    command = ["php", "-d", "display_errors=0", str(wiki / "bin" / "indexer.php"), "-q"]
    subprocess.run(command, check=True, cwd=wiki, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return wiki


@contextmanager
def served(wiki: Path) -> Iterator[str]:
    """The wiki on loopback; gives its address."""
    port = free_port()
    command = ["php", "-d", "display_errors=0", "-S", f"127.0.0.1:{port}", "-t", str(wiki)]
    environment = {**os.environ, "PHP_CLI_SERVER_WORKERS": "3"}
    server = subprocess.Popen(
        command, cwd=wiki, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    address = f"http://127.0.0.1:{port}/doku.php"
    try:
        for _ in range(60):
            try:
                urllib.request.urlopen(address, timeout=30).read()
                break
            except OSError:
                time.sleep(0.5)
        yield address
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(20)


@contextmanager
def fronted(address: str) -> Iterator[str]:
    """The wiki in GBK, its search by POST."""
    inner = urllib.parse.urlsplit(address).netloc

    class Front(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

        def do_GET(self) -> None:
            self._give(self.path)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("ascii", "replace")
            word = urllib.parse.parse_qs(body, encoding="gb18030").get("q", [""])[0]
            self._give("/doku.php?" + urllib.parse.urlencode({"do": "search", "q": html.unescape(word)}))

        def _give(self, path: str) -> None:
            try:
                with urllib.request.urlopen(f"http://{inner}{path}", timeout=60) as answer:
                    status, kind, body = answer.status, answer.headers.get("Content-Type", ""), answer.read()
            except urllib.error.HTTPError as error:
                status, kind, body = error.code, error.headers.get("Content-Type", ""), error.read()
            if kind.startswith("text/html"):
                text = body.decode("utf-8", "replace").replace(inner, self.headers.get("Host", ""))
                text = _SEARCH.sub(_FORM, text).replace('charset="utf-8"', 'charset="gbk"')
                body, kind = text.encode("gb18030"), "text/html; charset=gbk"
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with serving(Front) as address:
        yield f"{address}/doku.php"


def crawl(folder: Path, address: str, language: str) -> tuple[set[str], dict[str, Any]]:
    """Crawl; the ids of the pages fetched, and the crawl's counters."""
    from sqlalchemy import select

    from hometextile.library import tables
    from hometextile.library.library import Library

    (folder / "rules").mkdir()
    (folder / "rules" / "wiki.yaml").write_text(
        f"title: wiki\nstart:\n  - {address}\nmode: deep\nlanguage: {language}\nrender: never\n"
        "allow: {private: [127.0.0.1]}\nlimits: {delay: 0, concurrency: 4, queries: 200, pages: 20000}\n"
        + (f"keywords: [{', '.join(HEALTH)}]\nrelevance: 0\n" if language == "zh" else ""),
        encoding="utf-8",
    )
    library = f"sqlite:///{folder / 'library.db'}"
    stats = folder / "stats.json"
    command = [sys.executable, "-m", "scrapy", "crawl", "wiki", "--logfile", str(folder / "crawl.log")]
    for name, value in (("RULES_FOLDER", folder / "rules"), ("LIBRARY_URL", library), ("STATS_FILE", stats)):
        command += ["-s", f"{name}={value}"]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "SCRAPY_SETTINGS_MODULE": "hometextile.settings"})
    shelf = Library.open(library)
    urls = shelf.database.read(lambda connection: connection.execute(select(tables.pages.c.url)).scalars().all())
    shelf.close()
    found = {match[1] for url in urls if (match := re.search(r"[?&]id=(a\d{4})(?:&|$)", url))}
    return found, dict(json.loads(stats.read_text(encoding="utf-8")))


def run(folder: Path, pages: list[tuple[str, str]], language: str, pack: Pack) -> dict[str, int]:
    """Build, serve, crawl, compare."""
    folder.mkdir(parents=True)
    wanted = wanted_pages(pages, language, pack)
    wiki = build(folder, pages, language)
    with served(wiki) as address:
        if language == "zh":
            with fronted(address) as front:
                found, stats = crawl(folder, front, language)
        else:
            found, stats = crawl(folder, address, language)
    figures = {
        "found": len(found & wanted),
        "wanted": len(wanted),
        "queries": int(stats.get("form/queries", 0)),
        "requests": int(stats.get("downloader/request_count", 0)),
    }
    print(f"-- {language}: {len(pages)} pages")
    print(f"textile pages fetched  {figures['found']} of {figures['wanted']}; others {len(found - wanted)}")
    print(f"queries, requests      {figures['queries']}, {figures['requests']}", flush=True)
    return figures


def main(argv: list[str]) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="script/bench wiki")
    parser.add_argument("--data", type=Path, required=True, help="folder with links/ and content/")
    parser.add_argument("--keep", type=Path, help="keep wikis, libraries and logs in this folder")
    parser.add_argument("--only", choices=["en", "zh"], help="no other run than this")
    options = parser.parse_args(argv)
    install()
    pack = load_pack()
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as scratch:
        top = options.keep or Path(scratch)
        if options.only != "zh":
            result |= run(top / "en", english(options.data), "en", pack)
        if options.only != "en":
            result["zh"] = run(top / "zh", chinese(options.data), "zh", pack)
    print(json.dumps(result))
    return 0
