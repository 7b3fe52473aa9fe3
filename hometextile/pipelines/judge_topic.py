"""Pipeline ``judge_topic``: relevance, library and class."""

from __future__ import annotations

from hometextile.pipelines.step import StepPipeline


class JudgeTopicPipeline(StepPipeline):
    """Runs :func:`hometextile.steps.judge_topic`."""

    name = "judge_topic"
