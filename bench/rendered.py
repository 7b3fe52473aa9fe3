"""``script/bench rendered --out DIR``: a set of rendered pages with their own styles and their true text.

Programs (DokuWiki, Datasette, Fossil, the demo source) and documentation of Debian packages are served on loopback and
drawn by the crawl's own browser engine: each page is written as the render middleware writes it, with boxes and styles.
``bench/pages/sites.yaml`` says which pages, and what is main on them. What is not installed is named and left out;
``script/bench blocks --rendered DIR`` measures.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

from bench.pages.programs import PROGRAMS, files, lacking
from bench.pages.truth import WHO, Entry, Site, Truth, read_sites
from hometextile.blocks.labels import write_labels
from hometextile.blocks.learning import read_index, read_page
from hometextile.page.document import Document
from hometextile.render.browser import Browser, RenderFailed
from hometextile.render.guard import AddressGuard
from hometextile.text.encodings import decode

#: Pages that the set must have, and sites that they must be of.
LEAST_PAGES, LEAST_SITES = 60, 8


def missing(site: Site) -> str:
    """The Debian packages that a site needs and that are not there; '' where all are."""
    if site.program:
        return lacking(site.program)
    return "" if Path(site.root).is_dir() else site.package


def _version(site: Site) -> str:
    """The version of the package that a site's pages came from."""
    name = site.package or {"dokuwiki": "dokuwiki", "dokuwiki-en": "dokuwiki", "fossil": "fossil"}.get(site.program, "")
    if not name:
        return ""
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=False)
    return asked.stdout.strip()


def _answer(url: str, data: bytes | None = None) -> Document:
    """The page as the server sends it."""
    asked = urllib.request.Request(urllib.parse.quote(url, safe="/:?&=%+;,()~!$'*@"), data)
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return Document(decode(answer.read(), answer.headers.get("Content-Type")).text, answer.url)


def _fetch(address: str, entry: Entry) -> Document:
    """The page of an entry; a form is sent in GBK, as the demo's are.

    Raises:
        OSError: it is not to be had, or has not the link that is to be followed.
    """
    data = None
    if entry.post is not None:
        data = urllib.parse.urlencode(entry.post, encoding="gbk", errors="xmlcharrefreplace").encode()
    page = _answer(f"{address}/{entry.path}", data)
    if not entry.follow:
        return page
    for link in page.tree.iter("a"):
        if link.get("href") and entry.follow in link.text_content():
            return _answer(urllib.parse.urljoin(page.base_url, link.get("href")))
    raise OSError(f"no link {entry.follow!r} on {page.url}")


class Maker:
    """Writes the set into a folder."""

    def __init__(self, out: Path, pictures: bool) -> None:
        self.out = out
        self.pictures = pictures
        self.rows: list[dict[str, Any]] = []
        self.failed: list[str] = []

    async def site(self, site: Site, address: str) -> None:
        """Draw and write a site's pages."""
        async with Browser(AddressGuard([address.partition("//")[2]]), concurrency=1) as browser:
            for entry in site.pages:
                try:
                    page = await asyncio.to_thread(_fetch, address, entry)
                    drawn = await browser.draw(page.url, html=page.text, screenshot="page" if self.pictures else "")
                except (OSError, RenderFailed) as problem:
                    self.failed.append(f"{entry.id}: {problem}")
                    continue
                # The port is another one each time; the set must not know it.
                self._write(site, entry, drawn.html.replace(address, f"http://{site.name}.example"))
                if drawn.screenshot:
                    (self.out / "pictures" / f"{entry.id}.png").write_bytes(drawn.screenshot)

    def _write(self, site: Site, entry: Entry, html: str) -> None:
        url = f"http://{site.name}.example/{entry.path}"
        truth = Truth(Document(html, url), site, entry)
        text = truth.text()
        if not text or truth.unused:
            self.failed.append(f"{entry.id}: nothing is {'main' if not text else ', '.join(truth.unused)}")
            return
        file = f"pages/{entry.id}.html.gz"
        (self.out / file).write_bytes(gzip.compress(html.encode("utf-8"), mtime=0))
        write_labels(self.out / "labels", WHO, entry.id, truth.labels(entry.id))
        self.rows.append(
            {"file": file, "source": site.name, "family": site.family, "generator": site.generator, "url": url,
             "language": entry.language, "kind": entry.kind, "text": text}
        )



