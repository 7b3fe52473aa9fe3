"""Training the levels of drawn pages (:mod:`hometextile.blocks.sight_levels`)."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hometextile.blocks.features import Floats, Spans, Table
from hometextile.blocks.kernel import clip
from hometextile.blocks.level_training import LevelLesson, LevelSchooling, train_levels
from hometextile.blocks.sight_levels import Gate, SightLevels, columns, summary

#: Inverse of how strongly the gate's weights are held down: it knows a few hundred pages.
_LOOSE = 0.01


@dataclass
class SightLesson(LevelLesson):
    """A page to learn levels from; ``values`` are the features of its runs, ``probability`` is not looked at.

    Attributes:
        seen: what the runs look like.
        spans: the runs, with their boxes.
        site: pages of one site are in one part.
    """

    seen: Floats
    spans: Spans
    site: str


def view(lesson: SightLesson, said: Floats) -> Floats:
    """What the networks see of a page, given what the lexicon says of its regions."""
    return columns(lesson.values, lesson.seen, lesson.spans, lesson.groups, said)


def fit_sight_levels(lessons: Sequence[SightLesson], elsewhere: Sequence[Table], *, seed: int = 0) -> SightLevels:
    """Networks and gate.

    Args:
        lessons: pages of programs, with levels.
        elsewhere: features of the runs of pages of the web.
        seed: of everything random.
    """
    parts = [zlib.crc32(lesson.site.encode()) // 7 for lesson in lessons]
    programs = train_levels(lessons, LevelSchooling(seed=seed), view=view, parts=parts)
    return SightLevels(programs, fit_gate([lesson.table for lesson in lessons], elsewhere))


def fit_gate(programs: Sequence[Table], elsewhere: Sequence[Table]) -> Gate:
    """What tells pages of programs from those of the web; without any of these every page is a program's.

    Args:
        programs, elsewhere: features of the runs of pages.
    """
    from sklearn.linear_model import LogisticRegression

    rows = np.array([summary(table) for table in (*programs, *elsewhere)])
    mean, scale = rows.mean(axis=0), 1 / (rows.std(axis=0) + 1e-6)
    if not elsewhere:
        return Gate(mean, scale, np.zeros(len(mean)), 30.0)
    target = np.arange(len(rows)) < len(programs)
    model = LogisticRegression(C=_LOOSE, class_weight="balanced", max_iter=2000)
    model.fit(clip((rows - mean) * scale), target)
    return Gate(mean, scale, model.coef_[0], float(model.intercept_[0]))
