"""Pipeline ``dedup``: finds what the library has already."""

from __future__ import annotations

from hometextile.pipelines.step import StepPipeline


class DedupPipeline(StepPipeline):
    """Runs :func:`hometextile.steps.dedup`."""

    name = "dedup"
