"""Resources as rows of a table: one column a value, one column a field of the sites."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

#: Columns before those of the sites' own fields: name and kind (``text``, ``number``, ``whole``).
COLUMNS: dict[str, str] = {
    "id": "whole", "identity": "text", "url": "text", "title": "text", "published": "text", "source": "text",
    "author": "text", "library": "text", "class": "text", "site": "text", "language": "text", "relevance": "number",
    "credibility": "number", "price": "number", "currency": "text", "description": "text", "keywords": "text",
    "text": "text", "images": "text", "videos": "text", "first_seen": "text", "last_seen": "text", "changed": "text",
    "version": "whole", "withdrawn": "text", "mark": "text",
}  # fmt: skip
#: Fields beyond so many, the rarest first, stand together in the column ``other_fields``.
MAX_FIELDS = 200
#: A number as a page writes it; no leading zeros (they are codes), no more digits than a spreadsheet holds.
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?")


def number_of(value: Any) -> float | int | None:
    """The number that a value is, if it is nothing else; None for codes with leading zeros and the like."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value if abs(value) < 1e15 else None
    if isinstance(value, str) and _NUMBER.fullmatch(value) and sum(map(str.isdigit, value)) <= 15:
        return float(value) if "." in value else int(value)
    return None


def text_of(value: Any) -> str:
    """A value as one cell's text: lists joined by ``; ``, objects as JSON, images and videos as their addresses."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(text_of(item) for item in value)
    if isinstance(value, dict):
        return str(value["url"]) if "url" in value else json.dumps(value, ensure_ascii=False)
    return str(value)


@dataclass
class Plan:
    """Which columns there are.

    Attributes:
        fields: the sites' own fields with a column each: name to whether all its values are numbers.
        other: whether there are fields without a column.
    """

    fields: dict[str, bool] = field(default_factory=dict)
    other: bool = False

    @property
    def columns(self) -> dict[str, str]:
        """All columns in order: name and kind."""
        own = {column_name(name): "number" if numbers else "text" for name, numbers in self.fields.items()}
        return {**COLUMNS, **own, **({"other_fields": "text"} if self.other else {})}

    def row(self, resource: Mapping[str, Any]) -> list[Any]:
        """A resource's cells: text, numbers, and None for what it has not."""
        cells: list[Any] = []
        for name, kind in COLUMNS.items():
            value = resource[name]
            cells.append(value if kind != "text" else text_of(value) or None)
        values: Mapping[str, Any] = resource["fields"]
        for name, numbers in self.fields.items():
            value = values.get(name)
            cells.append(number_of(value) if numbers else text_of(value) or None)
        if self.other:
            rest = {name: value for name, value in values.items() if name not in self.fields}
            cells.append(json.dumps(rest, ensure_ascii=False) if rest else None)
        return cells


def column_name(field_name: str) -> str:
    """The column of a site's field: its own name, or with ``field:`` before it where a column has that name."""
    return f"field:{field_name}" if field_name in COLUMNS or field_name == "other_fields" else field_name


def plan(resources: Iterable[Mapping[str, Any]]) -> Plan:
    """Look through the resources for their fields."""
    often: Counter[str] = Counter()
    words: set[str] = set()
    for resource in resources:
        for name, value in resource["fields"].items():
            often[name] += 1
            if value not in (None, "") and number_of(value) is None:
                words.add(name)
    kept = sorted(name for name, _count in often.most_common(MAX_FIELDS))
    return Plan({name: name not in words for name in kept}, len(often) > MAX_FIELDS)
