"""Deployed to a real scrapyd: the egg carries pack, models and site files; a crawl scheduled there fills a library."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hometextile.demo.server import serve
from hometextile.library.library import Library

ROOT = Path(__file__).parent.parent
SCRIPTS = Path(sys.executable).parent


def _ask(url: str, **data: Any) -> dict[str, Any]:
    body = urllib.parse.urlencode(data, doseq=True).encode() if data else None
    with urllib.request.urlopen(url, body, timeout=60) as answer:
        return dict(json.load(answer))


@pytest.fixture
def scrapyd(tmp_path: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = tmp_path / "scrapyd"
    home.mkdir()
    (home / "scrapyd.conf").write_text(
        f"[scrapyd]\nbind_address = 127.0.0.1\nhttp_port = {port}\npoll_interval = 0.5\n"
        "jobstorage = scrapyd.jobstorage.SqliteJobStorage\n",
        encoding="utf-8",
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("SCRAPY_", "PYTHONPATH"))}
    server = subprocess.Popen(
        [SCRIPTS / "scrapyd"], cwd=home, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(60):
            try:
                _ask(f"{address}/daemonstatus.json")
                break
            except OSError:
                time.sleep(0.5)
        yield address
    finally:
        server.terminate()
        server.wait(20)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_deploy_list_schedule(scrapyd: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(
        ROOT,
        project,
        ignore=shutil.ignore_patterns(
            ".git",
            ".venv",
            "build",
            "*.egg-info",
            "__pycache__",
            ".*_cache",
            "tests",
            "bench",
            "docs",
            "*.db*",
            ".hypothesis",
        ),
    )
    (project / "scrapy.cfg").write_text(
        "[settings]\ndefault = hometextile.settings\n"
        f"[deploy]\nurl = {scrapyd}/\nproject = hometextile\nversion = r1\n",
        encoding="utf-8",
    )
    own = tmp_path / "own.db"
    (project / "maps" / "own.yaml").write_text(
        f"database: sqlite:///{own}\ntable: own\nkey: url\ncreate: true\ncolumns: {{url: url, title: title}}\n",
        encoding="utf-8",
    )
    with (project / "rules" / "demo.yaml").open("a", encoding="utf-8") as file:
        file.write("\nintegrate: maps/own.yaml\n")
    deployed = subprocess.run(
        [SCRIPTS / "scrapyd-deploy"], cwd=project, capture_output=True, text=True, timeout=180, check=False
    )
    assert '"status": "ok"' in deployed.stdout, deployed.stdout + deployed.stderr

    assert _ask(f"{scrapyd}/listspiders.json?project=hometextile")["spiders"] == ["demo"]

    library = f"sqlite:///{tmp_path / 'library.db'}"
    with serve() as source:
        job = _ask(
            f"{scrapyd}/schedule.json",
            project="hometextile",
            spider="demo",
            start=f"{source.address}/craft/",
            mode="surface",
            render="never",
            pages="60",
            setting=f"LIBRARY_URL={library}",
        )["jobid"]
        for _ in range(240):
            jobs = _ask(f"{scrapyd}/listjobs.json?project=hometextile")
            if any(each["id"] == job for each in jobs["finished"]):
                break
            time.sleep(0.5)
        else:
            pytest.fail(f"the job did not end: {jobs}")
    shelf = Library.open(library, create=False)
    stored = [resource["title"] for resource in shelf.resources()]
    shelf.close()
    assert stored
    with closing(sqlite3.connect(own)) as table:
        assert {row[0] for row in table.execute("SELECT title FROM own")} == set(stored)
