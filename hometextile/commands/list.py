"""``scrapy list``: the sites there are; what is wrong with a site file goes to standard error."""

from __future__ import annotations

import argparse
import sys

from scrapy.commands.list import Command as ScrapyList
from scrapy.spiderloader import get_spider_loader

from hometextile.spiders.loader import SiteLoader
from hometextile.text.messages import _


class Command(ScrapyList):
    """Names on standard output, faults on standard error, exit code 2 if there are any."""

    def short_desc(self) -> str:
        return _("List the sites of rules/")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        super().run(args, opts)
        loader = get_spider_loader(self.settings)
        if isinstance(loader, SiteLoader):
            for fault in loader.faults():
                print(fault, file=sys.stderr)
                self.exitcode = 2
