"""What a drawn page's runs look like, and where their links lead: one row of numbers a run.

Beside the features that need no layout (:mod:`hometextile.blocks.features`) these say what a person sees at once: a
smaller font than the text's, another background, another colour, a bar that stays when the page is scrolled; a link
that leads to a place on the same page (a table of contents, "back to top"), a button, a picture without a word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Any
from urllib.parse import urljoin, urlsplit

import numpy as np

from hometextile.blocks.features import Floats
from hometextile.blocks.outline import Outline
from hometextile.page.layout import Layout

#: Columns about links and controls, then about styles.
LINKS = ("in_page", "elsewhere", "links", "controls", "picture", "wordless", "any_in_page")
STYLES = ("font", "background", "colour", "bold", "stays")
_CONTROLS = frozenset(("input", "button", "select", "textarea"))
_STAYING = frozenset(("fixed", "sticky"))
_BOLD = 600


def looks(out: Outline, layout: Layout) -> Floats:
    """Columns of :data:`LINKS` and :data:`STYLES`.

    Args:
        out: the page's outline.
        layout: its layout.

    Returns:
        one row a run of the outline; shares from 0 to 1, counts as logarithms, the font's size by that of most text.
    """
    return np.hstack([_links(out), _styles(out, layout)])


def _links(out: Outline) -> Floats:
    size = len(out.runs)
    in_page, elsewhere, links, controls = (np.zeros(size) for _ in range(4))
    host = _host(out.url)
    for number, (tag, attributes) in enumerate(zip(out.tag, out.attributes, strict=True)):
        first = out.first[number]
        if first >= size:
            continue
        if tag == "a" and "href" in attributes:
            last = max(out.last[number], first + 1)
            links[first:last] += 1
            address = attributes["href"].strip()
            if address.startswith(("#", "javascript:")):
                in_page[first:last] += 1
            else:
                elsewhere[first:last] += _host(address, out.url) != host
        elif tag in _CONTROLS and attributes.get("type") != "hidden":
            controls[first] += 1
    some = np.maximum(links, 1)
    pictures = np.array([run.images > 0 for run in out.runs], dtype=float)
    wordless = np.array([not run.text for run in out.runs], dtype=float)
    columns = (in_page / some, elsewhere / some, np.log1p(links), np.log1p(controls), pictures, wordless, in_page > 0)
    return np.column_stack(columns).astype(float)


def _host(address: str, base: str = "") -> str:
    try:
        return urlsplit(urljoin(base, address)).hostname or ""
    except ValueError:
        return ""


def _styles(out: Outline, layout: Layout) -> Floats:
    stays = [False] * len(out.elements)
    for number, element in enumerate(out.elements):
        sight, up = layout.sight(element), out.parent[number]
        stays[number] = (sight is not None and sight.position in _STAYING) or (up >= 0 and stays[up])
    fonts, backgrounds, colours, bold = [], [], [], []
    for run in out.runs:
        block = layout.sight(out.elements[run.node])
        first = layout.sight(out.elements[run.inline[0]]) if run.inline else None
        # what stands inline at the run's beginning says its font and colour
        text = first if first is not None and first.width > 0 else block
        fonts.append(text.font_size if text is not None else 0.0)
        colours.append(text.color if text is not None else "")
        bold.append(text is not None and text.font_weight >= _BOLD)
        backgrounds.append(block.background if block is not None else "")
    weights = out.tokens.tolist()
    usual = _usual(fonts, weights) or 1.0
    behind, ink = _usual(backgrounds, weights), _usual(colours, weights)
    columns = (
        [font / usual if font else 1.0 for font in fonts],
        [float(background != behind) for background in backgrounds],
        [float(colour != ink) for colour in colours],
        [float(each) for each in bold],
        [float(stays[run.node]) for run in out.runs],
    )
    return np.array(columns, dtype=float).T.reshape(len(out.runs), len(STYLES))


def _usual(values: Sequence[Any], weights: Sequence[float]) -> Any:
    """The value that most of the weight has; None where there is none."""
    total: dict[Hashable, float] = defaultdict(float)
    for value, weight in zip(values, weights, strict=True):
        total[value] += weight + 0.01
    return max(total, key=lambda value: total[value]) if total else None
