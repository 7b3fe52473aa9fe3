"""Record lists: the cards, rows and posts of a page, one record each.

Siblings of one shape under one parent make a list. Shape is what tags stand inside, two levels down; classes help to
tell a card from an advertisement between cards, but their absence or alternation (odd, even, first) does not split a
list. Where one record spans several siblings (``dt`` and ``dd``, a heading and its paragraph), the list is cut at the
tag that leads. A list inside another's record is that record's own business and is left out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from hometextile.blocks.outline import Outline, outline
from hometextile.page.document import Document

#: Elements that are never a record by themselves.
_NOT_RECORDS = frozenset(
    (
        "thead",
        "tbody",
        "tfoot",
        "colgroup",
        "col",
        "caption",
        "legend",
        "br",
        "hr",
        "body",
        "head",
        "option",
        "optgroup",
        "td",
        "th",
        "input",
        "button",
        "label",
        "img",
        "svg",
        "nav",
    )
)
_LEADING = ("h1", "h2", "h3", "h4", "h5", "h6", "dt")
_LEAST = 2
#: Siblings with a likeness from here on are records of one list.
_ALIKE = 0.45
_MOST_SECTIONS = 500
_MOST_CHILDREN = 5_000
_AWAY = frozenset(("nav", "footer", "aside", "form"))


@dataclass
class Record:
    """One card, row or post.

    Attributes:
        elements: the elements it spans, in document order.
        link: absolute address of where it leads, '' if nowhere.
        title: the text of its heading or its main link.
        text: all its visible text.
        path: XPath of its first element.
    """

    elements: list[Any] = field(repr=False)
    link: str = ""
    title: str = ""
    text: str = ""
    path: str = ""


@dataclass
class RecordList:
    """A list of records.

    Attributes:
        records: in document order.
        path: XPath of the element that holds them.
        score: how much it looks like what the page is about; lists come best first.
        linked: share of records that lead somewhere.
    """

    records: list[Record]
    path: str = ""
    score: float = 0.0
    linked: float = 0.0


@dataclass
class _Candidate:
    parent: int
    groups: list[list[int]]
    alike: float
    score: float = 0.0
    parents: int = 1


def find_records(document: Document) -> list[RecordList]:
    """The record lists of a page, best first.

    Args:
        document: the page.

    Returns:
        lists of two records or more that do not overlap; empty where the page repeats nothing.
    """
    known = document.derived.get("records")
    if isinstance(known, list):
        return list(known)
    out = outline(document)
    finder = _Finder(out)
    lists: list[RecordList] = []
    for candidate in finder.best():
        records = [_record(out, group, document.base_url) for group in candidate.groups]
        linked = sum(bool(record.link) for record in records) / len(records)
        lists.append(RecordList(records, out.path(candidate.parent), round(candidate.score, 3), linked))
    document.derived["records"] = lists
    return list(lists)


class _Finder:
    def __init__(self, out: Outline) -> None:
        self.out = out
        self.children: dict[int, list[int]] = {}
        for number, up in enumerate(out.parent):
            if up >= 0:
                self.children.setdefault(up, []).append(number)
        self.tokens = [0.0, *out.tokens.cumsum().tolist()]
        self.links = [0]
        self.link_chars, self.chars = [0], [0]
        for run in out.runs:
            self.links.append(self.links[-1] + run.links)
            self.link_chars.append(self.link_chars[-1] + run.link_chars)
            self.chars.append(self.chars[-1] + len(run.text))
        self.away = self._away()
        self.sign = self._signs()
        self._shapes: dict[int, Counter[str]] = {}

    def _signs(self) -> list[int]:
        """Elements with the same tags up to the root have the same number."""
        known: dict[tuple[int, str], int] = {}
        signs: list[int] = []
        for number, tag in enumerate(self.out.tag):
            up = self.out.parent[number]
            signs.append(known.setdefault((signs[up] if up >= 0 else -1, tag), len(known)))
        return signs

    def _away(self) -> list[bool]:
        out = self.out
        away: list[bool] = []
        for number, tag in enumerate(out.tag):
            up = out.parent[number]
            role = out.attributes[number].get("role") or ""
            mine = tag in _AWAY - {"form"} or role in {"navigation", "contentinfo", "complementary"}
            away.append(mine or (up >= 0 and away[up]))
        return away

    def shape(self, node: int) -> Counter[str]:
        """Tags inside, three levels down, with their way from the node."""
        if node not in self._shapes:
            shape: Counter[str] = Counter()
            level = [(node, "")]
            for _depth in range(3):
                below = []
                for number, way in level:
                    for child in self.children.get(number, ())[:60]:
                        step = f"{way}/{self.out.tag[child]}"
                        shape[step] = 1
                        below.append((child, step))
                level = below
            self._shapes[node] = shape
        return self._shapes[node]

    def _class_of(self, node: int) -> str:
        return self.out.attributes[node].get("class") or ""

    def likeness(self, one: int, other: int) -> float:
        """0 to 1: tags in common over all tags; same class adds, nothing inside of either counts as alike."""
        a, b = self.shape(one), self.shape(other)
        same_class = self._class_of(one) == self._class_of(other)
        if not a and not b:
            return 1.0 if same_class else 0.8
        common = len(a.keys() & b.keys())
        share = common / max(len(a.keys() | b.keys()), 1)
        return min(1.0, share + 0.25 * same_class)

    def best(self) -> list[_Candidate]:
        """Candidates that do not overlap, best first."""
        found = []
        for parent, children in self.children.items():
            if len(children) < _LEAST or len(children) > _MOST_CHILDREN or self.out.tag[parent] in {"select", "tr"}:
                continue
            found.extend(self._under(parent, children))
        found.extend(self._across(found))
        for candidate in found:
            candidate.score = self._score(candidate)
        found = [candidate for candidate in found if candidate.score > 0]
        found.sort(key=lambda candidate: -candidate.score)
        kept: list[_Candidate] = []
        taken: list[tuple[int, int]] = []
        for candidate in found:
            first = self.out.first[candidate.groups[0][0]]
            last = self.out.last[candidate.groups[-1][-1]]
            if all(last <= low or first >= high for low, high in taken):
                kept.append(candidate)
                taken.append((first, last))
        return kept

    def _across(self, found: list[_Candidate]) -> list[_Candidate]:
        """Lists cut into sections (by year, by letter): records of one shape under parents that stand alike."""
        alike: dict[tuple[int, str], list[_Candidate]] = {}
        for candidate in found:
            if all(len(group) == 1 for group in candidate.groups):
                tag = self.out.tag[candidate.groups[0][0]]
                alike.setdefault((self.sign[candidate.parent], tag), []).append(candidate)
        standing: dict[int, list[int]] = {}
        wanted = {sign for sign, _tag in alike}
        for number, sign in enumerate(self.sign):
            if sign in wanted:
                standing.setdefault(sign, []).append(number)
        joined = []
        for (sign, tag), members in alike.items():
            parents = standing[sign]
            if not 1 < len(parents) <= _MOST_SECTIONS:
                continue
            model = max(members, key=lambda candidate: len(candidate.groups))
            middle = model.groups[len(model.groups) // 2][0]
            rows = [
                child
                for parent in parents
                for child in self.children.get(parent, ())
                if self.out.tag[child] == tag
                and self.out.last[child] > self.out.first[child]
                and not (tag == "tr" and self._head_row(child))
                and self.likeness(middle, child) >= _ALIKE
            ]
            if len(rows) > len(model.groups):
                parent = self._common(parents)
                joined.append(_Candidate(parent, [[row] for row in rows], model.alike, parents=len(parents)))
        return joined

    def _common(self, nodes: list[int]) -> int:
        """The innermost element that holds all of them."""
        low, high = min(self.out.first[n] for n in nodes), max(self.out.last[n] for n in nodes)
        node = self.out.parent[nodes[0]]
        while self.out.parent[node] >= 0 and not (self.out.first[node] <= low and self.out.last[node] >= high):
            node = self.out.parent[node]
        return node

    def _under(self, parent: int, children: list[int]) -> list[_Candidate]:
        out = self.out
        full = [child for child in children if out.last[child] > out.first[child] and out.tag[child] not in {"script"}]
        leading = Counter(out.tag[child] for child in full if out.tag[child] in _LEADING)
        candidates = []
        if leading:
            tag, times = leading.most_common(1)[0]
            if times >= _LEAST and times < len(full):
                groups = _cut_at(list(full), [out.tag[child] == tag for child in full])
                candidates.append(_Candidate(parent, groups, 0.8))
        by_tag: dict[str, list[int]] = {}
        for child in full:
            fit = out.tag[child] not in _NOT_RECORDS or (out.tag[child] == "tbody" and len(full) > 3)
            if fit and out.tag[child] not in _LEADING:
                by_tag.setdefault(out.tag[child], []).append(child)
        for tag, members in by_tag.items():
            candidates.extend(self._alike(parent, tag, members))
        return candidates

    def _alike(self, parent: int, tag: str, members: list[int]) -> list[_Candidate]:
        """The largest cluster of siblings that look like its first member."""
        found = []
        left = members
        for _round in range(3):
            if len(left) < _LEAST:
                break
            middle = left[len(left) // 2]
            likeness = [self.likeness(middle, member) for member in left]
            cluster = [member for member, value in zip(left, likeness, strict=True) if value >= _ALIKE]
            if len(cluster) >= _LEAST:
                mean = sum(value for value in likeness if value >= _ALIKE) / len(cluster)
                if tag == "tr":
                    cluster = [row for row in cluster if not self._head_row(row)]
                if len(cluster) >= _LEAST:
                    found.append(_Candidate(parent, [[member] for member in cluster], mean))
            left = [member for member, value in zip(left, likeness, strict=True) if value < _ALIKE]
        return found

    def _head_row(self, row: int) -> bool:
        cells = [self.out.tag[child] for child in self.children.get(row, ()) if self.out.tag[child] in {"td", "th"}]
        return bool(cells) and all(tag == "th" for tag in cells)

    def _score(self, candidate: _Candidate) -> float:
        out = self.out
        spans = [(out.first[group[0]], out.last[group[-1]]) for group in candidate.groups]
        sizes = [self.tokens[last] - self.tokens[first] for first, last in spans]
        total, number = sum(sizes), len(sizes)
        runs = sum(last - first for first, last in spans) / number
        linked = sum(self.links[last] > self.links[first] for first, last in spans) / number
        images = sum(any(run.images for run in out.runs[first:last]) for first, last in spans) / number
        if number < 3 and (linked < 1 or runs < 2):
            return 0.0
        if total < 1 and images < 0.9:
            return 0.0
        single = runs <= 1.2
        chars = max(sum(self.chars[last] - self.chars[first] for first, last in spans), 1)
        link_share = sum(self.link_chars[last] - self.link_chars[first] for first, last in spans) / chars
        if (
            single
            and linked < 0.5
            and out.tag[candidate.groups[0][0]] in {"p", "br", "span", "b", "i", "font", "em", "a", "strong", "sup"}
        ):
            return 0.0
        mean = sum(sizes) / number
        spread = (sum((size - mean) ** 2 for size in sizes) / number) ** 0.5 / max(mean, 1)
        value = (total + 3 * number) ** 0.6 * number**0.4 * candidate.alike / (1 + 0.5 * min(spread, 3))
        value *= 0.4 + 0.4 * linked + 0.2 * images
        if single:
            value *= 0.35 if link_share > 0.8 and mean < 6 else 0.7
        if self.away[candidate.parent]:
            value *= 0.15
        if candidate.parents > 1:
            value *= (total / max(self.tokens[spans[-1][1]] - self.tokens[spans[0][0]], 1)) ** 2
        if max(sizes) > 0.5 * total and number > 2:
            value *= 0.3
        if number < 8 and total > 0.85 * self.tokens[-1] and spread > 0.6:
            value *= 0.2
        return float(value)


def _cut_at(children: list[int], heads: list[bool]) -> list[list[int]]:
    groups: list[list[int]] = []
    for child, head in zip(children, heads, strict=True):
        if head:
            groups.append([child])
        elif groups:
            groups[-1].append(child)
    return groups


def _record(out: Outline, group: list[int], base: str) -> Record:
    elements = [out.elements[number] for number in group]
    first, last = out.first[group[0]], out.last[group[-1]]
    lines = [run.text for run in out.runs[first:last] if run.text]
    link, title = _main_link(elements, base)
    heading = _heading(out, first, last)
    return Record(elements, link, heading or title or (lines[0] if lines else ""), "\n".join(lines), out.path(group[0]))


def _heading(out: Outline, first: int, last: int) -> str:
    for run in out.runs[first:last]:
        if out.tag[run.node] in _LEADING and run.text:
            return " ".join(run.text.split())
    return ""


def _main_link(elements: list[Any], base: str) -> tuple[str, str]:
    """Where a record leads: the link of its heading, else the link with the longest text, else a picture's link."""
    best: tuple[float, str, str] = (0.0, "", "")
    for element in elements:
        links = [element] if element.tag == "a" else list(element.iter("a"))
        for number, link in enumerate(links[:40]):
            href = (link.get("href") or "").strip()
            if not href or href.startswith(("#", "javascript:", "mailto:", "tel:", "data:")):
                continue
            try:
                address = urljoin(base, href)
            except ValueError:
                continue
            text = " ".join("".join(link.itertext()).split()) or (link.get("title") or "").strip()
            above = link.getparent()
            headed = any(parent is not None and parent.tag in _LEADING for parent in (above, link)) or any(
                child.tag in _LEADING for child in link
            )
            value = 1.0 + min(len(text), 80) + 60 * headed + 8 * (number == 0)
            if value > best[0]:
                best = (value, address, text)
    return best[1], best[2]
