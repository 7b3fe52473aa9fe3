"""Facts of a page without rules: label and value pairs of a product, a standard, a firm, a pattern.

Three shapes are read: cells side by side in tables, definition lists, and labels with a colon (in lines, or in
neighbouring elements that repeat). A pair counts only where its neighbours are pairs too, or where a colon says so:
a table of news has two columns as well. Labels are kept as the page writes them, without colon and inner spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lxml import etree

from hometextile.blocks.block import Block
from hometextile.extract.labels import bare
from hometextile.page.document import Document
from hometextile.page.embedded import embedded
from hometextile.page.reading import LINES, UNSHOWN, is_hidden, text_of
from hometextile.text.normalise import squeeze

#: Facts of one page at the most, and characters of one value.
MOST_FACTS = 200
MOST_CHARS = 1000
_HAN = re.compile("[\u4e00-\u9fff]")
#: A label: no sentence, no address, no clock time, no bare number.
_NO_LABEL = re.compile(r"[。！？!?；;，,\n《》“”\"<>@=]|https?|\d{3,}|^\W*\d+\W*$|^\W+$")
#: Labels of lines that speak of the page and not of the thing: they are metadata, or no facts at all.
_NOT_THE_THING = re.compile(
    r"(?:(?:文章|信息|新闻|稿件|本文)?(?:来源|來源|出处|作者|编辑|責任編輯|责任编辑|责编|记者|发布(?:时间|日期"
    r"|人|者|于)|时间|日期|發布時間|更新(?:时间|日期)|"
    r"浏览(?:次数|量)?|点击(?:数|次数|率)?|阅读(?:数|量|次数)?|人气|字号|字体|评论数?|分享到?|上一[篇页条]"
    r"|下一[篇页条]|当前位置|您(?:现在|当前)?的位置|"
    r"您现在的位置|位置|标签|关键[词字]|摘要|导读|相关\w*|热门\w*|推荐\w*|友情链接|网址|网站|版权所有|备案号?"
    r"|ICP备?|技术支持|主办单?位?|承办单?位?|"
    r"客服(?:热线|电话)?|投稿\w*|扫一扫|关注我们|登录|注册|用户名?|密码|验证码|搜索|站内搜索|收藏|打印|举报\w*"
    r"|回复|引用|积分|帖子|"
    r"注|注意|提示|模式|大小|播放|字體|字級\w*|時間|日期|記者|網站|版主|留言板?\w*|下一\w{1,3}\W*"
    r"|上一\w{1,3}\W*|今日\w*|最新\w*|声明|免责声明|温馨提示|原标题|http|https|tags?|posted|date|author|source"
    r"|by|share|follow|copyright|categor(?:y|ies)|"
    r"filed under|read more|note|published|updated|search|login|email us|tel us))\Z", re.I
)  # fmt: skip
_OF_THE_PAGE = re.compile(
    r"(?:浏览|点击|阅读|人气|字号|字体|分享|上一|下一|当前位置|相关|热门|推荐|友情链接|版权|备案|技术支持|用户名|密码|验证码|登录|注册)"
)
_LINE = re.compile(r"(?P<label>[^\s:：][^:：\n]{0,24}?)\s?[:：]\s?(?!//)(?P<value>\S[^\n]*)")
_INNER = re.compile(r"[\s,，;；|]{1,8}(?=[\u4e00-\u9fff（）()/]{2,8}\s?[:：](?!//))")
_SENTENCE = re.compile(r"[。！？]\s*\S")


_STRONG = frozenset({"b", "strong", "label", "em", "th", "dt", "li"})
_NO_LINES = UNSHOWN | {"nav", "h1", "h2", "h3"}


@dataclass(frozen=True)
class Fact:
    """A label with its value.

    Attributes:
        label: as the page writes it, without colon and inner spaces.
        value: its text; line breaks kept.
        shape: ``table``, ``list``, ``line``, ``pair`` or ``data``: how it was found.
    """

    label: str
    value: str
    shape: str


def facts(document: Document, blocks: Iterable[Block] = ()) -> dict[str, str]:
    """The facts that a page shows, label to value, in document order.

    Args:
        document: the page.
        blocks: its rated blocks, if there are any: lines and pairs in noise are left out.

    Returns:
        The first value of each label; several values of one label (a table of variants) are joined by ``; ``.
    """
    noise = {element for block in blocks if block.level == "noise" for element in block.elements}
    out: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    for fact in read_facts(document, noise):
        key = bare(fact.label)
        names.setdefault(key, fact.label)
        values = out.setdefault(key, [])
        if fact.value not in values and len(values) < 20:
            values.append(fact.value)
        if len(out) >= MOST_FACTS:
            break
    return {names[key]: "; ".join(values)[: 2 * MOST_CHARS] for key, values in out.items()}


def read_facts(document: Document, noise: set[Any] | None = None) -> list[Fact]:
    """Each label and value of a page, in document order; a cell that is read is not read again as a line.

    Args:
        document: the page.
        noise: elements in which only tables and definition lists are read.
    """
    body = document.tree.find("body")
    root = document.tree if body is None else body
    taken: set[Any] = set()
    found: list[Fact] = []
    for element in _shown(root, taken):
        if element.tag == "table":
            facts_here = _table(element)
        elif element.tag == "dl":
            facts_here = _definitions(element)
        else:
            continue
        if facts_here:
            taken.add(element)
            found.extend(facts_here)
    found.extend(_pairs(root, taken, noise or set()))
    found.extend(_lines(root, taken | (noise or set())))
    found.extend(_told(document))
    return [fact for fact in found if not _left_out(fact)]


def _left_out(fact: Fact) -> bool:
    """Whether a label speaks of the page; in a table or a definition list, author and date are the thing's own."""
    label = bare(fact.label)
    if fact.shape in {"table", "list", "data"}:
        return _OF_THE_PAGE.match(label) is not None
    return _NOT_THE_THING.match(label) is not None


