"""The text of a page: its main blocks in reading order, plain and as Markdown, with pictures, videos and links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urljoin

from hometextile.blocks.block import Block
from hometextile.blocks.kinds import page_kind
from hometextile.blocks.media import pictures, videos
from hometextile.blocks.outline import TOKEN, Outline, outline
from hometextile.blocks.shells import SHELL, text_from_data
from hometextile.blocks.tags import HEADINGS
from hometextile.page.document import Document

#: A text that stands twice is kept once when it is longer than this.
_REPEAT = 25
_SITE_NAME = re.compile(r"\s*(?:[|_»«]|\s[-–—·:]\s|--|—)\s*")
_ESCAPE = re.compile(r"([\\`*_\[\]<>])")


@dataclass
class Content:
    """What a page says.

    Attributes:
        text: main text, one line a paragraph, list entry, heading or table row.
        markdown: the same with headings, lists and tables as Markdown.
        images: ``url``, ``alt``, ``caption``, ``width``, ``height`` each.
        videos: ``url``, ``poster``, ``duration`` (seconds), ``title`` each.
        links: ``url``, ``text`` each, of the main text. These four are made when first asked for.
        title: the page's title.
        block_ids: of the blocks that the text was taken from.
        kept: these blocks.
        source: the blocks and the page.
        dropped: level to share of the page's tokens that stand in blocks of that level; ``main`` is what was kept.
    """

    text: str = ""
    title: str = ""
    block_ids: list[int] = field(default_factory=list)
    dropped: dict[str, float] = field(default_factory=dict)
    kept: Sequence[Block] = field(default=(), repr=False)
    source: tuple[Sequence[Block], Document] | None = field(default=None, repr=False)

    @cached_property
    def markdown(self) -> str:
        """The text with headings, lists and tables as Markdown."""
        if self.source is None or not self.kept:
            return self.text.replace("\n", "\n\n")
        return _Markdown(outline(self.source[1])).render(self.kept)

    @cached_property
    def images(self) -> list[dict[str, Any]]:
        """Pictures in the kept blocks."""
        if self.source is None:
            return []
        document = self.source[1]
        return pictures(_images(self.kept, outline(document)), document.base_url)

    @cached_property
    def videos(self) -> list[dict[str, Any]]:
        """The page's videos."""
        return videos(self.source[1]) if self.source is not None else []

    @cached_property
    def links(self) -> list[dict[str, Any]]:
        """Links of the kept blocks."""
        return _links(self.kept, self.source[1]) if self.source is not None else []

    @cached_property
    def kind(self) -> str:
        """Kind of the page, see :mod:`hometextile.blocks.kinds`; found when first asked for."""
        return page_kind(self.source[1], self.source[0]) if self.source is not None else ""


def main_text(blocks: Sequence[Block], document: Document) -> Content:
    """The page's main text and what belongs to it.

    Args:
        blocks: rated (``level`` set), in document order.
        document: their page.
    """
    out = outline(document)
    kept = keep_once([block for block in blocks if block.in_text])
    text = plain_text(kept, out)
    if len(text) < 4 * SHELL and len(TOKEN.findall(text)) < SHELL:
        carried = text_from_data(document)
        if len(carried) > 2 * len(text):
            text, kept = carried, []
    return Content(
        text=text,
        title=page_title(out, document),
        block_ids=[block.id for block in kept],
        dropped=_shares(blocks),
        kept=kept,
        source=(blocks, document),
    )


def keep_once(blocks: Sequence[Block]) -> list[Block]:
    """Without blocks whose text stood in one before (``noscript`` copies, mobile copies, quotes in full)."""
    seen: set[str] = set()
    kept = []
    for block in blocks:
        key = block.text.lower()
        if len(key) > _REPEAT:
            if key in seen:
                continue
            seen.add(key)
        kept.append(block)
    return kept


def _row_of(block: Block, out: Outline) -> Any:
    """The table row that a block stands in as a cell, or None."""
    if not block.elements:
        return None
    element = block.elements[0]
    for _level in range(4):
        if element is None or not isinstance(element.tag, str):
            return None
        if element.tag == "tr":
            return element
        element = element.getparent()
    return None


def _is_cell_row(row: Any) -> bool:
    """Whether a row is one of data: two cells or more, none of which holds a table (layout tables do)."""
    cells = [cell for cell in row if cell.tag in {"td", "th"}]
    return len(cells) > 1 and not any(next(cell.iter("table"), None) is not None for cell in cells)


def plain_text(blocks: Sequence[Block], out: Outline) -> str:
    """Blocks as lines; the cells of one table row stand on one line, a tab between."""
    lines: list[str] = []
    before: Any = None
    for block in blocks:
        if not block.text:
            continue
        row = _row_of(block, out)
        row = row if row is not None and _is_cell_row(row) else None
        if row is not None and row is before and lines:
            lines[-1] += "\t" + block.text.replace("\n", " ")
        else:
            lines.append(block.text)
        before = row
    return "\n".join(lines)


