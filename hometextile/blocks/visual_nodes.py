"""The tree that VIPS works on: what is seen of a page, and nothing else.

After Cai, Yu, Wen and Ma, "VIPS: a vision-based page segmentation algorithm" (MSR-TR-2003-79), section 4.1. An element
is a node when it is *valid*: seen, with an area, or with something valid inside (a container that collapsed around its
floats still holds them). Text is a node of its own. Runs of inline nodes that stand between line-breaking siblings are
joined to one anonymous node, as CSS joins them to an anonymous block box, so that dividing an element never tears a
sentence apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hometextile.page.layout import Box, Layout, Sight

#: Elements that are content by themselves, whatever is inside of them.
REPLACED = frozenset(
    ("img", "svg", "video", "audio", "canvas", "iframe", "object", "embed", "input", "select", "textarea", "meter",
     "progress", "math", "amp-img")
)
#: Never seen, even where a page carries boxes for them.
UNSEEN = frozenset(
    ("head", "script", "style", "noscript", "template", "title", "meta", "link", "base", "datalist", "param", "source",
     "track", "area", "map", "colgroup", "col", "noframes", "noembed")
)
_SPACES = re.compile(r"[ \t\r\n\f\v\u00a0\u200b\u3000\ufeff]+")


class VisualNode:
    """A node that is seen.

    Attributes:
        element: the lxml element; of a text node or an anonymous run, its parent.
        ordinal: of a text node: its number in its parent, from 1 as XPath counts; 0 for elements, -1 for runs.
        tag: lower-case tag; ``#text`` and ``#run`` for text and runs.
        x, y, right, bottom: the box in CSS pixels.
        parent: the node around it, None for the root.
        children: valid children in document order; of a run, its members.
        inline: does not break lines.
        virtual: a virtual text node: inline, and all its children are text or virtual text. Text counts too.
        font: (size, weight) of all the text inside, None where it is mixed or there is none.
        main_font: (size, weight) of the longest piece of text inside, None where there is no text.
        main_chars: characters of that piece.
        chars: characters of text inside, white space left out.
        background: what is behind it, its own or the nearest ancestor's.
        floating: taken out of the flow (``fixed``, ``sticky``, ``absolute``), or inside of such a node.
        text: of a text node: its text.
        pre: of a text node: its line breaks and indents are kept (``<pre>``).
        broken: a ``<br>`` stands before it.
        space: white space that stands before it: '' or one blank, in ``<pre>`` as it is.
    """

    __slots__ = ("background", "bottom", "broken", "chars", "children", "element", "floating", "font", "inline",
                 "main_chars", "main_font", "ordinal", "parent", "pre", "right", "space", "tag", "text", "virtual",
                 "x", "y")

    def __init__(self, element: Any, tag: str, ordinal: int, box: Box, background: str) -> None:
        self.element = element
        self.tag = tag
        self.ordinal = ordinal
        self.x, self.y, self.right, self.bottom = box[0], box[1], box[0] + box[2], box[1] + box[3]
        self.background = background
        self.parent: VisualNode | None = None
        self.children: list[VisualNode] = []
        self.inline = self.virtual = self.floating = self.broken = self.pre = False
        self.font: tuple[float, int] | None = None
        self.main_font: tuple[float, int] | None = None
        self.main_chars = self.chars = 0
        self.text = self.space = ""

    @property
    def width(self) -> float:
        """CSS pixels."""
        return self.right - self.x

    @property
    def height(self) -> float:
        """CSS pixels."""
        return self.bottom - self.y

    @property
    def area(self) -> float:
        """Square pixels: width by height, whatever the position."""
        return (self.right - self.x) * (self.bottom - self.y)

    @property
    def has_content(self) -> bool:
        """Whether there is anything in it but area: text, or something that is content by itself."""
        return bool(self.children) or self.ordinal > 0 or self.tag in REPLACED

    @property
    def is_text(self) -> bool:
        """Whether it is a text node."""
        return self.ordinal > 0

    def leaves(self) -> Iterator[VisualNode]:
        """Text nodes and nodes without children inside, in document order; itself, where it has no children."""
        stack = [self]
        while stack:
            node = stack.pop()
            if node.children:
                stack.extend(reversed(node.children))
            else:
                yield node

    def __repr__(self) -> str:
        return f"<{self.tag} {self.x:g},{self.y:g} {self.width:g}x{self.height:g}>"


_NOTHING = Sight((0.0, 0.0, 0.0, 0.0), False, None)


def visual_tree(root: Any, layout: Layout) -> VisualNode | None:
    """The tree of what is seen.

    Args:
        root: the page's root element.
        layout: its layout.

    Returns:
        None where nothing is seen.
    """
    order: list[tuple[Any, int, Sight | None, bool, bool]] = []
    stack: list[tuple[Any, int, Sight | None, bool]] = [(root, -1, None, False)]
    known = layout.sights.get
    floats = False
    while stack:
        element, parent, above, pre = stack.pop()
        sight = known(element)
        if sight is not None and (not sight.drawn or _shut(sight)):
            continue
        number = len(order)
        floats = floats or (sight is not None and sight.position != "static")
        pre = pre or element.tag == "pre"
        order.append((element, parent, sight or above, sight is not None, pre))
        if len(element) and element.tag not in REPLACED:
            sight = sight or above
            for child in reversed(element):
                tag = child.tag
                if tag not in UNSEEN and isinstance(tag, str):
                    stack.append((child, number, sight, pre))
    made: list[dict[Any, VisualNode]] = [{} for _entry in order]
    top: VisualNode | None = None
    for number in range(len(order) - 1, -1, -1):
        element, parent, sight, own, pre = order[number]
        node = _build(element, sight, own, made[number], pre=pre)
        if node is None:
            continue
        if parent >= 0:
            made[parent][element] = node
        else:
            top = node
    if top is not None and floats:
        _spread_floating(top, layout)
    return top


def _shut(sight: Sight) -> bool:
    """Whether an element is kept out of sight by being tiny or outside of the page, with everything in it."""
    if sight.width <= 1 and sight.height <= 1 and sight.position == "absolute":
        return True
    return sight.width > 0 and sight.height > 0 and (sight.x + sight.width <= 0 or sight.y + sight.height <= 0)


def _build(
    element: Any, sight: Sight | None, own: bool, made: dict[Any, VisualNode], *, pre: bool
) -> VisualNode | None:
    """One node from its valid children, or None where neither it nor anything in it is seen."""
    tag = element.tag
    if sight is None:
        # A hand-made page may carry boxes on some elements only.
        sight = _NOTHING
    box = sight.box
    solid = own and sight.visible and box[2] > 0 and box[3] > 0
    inline = own and sight.inline and tag != "hr"
    if tag in REPLACED or tag == "hr":
        if not solid:
            return None
        node = VisualNode(element, tag, 0, box, sight.background)
        node.inline = inline
        return node
    children = _children(element, sight, made, pre=pre) if len(element) else _text_only(element, sight, pre=pre)
    if not children:
        if not solid:
            return None
        node = VisualNode(element, tag, 0, box, sight.background)
        node.inline = inline
        return node
    if not solid:
        box = _union(children)
    node = VisualNode(element, tag, 0, box, sight.background)
    node.inline = inline
    node.children = children if inline or len(children) == 1 else _with_runs(element, children)
    _sum_up(node)
    node.virtual = inline and all(child.virtual for child in children)
    return node


def _text_node(element: Any, ordinal: int, text: str, box: Box, sight: Sight, *, pre: bool) -> VisualNode:
    node = VisualNode(element, "#text", ordinal, box, sight.background)
    node.text = text if pre else _SPACES.sub(" ", text)
    node.pre = pre
    node.inline = node.virtual = True
    node.chars = node.main_chars = sum(map(len, text.split()))
    node.font = node.main_font = (sight.font_size, sight.font_weight)
    return node


def _text_only(element: Any, sight: Sight, *, pre: bool) -> list[VisualNode]:
    """The text of an element without child elements: it fills the element's box."""
    text = element.text
    if not text or not sight.visible or sight.width <= 0 or sight.height <= 0 or _blank(text):
        return []
    return [_text_node(element, 1, text, sight.box, sight, pre=pre)]


