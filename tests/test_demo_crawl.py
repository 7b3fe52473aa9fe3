"""The whole demo source, crawled as a user crawls it and held against the truth; then a second time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from hometextile.demo.scoring import Score, score
from hometextile.demo.server import serve
from hometextile.demo.truth import truth
from hometextile.library import tables as t
from hometextile.library.library import Library
from hometextile.render.browser import find_browser

ROOT = Path(__file__).parent.parent
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1500),
    pytest.mark.browser,
    pytest.mark.skipif(find_browser() is None, reason="no browser: the gallery's answers are drawn by script"),
]


@dataclass
class Crawled:
    """What two crawls left."""

    first: Score
    second: Score
    log: list[dict[str, Any]]
    violations: list[Any]
    stats: dict[str, Any]
    library: str
    errors: str


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    folder = tmp_path_factory.mktemp("demo")
    library = f"sqlite:///{folder / 'library.db'}"
    with serve(slow=0.5) as source:
        errors = _crawl(source.address, library, folder)
        log = list(source.site.log)
        stats = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
        first = _score(library)
        errors += _crawl(source.address, library, folder)
        violations = list(source.site.violations)
    yield Crawled(first, _score(library), log, violations, stats, library, errors)


def _crawl(address: str, library: str, folder: Path) -> str:
    environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "hometextile.settings", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "crawl", "demo", "-a", f"start={address}/", "-s", f"LIBRARY_URL={library}",
         "-s", f"STATS_FILE={folder / 'stats.json'}", "-s", "PROGRESS=0"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=700, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stderr


def _score(library: str) -> Score:
    with Library.open(library, create=False) as shelf:
        return score(shelf.resources(), truth())


def test_recall_and_precision(crawled: Crawled) -> None:
    assert crawled.first.recall >= 0.95, [row["url"] for row in crawled.first.missed]
    assert crawled.first.precision >= 0.95, crawled.first.wrong


def test_every_library_has_something(crawled: Crawled) -> None:
    for section, (found, wanted) in crawled.first.sections.items():
        assert found >= 0.8 * wanted, (section, found, wanted)
    with Library.open(crawled.library, create=False) as shelf:
        assert len(shelf.counts()["by_library"]) == 9


def test_texts_have_what_they_must_and_nothing_else(crawled: Crawled) -> None:
    checked = 2 * len(crawled.first.found)
    assert len(crawled.first.bad_text) <= 0.05 * checked, crawled.first.bad_text[:20]


def test_libraries_are_right(crawled: Crawled) -> None:
    assert crawled.first.right_library >= 0.9 * len(crawled.first.found)


def test_no_form_that_writes_was_sent_and_no_forbidden_address_asked(crawled: Crawled) -> None:
    assert crawled.violations == []


def test_what_robots_txt_forbids_is_refused_and_no_failure(crawled: Crawled) -> None:
    with Library.open(crawled.library, create=False) as shelf, shelf.database.engine.connect() as connection:
        query = select(t.frontier.c.state, t.frontier.c.reason).where(t.frontier.c.url.contains("/private/"))
        rows = connection.execute(query).all()
    assert len(rows) > 1
    assert {tuple(row) for row in rows} == {("refused", "Forbidden by robots.txt")}


def test_robots_txt_is_read_and_the_crawler_names_itself(crawled: Crawled) -> None:
    assert any(row["path"].startswith("/robots.txt") for row in crawled.log)
    assert {re.sub(r"/.*", "", row["agent"]) for row in crawled.log} <= {"hometextile"}


def test_a_second_crawl_stores_nothing_twice(crawled: Crawled) -> None:
    assert crawled.second.stored == crawled.first.stored
    assert crawled.second.found == crawled.first.found


def test_no_exception_in_the_log(crawled: Crawled) -> None:
    assert "Traceback" not in crawled.errors
    assert " ERROR: " not in crawled.errors
