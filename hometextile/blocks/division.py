"""Which nodes of a page are blocks in one round: VIPS' thirteen rules.

After "VIPS: a vision-based page segmentation algorithm" (MSR-TR-2003-79), section 4.1, tables 1 and 2. A node is cut,
divided, or kept as a block with a degree of coherence (DoC, 1 to 10). Sizes are relative to the page, or to a window
where the page is longer, so that a long page is not cut by other measures than a short one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hometextile.blocks.visual_nodes import REPLACED, VisualNode

#: Share of the measure (page or window) under which a node is small (rules 9 and 10).
SMALL = 0.1
#: Share from which a node is so large that its tag says little about its coherence.
LARGE = 0.5

#: DoC of a node that is kept, by its tag; other containers as ``div``, anything else 8.
DOC_BY_TAG = {"code": 7, "pre": 7, "li": 8, "span": 8, "sup": 8, "img": 8}
_CONTAINERS = frozenset(
    ("div", "body", "html", "table", "tbody", "thead", "tfoot", "tr", "td", "th", "ul", "ol", "dl", "dir", "menu",
     "form", "fieldset", "section", "article", "main", "aside", "header", "footer", "nav", "center", "details",
     "dialog", "figure", "search", "frameset", "hgroup", "blockquote")
)

_ORDER = {
    "inline": (1, 2, 3, 4, 5, 6, 7, 9, 10, 12),
    "table": (1, 2, 3, 8, 10, 13),
    "tr": (1, 2, 3, 7, 8, 10, 13),
    "td": (1, 2, 3, 4, 9, 10, 11, 13),
    "p": (1, 2, 3, 4, 5, 6, 7, 9, 10, 12),
    "other": (1, 2, 3, 4, 6, 7, 9, 10, 12),
}


@dataclass
class Piece:
    """A node that is a block of this round.

    Attributes:
        node: the node.
        doc: its degree of coherence.
        final: it holds nothing but text or is a picture: there is nothing to divide.
    """

    node: VisualNode
    doc: int
    final: bool = False


@dataclass
class Pool:
    """The blocks of a round, in document order, and the rules (``<hr>``) seen on the way."""

    pieces: list[Piece]
    lines: list[VisualNode]


@dataclass
class _Step:
    """A node that is being judged.

    Attributes:
        node: the node.
        root: it is the root of this round's subtree.
        after_kept: its previous sibling was not divided (rule 11).
        measure: square pixels to which sizes are relative.
    """

    node: VisualNode
    root: bool
    after_kept: bool
    measure: float

    @property
    def share(self) -> float:
        return self.node.area / self.measure


# What a rule says: None: it does not apply; "cut"; "divide"; "colours": divide, coloured children whole; or a DoC.
_Verdict = str | int | None


def kind_of(node: VisualNode) -> str:
    """The column of table 2 that a node belongs to."""
    if node.tag == "table":
        return "table"
    if node.tag == "tr":
        return "tr"
    if node.tag in {"td", "th"}:
        return "td"
    if node.inline:
        return "inline"
    return "p" if node.tag == "p" else "other"


def doc_of(node: VisualNode, measure: float, *, low: int = 1, high: int = 10) -> int:
    """DoC by tag and size: the smaller, the more coherent."""
    doc = DOC_BY_TAG.get(node.tag, 5 if node.tag in _CONTAINERS or "-" in node.tag else 8)
    share = node.area / measure
    if share >= LARGE:
        doc -= 2
    elif share < SMALL / 4:
        doc += 1
    return max(low, min(high, doc))


def _rule_1(step: _Step) -> _Verdict:
    """Not text and no valid child: cut. What is content by itself (a picture, an input) is kept."""
    node = step.node
    if node.is_text or node.children:
        return None
    return doc_of(node, step.measure) if node.tag in REPLACED else "cut"


def _rule_2(step: _Step) -> _Verdict:
    """One valid child, and it is not text: divide."""
    children = step.node.children
    return "divide" if len(children) == 1 and not children[0].is_text else None


def _rule_3(step: _Step) -> _Verdict:
    """Root of the round's subtree: divide, unless it is nothing but text."""
    return "divide" if step.root and not _only_text(step.node) else None


def _rule_4(step: _Step) -> _Verdict:
    """All children are text or virtual text: keep; DoC 10 where they share font size and weight, else 9."""
    if not _only_text(step.node):
        return None
    return 10 if step.node.font is not None else 9


