"""Fonts for pictures with the user's words on them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from hometextile.text.messages import _

_CHECKED = "纺织家布"


def chinese_font() -> str | None:
    """The name of an installed font that has Chinese characters; None if there is none."""
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    fonts = sorted(font_manager.fontManager.ttflist, key=lambda font: ("CJK" not in font.name, font.name))
    for font in fonts:
        try:
            face = FT2Font(font.fname)
        except (OSError, RuntimeError):
            continue
        glyphs = [face.get_char_index(ord(char)) for char in _CHECKED]
        # A font of last resort has one and the same box for all of them.
        if all(glyphs) and len(set(glyphs)) == len(glyphs):
            return str(font.name)
    return None


@contextmanager
def drawn_with(font: str | None) -> Iterator[None]:
    """What is drawn by matplotlib inside has *font*, or the usual one where it is None."""
    import matplotlib

    family = [font, "DejaVu Sans"] if font else ["DejaVu Sans"]
    with matplotlib.rc_context({"font.family": family, "axes.unicode_minus": False}), warnings.catch_warnings():
        # Missing glyphs: the user is told once, in words.
        warnings.simplefilter("ignore", UserWarning)
        yield


def no_font() -> str:
    """What a user should know whose picture has squares for characters."""
    return _("no font with Chinese characters is installed: install fonts-noto-cjk")