def _shown(root: Any, taken: set[Any], noise: frozenset[Any] | set[Any] = frozenset()) -> Iterator[Any]:
    """Elements that are shown, in document order, without those taken (meanwhile, too) and those in noise."""
    stack = [root]
    while stack:
        element = stack.pop()
        if not isinstance(element.tag, str) or element.tag in UNSHOWN or element.tag == "nav" or is_hidden(element):
            continue
        if element in taken or element in noise:
            continue
        yield element
        if element not in taken:
            stack.extend(reversed(element))


def _label(text: str, *, colon: bool = False) -> str:
    """*text* as a label, empty if it can be none.

    Args:
        text: the text before the value.
        colon: whether a colon follows it, which allows for longer labels.
    """
    text = squeeze(text)
    ended = text.endswith((":", "："))
    text = text.rstrip(":： ").lstrip("·•*-—●■◆▪►>【[ ").rstrip("】] ")
    if _HAN.search(text):
        # 产 地: letters of one word set apart.
        text = re.sub(r"(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])", "", text)
    longest = 12 if _HAN.search(text) else 32
    if (
        not text
        or "_" in text
        or len(text) > longest * (1.5 if ended or colon else 1)
        or len(text.split()) > 5
        or _NO_LABEL.search(text)
    ):
        return ""
    return text


def _value(text: str) -> str:
    return text.strip(" :：\n\t\u3000")[:MOST_CHARS]


def _cell(element: Any) -> str:
    return text_of(element)


def _table(table: Any) -> list[Fact]:
    """The facts of a table in which labels and values stand side by side."""
    if next(table.iterdescendants("table", "textarea", "select"), None) is not None:
        return []
    if any(
        (control.get("type") or "text").lower() in {"text", "password", "search"} for control in table.iter("input")
    ):
        return []
    found: list[Fact] = []
    rows = refused = 0
    for row in table.iter("tr"):
        cells = [cell for cell in row if cell.tag in {"td", "th"}]
        texts = [_cell(cell) for cell in cells]
        if not any(texts):
            continue
        rows += 1
        if len(cells) > 1 and all(cell.tag == "th" for cell in cells) and not any(":" in t or "：" in t for t in texts):
            return _only_record(table, texts)  # Column heads: a grid of records.
        if len(cells) == 1:
            # A row across the table is a heading, or lines of its own.
            found.extend(_of_line(texts[0], "table"))
            continue
        pairs = _row(cells, texts)
        if pairs is None:
            refused += 1
            continue
        found.extend(Fact(label, value, "table") for label, value in pairs if value)
    labels = [fact.label for fact in found]
    # Columns of a list repeat nothing; labels of facts are not all the same, and hardly a row is without.
    if refused * 3 > rows or (len(labels) > 3 and len(set(labels)) * 2 < len(labels)):
        return []
    return found if len(found) >= 2 or (found and rows == 1) else []


