"""A picture of a page with its blocks.

Levels by colour, and on each block its number, level, score and degree of coherence. The page itself lies underneath:
as a screenshot where a browser took one, else painted from the boxes of its layout, else from the blocks' own boxes or
their estimate.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image, ImageColor, ImageDraw, ImageFont, UnidentifiedImageError

from hometextile.blocks.block import Block
from hometextile.blocks.visual_nodes import VisualNode, visible_text, visual_tree
from hometextile.page.document import Document
from hometextile.page.layout import Box, Layout, read_layout
from hometextile.text.faults import Fault
from hometextile.text.messages import _

#: Level to colour: told apart by people who do not see red and green alike (Okabe and Ito, 2008).
COLOURS = {"main": (0, 158, 115), "related": (0, 114, 178), "noise": (213, 94, 0), None: (120, 120, 120)}
#: Larger pages are drawn smaller, and cut where they would be smaller than half.
MAX_HEIGHT = 16_000
MAX_WIDTH = 4_000

#: Fonts that hold Chinese, by the file names under which systems install them.
_CJK_FONTS = (
    "NotoSansCJK-Regular.ttc", "NotoSansCJKsc-Regular.otf", "NotoSansSC-Regular.otf", "NotoSerifCJK-Regular.ttc",
    "SourceHanSansCN-Regular.otf", "SourceHanSansSC-Regular.otf", "wqy-microhei.ttc", "wqy-zenhei.ttc",
    "DroidSansFallbackFull.ttf", "DroidSansFallback.ttf", "uming.ttc", "ukai.ttc", "msyh.ttc", "simsun.ttc",
    "simhei.ttf", "PingFang.ttc", "Hiragino Sans GB.ttc", "STHeiti Light.ttc", "Arial Unicode.ttf",
)
_WIDE_FROM = 0x2E80
_Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@dataclass(frozen=True)
class Picture:
    """What was drawn.

    Attributes:
        path: the PNG file.
        width, height: its pixels.
        scale: picture pixels a CSS pixel.
        cut: the page is longer than the picture.
        chinese: there was a font for Chinese; without one, squares stand for characters.
    """

    path: Path
    width: int
    height: int
    scale: float
    cut: bool
    chinese: bool


def draw_picture(
    document: Document, blocks: Sequence[Block], path: str | Path, *, screenshot: bytes | None = None
) -> Picture:
    """Draw a page with its blocks to a PNG file.

    Args:
        document: the page.
        blocks: its blocks; boxes in CSS pixels. Blocks without a box are stacked in order.
        path: where the picture goes.
        screenshot: the page as a browser drew it, PNG.

    Raises:
        Fault: the file cannot be written, or the screenshot is no picture.
    """
    layout = read_layout(document)
    boxes = _boxes(blocks)
    width, height = _page_size(layout, boxes)
    under = _open(screenshot) if screenshot else None
    if under is not None:
        width, height = max(width, under.width), max(height, under.height)
    scale = max(0.5, min(1.0, MAX_HEIGHT / height, MAX_WIDTH / width))
    size = (max(1, min(MAX_WIDTH, round(width * scale))), max(1, min(MAX_HEIGHT, round(height * scale))))
    image = Image.new("RGB", size, "white")
    painter = _Painter(image, scale)
    if under is not None:
        smaller = under.convert("RGB").resize((round(under.width * scale), round(under.height * scale)))
        image.paste(smaller, (0, 0))
    elif layout is not None:
        painter.page(document, layout)
    else:
        for block, box in zip(blocks, boxes, strict=True):
            painter.text(block.text, box, 14.0, "#333333")
    painter.blocks(blocks, boxes)
    target = Path(path)
    try:
        painter.image.save(target, "PNG")
    except OSError as error:
        why = error.strerror or error
        raise Fault(_("the picture cannot be written: {why}").format(why=why), file=target) from None
    return Picture(target, *size, scale, round(height * scale) > size[1], cjk_font_file() is not None)


def _open(screenshot: bytes) -> Image.Image:
    try:
        return Image.open(io.BytesIO(screenshot))
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
        raise Fault(_("the screenshot is no picture: {why}").format(why=error)) from None


def _boxes(blocks: Sequence[Block]) -> list[Box]:
    """Each block's box; those that have none are stacked below one another, as high as their text wants."""
    found: list[Box] = []
    bottom = 0.0
    for block in blocks:
        box = block.box
        if box is None:
            box = (10.0, bottom + 10.0, 1180.0, 22.0 + 20.0 * (1 + len(block.text) // 80))
        bottom = max(bottom, box[1] + box[3])
        found.append(box)
    return found


def _page_size(layout: Layout | None, boxes: Sequence[Box]) -> tuple[float, float]:
    width = max([box[0] + box[2] for box in boxes], default=0.0)
    height = max([box[1] + box[3] for box in boxes], default=0.0)
    if layout is not None:
        width, height = max(width, layout.page_width), max(height, layout.page_height)
    return max(width, 400.0), max(height, 100.0)


class _Painter:
    """Draws in CSS pixels on a picture of another scale."""

    def __init__(self, image: Image.Image, scale: float) -> None:
        self.image = image
        self.scale = scale
        self._draw = ImageDraw.Draw(image)

    def page(self, document: Document, layout: Layout) -> None:
        """The page from its layout: backgrounds, pictures as crossed boxes, text."""
        for sight in layout.sights.values():
            if sight.visible and sight.own_background not in {"", "image"}:
                self._fill(sight.box, _colour(sight.own_background))
        for node in _drawn_whole(visual_tree(document.tree, layout)):
            box = (node.x, node.y, node.width, node.height)
            if node.main_font is not None:
                holder = layout.sight(node.element)
                colour = holder.color if holder is not None else "#000000"
                self.text(visible_text([node]), box, node.main_font[0], colour)
            else:
                self._crossed(box)

    def text(self, text: str, box: Box, size: float, colour: str) -> None:
        """Text wrapped into a box; what does not fit is left out."""
        size = max(6.0, min(size, 60.0))
        pixels = max(5, round(size * self.scale))
        x, y = box[0], box[1]
        line_height = size * 1.25
        for line in text.split("\n"):
            for part in _wrapped(line.strip(), box[2] / size):
                if y + size > box[1] + box[3] + size:
                    return
                self._line(part, x, y, pixels, _colour(colour))
                y += line_height

    def blocks(self, blocks: Sequence[Block], boxes: Sequence[Box]) -> None:
        """Each block's frame, tint and label."""
        tint = Image.new("RGBA", self.image.size, (0, 0, 0, 0))
        over = ImageDraw.Draw(tint)
        for block, box in zip(blocks, boxes, strict=True):
            colour = COLOURS.get(block.level, COLOURS[None])
            over.rectangle(self._corners(box), fill=(*colour, 40), outline=(*colour, 255), width=2)
        self.image = Image.alpha_composite(self.image.convert("RGBA"), tint).convert("RGB")
        self._draw = ImageDraw.Draw(self.image)
        for block, box in zip(blocks, boxes, strict=True):
            self._label(label_of(block), box, COLOURS.get(block.level, COLOURS[None]))

    def _label(self, text: str, box: Box, colour: tuple[int, int, int]) -> None:
        font = _font(12, False)
        # In the upper right corner: text begins on the left.
        width = self._draw.textlength(text, font=font)
        x = max(2.0, min((box[0] + box[2]) * self.scale, self.image.width) - width - 6)
        y = box[1] * self.scale + 2
        left, top, right, bottom = self._draw.textbbox((x, y), text, font=font)
        self._draw.rectangle((left - 2, top - 1, right + 2, bottom + 1), fill=colour)
        self._draw.text((x, y), text, fill="white", font=font)

    def _corners(self, box: Box) -> tuple[float, float, float, float]:
        x, y, width, height = (value * self.scale for value in box)
        return (x, y, x + max(width - 1, 1), y + max(height - 1, 1))

    def _fill(self, box: Box, colour: Any) -> None:
        if box[2] > 0 and box[3] > 0:
            self._draw.rectangle(self._corners(box), fill=colour)

    def _crossed(self, box: Box) -> None:
        left, top, right, bottom = self._corners(box)
        self._draw.rectangle((left, top, right, bottom), outline="#bbbbbb")
        self._draw.line((left, top, right, bottom), fill="#dddddd")
        self._draw.line((left, bottom, right, top), fill="#dddddd")

    def _line(self, text: str, x: float, y: float, pixels: int, colour: Any) -> None:
        """One line, Chinese and Latin each in its font."""
        at, top = x * self.scale, y * self.scale
        if at > self.image.width or top > self.image.height:
            return
        chinese = cjk_font_file() is not None
        for wide, run in _runs(text):
            if wide and not chinese:
                for _character in run:
                    self._draw.rectangle((at + 1, top + 1, at + pixels - 2, top + pixels - 1), outline="#999999")
                    at += pixels
                continue
            font = _font(pixels, wide)
            self._draw.text((at, top), run, fill=colour, font=font)
            at += font.getlength(run)


def label_of(block: Block) -> str:
    """What is written on a block: number, level, score and DoC, as far as it has them.

    Main that the page's text leaves out (a person would call it main, the cut does not take it) stands in brackets.
    """
    parts = [f"#{block.id}"]
    if block.level is not None:
        parts.append(block.level if block.in_text or block.level != "main" else "(main)")
    if block.score is not None:
        parts.append(f"{block.score:.2f}")
    if block.doc is not None:
        parts.append(f"DoC {block.doc}")
    return " ".join(parts)


def _drawn_whole(top: VisualNode | None) -> Iterator[VisualNode]:
    """Pieces to draw one by one: leaves, and paragraphs of which a piece runs over the end of a line.

    The box of such a piece is as wide as its paragraph, and the pieces would be drawn on top of one another.
    """
    stack = [] if top is None else [top]
    while stack:
        node = stack.pop()
        if node.children and not (_is_text(node) and any(_runs_over(leaf) for leaf in node.leaves())):
            stack.extend(reversed(node.children))
        else:
            yield node


def _is_text(node: VisualNode) -> bool:
    return all(child.virtual for child in node.children)


def _runs_over(leaf: VisualNode) -> bool:
    return leaf.main_font is not None and leaf.height > 1.9 * leaf.main_font[0]


def _wrapped(text: str, width: float) -> Iterator[str]:
    """Lines of at most *width* times the font size: a Chinese character takes one, others half."""
    line, used = "", 0.0
    for word in _words(text):
        size = sum(1.0 if ord(c) >= _WIDE_FROM else 0.5 for c in word)
        if line and used + size > max(width, 1.0):
            yield line
            line, used = "", 0.0
        line += word
        used += size
    if line:
        yield line


def _words(text: str) -> Iterator[str]:
    """Chinese characters singly, other words whole with the space behind."""
    word = ""
    for character in text:
        if ord(character) >= _WIDE_FROM:
            if word:
                yield word
            yield character
            word = ""
        else:
            word += character
            if character == " ":
                yield word
                word = ""
    if word:
        yield word


def _runs(text: str) -> Iterator[tuple[bool, str]]:
    start = 0
    for number in range(1, len(text) + 1):
        if number == len(text) or (ord(text[number]) >= _WIDE_FROM) != (ord(text[start]) >= _WIDE_FROM):
            yield ord(text[start]) >= _WIDE_FROM, text[start:number]
            start = number


def _colour(text: str) -> Any:
    try:
        return ImageColor.getrgb(text)
    except ValueError:
        return (0, 0, 0)


@lru_cache(maxsize=1)
def cjk_font_file() -> str | None:
    """The file name of an installed font that holds Chinese, or None."""
    for name in _CJK_FONTS:
        try:
            ImageFont.truetype(name, 12)
        except OSError:
            continue
        return name
    return None


@lru_cache(maxsize=128)
def _font(size: int, wide: bool) -> _Font:
    name = cjk_font_file() if wide else None
    return ImageFont.truetype(name, size) if name else ImageFont.load_default(size)