def _rule_5(step: _Step) -> _Verdict:
    """A line-breaking child: divide."""
    return "divide" if any(not child.inline for child in step.node.children) else None


def _rule_6(step: _Step) -> _Verdict:
    """An ``<hr>`` child: divide."""
    return "divide" if any(child.tag == "hr" for child in step.node.children) else None


def _rule_7(step: _Step) -> _Verdict:
    """The children's areas sum to more than its own: divide. A hundredth is left to rounding.

    Inline children are left out: the box of one that runs over a line's end covers what stands beside it.
    """
    node = step.node
    total = sum(child.area for child in node.children if not child.inline or child.tag == "#run")
    return "divide" if total > node.area * 1.01 else None


def _rule_8(step: _Step) -> _Verdict:
    """Its background differs from a child's: divide, and such children stay whole this round."""
    background = step.node.background
    return "colours" if any(child.background != background for child in step.node.children) else None


def _rule_9(step: _Step) -> _Verdict:
    """A text or virtual text child, and small: keep, DoC 5 to 8."""
    if step.share < SMALL and any(child.virtual for child in step.node.children):
        return doc_of(step.node, step.measure, low=5, high=8)
    return None


def _rule_10(step: _Step) -> _Verdict:
    """The largest child is small: keep."""
    if max(child.area for child in step.node.children) < SMALL * step.measure:
        return doc_of(step.node, step.measure)
    return None


def _rule_11(step: _Step) -> _Verdict:
    """The previous sibling was not divided: keep."""
    return doc_of(step.node, step.measure) if step.after_kept else None


def _rule_12(step: _Step) -> _Verdict:
    """Divide."""
    return "divide"


def _rule_13(step: _Step) -> _Verdict:
    """Keep."""
    return doc_of(step.node, step.measure)


_RULES: dict[int, Callable[[_Step], _Verdict]] = {
    1: _rule_1, 2: _rule_2, 3: _rule_3, 4: _rule_4, 5: _rule_5, 6: _rule_6, 7: _rule_7, 8: _rule_8, 9: _rule_9,
    10: _rule_10, 11: _rule_11, 12: _rule_12, 13: _rule_13,
}


def _only_text(node: VisualNode) -> bool:
    return node.virtual if not node.children else all(child.virtual for child in node.children)


def judge(node: VisualNode, measure: float, *, root: bool = False, after_kept: bool = False) -> tuple[int, _Verdict]:
    """The first rule that applies to a node, and what it says.

    Args:
        node: the node.
        measure: square pixels to which sizes are relative.
        root: it is the root of this round's subtree.
        after_kept: its previous sibling was not divided.
    """
    step = _Step(node, root, after_kept, measure)
    for number in _ORDER[kind_of(node)]:
        verdict = _RULES[number](step)
        if verdict is not None:
            return number, verdict
    raise AssertionError("the last rule of each column always applies")


def divide(root: VisualNode, measure: float) -> Pool:
    """The blocks of one round.

    Args:
        root: the subtree's root; it is divided unless it is nothing but text.
        measure: square pixels to which sizes are relative.
    """
    pool = Pool([], [])
    # A frame is (children still to judge, whose turn, was the last one kept, background of the coloured rule or None).
    frames: list[_Frame] = [_Frame([root], None, root=True)]
    while frames:
        frame = frames[-1]
        if frame.turn == len(frame.nodes):
            frames.pop()
            continue
        node = frame.nodes[frame.turn]
        frame.turn += 1
        if node.tag == "hr":
            pool.lines.append(node)
            continue
        if frame.background is not None and node.background != frame.background and node.children:
            # Rule 8. A child larger than half the measure is not coherent because of its colour.
            large = node.area >= LARGE * measure
            pool.pieces.append(Piece(node, 4 if large else doc_of(node, measure, low=6, high=8), _only_text(node)))
            frame.kept = True
            continue
        verdict = judge(node, measure, root=frame.root, after_kept=frame.kept)[1]
        if isinstance(verdict, int):
            pool.pieces.append(Piece(node, verdict, not node.children or _only_text(node)))
            frame.kept = True
        elif verdict != "cut":
            frame.kept = False
            frames.append(_Frame(node.children, node.background if verdict == "colours" else None))
    return pool


class _Frame:
    __slots__ = ("background", "kept", "nodes", "root", "turn")

    def __init__(self, nodes: list[VisualNode], background: str | None, root: bool = False) -> None:
        self.nodes = nodes
        self.background = background
        self.root = root
        self.turn = 0
        self.kept = False
