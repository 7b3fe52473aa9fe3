"""Pictures of pages with their blocks."""

import io

import pytest
from PIL import Image

from hometextile.blocks import picture
from hometextile.blocks.block import Block
from hometextile.blocks.picture import COLOURS, draw_picture, label_of
from hometextile.blocks.vips import segment_by_sight
from hometextile.page.document import Document
from hometextile.text.faults import Fault
from tests.blocks.laid import el, page, read

# Shows: a dark header, an article with a picture, a footer.
HTML = page(
    el("div", "0 0 1280 80", "站点 site", style="background:#223344;color:#ffffff"),
    el("div", "0 120 900 300", el("img", "0 120 200 200"), el("p", "220 120 680 300", "棉布 cotton " * 30)),
    el("div", "0 500 1280 40", "copyright"),
    height=600,
)


def pixels_near(image, colour, tolerance=6):
    data = image.convert("RGB").tobytes()
    found = 0
    for start in range(0, len(data), 3):
        found += all(abs(data[start + i] - colour[i]) <= tolerance for i in range(3))
    return found


def test_levels_by_colour(tmp_path):
    document, layout = read(HTML)
    blocks = segment_by_sight(document, layout)
    for block, level in zip(blocks, ("noise", "main", "main", "related"), strict=True):
        block.level, block.score = level, 0.87
    drawn = draw_picture(document, blocks, tmp_path / "a.png")
    image = Image.open(drawn.path)
    assert image.size == (drawn.width, drawn.height) == (1280, 600)
    assert not drawn.cut and drawn.scale == 1.0
    for level in ("noise", "main", "related"):
        assert pixels_near(image, COLOURS[level]) > 500
    assert pixels_near(image, COLOURS[None]) < 500


def test_a_paragraph_of_pieces_is_written_once(tmp_path):
    # A piece that runs over a line's end has a box as wide as its paragraph: drawn one by one they would overlap.
    inside = ("one ", el("b", "0 0 900 60", "two"), " three", el("i", "0 20 900 40", "four"))
    flowing = el("p", "0 0 900 60", *inside, texts="0 0 900 40,0 20 900 40")
    short = el("div", "0 100 900 20", el("a", "0 100 40 20", "here"), el("a", "600 100 40 20", "there"))
    document, layout = read(page(flowing, short))
    written = []

    class Painter(picture._Painter):
        def text(self, text, box, size, colour):
            written.append((text, box[0]))

    Painter(Image.new("RGB", (1280, 800)), 1.0).page(document, layout)
    assert written == [("one two threefour", 0), ("here", 0), ("there", 600)]


def test_label():
    assert label_of(Block(3, "/html")) == "#3"
    assert label_of(Block(3, "/html", level="main", score=0.876, doc=5)) == "#3 main 0.88 DoC 5"
    assert label_of(Block(3, "/html", level="main", chosen=False)) == "#3 (main)"
    assert label_of(Block(3, "/html", level="noise", chosen=False)) == "#3 noise"


def test_screenshot_lies_underneath(tmp_path):
    document, layout = read(HTML)
    buffer = io.BytesIO()
    Image.new("RGB", (1280, 700), (250, 200, 10)).save(buffer, "PNG")
    drawn = draw_picture(document, segment_by_sight(document, layout), tmp_path / "a.png", screenshot=buffer.getvalue())
    assert drawn.height == 700
    assert Image.open(drawn.path).getpixel((1000, 650)) == (250, 200, 10)
    with pytest.raises(Fault, match="no picture"):
        draw_picture(document, [], tmp_path / "b.png", screenshot=b"garbage")


def test_without_a_layout_blocks_are_stacked_or_stand_where_they_were_estimated(tmp_path):
    document = Document("<p>one</p>", "http://a.example/")
    blocks = [Block(0, "/a", text="one " * 200), Block(1, "/b", text="二", box=(0.0, 900.0, 1280.0, 40.0))]
    drawn = draw_picture(document, blocks, tmp_path / "a.png")
    assert (drawn.width, drawn.height) == (1280, 940)


def test_empty_long_and_without_a_chinese_font(tmp_path, monkeypatch):
    document = Document("", "http://a.example/")
    assert draw_picture(document, [], tmp_path / "a.png").height == 100
    long = [Block(0, "/a", text="x", box=(0.0, 0.0, 1280.0, 90_000.0))]
    drawn = draw_picture(document, long, tmp_path / "b.png")
    assert drawn.cut and drawn.height == picture.MAX_HEIGHT and drawn.scale == 0.5
    monkeypatch.setattr(picture, "cjk_font_file", lambda: None)
    document, layout = read(HTML)
    assert not draw_picture(document, segment_by_sight(document, layout), tmp_path / "c.png").chinese


def test_a_place_that_cannot_be_written_is_a_fault(tmp_path):
    with pytest.raises(Fault, match="cannot be written"):
        draw_picture(Document("", "http://a.example/"), [], tmp_path / "missing" / "a.png")