def _blank(text: str) -> bool:
    return _SPACES.sub("", text) == ""


def _children(element: Any, sight: Sight, made: dict[Any, VisualNode], *, pre: bool) -> list[VisualNode]:
    """The valid children, text included, in order."""
    found: list[VisualNode] = []
    boxes = sight.texts
    ordinal = run = 0
    broken, space = False, ""
    for child in (None, *element):
        if child is None:
            content = element.text
        else:
            node = made.get(child)
            if node is not None:
                node.broken, broken = broken, False
                node.space, space = space, ""
                found.append(node)
            elif child.tag == "br":
                broken = True
            content = child.tail
        if not content:
            continue
        ordinal += 1
        if _blank(content):
            space = content if pre else " "
            continue
        box = boxes[run] if run < len(boxes) else sight.box
        run += 1
        if sight.visible and box[2] > 0 and box[3] > 0:
            text = _text_node(element, ordinal, content, box, sight, pre=pre)
            text.broken, broken = broken, False
            text.space, space = space, ""
            found.append(text)
    return found


def _with_runs(element: Any, children: list[VisualNode]) -> list[VisualNode]:
    """The children, with each run of inline ones between line-breaking ones joined to one node."""
    inline = sum(child.inline for child in children)
    if inline == 0 or inline == len(children):
        return children
    joined: list[VisualNode] = []
    run: list[VisualNode] = []
    for child in children:
        if child.inline:
            run.append(child)
            continue
        if run:
            joined.append(_joined(element, run))
            run = []
        joined.append(child)
    if run:
        joined.append(_joined(element, run))
    return joined


