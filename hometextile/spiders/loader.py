"""Each site file is a spider of that name: ``scrapy list``, ``scrapy crawl NAME``, scrapyd's listing and schedule."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from hometextile.sites import load_site, site_files
from hometextile.spiders.site import SiteSpider
from hometextile.text.faults import Fault
from hometextile.text.messages import _

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request, Spider
    from scrapy.settings import BaseSettings


class SiteLoader:
    """Loads site files as spiders.

    A broken file stops its own spider only; ``scrapy list`` and ``scrapy site check`` tell of it.

    Args:
        folder: where the site files lie; see :func:`hometextile.sites.rules_folder`.
    """

    def __init__(self, folder: str | None = None) -> None:
        self._files = dict(site_files(folder))

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Scrapy's way to make a spider loader."""
        return cls(settings.get("RULES_FOLDER"))

    def load(self, spider_name: str) -> type[Spider]:
        """The spider class of a site.

        Raises:
            KeyError: there is no such file (Scrapy's protocol).
            Fault: the file is wrong.
        """
        if spider_name not in self._files:
            raise KeyError(_("there is no site file for {name}").format(name=spider_name))
        return SiteSpider.of(load_site(self._files[spider_name], spider_name))

    def list(self) -> list[str]:
        """Names of the sites whose files are there, right or wrong."""
        return list(self._files)

    def faults(self) -> builtins.list[Fault]:
        """What is wrong with the site files."""
        found = []
        for name, file in self._files.items():
            try:
                load_site(file, name)
            except Fault as fault:
                found += [fault, *fault.others]
        return found

    def find_by_request(self, request: Request) -> builtins.list[str]:
        """Sites whose hosts the request goes to; broken files are passed over."""
        names = []
        for name in self._files:
            try:
                if self.load(name).handles_request(request):
                    names.append(name)
            except Fault:
                continue
        return names
