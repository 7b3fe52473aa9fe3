"""What all pipelines are: one step of the way of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from hometextile.page.page import Page
from hometextile.steps import step

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler


class StepPipeline:
    """Runs the step named :attr:`name` on each page; other items pass."""

    name: ClassVar[str]

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._step = step(self.name)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component."""
        return cls(crawler)

    async def run(self, page: Page) -> None:
        """Run the step on a page."""
        self._step.run(page, self.crawler.spider.workshop)  # type: ignore[union-attr]

    async def process_item(self, item: Any) -> Any:
        """Run the step, unless an earlier one dropped the page and the step has nothing to do with dropped pages."""
        if isinstance(item, Page) and (item.dropped is None or self._step.takes_dropped):
            await self.run(item)
            if item.dropped is not None and not item.story.get("dropped_by"):
                item.story["dropped_by"] = self.name
                self.crawler.stats.inc_value(f"page/dropped/{item.dropped}")
        return item
