"""Whether a rule file still works: each names a page and a text that must come out of it.

A generic fall-back hides a dead selector (fivefilters' site files carry test addresses for that reason), so that the
check asks the rules alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from hometextile.extract.schema import TemplateRule
from hometextile.extract.templates import Extracted, apply, choose
from hometextile.page.document import Document
from hometextile.text.normalise import fold


@dataclass
class Report:
    """What became of a check.

    Attributes:
        url: the page.
        text: the text that must come out.
        template: name of the template that fits the page, empty if none does.
        found: whether a field gave the text.
        fields: field to the number of values it gave, over all records.
        empty: fields that gave nothing.
        costly: fields whose expression would have taken too long.
        records: number of records.
    """

    url: str
    text: str
    template: str = ""
    found: bool = False
    fields: dict[str, int] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)
    costly: list[str] = field(default_factory=list)
    records: int = 0

    @property
    def passed(self) -> bool:
        """Whether a template fits, the text came out, and no required field is missing."""
        return bool(self.template) and self.found and self.records > 0


def check(document: Document, text: str, templates: Sequence[TemplateRule], *, now: datetime | None = None) -> Report:
    """Run a site's templates on a page and look for a text in what they give.

    Args:
        document: the page.
        text: what must come out, in one value of any field (white space and letter case aside).
        templates: the site's templates, in order.
        now: what relative dates count from.
    """
    report = Report(document.url, text)
    template = choose(document, templates)
    if template is None:
        return report
    report.template = template.name
    extracted = apply(document, template, now=now)
    report.records, report.costly = len(extracted.records), extracted.costly
    for name in template.fields:
        values = _values(extracted, name)
        if values:
            report.fields[name] = len(values)
        else:
            report.empty.append(name)
        report.found = report.found or any(fold(text) in fold(value) for value in values)
    return report


def _values(extracted: Extracted, name: str) -> list[str]:
    return [value for record in extracted.records for value in record.values.get(name, [])]
