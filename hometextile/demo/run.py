"""``script/demo``: serve the demo source, crawl it into SQLite, say what was found beside what there was to find."""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from hometextile.demo.scoring import Score, score
from hometextile.demo.server import serve
from hometextile.demo.truth import truth
from hometextile.library.library import Library
from hometextile.text.messages import _
from hometextile.text.pack import load_pack

#: The port that ``rules/demo.yaml`` names. On another one every address is another, so that the library is another too.
PORT = 8791


def _free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def main(argv: list[str] | None = None) -> int:
    """Run the demo; the last line is one JSON object."""
    parser = argparse.ArgumentParser(prog="script/demo")
    parser.add_argument("--library", help=_("address of the library (default: sqlite:///demo.db)"))
    options = parser.parse_args(argv)
    port = next(number for number in range(PORT, PORT + 50) if _free(number))
    if port != PORT:
        print(
            _("Port {port} is taken; the demo source listens on {other}.").format(port=PORT, other=port),
            file=sys.stderr,
        )
    library = options.library or ("sqlite:///demo.db" if port == PORT else f"sqlite:///demo-{port}.db")
    begun = time.monotonic()
    with serve("127.0.0.1", port) as server:
        print(
            _("The demo source listens on {address}; crawling it ...").format(address=server.address), file=sys.stderr
        )
        code = _crawl(server.address, library)
        violations = list(server.site.violations)
    if code:
        print(_("The crawl failed; see demo.log."), file=sys.stderr)
        return code
    result = _compare(library)
    _print(result, library, time.monotonic() - begun, violations)
    print(json.dumps(result.figures()))
    return 0


def _crawl(address: str, library: str) -> int:
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "crawl",
        "demo",
        "-a",
        f"start={address}/",
        "-s",
        f"LIBRARY_URL={library}",
        "-s",
        f"PROGRESS={'1' if sys.stderr.isatty() else '0'}",
    ]
    if sys.stderr.isatty():
        command += ["--logfile", "demo.log"]
    environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "hometextile.settings"}
    environment.pop("HOMETEXTILE_LIBRARY_URL", None)
    return subprocess.run(command, check=False, env=environment).returncode


def _compare(library: str) -> Score:
    shelf = Library.open(library)
    try:
        return score(shelf.resources(), truth())
    finally:
        shelf.close()


def _print(result: Score, library: str, seconds: float, violations: Sequence[object]) -> None:
    console = Console(width=None if sys.stdout.isatty() else 110)
    names = {row["section"]: row["deep"] for row in truth() if row["kind"] == "resource"}
    table = Table(
        title=_("Found beside what there was to find ({seconds:.0f} s)").format(seconds=seconds), title_justify="left"
    )
    for column in (_("section"), _("behind a form"), _("found"), _("wanted")):
        table.add_column(column, justify="right" if column in {_("found"), _("wanted")} else "left")
    for section, (found, wanted) in sorted(result.sections.items()):
        table.add_row(section, _("yes") if names.get(section) else _("no"), str(found), str(wanted))
    console.print(table)
    console.print(
        _("In the right library: {right} of {found}; in the right class: {classes}.").format(
            right=result.right_library, found=len(result.found), classes=result.right_class
        )
    )
    if result.wrong:
        console.print(
            _("Stored and not wanted: {list}").format(list="; ".join(f"{p} ({w})" for p, w in result.wrong[:10]))
        )
    if result.missed:
        console.print(_("Missed: {list}").format(list="; ".join(row["url"] for row in result.missed[:10])))
    if result.bad_text:
        console.print(_("Texts that lack something or have too much: {n}").format(n=len(result.bad_text)))
    if violations:
        console.print(_("The source complains of: {list}").format(list=violations[:5]))
    words = " ".join(load_pack().keywords("zh")[:1])
    console.print(
        _("Search it:"), f"HOMETEXTILE_LIBRARY_URL={library} .venv/bin/scrapy library search {words}", highlight=False
    )


if __name__ == "__main__":
    sys.exit(main())
