"""Levels that people gave to regions: kept, voted on, and how far people agree.

A label is a line of JSON: ``page`` (an id that is the same for everyone: the file's name without its endings),
``path`` and ``to`` (XPath of the region's first and last element), ``level``, ``who``. No text of the page is kept.
One file a person, so that several people can work at once.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from hometextile.blocks.block import LEVELS
from hometextile.blocks.outline import Outline
from hometextile.blocks.regions import Region
from hometextile.text.faults import Fault
from hometextile.text.messages import _

#: What a person may write for a level.
SHORT = {"n": "noise", "r": "related", "m": "main", **{level: level for level in LEVELS}}


@dataclass(frozen=True)
class Label:
    """One person's word on one region."""

    page: str
    path: str
    to: str
    level: str
    who: str


def page_id(name: str) -> str:
    """The id of a page: the last part of its file name or address without ``.html.gz`` and the like."""
    last = name.rstrip("/").rsplit("/", 1)[-1]
    last = re.sub(r"(?:\.x?html?|\.gz)+$", "", last, flags=re.I)
    return re.sub(r"[^A-Za-z0-9._-]+", "-", last)[:120] or "page"


def read_labels(folder: Path) -> list[Label]:
    """All labels of a folder.

    Raises:
        Fault: a line is no label.
    """
    labels = []
    for file in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                label = Label(
                    str(row["page"]), str(row["path"]), str(row.get("to") or row["path"]), row["level"], row["who"]
                )
            except (ValueError, KeyError, TypeError) as error:
                raise Fault(_("this line is no label"), file=file, line=number) from error
            if label.level not in LEVELS:
                raise Fault(
                    _("no level {level!r}").format(level=label.level),
                    file=file,
                    line=number,
                    remedy=_("use noise, related or main"),
                )
            labels.append(label)
    return labels


def write_labels(folder: Path, who: str, page: str, labels: Iterable[Label]) -> Path:
    """Put one person's labels of one page into that person's file, in place of earlier ones of the page.

    Returns:
        the file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", who).strip("-")
    if not name:
        raise Fault(_("say who you are: a name of letters and digits"), remedy="--who NAME")
    file = folder / f"{name}.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    kept = [line for line in lines if line.strip() and json.loads(line).get("page") != page]
    kept += [json.dumps(asdict(label), ensure_ascii=False) for label in labels]
    file.write_text("\n".join(kept) + "\n", "utf-8")
    return file


def parse_levels(text: str, regions: Sequence[Region], page: str, who: str, *, file: str = "") -> list[Label]:
    """Read a levels file: ``NUMBER LEVEL`` a line, ``3-7 noise`` for several; ``#`` begins a remark.

    Args:
        text: of the file.
        regions: of the page, numbered from 1.
        page: its id.
        who: the person.
        file: its name, for faults.

    Raises:
        Fault: a line cannot be read, or a region got no level.
    """
    given: dict[int, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#", 1)[0].replace(":", " ").split()
        if not words:
            continue
        span = re.fullmatch(r"(\d+)(?:-(\d+))?", words[0])
        level = SHORT.get(words[1].lower()) if len(words) > 1 else None
        if span is None or level is None:
            raise Fault(
                _("not a number and a level"),
                file=file,
                line=number,
                remedy=_("write for instance: 3 main, or 4-7 noise"),
            )
        for at in range(int(span.group(1)), int(span.group(2) or span.group(1)) + 1):
            if not 1 <= at <= len(regions):
                raise Fault(_("the page has no block {n}").format(n=at), file=file, line=number)
            given[at] = level
    missing = [at for at in range(1, len(regions) + 1) if at not in given]
    if missing:
        raise Fault(
            _("no level for block {n}").format(n=", ".join(map(str, missing[:10]))),
            file=file,
            remedy=_("every block needs one"),
        )
    return [Label(page, region.path, region.to, given[at], who) for at, region in enumerate(regions, 1)]


def vote(labels: Iterable[Label]) -> dict[tuple[str, str, str], str]:
    """The level that most people gave; with a tie, the lesser of the levels tied (what is in doubt is not main)."""
    votes: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for label in labels:
        votes[label.page, label.path, label.to][label.level] += 1
    return {
        key: max(reversed(LEVELS), key=lambda level: (counts[level], -LEVELS.index(level)))
        for key, counts in votes.items()
    }


def kappa(labels: Iterable[Label]) -> tuple[str, float, int]:
    """How far people agree beyond chance.

    People share work: a region counts that two of them or more have labelled, whoever they were.

    Returns:
        ``cohen`` for two people, ``fleiss`` for more, ``none`` where no two labelled the same; the kappa; regions
        counted.
    """
    by_region: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for label in labels:
        by_region[label.page, label.path, label.to][label.who] = label.level
    rows = [given for given in by_region.values() if len(given) > 1]
    people = sorted({who for given in rows for who in given})
    if not rows:
        return "none", 0.0, 0
    if len(people) == 2:
        pairs = [(given[people[0]], given[people[1]]) for given in rows]
        return "cohen", cohen_kappa(pairs), len(pairs)
    return "fleiss", fleiss_kappa([list(given.values()) for given in rows]), len(rows)


def cohen_kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Cohen's kappa (1960): agreement of two people beyond what their shares of levels would give by chance."""
    size = len(pairs)
    agreed = sum(one == other for one, other in pairs) / size
    left, right = Counter(one for one, _other in pairs), Counter(other for _one, other in pairs)
    chance = sum(left[level] * right[level] for level in LEVELS) / size**2
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def fleiss_kappa(rows: Sequence[Sequence[str]]) -> float:
    """Fleiss' kappa (1971); each row has two answers or more, and a row's agreement is that of its own pairs."""
    counts = [Counter(row) for row in rows]
    agreed = sum(
        sum(n * (n - 1) for n in count.values()) / (len(row) * (len(row) - 1))
        for row, count in zip(rows, counts, strict=True)
    ) / len(rows)
    size = sum(map(len, rows))
    chance = sum((sum(count[level] for count in counts) / size) ** 2 for level in LEVELS)
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def labelled_ranges(out: Outline, levels: dict[tuple[str, str], str]) -> list[tuple[int, int, int]]:
    """What people labelled, as runs: first and last, half open, and number of the level; in document order, a place
    before those inside it.

    Args:
        out: the page's outline.
        levels: (path, to) of a region to its level; those that the page does not have are left out.
    """
    where: dict[str, tuple[int, int]] = {}
    for number in range(len(out.tag)):
        where[out.path(number)] = (out.first[number], out.last[number])
    for number in range(len(out.runs)):
        where[out.run_path(number)] = (number, number + 1)
    found = [
        (where[path][0], where[to][1], LEVELS.index(level))
        for (path, to), level in levels.items()
        if path in where and to in where
    ]
    return sorted(found, key=lambda place: (place[0], -place[1]))


def levels_of_runs(out: Outline, levels: dict[tuple[str, str], str]) -> list[int]:
    """Number of the level of each run, -1 where no region holds it.

    Args:
        out: the page's outline.
        levels: (path, to) of a region to its level.
    """
    found = [-1] * len(out.runs)
    for first, last, level in labelled_ranges(out, levels):
        found[first:last] = [level] * (last - first)
    return found
