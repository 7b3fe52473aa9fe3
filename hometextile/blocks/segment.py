"""A page into blocks: by sight where a browser drew it, by tag classes where not."""

from __future__ import annotations

from hometextile.blocks.block import Block
from hometextile.blocks.outline import outline
from hometextile.blocks.tag_classes import segment_by_tags
from hometextile.blocks.vips import segment_by_sight
from hometextile.page.document import Document
from hometextile.page.layout import layout_of


class Blocks(list[Block]):
    """The blocks of a page in document order, and how they were come by.

    Attributes:
        method: ``vips`` or ``tags``.
        reason: why there are none, or not all: ``frames``, ``no-text``, ``too-many-elements``; None if all is well.
    """

    method: str = "tags"
    reason: str | None = None


def segment(document: Document, *, method: str = "auto") -> Blocks:
    """Cut a page into blocks.

    Args:
        document: the page.
        method: ``auto``, or ``tags`` to pass over a layout.

    Returns:
        blocks in document order; with :attr:`Blocks.reason` where there are none.
    """
    out = outline(document)
    blocks = Blocks()
    layout = layout_of(document) if method == "auto" else None
    if layout is not None:
        blocks.extend(segment_by_sight(document, layout))
        blocks.method = "vips"
    if not blocks:
        blocks.extend(segment_by_tags(document))
        blocks.method = "tags"
    if out.frames and not out.tokens.sum():
        blocks.reason = "frames"
    elif not blocks:
        blocks.reason = "no-text"
    elif out.truncated:
        blocks.reason = "too-many-elements"
    return blocks
