"""``scrapy crawl``: each fault in one line, exit code not 0, no traceback; a broken site does not stop a crawl."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
Scrapy = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def scrapy(tmp_path: Path) -> Scrapy:
    (tmp_path / "rules").mkdir()

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "scrapy", *arguments, "-s", f"RULES_FOLDER={tmp_path / 'rules'}"],
            cwd=ROOT, capture_output=True, text=True, timeout=100, check=False,
            env={**os.environ, "SCRAPY_SETTINGS_MODULE": "hometextile.settings",
                 "HOMETEXTILE_LIBRARY_URL": f"sqlite:///{tmp_path / 'library.db'}", **environment},
        )  # fmt: skip

    return run


def _one_line(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line]
    assert len(lines) == 1, done.stderr
    for word in words:
        assert word in lines[0]


def test_a_wrong_site_file(scrapy: Scrapy, tmp_path: Path) -> None:
    file = tmp_path / "rules" / "bad.yaml"
    file.write_text("start: [http://127.0.0.1:1/]\nmood: deep\n", encoding="utf-8")
    _one_line(scrapy("crawl", "bad"), f"{file}:2: mood: unknown key → did you mean `mode`?")


def test_no_such_site(scrapy: Scrapy) -> None:
    _one_line(scrapy("crawl", "nowhere"), "there is no site file for nowhere")


def test_a_database_that_is_not_ours_is_untouched(scrapy: Scrapy, tmp_path: Path) -> None:
    (tmp_path / "rules" / "good.yaml").write_text("start: [http://127.0.0.1:1/]\n", encoding="utf-8")
    other = sqlite3.connect(tmp_path / "library.db")
    other.execute("create table customers (name)")
    other.commit()
    other.close()
    before = (tmp_path / "library.db").read_bytes()
    _one_line(scrapy("crawl", "good"), "library.db")
    assert (tmp_path / "library.db").read_bytes() == before


def test_a_secret_that_is_not_there(scrapy: Scrapy, tmp_path: Path) -> None:
    (tmp_path / "rules" / "s.yaml").write_text(
        "start: [http://127.0.0.1:1/]\nsession: {headers: {X-Key: 'env:NOT_SET_ANYWHERE'}}\n", encoding="utf-8")
    _one_line(scrapy("crawl", "s"), "NOT_SET_ANYWHERE is not set", "session.headers.X-Key")


def test_list_names_sites_and_tells_of_wrong_ones(scrapy: Scrapy, tmp_path: Path) -> None:
    (tmp_path / "rules" / "a.yaml").write_text("start: [http://127.0.0.1:1/]\n", encoding="utf-8")
    (tmp_path / "rules" / "b.yaml").write_text("start: 1\n", encoding="utf-8")
    done = scrapy("list")
    assert done.stdout.split() == ["a", "b"]
    assert "b.yaml:1: start" in done.stderr
    assert done.returncode == 2


def test_a_site_that_is_down_is_counted_and_the_crawl_ends(scrapy: Scrapy, tmp_path: Path) -> None:
    (tmp_path / "rules" / "down.yaml").write_text(
        "start: [http://127.0.0.1:1/]\nallow: {private: [127.0.0.1]}\nlimits: {delay: 0, timeout: 5}\n", encoding="utf-8")
    done = scrapy("crawl", "down", "-s", "RETRY_TIMES=0")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "failed" in done.stderr
