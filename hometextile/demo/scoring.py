"""What a crawl of the demo source stored, held against the truth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Score:
    """A crawl's result.

    Attributes:
        wanted: true resources.
        found: paths of those that were stored, themselves or as a reprint that stands for them.
        missed: truth rows that were not.
        wrong: stored resources that are none of the wanted, with the reason.
        bad_text: found ones whose text lacks a required snippet or has a forbidden one, with that snippet.
        sections: section to (found, wanted).
        libraries: how many found ones are in the right library, how many in the right class.
    """

    wanted: int = 0
    found: list[str] = field(default_factory=list)
    stored: int = 0
    missed: list[dict[str, Any]] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    bad_text: list[tuple[str, str]] = field(default_factory=list)
    sections: dict[str, tuple[int, int]] = field(default_factory=dict)
    right_library: int = 0
    right_class: int = 0

    @property
    def recall(self) -> float:
        """Found of wanted."""
        return len(self.found) / self.wanted if self.wanted else 0.0

    @property
    def precision(self) -> float:
        """Right of stored."""
        return 1 - len(self.wrong) / self.stored if self.stored else 0.0

    def figures(self) -> dict[str, Any]:
        """The demo's last line."""
        return {
            "wanted": self.wanted,
            "found": len(self.found),
            "stored": self.stored,
            "wrong": len(self.wrong),
            "recall": round(self.recall, 4),
            "precision": round(self.precision, 4),
        }


def score(stored: Iterable[Mapping[str, Any]], truth: list[dict[str, Any]]) -> Score:
    """Hold what was stored against the truth.

    Args:
        stored: the library's resources, without those kept as duplicates of others.
        truth: rows of :func:`hometextile.demo.truth.truth`.
    """
    wanted = {row["url"]: row for row in truth if row["kind"] == "resource"}
    stands_for = {row["url"]: row["of"] for row in truth if row["kind"] == "forbidden" and row["why"] == "duplicate"}
    result = Score(wanted=len(wanted))
    found: dict[str, Mapping[str, Any]] = {}
    for resource in stored:
        result.stored += 1
        path = _path(resource["url"])
        target = _target(path, wanted)
        original = stands_for.get(path) or stands_for.get(path.split("?")[0])
        if target is None and original is not None:
            target = original
        if target is None:
            result.wrong.append((path, _why(path, truth)))
        elif target in found:
            result.wrong.append((path, "stored twice"))
        else:
            found[target] = resource
    for path, row in wanted.items():
        hits, all_ = result.sections.get(row["section"], (0, 0))
        result.sections[row["section"]] = (hits + (path in found), all_ + 1)
        if path not in found:
            result.missed.append(row)
            continue
        result.found.append(path)
        resource = found[path]
        result.right_library += resource["library"] == row["library"]
        result.right_class += resource["category"] == row["category"]
        if _path(resource["url"]).split("?")[0] not in stands_for:
            _check_text(resource, row, result)
    return result


def _path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _target(path: str, wanted: dict[str, dict[str, Any]]) -> str | None:
    if path in wanted:
        return path
    for url, row in wanted.items():
        for other in row["also"]:
            if re.fullmatch(re.escape(other).replace(r"\*", ".*"), path):
                return url
    return None


def _why(path: str, truth: list[dict[str, Any]]) -> str:
    for row in truth:
        if row["kind"] == "forbidden" and (
            path == row.get("url")
            or path.split("?")[0] == row.get("url")
            or ("prefix" in row and path.startswith(row["prefix"]))
        ):
            return str(row["why"])
    return "unknown"


def _check_text(resource: Mapping[str, Any], row: dict[str, Any], result: Score) -> None:
    flat = "".join(resource["text"].split())
    for snippet in row["with"]:
        if "".join(snippet.split()) not in flat:
            result.bad_text.append((row["url"], f"lacks {snippet}"))
    for snippet in row["without"]:
        if "".join(snippet.split()) in flat:
            result.bad_text.append((row["url"], f"has {snippet}"))
