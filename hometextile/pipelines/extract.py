"""Pipeline ``extract``: takes out resources and their fields."""

from __future__ import annotations

import asyncio

from hometextile.page.page import Page
from hometextile.pipelines.step import StepPipeline


class ExtractPipeline(StepPipeline):
    """Runs :func:`hometextile.steps.extract`; files are read apart, since a PDF may take half a minute."""

    name = "extract"

    async def run(self, page: Page) -> None:
        """Pages here, files in a thread, so that the crawl goes on."""
        if page.text:
            await super().run(page)
        else:
            await asyncio.to_thread(self._step.run, page, self.crawler.spider.workshop)  # type: ignore[union-attr]