def write_index(out: Path, rows: list[dict[str, Any]]) -> None:
    """The index of a folder of pages."""
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    (out / "index.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def make(sites: list[Site], out: Path, pictures: bool) -> Maker:
    """Make the set.

    Args:
        sites: whose pages are wanted; those that are not installed must be left out before.
        out: folder; what it held of an earlier set goes.
        pictures: whether a picture of each page is kept beside it.
    """
    for name in ("pages", "labels", "pictures"):
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir(parents=True)
    maker = Maker(out, pictures)
    for program in dict.fromkeys(site.program or site.root for site in sites):
        mine = [site for site in sites if (site.program or site.root) == program]
        with tempfile.TemporaryDirectory() as scratch:
            served = PROGRAMS[program](Path(scratch)) if mine[0].program else files(Path(program))
            with served as address:
                for site in mine:
                    asyncio.run(maker.site(site, address))
                    print(f"{site.name:14}{sum(row['source'] == site.name for row in maker.rows):4} pages"
                          f"  {site.generator}  {_version(site)}", flush=True)
    write_index(out, maker.rows)
    return maker


async def draw_saved(data: Path, out: Path, one_in: int) -> list[dict[str, Any]]:
    """Draw saved pages of the web as they are, with nothing fetched: every so many-th row of a folder's index."""
    rows = []
    async with Browser(AddressGuard(), concurrency=1) as browser:
        for row in read_index(data)[::one_in]:
            try:
                # An address that nobody answers under: a script can ask for nothing.
                drawn = await browser.draw("http://saved.invalid/", html=read_page(data, row).text)
            except RenderFailed as problem:
                print(f"{row['file']}: {problem}", file=sys.stderr)
                continue
            (out / row["file"]).write_bytes(gzip.compress(drawn.html.encode("utf-8"), mtime=0))
            rows.append(row)
    return rows


def main(argv: list[str]) -> int:
    """Make the set.

    Returns:
        0; 1 where a page could not be made, or the set is too small.
    """
    parser = argparse.ArgumentParser(prog="script/bench rendered", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    parser.add_argument("--site", action="append", help="only this site; may be given more than once")
    parser.add_argument("--pictures", action="store_true", help="keep a picture of each page")
    parser.add_argument("--saved", type=Path, help="draw the saved pages of this folder instead")
    parser.add_argument("--one-in", type=int, default=4, help="with --saved: one page in so many")
    options = parser.parse_args(argv)
    if options.saved:
        (options.out / "pages").mkdir(parents=True, exist_ok=True)
        rows = asyncio.run(draw_saved(options.saved, options.out, options.one_in))
        write_index(options.out, rows)
        print(json.dumps({"pages": len(rows)}))
        return 0
    sites = [site for site in read_sites() if not options.site or site.name in options.site]
    absent = {site.name: missing(site) for site in sites}
    for name, packages in absent.items():
        if packages:
            print(f"{name}: left out, since it is not installed: apt-get install {packages}", file=sys.stderr)
    maker = make([site for site in sites if not absent[site.name]], options.out, options.pictures)
    for problem in maker.failed:
        print(problem, file=sys.stderr)
    counted = Counter(row["source"] for row in maker.rows)
    few = not options.site and (len(maker.rows) < LEAST_PAGES or len(counted) < LEAST_SITES)
    if few:
        print(f"too few: wanted are {LEAST_PAGES} pages of {LEAST_SITES} sites", file=sys.stderr)
    kinds = Counter(row["kind"] for row in maker.rows)
    print(json.dumps({"pages": len(maker.rows), "sites": len(counted), "kinds": dict(kinds.most_common())}))
    return 1 if few or maker.failed else 0
