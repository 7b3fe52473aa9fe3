"""Blocks as ranges of the outline's runs: the one form in which features are measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hometextile.blocks.block import Block
from hometextile.blocks.features import Ints, Spans
from hometextile.blocks.outline import Outline
from hometextile.blocks.tag_classes import PAGE_WIDTH, estimate_boxes, spans_of_runs


def spans_of(blocks: Sequence[Block], out: Outline) -> Spans:
    """Where the blocks stand in the outline.

    Blocks of :func:`hometextile.blocks.tag_classes.segment_by_tags` are the outline's runs one by one. Others (VIPS)
    are found by their elements and texts; a block of which the outline has nothing is an empty range.

    Args:
        blocks: of the page, in document order.
        out: the page's outline.
    """
    if len(blocks) == len(out.runs) and all(
        block.doc is None and block.text == run.text for block, run in zip(blocks, out.runs, strict=True)
    ):
        return spans_of_runs(out)
    rows = [_row(block, out) for block in blocks]
    table = np.array(rows, dtype=np.int64).reshape(len(rows), 3)
    estimated, height = estimate_boxes(out)
    boxes = np.zeros((len(blocks), 4))
    for number, block in enumerate(blocks):
        if block.box is not None:
            boxes[number] = block.box
        elif table[number, 2] > table[number, 1]:
            boxes[number] = estimated[table[number, 1]]
    drawn = any(block.doc is not None for block in blocks)
    page_width = float((boxes[:, 0] + boxes[:, 2]).max()) if drawn and len(blocks) else PAGE_WIDTH
    page_height = float((boxes[:, 1] + boxes[:, 3]).max()) if drawn and len(blocks) else height
    return Spans(table[:, 0], table[:, 1], table[:, 2], boxes, (page_width, page_height))


def owners(spans: Spans, runs: int) -> Ints:
    """The block that holds each run, -1 for none.

    Args:
        spans: the blocks; where two hold a run, the later one.
        runs: how many runs the page has.
    """
    owner = np.full(runs, -1, dtype=np.int64)
    for number, (first, last) in enumerate(zip(spans.first.tolist(), spans.last.tolist(), strict=True)):
        owner[first:last] = number
    return owner


def _row(block: Block, out: Outline) -> tuple[int, int, int]:
    """Element and runs of a block: the innermost line-breaking element that holds all of it."""
    ranges = [_runs_of(element, out) for element in block.elements]
    ranges += [_run_of_text(element, ordinal, out) for element, ordinal in block.texts]
    held = [each for each in ranges if each[1] > each[0]]
    if not held:
        return 0, 0, 0
    first, last = min(one for one, _last in held), max(other for _first, other in held)
    node = out.runs[first].node
    if len(block.elements) == 1 and not block.texts:
        own = out.index[block.elements[0]]
        if (out.first[own], out.last[own]) == (first, last):
            return own, first, last
    while node > 0 and not (out.first[node] <= first and last <= out.last[node]):
        node = out.parent[node]
    return node, first, last


def _runs_of(element: Any, out: Outline) -> tuple[int, int]:
    """The runs of an element; an inline one stands in the run that was being read when it began."""
    number = out.index.get(element)
    if number is None:
        return 0, 0
    first, last = out.first[number], out.last[number]
    return (first, last) if last > first else _run_around(number, first, out)


def _run_of_text(element: Any, ordinal: int, out: Outline) -> tuple[int, int]:
    """The run of an element's text node."""
    number = out.index.get(element)
    if number is None:
        return 0, 0
    at, count = out.first[number], 1 if element.text else 0
    if count < ordinal:
        for child in element:
            own = out.index.get(child)
            at = at if own is None else out.last[own]
            count += bool(child.tail)
            if count == ordinal:
                break
    return _run_around(number, at, out)


def _run_around(number: int, at: int, out: Outline) -> tuple[int, int]:
    """The run *at*, where it is of the element or of one around it; else nothing."""
    if at < len(out.runs):
        node, up = out.runs[at].node, number
        while up > node:
            up = out.parent[up]
        if up == node:
            return at, at + 1
    return 0, 0
