"""Separators between the blocks of a round, and their weights.

After "VIPS: a vision-based page segmentation algorithm" (MSR-TR-2003-79), section 4.2. A separator is a band across the
pool that no block crosses. What the paper reaches by splitting, shrinking and deleting an initial band is the
complement of the blocks' projections on an axis, and is computed as that. Blocks that touch are parted by a band of no
width: a navigation bar that lies flush on the text is parted from it by its colour all the same.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from hometextile.blocks.visual_nodes import VisualNode

#: Pixels by which blocks may overlap and still lie side by side (negative margins, rounded boxes).
OVERLAP = 3.0
#: Pixels from a band's edge within which a block counts as lying at it.
AT_EDGE = 8.0
#: How many blocks at each edge are looked at.
LOOKED_AT = 12
#: A difference in font size, in pixels, that is seen.
FONT_STEP = 1.0


@dataclass
class Separator:
    """A band between two groups of blocks.

    Attributes:
        horizontal: it runs from left to right and parts what is above from what is below.
        start, end: its edges on the axis across.
        weight: how visible it is.
        before: how many of the blocks, in the order of the axis, lie before it.
    """

    horizontal: bool
    start: float
    end: float
    weight: int
    before: int


def separators(
    blocks: list[VisualNode], lines: list[VisualNode], *, horizontal: bool
) -> tuple[list[VisualNode], list[Separator]]:
    """The separators of one direction.

    Args:
        blocks: the blocks of a pool or of a part of it.
        lines: ``<hr>`` nodes seen among them.
        horizontal: bands that part above from below; else left from right.

    Returns:
        The blocks in the order of the axis, and the separators between them.
    """
    ordered = sorted(blocks, key=_by_top) if horizontal else sorted(blocks, key=_by_left)
    # Only rules along this direction, by their middle, so that a band finds its own without looking at all of them.
    along = sorted((_middle(line, horizontal), number) for number, line in enumerate(lines)
                   if horizontal == (line.width >= line.height))
    found: list[Separator] = []
    edge = _end(ordered[0], horizontal)
    for number in range(1, len(ordered)):
        start = ordered[number].y if horizontal else ordered[number].x
        if start >= edge - OVERLAP:
            low = bisect_left(along, (edge - OVERLAP, -1))
            high = bisect_right(along, (start + OVERLAP, len(lines)))
            inside = [lines[at] for _middle_of, at in along[low:high]]
            weight = _weigh(ordered, number, edge, start, inside, horizontal)
            found.append(Separator(horizontal, edge, max(start, edge), weight, number))
        edge = max(edge, _end(ordered[number], horizontal))
    return ordered, found


def _by_top(node: VisualNode) -> tuple[float, float]:
    return (node.y, node.x)


def _by_left(node: VisualNode) -> tuple[float, float]:
    return (node.x, node.y)


def _end(node: VisualNode, horizontal: bool) -> float:
    return node.bottom if horizontal else node.right


def _middle(line: VisualNode, horizontal: bool) -> float:
    return (line.y + line.bottom) / 2 if horizontal else (line.x + line.right) / 2


def _weigh(
    ordered: list[VisualNode], number: int, edge: float, start: float, lines: list[VisualNode], horizontal: bool
) -> int:
    """The weight of the band between two groups (section 4.2.2); *lines* are the rules that lie in it, along it."""
    weight = gap_weight(start - edge)
    pairs = _neighbours(ordered, number, edge, start, horizontal)
    if any(_facing(line, node, horizontal) for line in lines for pair in pairs for node in pair):
        weight += 2
    if any(one.background != other.background for one, other in pairs):
        weight += 2
    if horizontal:
        weight += _font_weight(pairs)
    if all(similar(one, other) for one, other in pairs):
        weight -= 2
    return max(0, weight)


def gap_weight(gap: float) -> int:
    """By distance: up to 8 pixels 1, up to 15 2, up to 31 3, up to 63 4, from there 5."""
    for weight, limit in ((1, 8.0), (2, 15.0), (3, 31.0), (4, 63.0)):
        if gap <= limit:
            return weight
    return 5


def _neighbours(
    ordered: list[VisualNode], number: int, edge: float, start: float, horizontal: bool
) -> list[tuple[VisualNode, VisualNode]]:
    """Pairs that face each other across the band; the two nearest where none do."""
    before = [ordered[i] for i in range(number - 1, max(-1, number - 1 - LOOKED_AT), -1)
              if _end(ordered[i], horizontal) >= edge - AT_EDGE]
    after = [node for node in ordered[number : number + LOOKED_AT]
             if (node.y if horizontal else node.x) <= start + AT_EDGE]
    before = before or [ordered[number - 1]]
    facing = [(one, other) for one in before for other in after if _facing(one, other, horizontal)]
    return facing or [(before[0], after[0])]


def _facing(one: VisualNode, other: VisualNode, horizontal: bool) -> bool:
    if horizontal:
        return one.x < other.right and other.x < one.right
    return one.y < other.bottom and other.y < one.bottom


def _font_weight(pairs: list[tuple[VisualNode, VisualNode]]) -> int:
    weight = 0
    fonts = [(one.main_font, other.main_font) for one, other in pairs]
    known = [(above, below) for above, below in fonts if above is not None and below is not None]
    if any(abs(above[0] - below[0]) >= FONT_STEP or above[1] != below[1] for above, below in known):
        weight += 2
    if any(above[0] <= below[0] - FONT_STEP for above, below in known):
        weight += 2
    return weight


def similar(one: VisualNode, other: VisualNode) -> bool:
    """Whether two blocks are alike: both plain text in one font, or both built alike (cards of a list, posts, rows)."""
    if one.background != other.background:
        return False
    if _plain(one) and _plain(other):
        return one.main_font == other.main_font
    return one.tag == other.tag and _build(one) == _build(other) and bool(one.children) and not _plain(one)


def _plain(node: VisualNode) -> bool:
    # A word in bold or in another face does not make it another kind of text.
    return node.chars > 0 and all(child.virtual for child in node.children)


def _build(node: VisualNode) -> tuple[str, tuple[str, ...]]:
    kind = "" if node.ordinal else str(node.element.get("class") or "")
    # Cards of one list differ in what is optional: the class tells more than the last child.
    return kind, () if kind else tuple(child.tag for child in node.children[:4])
