"""Pipeline ``store``: puts page and resources into the library."""

from __future__ import annotations

from hometextile.pipelines.step import StepPipeline


class StorePipeline(StepPipeline):
    """Runs :func:`hometextile.steps.store`."""

    name = "store"
