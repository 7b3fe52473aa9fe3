"""Pictures of the demo source, drawn from a number: a ground, a motif repeated, no two alike."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw

PALETTES = (
    ("#f4ead8", "#a63d2f", "#d9a441"), ("#e7eef2", "#1f4e79", "#7fa8c9"), ("#f0efe9", "#3d6b4f", "#b9c9a4"),
    ("#2b3a55", "#e8e3d3", "#c9963f"), ("#faf3f3", "#b5586e", "#e3b7c0"), ("#efe6dd", "#6b4a3a", "#c7a17a"),
    ("#e9f1ee", "#2a7f7f", "#f0a868"), ("#f7f4ea", "#4b4e6d", "#95a3b3"),
)  # fmt: skip


@lru_cache(maxsize=256)
def draw(number: int, width: int = 480, height: int = 360) -> bytes:
    """A JPEG of a repeated motif.

    Args:
        number: which; the same number gives the same picture.
        width, height: pixels.
    """
    ground, dark, light = PALETTES[number % len(PALETTES)]
    picture = Image.new("RGB", (width, height), ground)
    pen = ImageDraw.Draw(picture)
    step = 32 + number // 8 % 5 * 12
    kind = number // 40 % 5
    for row, y in enumerate(range(0, height + step, step)):
        for x in range(-step if row % 2 else -step // 2, width + step, step):
            half = step // 3
            if kind == 0:
                pen.ellipse((x - half, y - half, x + half, y + half), fill=dark, outline=light, width=4)
            elif kind == 1:
                pen.polygon(((x, y - half), (x + half, y), (x, y + half), (x - half, y)), fill=dark)
                pen.line((x - half, y - half, x + half, y + half), fill=light, width=3)
            elif kind == 2:
                pen.rectangle((x, y, x + half, y + step), fill=dark)
                pen.rectangle((x, y, x + step, y + half // 2), fill=light)
            elif kind == 3:
                for dx, dy in ((0, -half), (half, 0), (0, half), (-half, 0)):
                    pen.ellipse((x + dx - 8, y + dy - 8, x + dx + 8, y + dy + 8), fill=dark)
                pen.ellipse((x - 6, y - 6, x + 6, y + 6), fill=light)
            else:
                pen.arc((x - half, y - half, x + half, y + half), 180, 360, fill=dark, width=5)
                pen.arc((x - half // 2, y - half // 2, x + half // 2, y + half // 2), 180, 360, fill=light, width=4)
    out = BytesIO()
    picture.save(out, "JPEG", quality=60)
    return out.getvalue()