def _joined(element: Any, run: list[VisualNode]) -> VisualNode:
    if len(run) == 1:
        return run[0]
    node = VisualNode(element, "#run", -1, _union(run), run[0].background)
    node.children = run
    node.inline = True
    node.virtual = all(child.virtual for child in run)
    node.broken, node.space = run[0].broken, run[0].space
    _sum_up(node)
    return node


def _sum_up(node: VisualNode) -> None:
    """Text and fonts of a node from its children's; it becomes their parent."""
    children = node.children
    if len(children) == 1:
        child = children[0]
        child.parent = node
        node.chars, node.main_chars, node.font, node.main_font = (
            child.chars, child.main_chars, child.font, child.main_font
        )
        return
    uniform: tuple[float, int] | None = None
    mixed = False
    for child in children:
        child.parent = node
        if not child.chars:
            continue
        node.chars += child.chars
        if child.main_chars > node.main_chars:
            node.main_chars, node.main_font = child.main_chars, child.main_font
        if child.font is None or (uniform is not None and child.font != uniform):
            mixed = True
        uniform = child.font
    node.font = None if mixed else uniform


def _union(nodes: list[VisualNode]) -> Box:
    x, y = min(node.x for node in nodes), min(node.y for node in nodes)
    return (x, y, max(node.right for node in nodes) - x, max(node.bottom for node in nodes) - y)


def _spread_floating(top: VisualNode, layout: Layout) -> None:
    stack = [top]
    while stack:
        node = stack.pop()
        if node.ordinal == 0 and not node.floating:
            sight = layout.sights.get(node.element)
            node.floating = sight is not None and sight.position != "static"
        if node.floating:
            for child in node.children:
                child.floating = True
        stack.extend(node.children)


def visible_text(nodes: list[VisualNode]) -> str:
    """The text of some nodes in order: a line for each line-breaking node, white space folded but in ``<pre>``."""
    lines = _Lines()
    # Entries are nodes, or True for a line break to be made once what came before is written.
    stack: list[VisualNode | bool] = []
    for node in reversed(nodes):
        stack.append(node)
        stack.append(True)
    while stack:
        entry = stack.pop()
        if isinstance(entry, bool):
            lines.end()
            continue
        if entry.broken or not entry.inline:
            lines.end()
        if entry.space and entry.inline:
            lines.add(entry.space, pre=entry.space != " ")
        if entry.is_text:
            lines.add(entry.text, pre=entry.pre)
            continue
        if entry.tag == "svg":
            lines.add(" ".join(_SPACES.sub(" ", "".join(t.itertext())) for t in entry.element.iter("text")) + " ")
        if not entry.inline:
            stack.append(True)
        stack.extend(reversed(entry.children))
    return lines.text()


class _Lines:
    """Lines being written; those of ``<pre>`` keep their indents, and empty ones between them stay."""

    def __init__(self) -> None:
        self.lines = [""]
        self.kept = [False]

    def end(self) -> None:
        """End the line."""
        self.lines.append("")
        self.kept.append(False)

    def add(self, text: str, *, pre: bool = False) -> None:
        """Write on."""
        if not pre:
            self.lines[-1] += text
            return
        parts = text.replace("\r\n", "\n").split("\n")
        self.lines[-1] += parts[0]
        self.kept[-1] = True
        self.lines += parts[1:]
        self.kept += [True] * (len(parts) - 1)

    def text(self) -> str:
        """What was written."""
        found: list[str] = []
        gap = 0
        for line, kept in zip(self.lines, self.kept, strict=True):
            written = line.rstrip() if kept else _SPACES.sub(" ", line).strip()
            if written:
                found += [""] * gap if kept else []
                found.append(written)
                gap = 0
            elif kept and found:
                gap += 1
        return "\n".join(found)
