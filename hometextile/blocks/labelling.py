"""A small local page to give levels in: the page's blocks as boxes, a level a click (standard library only)."""

from __future__ import annotations

import html
import sys
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

from hometextile.blocks.block import LEVELS
from hometextile.blocks.labels import Label, kappa, read_labels, vote, write_labels
from hometextile.blocks.outline import outline
from hometextile.blocks.regions import regions
from hometextile.page.document import Document
from hometextile.text.faults import Fault
from hometextile.text.messages import _

_STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:60em;margin:1em auto;padding:0 1em}"
    ".b{border:1px solid #bbb;border-left:8px solid #bbb;margin:.4em 0;padding:.3em .6em;white-space:pre-wrap}"
    ".b p{margin:0;max-height:9em;overflow:auto}.b small{color:#666}"
    ".noise{border-left-color:#b33}.related{border-left-color:#c90}.main{border-left-color:#283}"
)
_SCRIPT = (
    "document.addEventListener('change',function(e){var b=e.target.closest('.b');"
    "if(b){b.className='b '+e.target.value}})"
)
_MOST_BODY = 1_000_000


class LabelServer:
    """Pages to be labelled, on loopback only.

    Args:
        pages: page id to page.
        folder: where the labels are kept.
    """

    def __init__(self, pages: Mapping[str, Document], folder: Path) -> None:
        self.pages = dict(pages)
        self.folder = folder
        self.regions = {name: regions(outline(document)) for name, document in self.pages.items()}

    def server(self, port: int = 0) -> ThreadingHTTPServer:
        """An HTTP server on 127.0.0.1 that is not yet running."""
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:
                """Quiet."""

            def _send(self, status: int, body: str) -> None:
                data = body.encode("utf-8")
                self.send_response(status)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header(
                    "Content-Security-Policy",
                    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; form-action 'self'",
                )
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def _same_host(self) -> bool:
                return (self.headers.get("Host") or "").split(":")[0] in {"127.0.0.1", "localhost"}

            def do_GET(self) -> None:
                address = urlsplit(self.path)
                name = parse_qs(address.query).get("page", [""])[0]
                if not self._same_host():
                    self._send(403, "")
                elif not name:
                    self._send(200, owner.index())
                elif name in owner.pages:
                    self._send(200, owner.form(name))
                else:
                    self._send(404, html.escape(_("there is no such page")))

            def do_POST(self) -> None:
                origin = urlsplit(self.headers.get("Origin") or "http://127.0.0.1").hostname
                size = int(self.headers.get("Content-Length") or 0)
                if not self._same_host() or origin not in {"127.0.0.1", "localhost"} or not 0 < size <= _MOST_BODY:
                    self._send(403, "")
                    return
                sent = parse_qs(self.rfile.read(size).decode("utf-8", "replace"), max_num_fields=20_000)
                try:
                    self._send(200, owner.take({name: values[0] for name, values in sent.items()}))
                except Fault as fault:
                    self._send(400, html.escape(str(fault)))

        return ThreadingHTTPServer(("127.0.0.1", port), Handler)

    def serve(self, port: int = 0) -> None:
        """Serve until interrupted."""
        with self.server(port) as server:
            print(_("Open http://127.0.0.1:{port}/ (Ctrl-C ends)").format(port=server.server_address[1]), flush=True)
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                print(file=sys.stderr)

    def index(self) -> str:
        """The list of pages, votes and agreement so far."""
        labels = [label for label in read_labels(self.folder) if label.page in self.pages]
        people: dict[str, set[str]] = {}
        for label in labels:
            people.setdefault(label.page, set()).add(label.who)
        rows = ""
        for name in self.pages:
            done = html.escape(", ".join(sorted(people.get(name, ()))))
            rows += f'<li><a href="/?page={quote(name)}">{html.escape(name)}</a> {done}'
        name, value, number = kappa(labels)
        agreement = f"<p>{name} kappa {value:.3f} ({number}), {len(vote(labels))}</p>" if name != "none" else ""
        return _document(_("Pages to label"), f"<ul>{rows}</ul>{agreement}")

    def form(self, name: str) -> str:
        """The blocks of one page with a choice of level each."""
        out = outline(self.pages[name])
        parts = [f'<form method="post"><input type="hidden" name="page" value="{html.escape(name)}">']
        parts.append(f'<p><label>{html.escape(_("Your name"))} <input name="who" required></label></p>')
        for number, region in enumerate(self.regions[name]):
            runs = out.runs[region.first : region.last]
            text = "\n".join(run.text for run in runs)[:1500]
            choice = " ".join(
                f'<label><input type="radio" required name="r{number}" value="{level}"> {level}</label>'
                for level in LEVELS
            )
            pictures = sum(run.images for run in runs)
            parts.append(
                f'<div class="b"><small>{number + 1} · {html.escape(region.path)} · {pictures} img</small>'
                f"<p>{html.escape(text)}</p>{choice}</div>"
            )
        keep = html.escape(_("Keep"))
        parts.append(f"<button>{keep}</button></form>")
        return _document(f"{name} {out.title}", "".join(parts))

    def take(self, sent: dict[str, str]) -> str:
        """Keep what a person sent."""
        name, who = sent.get("page", ""), sent.get("who", "").strip()
        if name not in self.pages:
            raise Fault(_("there is no such page"))
        labels = []
        for number, region in enumerate(self.regions[name]):
            level = sent.get(f"r{number}", "")
            if level not in LEVELS:
                raise Fault(_("no level for block {n}").format(n=number + 1))
            labels.append(Label(name, region.path, region.to, level, who))
        write_labels(self.folder, who, name, labels)
        return _document(_("Kept"), f'<p>{len(labels)}</p><p><a href="/">{html.escape(_("Pages to label"))}</a></p>')


def _document(title: str, body: str) -> str:
    safe = html.escape(title)
    return (
        f"<!doctype html><meta charset=utf-8><title>{safe}</title><style>{_STYLE}</style><h1>{safe}</h1>{body}"
        f"<script>{_SCRIPT}</script>"
    )
