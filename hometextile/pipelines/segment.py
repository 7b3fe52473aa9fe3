"""Pipeline ``segment``: cuts the page into blocks."""

from __future__ import annotations

from hometextile.pipelines.step import StepPipeline


class SegmentPipeline(StepPipeline):
    """Runs :func:`hometextile.steps.segment`."""

    name = "segment"
