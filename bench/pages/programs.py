"""Programs whose pages are drawn: each is started on loopback, filled with texts of our own, and stopped.

What they are filled with is the demo source's content and ``forum.yaml``, so that the pages are the same every time.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import yaml

from bench.museum import free_port
from bench.serving import serving
from bench.wiki import PROGRAM as DOKUWIKI
from bench.wiki import build as build_wiki
from bench.wiki import served as served_wiki
from hometextile.demo.content import Item, items
from hometextile.demo.server import serve

#: Where Debian keeps DokuWiki's own pages.
_WIKI_PAGES = Path("/var/lib/dokuwiki/data/pages/wiki")
_FORUM = Path(__file__).with_name("forum.yaml")
#: Sections of the demo source that become tables and pages.
_TABLES = ("product", "museum", "std", "lit")


def _wait(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(120):
        try:
            urllib.request.urlopen(address, timeout=10).read()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            if server.poll() is not None:
                break
            time.sleep(0.25)
    raise RuntimeError(f"{server.args!r} did not start")


@contextmanager
def _running(command: list[str], address: str, folder: Path) -> Iterator[str]:
    environment = {**os.environ, "HOME": str(folder), "FOSSIL_HOME": str(folder)}
    server = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )
    try:
        _wait(address, server)
        yield address
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(20)


# Datasette ----------------------------------------------------------------------------------------------------------
def fill_database(path: Path) -> None:
    """A table for each of some sections of the demo source, with a full-text index over title and text."""
    base = sqlite3.connect(path)
    for section in _TABLES:
        there = items(section, 1)
        fields = list(dict.fromkeys(name for item in there for name in item.fields))[:5]
        columns = ["id", "title", "text", "published", *fields]
        named = ", ".join(f"[{name}]" for name in columns)
        base.execute(f"create table [{section}] ({named}, primary key (id))")
        rows = [
            [item.key, item.title, item.text, item.published, *(item.fields.get(name, "") for name in fields)]
            for item in there
        ]
        base.executemany(f"insert into [{section}] values ({', '.join('?' * len(columns))})", rows)
        base.execute(f"create virtual table [{section}_fts] using fts5 (title, text, content=[{section}])")
        base.execute(f"insert into [{section}_fts] ([{section}_fts]) values ('rebuild')")
    base.commit()
    base.close()


@contextmanager
def datasette(folder: Path) -> Iterator[str]:
    """Datasette over a small database of ours."""
    database = folder / "textiles.db"
    fill_database(database)
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "datasette", "serve", "-i", str(database), "--port", str(port)]
    command += ["--setting", "default_page_size", "20"]
    with _running(command, address, folder):
        yield address


# DokuWiki -----------------------------------------------------------------------------------------------------------
def _as_wiki(item: Item) -> str:
    """A record as a wiki page: an introduction, a heading for what follows, a table of its fields."""
    parts = [item.paragraphs[0]] if item.paragraphs else []
    if item.fields:
        parts.append("===== 资料 =====\n\n" + "\n".join(f"^ {name} | {value} |" for name, value in item.fields.items()))
    if item.paragraphs[1:]:
        parts.append("===== 说明 =====\n\n" + "\n\n".join(item.paragraphs[1:]))
    return "\n\n".join(parts)


def wiki_pages() -> list[tuple[str, str, str]]:
    """Id, title and source text of the wiki's own pages: records, and a list of each section with its longest text."""
    found = []
    for section in ("culture", "craft", *_TABLES):
        there = sorted(items(section, 1), key=lambda item: item.key)
        found += [(f"{section}:{item.key}", item.title, _as_wiki(item)) for item in there[:6]]
        lines = "\n".join(f"  * [[{section}:{item.key}|{item.title}]]：{item.paragraphs[0]}" for item in there[:30])
        found.append((f"{section}:start", f"目录：{section}", f"本页列出馆内的记录，按编号排列。\n\n{lines}"))
        long = "\n\n".join(f"===== {item.title} =====\n\n" + "\n\n".join(item.paragraphs) for item in there[:9])
        found.append((f"{section}:all", f"合编：{section}", long))
    return found


@contextmanager
def dokuwiki(folder: Path) -> Iterator[str]:
    """DokuWiki with its own manual pages and ours, as a Chinese wiki."""
    with _dokuwiki(folder, "zh") as address:
        yield address


