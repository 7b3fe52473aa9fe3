"""Blocks as ranges of the outline's runs: the one form in which features are measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hometextile.blocks.block import Block
from hometextile.blocks.features import Spans
from hometextile.blocks.outline import Outline
from hometextile.blocks.tag_classes import PAGE_WIDTH, estimate_boxes, spans_of_runs


def spans_of(blocks: Sequence[Block], out: Outline) -> Spans:
    """Where the blocks stand in the outline.

    Blocks of :func:`hometextile.blocks.tag_classes.segment_by_tags` are the outline's runs one by one. Others (VIPS)
    are found by their elements; a block whose element the outline does not have is an empty range.

    Args:
        blocks: of the page, in document order.
        out: the page's outline.
    """
    if len(blocks) == len(out.runs) and all(
        block.doc is None and block.text == run.text for block, run in zip(blocks, out.runs, strict=True)
    ):
        return spans_of_runs(out)
    index = out.index
    rows = []
    for block in blocks:
        numbers = [index[element] for element in block.elements if element in index]
        if not numbers:
            rows.append((0, 0, 0))
            continue
        node = numbers[0]
        first = min(out.first[number] for number in numbers)
        last = max(out.last[number] for number in numbers)
        if len(numbers) > 1 and out.parent[node] >= 0:
            node = out.parent[node]
        rows.append((node, first, last))
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