def _only_record(table: Any, heads: list[str]) -> list[Fact]:
    """A grid of one record shows that record's facts; a grid of several shows none of the page's."""
    rows = [row for row in table.iter("tr") if any(cell.tag == "td" for cell in row)]
    if len(rows) != 1 or len(heads) < 3:
        return []
    values = [_cell(cell) for cell in rows[0] if cell.tag in {"td", "th"}]
    if len(values) != len(heads):
        return []
    labels = [_label(head) for head in heads]
    return [Fact(label, value, "table") for label, value in zip(labels, values, strict=True) if label and value]


def _row(cells: list[Any], texts: list[str]) -> list[tuple[str, str]] | None:
    """Label and value of each pair of cells, None for a row that is made otherwise."""
    if all(cell.tag == "th" for cell in cells):
        return None
    if all("：" in text or ":" in text for text in texts if text) and not texts[0].rstrip().endswith((":", "：")):
        found = [(fact.label, fact.value) for text in texts for fact in _of_line(text, "table")]
        return found or None
    if len(cells) % 2:
        return None
    out = []
    for place in range(0, len(cells), 2):
        if not texts[place] and not texts[place + 1]:
            continue
        label = _label(texts[place])
        if not label or (cells[place + 1].tag == "th" and cells[place].tag != "th"):
            return None
        # Two links side by side are a menu, a link with a date is a list.
        if next(cells[place].iter("a"), None) is not None:
            return None
        out.append((label, _value(texts[place + 1])))
    return out


def _definitions(element: Any) -> list[Fact]:
    out: list[Fact] = []
    label = ""
    values: list[str] = []

    def close() -> None:
        if label and values:
            out.append(Fact(label, _value("\n".join(values)), "list"))

    parts = [
        part for child in element if isinstance(child.tag, str) for part in (child if child.tag == "div" else [child])
    ]
    for part in parts:
        if part.tag == "dt":
            close()
            label, values = _label(text_of(part)), []
        elif part.tag == "dd" and (text := text_of(part)):
            values.append(text)
    close()
    # A single dt over a list of links is a menu.
    colons = sum(text_of(part).rstrip().endswith((":", "：")) for part in parts if part.tag == "dt")
    links = sum(1 for _ in element.iter("a"))
    if len(out) < 2 and not colons:
        return []
    return out if links <= 2 * len(out) + 2 or colons * 2 >= len(out) else []


def _pairs(root: Any, taken: set[Any], noise: set[Any]) -> Iterator[Fact]:
    """Neighbours that repeat: ``<li><span>材质</span><span>纯棉</span></li>``, three or more alike, or with a colon."""
    for parent in _shown(root, taken, noise):
        if not 1 <= len(parent) <= 200:
            continue
        rows = [(child, *pair) for child in parent if child not in taken and (pair := _two(child)) is not None]
        labels = {label for _child, label, _text, _colon in rows}
        enough = len(rows) >= 3 and len(labels) * 10 >= 8 * len(rows) and len(rows) * 10 >= 6 * len(parent)
        linked = sum(next(row.iter("a"), None) is not None for row, _label, _text, _colon in rows)
        for row, label, value, colon in rows:
            if colon or (enough and not linked):
                taken.add(row)
                yield Fact(label, value, "pair")


def _two(element: Any) -> tuple[str, str, bool] | None:
    """Label, value and whether a colon says so, of an element that is made of exactly two."""
    if not isinstance(element.tag, str) or element.tag in {"tr", "dl", "table", "form", "select", "p"}:
        return None
    parts = [part for part in element if isinstance(part.tag, str) and part.tag not in {"br", "i", "svg", "img"}]
    if len(parts) != 2 or squeeze(element.text or "") or any(squeeze(part.tail or "").strip(":： ") for part in parts):
        return None
    if any(sum(1 for _ in islice(part.iter(), 25)) == 25 for part in parts) or any(
        part.tag in {"h1", "h2", "ul", "ol", "table", "form"} for part in parts
    ):
        return None
    first, value = text_of(parts[0]), _value(text_of(parts[1]))
    label = _label(first)
    if not label or not value or len(value) > 300:
        return None
    colon = first.rstrip().endswith((":", "：")) or squeeze(parts[0].tail or "").startswith((":", "："))
    return label, value, colon or value[:1] in ":："


