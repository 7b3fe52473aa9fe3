"""A block: a region of a page, and how much it matters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

#: The three levels of a block, least first (paper 1, table 2).
LEVELS = ("noise", "related", "main")


@dataclass
class Block:
    """A region of a page.

    Attributes:
        id: number in document order, unique in the page.
        where: XPath of the block's element (of its first element where it spans siblings), or what works it out: few of
            a page's blocks are ever asked for :attr:`path`, and it costs as much as cutting the page.
        elements: the lxml elements it covers, in document order; their subtrees are the block.
        texts: runs of text that are the block without an element of their own, as (parent element, number of the
            text node in it, counted from 1 as XPath's ``text()[n]`` counts).
        text: its visible text, line breaks kept.
        box: x, y, width, height in CSS pixels, from the layout or estimated; None where neither is to be had.
        doc: degree of coherence, 1 to 10 (VIPS), None for tag classes.
        level: one of :data:`LEVELS`, None before it is rated.
        chosen: whether the page's text takes it, if it is main: a person calls more main than the text has words of.
        score: the model's probability of ``main``, 0 to 1.
        features: what the model saw, by name.
    """

    id: int
    where: str | Callable[[], str] = field(repr=False)
    elements: list[Any] = field(default_factory=list, repr=False)
    text: str = ""
    box: tuple[float, float, float, float] | None = None
    doc: int | None = None
    level: str | None = None
    score: float | None = None
    features: dict[str, float] = field(default_factory=dict, repr=False)
    texts: list[tuple[Any, int]] = field(default_factory=list, repr=False)
    chosen: bool = True

    @cached_property
    def path(self) -> str:
        """XPath of the block's first element."""
        return self.where if isinstance(self.where, str) else self.where()

    @property
    def in_text(self) -> bool:
        """Whether it stands in the page's text."""
        return self.level == "main" and self.chosen
