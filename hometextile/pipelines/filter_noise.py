"""Pipeline ``filter_noise``: rates the blocks."""

from __future__ import annotations

from hometextile.pipelines.step import StepPipeline


class FilterNoisePipeline(StepPipeline):
    """Runs :func:`hometextile.steps.filter_noise`."""

    name = "filter_noise"
