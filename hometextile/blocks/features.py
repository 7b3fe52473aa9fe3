"""What the model sees of a block: spatial and content features after Song and others (WWW 2004), and what helps.

Everything is computed for all blocks of a page at once. A block is a range of the outline's runs under one element;
sums over a range are differences of cumulative sums. Spatial features come from the block's box: the browser's where
there is a layout, the estimate of :mod:`hometextile.blocks.tag_classes` where there is none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hometextile.blocks.elements import INSIDE, PROPS, Elements
from hometextile.blocks.outline import Outline
from hometextile.blocks.tags import HEADINGS
from hometextile.blocks.words import TextReader, WordReader, Words, pairs

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Ancestors looked at, counted where the text grows: the parent that adds nothing is no ancestor.
LEVELS_UP = 5
#: Height of a browser's window, in CSS pixels.
WINDOW = 800.0

_OWN_TAGS = ("p", "li")
#: Columns that another block lends, and how many blocks after it the borrower stands.
_NEXT = {"before1_link_share": 1, "after1_tokens": -1, "after1_title_share": -1, "after1_tag_p": -1}

#: The columns that the model is given: those that a boosted model split on most, and those of Song and others.
_COLUMNS = """
stated stated_text after1_tag_p after1_title_share after1_tokens after_h1 after_title again alike alike_links
alike_long alike_tokens before1_link_share bold_share capital_share chars_a_token commas_a_token dates depth
digit_share ends_colon ends_stop from_end from_start has_button height images in_article in_aside in_dialog
in_footer in_form in_header in_heading in_hidden in_list in_main in_nav in_noscript in_table link_share links
long_before page_cjk page_dates page_images page_links page_long page_mean page_prices page_runs page_stops
page_tokens place prices prop_articlebody prop_description prop_text repeats rights sibling siblings since_h1
since_title stops stops_a_token tag_li tag_p title_share tokens tokens_before tokens_of_page up1_children
up1_growth up1_link_share up1_long up1_long_of_page up1_mean up1_of_page up1_place up1_stops up1_tokens
up2_children up2_growth up2_images up2_link_share up2_long_of_page up2_mean up2_of_page up2_place up2_stops
up2_tokens up3_images up3_link_share up3_long_of_page up3_mean up3_of_page up3_place up3_prices up4_dates
up4_growth up4_images up4_link_share up4_mean up4_of_page up4_prices up4_stops up4_tokens up5_dates up5_growth
up5_images up5_link_share up5_long_of_page up5_mean up5_of_page up5_prices up5_stops up5_tokens width x y
y_page y_window
"""
COLUMNS = tuple(_COLUMNS.split())


@dataclass
class Spans:
    """The blocks of one page as ranges.

    Attributes:
        node: index of each block's element.
        first, last: its runs, half open.
        box: x, y, width, height in CSS pixels, one row a block.
        page: width and height of the page.
    """

    node: Ints
    first: Ints
    last: Ints
    box: Floats
    page: tuple[float, float]

    def __len__(self) -> int:
        return len(self.node)


@dataclass
class Table:
    """Features of one page's blocks.

    Attributes:
        values: one row a block, columns named by :data:`names`.
        names: of the columns.
        classes: for each block, words of its own element, inline elements and ancestors, see :class:`Words`.
        signature: blocks with the same number look alike (tags and classes up the tree); numbered from 0 without a gap.
        up: indices of the ancestors where the text grows, one row a block.
        tokens: tokens of each block.
        group: number of the list, or table of facts, that each block stands in, -1 for none.
    """

    values: Floats
    names: list[str]
    words: list[Words]
    signature: Ints
    up: Ints
    tokens: Floats
    group: Ints

    def columns(self, names: list[str]) -> Floats:
        """The columns of these names, in their order."""
        if names == self.names:
            return self.values
        number = {name: at for at, name in enumerate(self.names)}
        return np.asarray(self.values[:, [number[name] for name in names]])


def _share(own: frozenset[tuple[str, str]], known: frozenset[tuple[str, str]]) -> float:
    return len(own & known) / len(own) if own else 0.0


def measure(out: Outline, spans: Spans) -> Table:
    """The features of all blocks of a page.

    Args:
        out: the page's outline.
        spans: its blocks.

    Returns:
        one row a block; counts as logarithms, shares from 0 to 1.
    """
    return _Measuring(out, spans).table()


class _Measuring:
    """One page being measured: run arrays, then block arrays."""

    def __init__(self, out: Outline, spans: Spans) -> None:
        self.out = out
        self.spans = spans
        self.columns: dict[str, Floats] = {}
        self.reader = TextReader()
        self._runs()
        self.elements = Elements(out, self.sum["tokens"])
        self.words = WordReader(out, self.elements.words, self.reader)
        #: Of each block: which others look like it, numbered without a gap.
        self.signature = np.unique(self.elements.sign[spans.node], return_inverse=True)[1].ravel()

    # runs -----------------------------------------------------------------------------------------------------------
    def _runs(self) -> None:
        runs = self.out.runs
        texts = [run.text for run in runs]
        self.run = dict(self.out.counts)
        self.run["links"] = np.array([run.links for run in runs], dtype=float)
        self.run["link_chars"] = np.array([run.link_chars for run in runs], dtype=float)
        self.run["images"] = np.array([run.images for run in runs], dtype=float)
        self.run["bold"] = np.array([run.bold for run in runs], dtype=float)
        for name in ("dates", "prices", "rights"):
            self.run[name] = np.minimum(self.run[name], 1)
        tokens, chars = self.run["tokens"], self.run["chars"]
        prose = (self.run["stops"] > 0) & (self.run["link_chars"] < 0.5 * chars) & (tokens > 10)
        self.run["long"] = tokens * prose
        self.run["one"] = np.ones(len(texts))
        self.sum = {name: np.concatenate(([0.0], np.cumsum(values))) for name, values in self.run.items()}
        folded = [t.lower() for t in texts]
        seen = Counter(folded)
        self.repeats = np.array([seen[t] if t else 1 for t in folded], dtype=float)
        self.again = np.zeros(len(texts))
        before: set[str] = set()
        for number, text in enumerate(folded):
            self.again[number] = text in before
            before.add(text)

    def total(self, name: str, first: Ints, last: Ints) -> Floats:
        table = self.sum[name]
        return np.asarray(table[last] - table[first])

    # blocks ---------------------------------------------------------------------------------------------------------
    def table(self) -> Table:
        spans, columns = self.spans, self.columns
        first, last = spans.first, spans.last
        own = {name: self.total(name, first, last) for name in self.sum}
        everything = {name: float(values[-1]) for name, values in self.sum.items()}
        tokens = own["tokens"]
        self._spatial()
        self._content(own, everything)
        up = self._ancestors(own, everything)
        self._order(tokens, everything)
        self._tags()
        self._text()
        self._alike(own)
        self._page(everything)
        self._neighbours()
        names = list(COLUMNS)
        values = np.column_stack([columns[name] for name in names]) if len(spans) else np.zeros((0, len(names)))
        words = self.words.read(spans.node.tolist(), first.tolist(), self.texts)
        return Table(values, names, words, self.signature, up, tokens, self.elements.group[spans.node])

    def _spatial(self) -> None:
        x, y, width, height = (self.spans.box[:, i] for i in range(4))
        page_width, page_height = self.spans.page
        top = y + height / 2
        below = page_height - top
        self.columns["x"] = np.clip((x + width / 2) / max(page_width, 1.0), -0.5, 1.5)
        self.columns["width"] = np.clip(width / max(page_width, 1.0), 0, 1.5)
        near = np.where(top < WINDOW, top / WINDOW / 2, np.where(below < WINDOW, 1 - below / WINDOW / 2, 0.5))
        self.columns["y_window"] = np.clip(near, -0.5, 1.5)
        self.columns["y_page"] = np.clip(top / max(page_height, 1.0), 0, 1)
        self.columns["y"] = np.log1p(np.maximum(top, 0)) / 5
        self.columns["height"] = np.log1p(np.maximum(height, 0)) / 5

    def _content(self, own: dict[str, Floats], everything: dict[str, float]) -> None:
        add = self.columns
        tokens, chars = own["tokens"], np.maximum(own["chars"], 1)
        add["tokens"] = np.log1p(tokens)
        add["chars_a_token"] = np.log1p(chars / np.maximum(tokens, 1))
        add["tokens_of_page"] = tokens / max(everything["tokens"], 1)
        add["link_share"] = np.minimum(own["link_chars"] / chars, 1)
        add["links"] = np.log1p(own["links"])
        add["images"] = np.log1p(own["images"])
        add["bold_share"] = np.minimum(own["bold"] / chars, 1)
        add["stops"] = np.log1p(own["stops"])
        add["stops_a_token"] = np.minimum(own["stops"] / np.maximum(tokens, 1), 1)
        add["commas_a_token"] = np.minimum(own["commas"] / np.maximum(tokens, 1), 1)
        add["digit_share"] = own["digits"] / chars
        add["capital_share"] = np.minimum(own["capitals"] / np.maximum(tokens, 1), 1)
        for name in ("dates", "prices", "rights"):
            add[name] = np.minimum(own[name], 1)

    def _ancestors(self, own: dict[str, Floats], everything: dict[str, float]) -> Ints:
        node, elements = self.spans.node, self.elements
        whole = (elements.first[node] == self.spans.first) & (elements.last[node] == self.spans.last)
        levels = [np.where(whole, elements.grow[node], node)]
        for _ in range(LEVELS_UP - 1):
            levels.append(elements.grow[levels[-1]])
        before = own["tokens"]
        for number, level in enumerate(levels):
            first, last = elements.first[level], elements.last[level]
            tokens = self.total("tokens", first, last)
            chars = np.maximum(self.total("chars", first, last), 1)
            runs = np.maximum(last - first, 1)
            name = f"up{number + 1}_"
            add = self.columns
            add[name + "tokens"] = np.log1p(tokens)
            add[name + "of_page"] = tokens / max(everything["tokens"], 1)
            add[name + "link_share"] = np.minimum(self.total("link_chars", first, last) / chars, 1)
            add[name + "mean"] = np.log1p(tokens / runs)
            add[name + "stops"] = np.minimum(self.total("stops", first, last) / np.maximum(tokens, 1), 1)
            add[name + "long"] = self.total("long", first, last) / np.maximum(tokens, 1)
            add[name + "long_of_page"] = self.total("long", first, last) / max(everything["long"], 1)
            add[name + "images"] = np.log1p(self.total("images", first, last) / runs)
            add[name + "growth"] = np.log1p(tokens) - np.log1p(before)
            add[name + "prices"] = self.total("prices", first, last) / runs
            add[name + "dates"] = self.total("dates", first, last) / runs
            before = tokens
            if number < 3:
                add[name + "children"] = np.log1p(elements.children[level])
                above = elements.grow[level]
                start = elements.first[above]
                add[name + "place"] = (first - start) / np.maximum(elements.last[above] - start, 1)
        return np.column_stack(levels) if len(node) else np.zeros((0, LEVELS_UP), dtype=np.int64)

    def _order(self, tokens: Floats, everything: dict[str, float]) -> None:
        add, first, last = self.columns, self.spans.first, self.spans.last
        runs = max(len(self.out.runs), 1)
        add["place"] = first / runs
        add["tokens_before"] = self.sum["tokens"][first] / max(everything["tokens"], 1)
        add["long_before"] = self.sum["long"][first] / max(everything["long"], 1)
        add["from_start"] = np.log1p(first)
        add["from_end"] = np.log1p(runs - last)
        add["depth"] = self.elements.depth[self.spans.node] / 10
        add["sibling"] = np.log1p(self.elements.position[self.spans.node])
        parents = np.maximum(np.array(self.out.parent, dtype=np.int64)[self.spans.node], 0)
        add["siblings"] = np.log1p(self.elements.children[parents])
        heads = [n for n, run in enumerate(self.out.runs) if self.out.tag[run.node] == "h1" and run.text]
        best = self._title_run()
        for name, place in (("h1", heads[0] if heads else -1), ("title", best)):
            if place < 0:
                add["after_" + name], add["since_" + name] = np.full(len(first), -1.0), np.zeros(len(first))
            else:
                gap = self.sum["tokens"][first] - self.sum["tokens"][place]
                add["after_" + name] = (first >= place).astype(float)
                add["since_" + name] = np.sign(gap) * np.log1p(np.abs(gap))

    def _title_run(self) -> int:
        """The run that repeats the page's title best (words in common over words of the run), headings first."""
        title = self.reader.words(self.out.title)
        best, found = 0.0, -1
        if not title:
            return -1
        for number, run in enumerate(self.out.runs):
            if not 4 < len(run.text) < 300:
                continue
            heading = self.out.tag[run.node] in HEADINGS
            if not heading and self.run["tokens"][number] < 4:
                continue
            words = self.reader.words(run.text)
            if not words:
                continue
            common = len(words & title)
            score = common / len(words) * common / len(title) ** 0.5 + 0.3 * heading * (common > 0)
            score += 0.3 * (self.out.tag[run.node] == "h1") * (common > 0)
            if score > best + 1e-9:
                best, found = score, number
        return found if best > 0.5 else -1

    def _tags(self) -> None:
        out, add, node = self.out, self.columns, self.spans.node
        tags = [out.tag[n] for n in node.tolist()]
        for tag in _OWN_TAGS:
            add["tag_" + tag] = np.array([each == tag for each in tags], dtype=float)
        buttons = [
            first < len(out.runs) and any(out.tag[i] == "button" for i in out.runs[first].inline)
            for first in self.spans.first.tolist()
        ]
        add["has_button"] = np.array(buttons, dtype=float)
        mask = self.elements.mask[node]
        for bit, name in enumerate([*INSIDE, "hidden"]):
            add["in_" + name] = ((mask >> bit) & 1).astype(float)
        props = self.elements.props[node]
        for number, name in enumerate(PROPS):
            add["prop_" + name] = (props == number + 1).astype(float)

    def _text(self) -> None:
        out, add = self.out, self.columns
        firsts, lasts = self.spans.first.tolist(), self.spans.last.tolist()
        self.texts = texts = [out.runs[f].text if f < len(out.runs) else "" for f in firsts]
        ends = [out.runs[max(e - 1, 0)].text[-1:] if out.runs else "" for e in lasts]
        add["ends_stop"] = np.array([e in '。！？.!?…”"' and e != "" for e in ends], dtype=float)
        add["ends_colon"] = np.array([e in ":：" and e != "" for e in ends], dtype=float)
        title = self.reader.words(out.title)
        share = [len(words & title) / max(len(words), 1) for words in map(self.reader.words, texts)]
        add["title_share"] = np.array(share, dtype=float)
        said = [pairs(stated, 40_000) if stated else frozenset() for stated in (out.stated, out.stated_text)]
        own = [self.reader.pairs(text) for text in texts] if any(said) else []
        for name, known in zip(("stated", "stated_text"), said, strict=True):
            add[name] = np.array([_share(each, known) for each in own] if known else [0.0] * len(texts), dtype=float)
        first = np.minimum(self.spans.first, max(len(self.repeats) - 1, 0))
        add["repeats"] = np.log(self.repeats[first]) if len(self.repeats) else np.zeros(len(first))
        add["again"] = self.again[first] if len(self.again) else np.zeros(len(first))

    def _alike(self, own: dict[str, Floats]) -> None:
        """Repeated structure: blocks whose tags and classes up the tree are the same."""
        add, back = self.columns, self.signature
        if not len(back):
            for name in ("alike", "alike_tokens", "alike_links", "alike_long"):
                add[name] = np.zeros(0)
            return
        counts = np.bincount(back)
        add["alike"] = np.log(counts[back])
        tokens = np.bincount(back, own["tokens"])
        add["alike_tokens"] = np.log1p(tokens[back] / counts[back])
        add["alike_links"] = np.minimum(
            np.bincount(back, own["link_chars"])[back] / np.maximum(np.bincount(back, own["chars"])[back], 1), 1
        )
        add["alike_long"] = np.bincount(back, own["long"])[back] / np.maximum(tokens[back], 1)

    def _page(self, everything: dict[str, float]) -> None:
        size = len(self.spans)
        runs = max(everything["one"], 1)
        tokens, chars = max(everything["tokens"], 1), max(everything["chars"], 1)
        page = {
            "page_tokens": np.log1p(tokens),
            "page_runs": np.log1p(runs),
            "page_mean": np.log1p(tokens / runs),
            "page_links": min(everything["link_chars"] / chars, 1),
            "page_long": everything["long"] / tokens,
            "page_images": np.log1p(everything["images"]),
            "page_prices": everything["prices"] / runs,
            "page_dates": everything["dates"] / runs,
            "page_cjk": everything["cjk"] / chars,
            "page_stops": everything["stops"] / tokens,
        }
        for name, value in page.items():
            self.columns[name] = np.full(size, float(value))

    def _neighbours(self) -> None:
        """The blocks before and after: what they are like."""
        size = len(self.spans)
        for name, shift in _NEXT.items():
            values, column = self.columns[name.split("_", 1)[1]], np.zeros(size)
            if size > 1:
                column[max(shift, 0) : size + min(shift, 0)] = values[max(-shift, 0) : size - max(shift, 0)]
            self.columns[name] = column
