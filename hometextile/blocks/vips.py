"""Segmentation by sight: VIPS.

After Cai, Yu, Wen and Ma, "VIPS: a vision-based page segmentation algorithm" (Microsoft Research, MSR-TR-2003-79).
Rounds of three steps: blocks by the rules (:mod:`hometextile.blocks.division`), separators between them
(:mod:`hometextile.blocks.separators`), and the construction of regions from the lightest separator to the heaviest.
A region's degree of coherence (DoC) comes from the heaviest separator inside of it; a leaf whose DoC is under the
permitted one (PDoC) goes through another round. What comes out is the coarsest set of regions that are coherent enough.

The paper gives no thresholds; ours are in the two modules above and in :data:`DOC_OF_WEIGHT`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hometextile.blocks.block import Block
from hometextile.blocks.division import Piece, divide
from hometextile.blocks.paths import Paths
from hometextile.blocks.separators import Separator, separators
from hometextile.blocks.visual_nodes import VisualNode, visible_text, visual_tree
from hometextile.page.document import Document
from hometextile.page.layout import Layout

#: DoC of a region by the weight of its heaviest separator; heavier ones give 1.
DOC_OF_WEIGHT = {0: 9, 1: 7, 2: 4, 3: 3, 4: 2}
#: Rounds inside of one another; deeper leaves are left as they are.
MAX_ROUNDS = 60
#: Regions inside of one another within a round.
MAX_NESTING = 150


@dataclass
class Region:
    """A region of the page: a leaf, or other regions with separators between them.

    Attributes:
        doc: degree of coherence, 1 to 10; never under that of the region around it.
        piece: what a leaf is made of.
        parts: the regions inside, in document order.
    """

    doc: int
    piece: Piece | None = None
    parts: list[Region] = field(default_factory=list)

    def nodes(self) -> Iterator[VisualNode]:
        """The nodes that the region is made of."""
        stack = [self]
        while stack:
            region = stack.pop()
            if region.piece is not None:
                yield region.piece.node
            stack.extend(reversed(region.parts))


def segment_by_sight(document: Document, layout: Layout, pdoc: int = 5) -> list[Block]:
    """Blocks of a page as a person sees them.

    Args:
        document: the page.
        layout: its layout.
        pdoc: permitted degree of coherence, 1 to 11: the higher, the smaller the blocks.

    Returns:
        Blocks in document order. Together they hold every visible text of the page once. Empty where nothing is seen.
    """
    top = visual_tree(document.tree, layout)
    if top is None:
        return []
    order = _document_order(document.tree)
    measure = max(1.0, min(layout.page_width * layout.page_height, layout.window_width * layout.window_height))
    found: list[tuple[tuple[int, int], int, list[VisualNode]]] = []
    for region in _coherent(top, measure, pdoc):
        nodes = sorted(_gathered(list(region.nodes())), key=lambda node: _place(node, order))
        found.append((_place(nodes[0], order), region.doc, nodes))
    found.sort(key=lambda entry: entry[0])
    paths = Paths()
    return [_block(number, doc, nodes, paths) for number, (_first, doc, nodes) in enumerate(found)]


def _coherent(top: VisualNode, measure: float, pdoc: int) -> Iterator[Region]:
    """The coarsest regions that are coherent enough."""
    stack: list[tuple[Region, int]] = [(_round(top, measure, 1), 0)]
    while stack:
        region, rounds = stack.pop()
        piece = region.piece
        if piece is None:
            if region.doc >= pdoc and region.parts:
                yield region
            else:
                stack.extend((part, rounds) for part in region.parts)
        elif region.doc >= pdoc or piece.final or rounds >= MAX_ROUNDS:
            yield region
        else:
            inner = _round(piece.node, measure, region.doc)
            if inner.piece is not None and inner.piece.node is piece.node:
                yield region
            else:
                stack.append((inner, rounds + 1))


def _round(root: VisualNode, measure: float, least: int) -> Region:
    """One round: blocks, separators, regions.

    A root that cannot be divided comes back as a leaf, one with nothing to see in it as a region without parts.
    """
    pool = divide(root, measure)
    if not pool.pieces:
        return Region(10)
    leaves = {id(piece.node): Region(max(piece.doc, least), piece) for piece in pool.pieces}
    nodes = [piece.node for piece in pool.pieces]
    region = _construct(nodes, pool.lines, leaves, 0)
    _raise(region, least)
    return region


def _construct(
    nodes: list[VisualNode], lines: list[VisualNode], leaves: dict[int, Region], depth: int
) -> Region:
    """Regions of a pool.

    The paper merges across the lightest separators first, until only the heaviest are left; from above that is: part
    the pool at its heaviest separators, then each group in the same way.
    """
    if len(nodes) == 1:
        return leaves[id(nodes[0])]
    groups, weight = _part(nodes, lines) if depth < MAX_NESTING else ([], 0)
    if not groups:
        grounded = [node for node in nodes if not node.floating]
        if grounded and len(grounded) < len(nodes):
            # What floats above the page hides the bands between what lies on it.
            parts = [leaves[id(node)] for node in nodes if node.floating]
            return Region(1, None, [_construct(grounded, lines, leaves, depth + 1), *parts])
        return Region(1, None, [leaves[id(node)] for node in nodes])
    parts = [_construct(group, lines, leaves, depth + 1) for group in groups]
    doc = min(DOC_OF_WEIGHT.get(weight, 1), *(part.doc for part in parts))
    return Region(doc, None, parts)


def _part(nodes: list[VisualNode], lines: list[VisualNode]) -> tuple[list[list[VisualNode]], int]:
    """The groups that the heaviest separators make, and their weight; horizontal ones go first among equals."""
    rows, across = separators(nodes, lines, horizontal=True)
    columns, down = separators(nodes, lines, horizontal=False)
    heaviest = max((one.weight for one in (*across, *down)), default=-1)
    if heaviest < 0:
        return [], 0
    for ordered, bands in ((rows, across), (columns, down)):
        cuts = [band for band in bands if band.weight == heaviest]
        if cuts:
            return list(_groups(ordered, cuts)), heaviest
    raise AssertionError("the heaviest separator lies in one direction or the other")


def _groups(ordered: list[VisualNode], cuts: Iterable[Separator]) -> Iterator[list[VisualNode]]:
    start = 0
    for cut in cuts:
        yield ordered[start : cut.before]
        start = cut.before
    yield ordered[start:]


def _raise(region: Region, least: int) -> None:
    """No region is less coherent than what it is part of."""
    stack = [(region, least)]
    while stack:
        one, floor = stack.pop()
        one.doc = max(one.doc, floor)
        stack.extend((part, one.doc) for part in one.parts)


def _gathered(nodes: list[VisualNode]) -> list[VisualNode]:
    """The nodes, with those that are all the content of one node replaced by it, for as long as there are some."""
    while len(nodes) > 1:
        inside: dict[int, list[VisualNode]] = {}
        for node in nodes:
            inside.setdefault(id(node.parent), []).append(node)
        whole: dict[int, VisualNode] = {}
        for group in inside.values():
            parent = group[0].parent
            if parent is not None and len(group) == sum(child.has_content for child in parent.children):
                whole[id(parent)] = parent
        if not whole:
            break
        nodes = [node for node in nodes if id(node.parent) not in whole] + list(whole.values())
    return nodes


def _document_order(root: Any) -> dict[Any, int]:
    return {element: number for number, element in enumerate(root.iter())}


def _place(node: VisualNode, order: dict[Any, int]) -> tuple[int, int]:
    """Where a node begins: text and runs come before the child elements that follow them."""
    if node.ordinal == 0:
        return order[node.element], 0
    if node.ordinal < 0:
        return _place(node.children[0], order)
    before = _element_before(node)
    if before is None:
        return order[node.element], 1
    last = before
    while len(last):
        last = last[-1]
    return order[last], 1 + node.ordinal


def _element_before(node: VisualNode) -> Any:
    """The child (comments count) after which a text node stands, None where it comes first."""
    number = 1 if node.element.text else 0
    if number == node.ordinal:
        return None
    for child in node.element:
        number += bool(child.tail)
        if number == node.ordinal:
            return child
    return None


def _block(number: int, doc: int, nodes: list[VisualNode], paths: Paths) -> Block:
    members = list(_members(nodes))
    x, y = min(node.x for node in nodes), min(node.y for node in nodes)
    box = (x, y, max(node.right for node in nodes) - x, max(node.bottom for node in nodes) - y)
    first = members[0]
    path = paths.of(first.element) + (f"/text()[{first.ordinal}]" if first.ordinal else "")
    return Block(
        id=number,
        where=path,
        elements=[node.element for node in members if node.ordinal == 0],
        texts=[(node.element, node.ordinal) for node in members if node.ordinal > 0],
        text=visible_text(nodes),
        box=box,
        doc=doc,
    )


def _members(nodes: Iterable[VisualNode]) -> Iterator[VisualNode]:
    """Elements and text nodes; an anonymous run is what it was made of."""
    for node in nodes:
        if node.ordinal < 0:
            yield from node.children
        else:
            yield node
