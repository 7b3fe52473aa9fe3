"""``scrapy reprocess [SITE]``: changed rules, models or words over stored pages, without fetching."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.spiderloader import get_spider_loader

from hometextile.addon import PLAIN, library_url
from hometextile.integrating import open_mediator
from hometextile.library.library import Library
from hometextile.reprocessing import Done, Run, reprocess
from hometextile.spiders.site import SiteSpider
from hometextile.text.faults import Fault
from hometextile.text.messages import _

_SHOWN = 30


class Command(ScrapyCommand):
    """Can be stopped with Ctrl-C at any time and goes on where it was when it is started again."""

    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[SITE] [options]"

    def short_desc(self) -> str:
        return _("Run changed rules and models over stored pages, without fetching")

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--jobs", type=int, default=0, help=_("processes at once (default: one a core)"))
        parser.add_argument("--restart", action="store_true", help=_("begin again, even if the last run was stopped"))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) > 1:
            raise UsageError
        try:
            self._run(args[0] if args else None, opts)
        except Fault as fault:
            print(fault, file=sys.stderr)
            self.exitcode = 2

    def _run(self, name: str | None, opts: argparse.Namespace) -> None:
        assert self.settings is not None
        loader = get_spider_loader(self.settings)
        self._stop = False
        before = signal.signal(signal.SIGINT, self._interrupt)
        try:
            with Library.of_settings(library_url(self.settings), self.settings, create=False) as library:
                known = set(loader.list())
                if name is not None and name not in known:
                    raise Fault(
                        _("there is no site file for {name}").format(name=name),
                        remedy=_("`scrapy list` names those there are"),
                    )
                for site in [name] if name is not None else sorted(known & set(library.counts()["by_site"])):
                    spider = loader.load(site)
                    if issubclass(spider, SiteSpider) and not self._stop:
                        self._site(library, spider, opts)
        finally:
            signal.signal(signal.SIGINT, before)

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self._stop = True

    def _site(self, library: Library, spider: type[SiteSpider], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        if spider.site.data.integrate is not None:
            # What is wrong with the map is said once and before anything is done.
            open_mediator(spider.site).close()
        run = Run.open(library, spider.name, Path.cwd()) if not opts.restart else None
        if run is None:
            run = Run(Path.cwd() / f"reprocess-{spider.name}.json", library.address, spider.name)
        if run.after:
            print(_("{site}: going on after page {number}").format(site=spider.name, number=run.after))
        console = Console(file=sys.stderr)
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
        with Progress(*columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal) as bar:
            task = bar.add_task(spider.name, total=None)
            model = self.settings.get("IMPORTANCE_MODEL") or PLAIN["IMPORTANCE_MODEL"]
            done, through = reprocess(
                library,
                spider.site,
                run,
                jobs=max(1, opts.jobs or len(os.sched_getaffinity(0))),
                model=model,
                told=lambda number, of: bar.update(task, completed=number, total=of),
                stopped=lambda: self._stop,
            )
        _tell(spider.name, done, run.counts)
        if done.counts["integrate/failed"]:
            self.exitcode = 1
            print(
                _("Not everything is in your own table; run `scrapy integrate {map}` afterwards.").format(
                    map=spider.site.data.integrate
                ),
                file=sys.stderr,
            )
        if not through:
            self.exitcode = 130
            print(_("Stopped; the same command goes on after page {number}.").format(number=run.after), file=sys.stderr)


def _tell(site: str, done: Done, counts: Counter[str]) -> None:
    """What changed."""
    words: dict[str, Any] = {
        "new": _("new"), "changed": _("changed"), "same": _("as they were"), "duplicate": _("duplicates"),
        "lost": _("no longer given (they stay in the library)"),
    }  # fmt: skip
    print(_("{site}: {pages} pages").format(site=site, pages=counts["pages"]))
    for name, word in words.items():
        if counts[name]:
            print(f"  {word}: {counts[name]}")
    own = {"new": _("new"), "changed": _("changed"), "same": _("as they were"), "rejected": _("rejected")}
    said = [f"{word} {counts[f'integrate/{name}']}" for name, word in own.items() if counts[f"integrate/{name}"]]
    if said:
        print("  " + _("in your own table") + ": " + ", ".join(said))
    for what, url, values in done.changes[:_SHOWN]:
        print(f"  {words[what].split(' (')[0]}: {url}" + (f" ({values})" if values else ""))
    if len(done.changes) > _SHOWN:
        print("  " + _("and {n} more").format(n=len(done.changes) - _SHOWN))
