"""``scrapy site new URL`` looks at a site and writes a commented site file; ``scrapy site check`` validates."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hometextile.page.page import Page
from hometextile.sites import _web_address, json_schema, load_site, rules_folder, site_files
from hometextile.spiders.look import LookSpider
from hometextile.spiders.proposal import look_at, write_site_file
from hometextile.text.faults import Fault
from hometextile.text.messages import _


class Command(ScrapyCommand):
    """Site files: write one, check them, write their JSON Schema."""

    requires_project = True

    def syntax(self) -> str:
        return "new URL [--name NAME] | check [NAME ...] | schema [FILE]"

    def short_desc(self) -> str:
        return _("Look at a site and write its file; check site files")

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--name", help=_("name of the new site file"))
        parser.add_argument("--render", choices=["never", "auto", "always"], default="auto")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        if not opts.loglevel:
            self.settings.set("LOG_LEVEL", "ERROR", "cmdline")  # type: ignore[union-attr]

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        actions = {"new": self._new, "check": self._check, "schema": self._schema}
        if not args or args[0] not in actions:
            raise UsageError
        try:
            actions[args[0]](args[1:], opts)
        except Fault as fault:
            print(fault, file=sys.stderr)
            self.exitcode = 2

    def _new(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError
        try:
            url = _web_address(args[0] if "://" in args[0] else f"https://{args[0]}")
        except ValueError as error:
            raise Fault(str(error)) from None
        folder = rules_folder(self.settings.get("RULES_FOLDER"))  # type: ignore[union-attr]
        name = opts.name or re.sub(r"[^a-z0-9]+", "_", (urlsplit(url).hostname or "site").removeprefix("www.")).strip(
            "_"
        )
        path = Path(str(folder)) / f"{name}.yaml"
        if path.exists():
            raise Fault(
                _("there is a site file of that name already"), file=path, remedy=_("choose another with --name")
            )
        page = self._fetch(url, opts.render)
        sight = look_at(page, url)
        sight.print(Console())
        path.write_text(write_site_file(sight, url), encoding="utf-8")
        load_site(path)
        print(_("Written: {path}").format(path=path))
        print(_("Next: scrapy crawl {name} -a preview=20").format(name=name))

    def _fetch(self, url: str, render: str) -> Page:
        found: list[Page] = []
        failed: list[str] = []
        assert self.crawler_process
        self.crawler_process.crawl(LookSpider, url=url, found=found, failed=failed, render=render)
        self.crawler_process.start()
        if not found:
            raise Fault(
                _("{url} gives no page: {why}").format(url=url, why=failed[0] if failed else _("no answer")),
                remedy=_("check the address in a browser, and the site's robots.txt"),
            )
        return found[0]

    def _check(self, args: list[str], opts: argparse.Namespace) -> None:
        files = dict(site_files(self.settings.get("RULES_FOLDER")))  # type: ignore[union-attr]
        for name in args or list(files):
            if name not in files:
                print(Fault(_("there is no site file for {name}").format(name=name)), file=sys.stderr)
                self.exitcode = 2
                continue
            try:
                load_site(files[name], name)
                print(_("{name}: in order").format(name=name))
            except Fault as fault:
                for each in (fault, *fault.others):
                    print(each, file=sys.stderr)
                self.exitcode = 2

    def _schema(self, args: list[str], opts: argparse.Namespace) -> None:
        import json

        text = json.dumps(json_schema(), ensure_ascii=False, indent=1) + "\n"
        if args:
            Path(args[0]).write_text(text, encoding="utf-8")
        else:
            print(text, end="")
