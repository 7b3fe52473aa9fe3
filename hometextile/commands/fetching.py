"""A page for a command to look at: from a file, or fetched once, politely and guarded."""

from __future__ import annotations

import argparse
import gzip
import zlib
from pathlib import Path

from scrapy.commands import ScrapyCommand

from hometextile.page.document import Document
from hometextile.page.page import Page
from hometextile.spiders.look import LookSpider
from hometextile.text.encodings import decode
from hometextile.text.faults import Fault
from hometextile.text.messages import _

_MAX_BYTES = 50_000_000


def quiet(command: ScrapyCommand, opts: argparse.Namespace) -> None:
    """Only errors are logged, unless the user asked for a level: the project's own level is for crawls."""
    if not opts.loglevel and not opts.nolog:
        assert command.settings is not None
        command.settings.set("LOG_LEVEL", "ERROR", priority="cmdline")


def get_documents(command: ScrapyCommand, places: list[str], render: str = "never") -> list[Document]:
    """The pages at *places*, files or addresses, in their order.

    Args:
        command: the command that asks, for its crawler process.
        places: file names and URLs.
        render: ``never``, ``auto`` or ``always``: whether a browser draws what is fetched.

    Raises:
        Fault: a file cannot be read, or an address gives no page.
    """
    fetched: dict[str, list[Page]] = {}
    failed: dict[str, list[str]] = {}
    for place in places:
        if "://" in place and place not in fetched:
            fetched[place], failed[place] = [], []
            assert command.crawler_process
            command.crawler_process.crawl(
                LookSpider, url=place, found=fetched[place], failed=failed[place], render=render
            )
    if fetched:
        assert command.crawler_process
        command.crawler_process.start()
    return [
        _fetched(place, fetched[place], failed[place]) if "://" in place else read_file(Path(place)) for place in places
    ]


def _fetched(place: str, found: list[Page], failed: list[str]) -> Document:
    if not found:
        raise Fault(
            _("{url} gives no page: {why}").format(url=place, why=failed[0] if failed else _("no answer")),
            remedy=_("check the address in a browser, and the site's robots.txt"),
        )
    return found[0].document


def read_file(path: Path) -> Document:
    """A saved page, packed by gzip or not; its address is its file name.

    Raises:
        Fault: it cannot be read, or is larger than 50 MB, unpacked.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            body = file.read(_MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Fault(_("the file cannot be read: {why}").format(why=why), file=path) from None
    if len(body) > _MAX_BYTES:
        raise Fault(_("the file is larger than {n} MB").format(n=_MAX_BYTES // 1_000_000), file=path)
    decoded = decode(body)
    return Document(decoded.text, path.resolve().as_uri(), decoded.encoding)
