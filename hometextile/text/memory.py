"""What is loaded for good, and the garbage collector."""

from __future__ import annotations

import gc


def settle() -> None:
    """Leave all that is loaded by now out of every later garbage collection.

    Packs, models and tables of words stay until the program ends. Each full collection would look at all of them again,
    which was a tenth of the time that a page takes. Call it once they are loaded.
    """
    gc.collect()
    gc.freeze()