def _lines(root: Any, skip: set[Any]) -> Iterator[Fact]:
    """``标签：值`` in lines: two such lines near one another, or a label that is set apart (bold, a list item)."""
    last: tuple[int, list[Fact]] = (-9, [])
    given = -9
    for number, (text, set_apart) in enumerate(_text_lines(root, skip)):
        here = list(_of_line(text, "line"))
        if not here:
            continue
        near = number - last[0] <= 2
        if near and given != last[0]:
            yield from last[1]
        if near or set_apart or len(here) > 1:
            yield from here
            given = number
        last = (number, here)


def _text_lines(root: Any, skip: set[Any]) -> Iterator[tuple[str, bool]]:
    """The page's lines outside *skip* and headings; whether what stands before the colon is set apart. A line whose
    label lies in a link is a headline and comes out empty."""
    parts: list[tuple[str, bool, bool]] = []
    links = strong = 0
    walker = etree.iterwalk(root, events=("start", "end", "comment"))
    for event, node in walker:
        tag = node.tag
        if event == "start":
            if node is not root and (tag in _NO_LINES or node in skip or is_hidden(node)):
                walker.skip_subtree()
                continue
            if tag in LINES or tag in {"td", "th"}:
                yield _line(parts)
                parts = []
            links += tag == "a"
            strong += tag in _STRONG
            if node.text:
                parts.append((node.text, links > 0, strong > 0))
            continue
        if event == "end":
            shown = node is root or not (tag in _NO_LINES or node in skip or is_hidden(node))
            if tag in LINES or tag in {"td", "th", "br"}:
                yield _line(parts)
                parts = []
            if shown:
                links -= tag == "a"
                strong -= tag in _STRONG
        if node is not root and node.tail:
            parts.append((node.tail, links > 0, strong > 0))
    yield _line(parts)


def _line(parts: list[tuple[str, bool, bool]]) -> tuple[str, bool]:
    text = squeeze("".join(part for part, _link, _strong in parts))
    if not text or len(text) > 400:
        return "", False
    first = next((part for part in parts if part[0].strip()), None)
    colon = next((part for part in parts if ":" in part[0] or "：" in part[0]), None)
    if first is None or colon is None or first[1] or colon[1]:
        return "", False
    return text, first[2]


def _of_line(text: str, shape: str) -> Iterator[Fact]:
    """The facts of lines such as ``品牌：水星 材质：纯棉``; none of a sentence that happens to have a colon."""
    for line in text.split("\n"):
        line = squeeze(line)
        if len(line) > 400 or not re.search("[:：]", line):
            continue
        for part in _INNER.split(line):
            found = _LINE.match(part.strip())
            if not found:
                continue
            label, value = _label(found["label"], colon=True), _value(found["value"])
            if (
                not label
                or not value
                or _SENTENCE.search(value)
                or re.fullmatch(r"\d{1,2}(?:[:：]\d\d)?", found["label"])
            ):
                continue
            # A sentence of one's own after a name is a comment.
            if len(value) > 8 and value[-1] in "。！？!?":
                continue
            # 他说：“…” is speech, 10:30 is a time.
            if value[0] in '“"「『' or label[-1] in "说道称曰问答" or (label[-1].isdigit() and value[0].isdigit()):
                continue
            yield Fact(label, value, shape)


def _told(document: Document) -> Iterator[Fact]:
    """``additionalProperty`` of a product's JSON-LD or microdata."""
    for item in embedded(document).of_type("Product", "ProductGroup"):
        told = item.get("additionalProperty")
        for one in told if isinstance(told, list) else [told]:
            if (
                isinstance(one, dict)
                and isinstance(one.get("name"), str)
                and isinstance(one.get("value"), str | int | float)
            ):
                label, value = _label(one["name"]), _value(str(one["value"]))
                if label and value:
                    yield Fact(label, value, "data")
