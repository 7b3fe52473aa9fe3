"""Segmentation by tag classes, bottom up (paper 5), for pages without a layout, with an estimate of the boxes.

The paper starts from the text nodes and hands text up until a tag of class S or C, or a tag of class B with enough
text, makes a block of it. Read from above, that is: text is cut at every tag that breaks the line (C, B), and what is
too small joins its neighbours of the same kind. :mod:`hometextile.blocks.outline` makes the cuts in its one walk.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from hometextile.blocks.block import Block
from hometextile.blocks.features import Floats, Spans
from hometextile.blocks.outline import Outline, outline
from hometextile.page.document import Document

#: The page is taken to be as wide as a common window.
PAGE_WIDTH = 1280.0
_LINE = 24.0
_CHARS_A_LINE = 90.0


def spans_of_runs(out: Outline) -> Spans:
    """One block a run, with estimated boxes; made once a page.

    Height follows from the text (a CJK character is as wide as two letters), x and width from the columns of table
    rows; everything else is as wide as the page.
    """
    known = out.derived.get("spans")
    if not isinstance(known, Spans):
        known = out.derived["spans"] = _spans_of_runs(out)
    return known


def _spans_of_runs(out: Outline) -> Spans:
    size = len(out.runs)
    node = np.array([run.node for run in out.runs], dtype=np.int64)
    first = np.arange(size, dtype=np.int64)
    box, height = estimate_boxes(out)
    return Spans(node, first, first + 1, box, (PAGE_WIDTH, height))


def estimate_boxes(out: Outline) -> tuple[Floats, float]:
    """x, y, width, height of every run by document order and text, and the height of the page."""
    size = len(out.runs)
    if not size:
        return np.zeros((0, 4)), _LINE
    texts = [run.text for run in out.runs]
    wide = [0 if text.isascii() else len(text.encode("utf-8", "ignore")) - len(text) for text in texts]
    chars = np.array([len(text) for text in texts], dtype=float) + np.array(wide, dtype=float) / 2
    images = np.array([run.images for run in out.runs], dtype=float)
    lines = np.ceil(np.maximum(chars, 1) / _CHARS_A_LINE)
    height = _LINE * lines + np.minimum(images, 4) * 60.0
    left, width = _columns(out)
    x = np.array([left[run.node] for run in out.runs])
    w = np.array([width[run.node] for run in out.runs])
    y = np.concatenate(([0.0], np.cumsum(height)[:-1]))
    return np.column_stack((x, y, w, height)), float(y[-1] + height[-1])


def _columns(out: Outline) -> tuple[list[float], list[float]]:
    """Left edge and width of every element: a table row shares its width among its cells by their text."""
    left = [0.0] * len(out.tag)
    width = [PAGE_WIDTH] * len(out.tag)
    cells: dict[int, list[int]] = {}
    for number, tag in enumerate(out.tag):
        if tag in {"td", "th"} and out.parent[number] >= 0:
            cells.setdefault(out.parent[number], []).append(number)
    if not cells:
        return left, width
    share: dict[int, tuple[float, float]] = {}
    for row in cells.values():
        sizes = [1.0 + (out.last[cell] - out.first[cell]) ** 0.5 for cell in row]
        total, at = sum(sizes), 0.0
        for cell, size in zip(row, sizes, strict=True):
            share[cell] = (at / total, size / total)
            at += size
    for number in range(len(out.tag)):
        up = out.parent[number]
        if up >= 0:
            left[number], width[number] = left[up], width[up]
            if number in share:
                offset, part = share[number]
                left[number] += offset * width[up]
                width[number] = part * width[up]
    return left, width


def segment_by_tags(document: Document) -> list[Block]:
    """The blocks of a page by its tags.

    Args:
        document: the page.

    Returns:
        blocks in document order; a picture that stands alone is a block without text.
    """
    out = outline(document)
    spans = spans_of_runs(out)
    blocks = []
    for number, (run, (x, y, width, height)) in enumerate(zip(out.runs, spans.box.round(1).tolist(), strict=True)):
        elements = [out.elements[run.node]]
        if out.last[run.node] - out.first[run.node] > 1:
            elements = [out.elements[i] for i in run.inline if out.parent[i] == run.node]
        where = partial(out.run_path, number)
        blocks.append(Block(number, where, elements, run.text, (x, y, width, height), None))
    return blocks
