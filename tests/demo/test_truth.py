"""The truth: kept in step with the pages, each row true of its page."""

from __future__ import annotations

import html
import json
import re
from importlib.resources import files
from urllib.parse import quote

import pytest

from hometextile.demo.site import Site
from hometextile.demo.truth import truth


def _text(page: str) -> str:
    page = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.S)
    return html.unescape(re.sub(r"<[^>]+>", "\n", page))


def _pages(visit: int) -> list[tuple[dict, str]]:  # type: ignore[type-arg]
    site = Site(visit=visit, slow=0)
    rows = []
    for row in truth(visit):
        if row["kind"] == "resource":
            for _ in range(3):
                reply = site.reply("GET", quote(row["url"], safe="/?=&"))
            assert reply.status == 200, row["url"]
            assert reply.text is not None
            rows.append((row, reply.text))
    return rows


def test_truth_file_is_what_the_content_gives() -> None:
    lines = files("hometextile.demo").joinpath("truth.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == truth()


@pytest.mark.parametrize("visit", [1, 2, 3])
def test_each_page_shows_what_the_truth_says(visit: int) -> None:
    for row, page in _pages(visit):
        text = _text(page)
        for snippet in row["with"]:
            assert len(snippet) >= 8
            assert snippet in text, (row["url"], snippet)
        for value in (row["title"], *row["fields"].values()):
            assert value in text, (row["url"], value)
        if row["source"]:
            assert row["source"] in text


def test_frame_texts_are_on_the_pages_and_in_no_record() -> None:
    frame: dict[str, set[str]] = {}
    shown: dict[str, set[str]] = {}
    for row, page in _pages(1):
        text = _text(page)
        frame.setdefault(row["section"], set()).update(row["without"])
        shown.setdefault(row["section"], set()).update(s for s in row["without"] if s in text)
    from hometextile.demo.content import every_item

    for section, snippets in frame.items():
        missing = snippets - shown[section]
        assert missing == set(), section
    for item in every_item():
        for snippet in frame[item.section]:
            assert snippet not in item.text and snippet not in item.title


def test_published_dates_are_on_the_pages() -> None:
    for row, page in _pages(1):
        if row["published"]:
            year = row["published"][:4]
            assert year in _text(page), row["url"]


def test_second_visit_tells_what_moved_and_what_went() -> None:
    rows = truth(2)
    assert {row["url"] for row in rows if row["kind"] == "moved"} == {
        "/product/show.asp?id=1015",
        "/culture/c13.html",
    }
    assert {row["status"] for row in rows if row["kind"] == "withdrawn"} == {404, 410}
    assert {row["change"] for row in rows if row["kind"] == "resource"} == {"", "new", "changed"}
