"""The layout read from a page: boxes and styles of its elements as a browser drew them.

The form in which a layout stands in a page is described in :mod:`hometextile.render.drawing`.
"""

from __future__ import annotations

from typing import Any

from hometextile.page.document import Document

Box = tuple[float, float, float, float]

#: Tags that do not break lines unless a style says so (HTML standard, section 15, "Rendering").
INLINE_TAGS = frozenset(
    ("a", "abbr", "acronym", "area", "audio", "b", "basefont", "bdi", "bdo", "big", "br", "button", "canvas",
     "cite", "code", "data", "datalist", "del", "dfn", "em", "embed", "font", "i", "iframe", "img", "input",
     "ins", "kbd", "label", "map", "mark", "meter", "nobr", "noscript", "object", "output", "picture",
     "progress", "q", "rp", "rt", "ruby", "s", "samp", "select", "slot", "small", "source", "span", "strike",
     "strong", "sub", "sup", "svg", "textarea", "time", "track", "tt", "u", "var", "video", "wbr", "g", "text",
     "tspan", "textpath", "textPath", "foreignobject", "foreignObject", "switch")
)

WHITE = "#ffffff"


class Sight:
    """What is seen of one element.

    Attributes:
        x, y, width, height: the box in CSS pixels from the page's upper left corner.
        font_size: pixels.
        font_weight: 100 to 900.
        color: ``#rrggbb``.
        background: the colour behind the element, its own or the nearest ancestor's; ``image`` where that is a picture.
        own_background: the element's own background, '' where it has none.
        visible: not hidden by ``visibility`` or ``opacity``, and drawn at all. An element without area may be visible:
            its children can stand outside of it.
        drawn: not ``display:none``; what is inside of such an element is not drawn either.
        inline: whether it does not break lines.
        position: ``static``, ``fixed``, ``sticky`` or ``absolute``.
        texts: boxes of the element's own runs of text, where it has child elements too.
    """

    __slots__ = ("background", "color", "drawn", "font_size", "font_weight", "height", "inline", "own_background",
                 "position", "texts", "visible", "width", "x", "y")

    def __init__(self, box: Box, inline: bool, above: Sight | None) -> None:
        self.x, self.y, self.width, self.height = box
        self.inline = inline
        self.drawn = True
        self.own_background = ""
        self.position = "static"
        self.texts: list[Box] = []
        if above is None:
            self.font_size, self.font_weight, self.color = 16.0, 400, "#000000"
            self.background, self.visible = WHITE, True
        else:
            self.font_size, self.font_weight, self.color = above.font_size, above.font_weight, above.color
            self.background, self.visible = above.background, above.visible

    @property
    def box(self) -> Box:
        """x, y, width, height."""
        return (self.x, self.y, self.width, self.height)

    @property
    def area(self) -> float:
        """Square pixels."""
        return self.width * self.height

    def style(self, text: str) -> None:
        """Take over a ``data-style`` attribute; what is not understood is left out."""
        for item in text.split(";"):
            name, _colon, value = item.partition(":")
            if name == "font-size":
                self.font_size = _number(value, self.font_size)
            elif name == "font-weight":
                self.font_weight = int(_number(value, self.font_weight))
            elif name == "color":
                self.color = value
            elif name == "background":
                self.own_background = self.background = value
            elif name == "visibility":
                self.visible = value == "visible"
            elif name == "display":
                self.inline = value == "inline"
                if value == "none":
                    self.visible = self.drawn = False
            elif name == "position":
                self.position = value


class Layout:
    """Boxes and styles of a page's elements.

    Attributes:
        page_width, page_height: the whole page in CSS pixels.
        window_width, window_height: the window it was drawn in.
        cut: there were too many elements, and those that come last are missing.
        sights: what is seen of each element; an element that is missing is not drawn.
    """

    def __init__(self, page: tuple[float, float], window: tuple[float, float], cut: bool) -> None:
        self.page_width, self.page_height = page
        self.window_width, self.window_height = window
        self.cut = cut
        self.sights: dict[Any, Sight] = {}

    def sight(self, element: Any) -> Sight | None:
        """What is seen of an element, or None where it is not drawn."""
        return self.sights.get(element)

    def box(self, element: Any) -> Box | None:
        """The element's box, or None where it is not drawn."""
        sight = self.sights.get(element)
        return sight.box if sight is not None else None

    def visible(self, element: Any) -> bool:
        """Whether the element is drawn, not hidden, and has an area."""
        sight = self.sights.get(element)
        return sight is not None and sight.visible and sight.width > 0 and sight.height > 0


def read_layout(document: Document) -> Layout | None:
    """The layout that stands in a page.

    Args:
        document: the page; ``data-box`` attributes may be hand-written, ``data-drawn`` may be missing.

    Returns:
        None where no element carries a box.
    """
    root = document.tree
    if root.get("data-box") is None and next(root.iterfind(".//*[@data-box]"), None) is None:
        return None
    drawn = [_number(part, 0.0) for part in (root.get("data-drawn") or "").split()]
    layout = Layout((0.0, 0.0), (1280.0, 800.0), root.get("data-cut") is not None)
    _read(root, layout)
    if len(drawn) == 4:
        layout.page_width, layout.page_height, layout.window_width, layout.window_height = drawn
    seen = layout.sights.values()
    layout.page_width = max(layout.page_width, max((s.x + s.width for s in seen if s.visible), default=0.0), 1.0)
    layout.page_height = max(layout.page_height, max((s.y + s.height for s in seen if s.visible), default=0.0), 1.0)
    return layout


def layout_of(document: Document) -> Layout | None:
    """The layout that stands in a page, read once and kept with the document."""
    if "layout" not in document.derived:
        document.derived["layout"] = read_layout(document)
    layout = document.derived["layout"]
    return layout if isinstance(layout, Layout) else None


def _read(root: Any, layout: Layout) -> None:
    sights = layout.sights
    stack: list[tuple[Any, Sight | None]] = [(root, None)]
    while stack:
        element, above = stack.pop()
        tag = element.tag
        if not isinstance(tag, str):
            continue
        attributes = element.attrib
        text = attributes.get("data-box")
        sight = above
        if text is not None:
            box = _box(text)
            if box is not None:
                sight = Sight(box, tag in INLINE_TAGS, above)
                style = attributes.get("data-style")
                if style:
                    sight.style(style)
                    if not sight.drawn:
                        sights[element] = sight
                        continue
                texts = attributes.get("data-texts")
                if texts:
                    sight.texts = [found for found in map(_box, texts.split(",")) if found is not None]
                sights[element] = sight
        stack.extend([(child, sight) for child in element])


def _box(text: str) -> Box | None:
    try:
        x, y, width, height = map(float, text.split())
    except ValueError:
        return None
    if not (-1e7 < x < 1e7 and -1e7 < y < 1e7 and 0 <= width < 1e7 and 0 <= height < 1e7):
        return None
    return (x, y, width, height)


def _number(text: str, otherwise: float) -> float:
    try:
        number = float(text)
    except ValueError:
        return otherwise
    return number if 0 <= number < 1e7 else otherwise
