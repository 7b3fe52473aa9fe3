"""``scrapy crawl SITE``: Scrapy's own, with each fault in one line and an exit code that tells."""

from __future__ import annotations

import argparse
import sys

from scrapy import Spider
from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import Crawler
from scrapy.spiderloader import get_spider_loader

from hometextile.addon import PLAIN, library_url
from hometextile.blocks.importance import load_model
from hometextile.frontier.opening import check_alone
from hometextile.integrating import open_mediator
from hometextile.library.library import Library
from hometextile.pipelines.media import check_store
from hometextile.sites import secret
from hometextile.spiders.arguments import read_arguments
from hometextile.spiders.site import SiteSpider
from hometextile.text.faults import Fault
from hometextile.text.messages import _
from hometextile.text.pack import load_pack


class Command(ScrapyCrawl):
    """Checks site file and arguments before the first request."""

    def short_desc(self) -> str:
        return _("Crawl a site of rules/ by its name")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        if len(args) == 1:
            try:
                self._check(args[0], opts.spargs)
            except Fault as fault:  # before Scrapy logs its first line
                for each in (fault, *fault.others):
                    print(each, file=sys.stderr)
                sys.exit(2)

    def _create_crawler(self, spidercls: type[Spider] | str) -> Crawler:
        self._crawler: Crawler = super()._create_crawler(spidercls)
        return self._crawler

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        super().run(args, opts)
        stats = self._crawler.stats
        if stats is not None and stats.get_value("library/away"):
            # The fault itself was logged when it happened.
            print(_("The crawl was cut off; the same command goes on where it was."), file=sys.stderr)
            self.exitcode = 1

    def _check(self, name: str, arguments: dict[str, str]) -> None:
        assert self.settings is not None
        loader = get_spider_loader(self.settings)
        try:
            spider = loader.load(name)
        except KeyError:
            raise Fault(
                _("there is no site file for {name}").format(name=name),
                remedy=_("`scrapy list` names those there are; `scrapy site new URL` writes one"),
            ) from None
        if issubclass(spider, SiteSpider):
            given = read_arguments(arguments)
            if not given.preview:
                with Library.of_settings(library_url(self.settings), self.settings) as library:
                    check_alone(library, name)
            load_pack(spider.site.data.domain)
            load_model(self.settings.get("IMPORTANCE_MODEL") or PLAIN["IMPORTANCE_MODEL"])
            for switch in spider.site.data.download:
                check_store(switch, self.settings)
            session = spider.site.data.session
            for header, value in session.headers.items():
                secret(value, file=spider.site.file, key=f"session.headers.{header}")
            if session.cookies:
                secret(session.cookies, file=spider.site.file, key="session.cookies")
            if spider.site.data.integrate and not given.preview:
                open_mediator(spider.site).close()
