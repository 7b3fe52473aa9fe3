"""The directionality of a control (WHATWG HTML, 3.2.6.4), for ``dirname``."""

from __future__ import annotations

import unicodedata

from hometextile.forms.form import Control


def direction_of(control: Control) -> str:
    """``ltr`` or ``rtl``: as the page says, or with ``dir=auto`` as the value's first strong character does."""
    if control.direction != "auto":
        return control.direction
    for character in control.value:
        kind = unicodedata.bidirectional(character)
        if kind in ("R", "AL"):
            return "rtl"
        if kind == "L":
            return "ltr"
    return "ltr"