@contextmanager
def dokuwiki_en(folder: Path) -> Iterator[str]:
    """The same with the English interface."""
    with _dokuwiki(folder, "en") as address:
        yield address


@contextmanager
def _dokuwiki(folder: Path, language: str) -> Iterator[str]:
    wiki = build_wiki(folder, [], language)
    place = wiki / "data" / "pages"
    shutil.copytree(_WIKI_PAGES, place / "wiki", dirs_exist_ok=True)
    for name, title, text in wiki_pages():
        section, _colon, key = name.partition(":")
        (place / section).mkdir(exist_ok=True)
        (place / section / f"{key}.txt").write_text(f"====== {title} ======\n\n{text}\n", encoding="utf-8")
    command = ["php", "-d", "display_errors=0", str(wiki / "bin" / "indexer.php"), "-q"]
    subprocess.run(command, check=True, cwd=wiki, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with served_wiki(wiki) as address:
        yield address.rpartition("/")[0]


# Fossil -------------------------------------------------------------------------------------------------------------
class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        """The address that an answer leads to is what is wanted."""


def _post(address: str, path: str, **values: str) -> str:
    """Send a form of Fossil's; the last part of the address that the answer leads to."""
    request = urllib.request.Request(
        address + path, urllib.parse.urlencode(values).encode(), {"Referer": address + path.replace("1", "new")}
    )
    try:
        with urllib.request.build_opener(_Stay).open(request, timeout=30) as answer:
            return str(answer.headers.get("Location") or "").rpartition("/")[2]
    except urllib.error.HTTPError as answer:
        if answer.code not in {301, 302, 303}:
            raise
        return str(answer.headers.get("Location") or "").rpartition("/")[2]


def _fill_fossil(folder: Path, address: str, repository: Path) -> None:
    told = yaml.safe_load(_FORUM.read_text(encoding="utf-8"))
    for thread in told["threads"]:
        first = _post(address, "/forume1", title=thread["title"], content=thread["posts"][0],
                      mimetype="text/x-markdown", submit="Submit")
        last = first
        for number, text in enumerate(thread["posts"][1:]):
            last = _post(address, "/forume2", fpid=last if number % 2 else first, reply="1", content=text,
                         mimetype="text/x-markdown", submit="Submit")
    for title, text in told["wiki"].items():
        _fossil(folder, "wiki", "create", title, "-", "-M", "markdown", "-R", str(repository), text=text)
    for title, text in told["tickets"].items():
        _fossil(folder, "ticket", "add", "title", title, "status", "Open", "type", "Code_Defect", "severity",
                "Important", "icomment", text, "-R", str(repository))


def _fossil(folder: Path, *arguments: str, text: str = "") -> None:
    environment = {**os.environ, "HOME": str(folder), "FOSSIL_HOME": str(folder), "USER": "admin"}
    subprocess.run(
        ["fossil", *arguments], cwd=folder, env=environment, input=text.encode(), check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )


@contextmanager
def fossil(folder: Path) -> Iterator[str]:
    """Fossil: forum, wiki, tickets, timeline and files of a small project of ours."""
    repository, work = folder / "weaves.fossil", folder / "work"
    work.mkdir()
    _fossil(folder, "init", "-A", "admin", "--project-name", "Weaves", str(repository))
    _fossil(work, "open", "--force", str(repository))
    for number, item in enumerate(items("museum", 1)[:12]):
        (work / f"{item.key}.txt").write_text(f"{item.title}\n\n{item.text}\n", encoding="utf-8")
        _fossil(work, "add", f"{item.key}.txt")
        _fossil(work, "commit", "-m", f"Describe object {number + 1}: {item.title}", "--no-warnings")
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = ["fossil", "server", "--localhost", "--localauth", "-P", str(port), str(repository)]
    with _running(command, address, folder):
        _fill_fossil(folder, address, repository)
        yield address


# pydoc --------------------------------------------------------------------------------------------------------------
@contextmanager
def pydoc(folder: Path) -> Iterator[str]:
    """Python's own documentation server."""
    address = f"http://127.0.0.1:{(port := free_port())}"
    with _running(["/usr/bin/python3", "-m", "pydoc", "-n", "127.0.0.1", "-p", str(port)], address, folder):
        yield address


# the demo source and folders of files ---------------------------------------------------------------------------------
@contextmanager
def demo(folder: Path) -> Iterator[str]:
    """The demo source."""
    del folder
    with serve(slow=0.0) as server:
        yield server.address


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is said of a request."""


def files(folder: Path) -> AbstractContextManager[str]:
    """A folder of files."""
    return serving(partial(_Quiet, directory=str(folder)))


# static blogs -------------------------------------------------------------------------------------------------------
#: Sections of the demo source whose records become posts.
_POSTS = ("news", "culture", "craft")


def posts() -> list[Item]:
    """What the blogs hold: the newest records of some sections that bear a date."""
    found = []
    for section in _POSTS:
        dated = [item for item in items(section, 1) if item.published and item.paragraphs]
        found += sorted(dated, key=lambda item: (item.published, item.key))[-8:]
    return found


@contextmanager
def jekyll(folder: Path) -> Iterator[str]:
    """A blog made by Jekyll with its theme Minima."""
    source, made = folder / "blog", folder / "made"
    (source / "_posts").mkdir(parents=True)
    about = "Minima\ntitle: 布艺札记\ndescription: 家纺面料、纹样与织造的笔记\nemail: editor@blog.example\nlang: zh\n"
    about += "show_excerpts: true\npermalink: /:title.html\nfuture: true\ntimezone: UTC\n"
    (source / "_config.yml").write_text("theme: " + about.replace("Minima", "minima", 1), encoding="utf-8")
    (source / "index.md").write_text("---\nlayout: home\n---\n", encoding="utf-8")
    first = items("culture", 1)[0]
    (source / "about.md").write_text(
        f"---\nlayout: page\ntitle: 关于\npermalink: /about.html\n---\n\n{first.text}\n", encoding="utf-8"
    )
    for item in posts():
        head = f"---\nlayout: post\ntitle: {item.title!r}\nauthor: 编辑部\n---\n\n"
        text = "\n\n".join(item.paragraphs)
        (source / "_posts" / f"{item.published}-{item.key}.md").write_text(f"{head}{text}\n", encoding="utf-8")
    _build(["jekyll", "build", "--source", str(source), "--destination", str(made)], folder)
    with files(made) as address:
        yield address


@contextmanager
def pelican(folder: Path) -> Iterator[str]:
    """A blog made by Pelican with its simple theme, which has no style."""
    source, made = folder / "notes", folder / "made"
    source.mkdir()
    for item in posts():
        text = "\n\n".join(item.paragraphs)
        head = f"Title: {item.title}\nDate: {item.published}\nCategory: {item.section}\nTags: {item.category}\n"
        head += f"Author: 编辑部\nSlug: {item.key}\nSummary: {item.paragraphs[0]}\n"
        (source / f"{item.key}.md").write_text(f"{head}\n{text}\n", encoding="utf-8")
    settings = folder / "settings.py"
    settings.write_text(
        "SITENAME = '布艺札记'\nTIMEZONE = 'UTC'\nDEFAULT_LANG = 'zh'\nTHEME = 'simple'\nDEFAULT_PAGINATION = 10\n",
        encoding="utf-8",
    )
    _build(["pelican", str(source), "-o", str(made), "-s", str(settings)], folder)
    with files(made) as address:
        yield address


def _build(command: list[str], folder: Path) -> None:
    """Let a program make its pages; the languages of the surroundings must not matter."""
    environment = {**os.environ, "HOME": str(folder), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)


#: What a site may name as its program.
PROGRAMS: dict[str, Callable[[Path], AbstractContextManager[str]]] = {
    "datasette": datasette, "dokuwiki": dokuwiki, "dokuwiki-en": dokuwiki_en, "fossil": fossil, "demo": demo,
    "pydoc": pydoc, "jekyll": jekyll, "pelican": pelican,
}
#: Debian packages of the programs that make a blog.
_MAKERS = {"jekyll": "jekyll jekyll-theme-minima", "pelican": "pelican"}


def lacking(program: str) -> str:
    """What has to be installed for a program, '' where it is there."""
    if program.startswith("dokuwiki"):
        return "" if DOKUWIKI.is_dir() and _WIKI_PAGES.is_dir() and shutil.which("php") else "dokuwiki php-cli php-xml"
    if program in _MAKERS:
        return "" if shutil.which(program) else _MAKERS[program]
    if program == "fossil":
        return "" if shutil.which("fossil") else "fossil"
    if program == "pydoc":
        return "" if Path("/usr/bin/python3").exists() else "python3"
    return ""
