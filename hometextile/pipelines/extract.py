"""Pipeline ``extract``: takes out resources and their fields."""

from __future__ import annotations

from hometextile.pipelines.step import StepPipeline


class ExtractPipeline(StepPipeline):
    """Runs :func:`hometextile.steps.extract`."""

    name = "extract"
