"""Pipeline ``integrate``: the mediator, where the site file names a map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured

from hometextile.mediator.mediator import Mediator
from hometextile.mediator.schema import load_map
from hometextile.pipelines.step import StepPipeline
from hometextile.sites import Site
from hometextile.text.faults import Fault
from hometextile.text.messages import _

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class IntegratePipeline(StepPipeline):
    """Runs :func:`hometextile.steps.integrate`. A preview writes nothing."""

    name = "integrate"

    def __init__(self, crawler: Crawler) -> None:
        spider: Any = crawler.spider
        site = getattr(spider, "site", None)
        if site is None or site.data.integrate is None or spider.arguments.preview:
            raise NotConfigured
        super().__init__(crawler)

    def open_spider(self) -> None:
        """Open the user's database."""
        spider: Any = self.crawler.spider
        spider.workshop.mediator = open_mediator(spider.site)

    def close_spider(self) -> None:
        """Let go of it."""
        spider: Any = self.crawler.spider
        if spider.workshop.mediator is not None:
            spider.workshop.mediator.close()
            spider.workshop.mediator = None


def open_mediator(site: Site) -> Mediator:
    """The mediator with the map that a site file names.

    A relative path is looked for beside the site file, in the folder above it (the project), and in the current one.

    Raises:
        Fault: there is no such map, it is wrong, or its database can't be used.
    """
    said = Path(site.data.integrate or "")
    beside = Path(site.file).absolute().parent
    for folder in (beside, beside.parent, Path.cwd()):
        if (folder / said).is_file():
            return Mediator(load_map(folder / said))
    raise Fault(
        _("there is no map {path}").format(path=said),
        file=site.file,
        key="integrate",
        remedy=_("write its path from the project's folder, such as maps/products.yaml"),
    )
