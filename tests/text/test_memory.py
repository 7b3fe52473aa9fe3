"""What is settled is left out of garbage collection; what comes after is not."""

from __future__ import annotations

import gc
import weakref

from hometextile.text.memory import settle


class Ring:
    """Refers to itself, so that only the collector frees it."""

    def __init__(self) -> None:
        self.me = self


def test_what_is_settled_is_passed_over_and_what_comes_later_is_freed() -> None:
    before = gc.get_freeze_count()
    old = Ring()
    settle()
    try:
        assert gc.get_freeze_count() > before
        seen_old, seen_new = weakref.ref(old), weakref.ref(Ring())
        del old
        gc.collect()
        assert seen_new() is None
        assert seen_old() is not None
    finally:
        gc.unfreeze()
