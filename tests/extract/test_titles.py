"""The title of a page, without the site's name."""

from __future__ import annotations

from hometextile.extract.titles import read_title
from hometextile.page.document import Document
from hometextile.page.embedded import embedded


def test_a_short_name_is_a_title() -> None:
    """Museums name things in two or three characters; the site's name behind it is longer."""
    page = "<html><head><title>妆花缎 - 示例博物馆</title></head><body>{}</body></html>"
    for body in ("<h1>妆花缎</h1>", ""):
        document = Document(page.format(body), "http://museum.example/1")
        assert read_title(document, embedded(document)) == "妆花缎"
