"""The script that writes a layout into a page, and the form in which it is written.

What the HTTP cache, saved pages and reprocessing must keep has to stand in the HTML. So the script puts attributes on
every element that is drawn, and then takes the page's HTML:

``data-box="x y w h"``
    The element's box in CSS pixels, from the page's upper left corner, rounded.
``data-style="font-size:16;font-weight:700;color:#222222;background:#ffffff;display:block;..."``
    ``font-size`` (pixels), ``font-weight``, ``color`` and ``visibility`` (``visible``, ``hidden``) where they differ
    from the parent's; ``background`` (a colour or ``image``) where the element has one of its own; ``display``
    (``block``, ``inline``) where it differs from what is usual for the tag, and ``none`` for what is not drawn at all,
    whose descendants carry nothing; ``position`` where it is ``fixed``, ``sticky`` or ``absolute``.
``data-texts="x y w h,x y w h"``
    The boxes of the element's own runs of text, in order, where it has child elements too.
``data-drawn="page-width page-height window-width window-height"``
    On ``<html>``: this page carries a layout.
``data-cut="1"``
    On ``<html>``: there were too many elements; those that come last carry nothing.

:mod:`hometextile.page.layout` reads them. Open shadow trees are laid into their hosts, since HTML does not hold them.
"""

from __future__ import annotations

from importlib.resources import files

from hometextile.page.layout import INLINE_TAGS

#: JavaScript: a function of ``{maxElements, maxDepth, maxChars, inline}`` that returns ``{html, elements, cut}``.
DRAW_SCRIPT = files("hometextile.render").joinpath("draw.js").read_text(encoding="utf-8")


def draw_options(*, max_elements: int = 60_000, max_depth: int = 400, max_chars: int = 20_000_000) -> dict[str, object]:
    """The argument of :data:`DRAW_SCRIPT`.

    Args:
        max_elements: how many elements are measured at the most.
        max_depth: how deep the script goes; Chromium's own parser stops at 512.
        max_chars: how much HTML is taken at the most.
    """
    return {
        "maxElements": max_elements,
        "maxDepth": max_depth,
        "maxChars": max_chars,
        "inline": sorted(INLINE_TAGS),
    }
