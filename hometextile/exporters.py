"""Scrapy's feeds (``-O file.jsonl``): a page's resources, one a row.

Only resources that were kept come out: a page that was dropped gives no row.
"""

from __future__ import annotations

from typing import Any

from scrapy.exporters import CsvItemExporter, JsonItemExporter, JsonLinesItemExporter, XmlItemExporter

from hometextile.items import feed_row
from hometextile.page.page import Page

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class _Resources:
    """Turns a page into rows for the exporter behind it."""

    def export_item(self, item: Any) -> None:
        """Export the resources of a page; other items as they are."""
        if isinstance(item, Page):
            if item.dropped is None:
                for resource in item.resources:
                    if resource.duplicate_of is None:
                        super().export_item(feed_row(resource))  # type: ignore[misc]
        else:
            super().export_item(item)  # type: ignore[misc]


class ResourceJsonExporter(_Resources, JsonItemExporter):
    """``json``."""


class ResourceJsonLinesExporter(_Resources, JsonLinesItemExporter):
    """``jsonl``."""


class ResourceXmlExporter(_Resources, XmlItemExporter):
    """``xml``."""


class ResourceCsvExporter(_Resources, CsvItemExporter):
    """``csv``; a cell that a spreadsheet would run as a formula gets an apostrophe before it."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        """The cell's value."""
        value = super().serialize_field(field, name, value)
        if isinstance(value, str) and value.startswith(_FORMULA):
            return "'" + value
        return value
