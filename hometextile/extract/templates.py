"""A site's templates on a page: which one fits, and what its rules give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from hometextile.extract.expressions import TooCostly, elements, find, find_css, regex
from hometextile.extract.schema import FieldRule, TemplateRule
from hometextile.extract.selecting import absolute, select
from hometextile.page.document import Document

#: Records of one page at the most.
MOST_RECORDS = 5000


@dataclass
class Record:
    """What the rules give for one resource.

    Attributes:
        values: field name to its values, in the rules' order; fields without a value are not there.
        missing: required fields that were not found.
        link: absolute address of the record's own page, empty if it has none.
        element: the record's element, None where the page is the record.
    """

    values: dict[str, list[str]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    link: str = ""
    element: Any = field(default=None, repr=False, compare=False)

    def one(self, name: str) -> str:
        """The first value of a field, empty if it has none."""
        return next(iter(self.values.get(name, [])), "")


@dataclass
class Extracted:
    """What a template gives on a page.

    Attributes:
        template: the template.
        records: one for a detail page, one for each record of a list. Records that miss a required field are in
            ``incomplete``.
        incomplete: records that miss a required field.
        costly: fields whose expression would have taken too long on this page.
    """

    template: TemplateRule
    records: list[Record] = field(default_factory=list)
    incomplete: list[Record] = field(default_factory=list)
    costly: list[str] = field(default_factory=list)


def fits(document: Document, template: TemplateRule) -> bool:
    """Whether a template is for a page: its ``match`` is in the address, and each of its ``marks`` finds something."""
    if template.match is not None and regex(template.match).search(document.url) is None:
        return False
    try:
        return all(find(document, mark) for mark in template.marks)
    except TooCostly:
        return False


def choose(document: Document, templates: Sequence[TemplateRule]) -> TemplateRule | None:
    """The first template that is for a page, in the order of the site file; None if there is none."""
    return next((template for template in templates if fits(document, template)), None)


def apply(document: Document, template: TemplateRule, *, now: datetime | None = None) -> Extracted:
    """What the rules of a template give on a page.

    Args:
        document: the page.
        template: the template; whether it fits is not asked again.
        now: what relative dates count from.
    """
    out = Extracted(template)
    skip = {element for css in template.drop for element in elements(_found(document, css, out))}
    if template.records is None:
        places: list[Any] = [None]
    else:
        places = _records(document, template.records, skip, out)
    for place in places:
        record = Record(element=place)
        for name, rule in template.fields.items():
            if name == "text" and not rule.many and rule.join is None:
                # A text in several pieces is one text; for every other field the first value is meant.
                rule = rule.model_copy(update={"join": "\n\n"})
            values = _values(document, name, rule, place, skip, now, out)
            if values:
                record.values[name] = values
            elif rule.required:
                record.missing.append(name)
        if template.link is not None and place is not None:
            record.link = _link(document, template.link, place, out)
        if record.missing:
            out.incomplete.append(record)
        elif record.values or record.link:
            out.records.append(record)
    return out


def _found(document: Document, css: str, out: Extracted) -> list[Any]:
    try:
        return find_css(document, css)
    except TooCostly:
        out.costly.append("drop")
        return []


def _records(document: Document, selector: str, skip: set[Any], out: Extracted) -> list[Any]:
    try:
        found = elements(find(document, selector))
    except TooCostly:
        out.costly.append("records")
        return []
    if skip:
        found = [e for e in found if e not in skip and not any(up in skip for up in e.iterancestors())]
    return found[:MOST_RECORDS]


def _values(
    document: Document, name: str, rule: FieldRule, place: Any, skip: set[Any], now: datetime | None, out: Extracted
) -> list[str]:
    try:
        return select(document, rule, place, skip=skip, now=now)
    except TooCostly:
        if name not in out.costly:
            out.costly.append(name)
        return []


def _link(document: Document, selector: str, place: Any, out: Extracted) -> str:
    try:
        found = find(document, selector, place)
    except TooCostly:
        out.costly.append("link")
        return ""
    for node in found:
        address = node if isinstance(node, str) else node.get("href") or next(
            (a.get("href") for a in node.iter("a") if a.get("href")), ""
        )  # fmt: skip
        if joined := absolute(document, address):
            return joined
    return ""