class _Markdown:
    """Blocks as Markdown."""

    def __init__(self, out: Outline) -> None:
        self.out = out

    def render(self, blocks: Sequence[Block]) -> str:
        """Paragraphs apart by an empty line, list entries and table rows together."""
        parts: list[tuple[str, str]] = []
        table: list[list[str]] = []
        row_before: Any = None
        for block in blocks:
            if not block.text.strip():
                continue
            row = _row_of(block, self.out)
            if row is not None and _is_cell_row(row):
                cell = _ESCAPE.sub(r"\\\1", block.text.replace("\n", " ")).replace("|", "\\|")
                if row is row_before and table:
                    table[-1].append(cell)
                else:
                    if row_before is None or row.getparent() is not row_before.getparent():
                        self._close(table, parts)
                    table.append([cell])
                row_before = row
                continue
            self._close(table, parts)
            row_before = None
            parts.append(self._one(block))
        self._close(table, parts)
        text = ""
        kind_before = ""
        for kind, part in parts:
            gap = "\n" if kind == kind_before == "list" else "\n\n"
            text += (gap if text else "") + part
            kind_before = kind
        return text

    def _close(self, table: list[list[str]], parts: list[tuple[str, str]]) -> None:
        if table:
            width = max(len(row) for row in table)
            rows = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in table]
            rows.insert(1, "|" + " --- |" * width)
            parts.append(("table", "\n".join(rows)))
            table.clear()

    def _one(self, block: Block) -> tuple[str, str]:
        element = block.elements[0] if block.elements else None
        escaped = _ESCAPE.sub(r"\\\1", block.text)
        if element is None:
            return "text", escaped.replace("\n", "  \n")
        chain = [element]
        for ancestor in element.iterancestors():
            chain.append(ancestor)
            if len(chain) > 6:
                break
        tags = [each.tag for each in chain if isinstance(each.tag, str)]
        if "pre" in tags:
            fence = "```" if "```" not in block.text else "~~~~"
            return "code", f"{fence}\n{block.text}\n{fence}"
        heading = next((tag for tag in tags[:3] if tag in HEADINGS), None)
        if heading is not None:
            return "heading", "#" * int(heading[1]) + " " + escaped.replace("\n", " ")
        entry = next((each for each in chain[:4] if each.tag == "li"), None)
        if entry is not None:
            return "list", self._entry(entry, escaped)
        if "blockquote" in tags:
            return "quote", "\n".join("> " + line for line in escaped.split("\n"))
        return "text", escaped.replace("\n", "  \n")

    def _entry(self, entry: Any, text: str) -> str:
        depth = sum(1 for ancestor in entry.iterancestors("ul", "ol")) - 1
        mark = "-"
        parent = entry.getparent()
        if parent is not None and parent.tag == "ol":
            mark = f"{1 + sum(1 for _ in entry.itersiblings('li', preceding=True))}."
        return "  " * max(0, min(depth, 6)) + f"{mark} " + text.replace("\n", " ")


def _images(blocks: Sequence[Block], out: Outline) -> list[Any]:
    """``img`` elements inside the main blocks, in document order."""
    found: dict[Any, None] = {}
    for block in blocks:
        for element in block.elements:
            for image in [element] if element.tag in {"img", "amp-img"} else element.iter("img", "amp-img"):
                found[image] = None
    return list(found)


def _links(blocks: Sequence[Block], document: Document) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for block in blocks:
        for element in block.elements:
            for link in [element] if element.tag == "a" else element.iter("a"):
                href = (link.get("href") or "").strip()
                if not href or href.startswith(("#", "javascript:", "data:")):
                    continue
                try:
                    address = urljoin(document.base_url, href)
                except ValueError:
                    continue
                text = " ".join("".join(link.itertext()).split())
                if text and address not in found:
                    found[address] = {"url": address, "text": text}
                if len(found) >= 1_000:
                    return list(found.values())
    return list(found.values())


def page_title(out: Outline, document: Document) -> str:
    """The page's title: the heading that repeats ``<title>``, else the only ``h1``, else ``<title>`` without site."""
    stated = " ".join(out.title.split())
    heads = [
        " ".join(run.text.split()) for run in out.runs if out.tag[run.node] in HEADINGS and 1 < len(run.text) < 200
    ]
    inside = [head for head in heads if head.lower() in stated.lower()]
    if inside:
        return max(inside, key=len)
    first = [" ".join(run.text.split()) for run in out.runs if out.tag[run.node] == "h1" and 1 < len(run.text) < 200]
    if len(first) == 1:
        return first[0]
    parts = [part for part in _SITE_NAME.split(stated) if part]
    return parts[0] if parts else (first[0] if first else "")


def _shares(blocks: Sequence[Block]) -> dict[str, float]:
    sizes: dict[str, int] = {}
    for block in blocks:
        level = block.level or "unrated"
        sizes[level] = sizes.get(level, 0) + len(block.text)
    total = sum(sizes.values())
    return {level: round(size / total, 4) for level, size in sizes.items()} if total else {}
