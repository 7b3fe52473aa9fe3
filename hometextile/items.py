"""Items: what a spider yields, and what a feed gets.

A spider yields :class:`~hometextile.page.page.Page` objects; ``itemadapter`` reads them, since they are dataclasses.
A feed gets a page's resources, one a row.
"""

from __future__ import annotations

from typing import Any

from hometextile.extract.resource import Resource

#: Columns of a feed, in order; a site's own fields follow as ``fields``.
COLUMNS = (
    "identity",
    "url",
    "title",
    "published",
    "source",
    "author",
    "library",
    "category",
    "relevance",
    "credibility",
    "language",
    "description",
    "keywords",
    "text",
    "images",
    "videos",
    "fields",
    "provenance",
)


def feed_row(resource: Resource) -> dict[str, Any]:
    """A resource as a feed's row, columns in the order of :data:`COLUMNS`."""
    return {name: getattr(resource, name) for name in COLUMNS}
