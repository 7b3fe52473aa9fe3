"""``scrapy site``: a site file to begin with, checks, the schema; then a preview with that file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hometextile.demo.server import serve
from hometextile.sites import load_site

ROOT = Path(__file__).parent.parent.parent


def _scrapy(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scrapy", *arguments, "-s", f"RULES_FOLDER={folder}"],
        cwd=ROOT, capture_output=True, text=True, timeout=110, check=False,
        env={**os.environ, "SCRAPY_SETTINGS_MODULE": "hometextile.settings", "COLUMNS": "200"},
    )  # fmt: skip


@pytest.mark.network
@pytest.mark.timeout(240)
def test_a_new_site_and_its_preview(tmp_path: Path) -> None:
    with serve() as source:
        done = _scrapy(tmp_path, "site", "new", f"{source.address}/craft/list.php", "--name", "crafts")
        assert done.returncode == 0, done.stderr
        site = load_site(tmp_path / "crafts.yaml")
        assert site.data.start == [f"{source.address}/craft/list.php"]
        assert site.data.allow.private == ["127.0.0.1"]
        assert "query interface" in done.stdout
        assert "crafts: in order" in _scrapy(tmp_path, "site", "check").stdout
        again = _scrapy(tmp_path, "site", "new", f"{source.address}/craft/list.php", "--name", "crafts")
        assert again.returncode == 2
        assert "already" in again.stderr

        text = (tmp_path / "crafts.yaml").read_text(encoding="utf-8").replace("delay: 1.0", "delay: 0")
        (tmp_path / "crafts.yaml").write_text(text.replace("mode: both", "mode: surface"), encoding="utf-8")
        preview = _scrapy(tmp_path, "crawl", "crafts", "-a", "preview=8", "-a", "render=never")
        assert preview.returncode == 0, preview.stderr
        assert "nothing was stored" in preview.stdout
        assert "/craft/show.php?id=" in preview.stdout
        assert source.site.violations == []


def test_a_page_that_is_not_there(tmp_path: Path) -> None:
    done = _scrapy(tmp_path, "site", "new", "http://127.0.0.1:1/")
    assert done.returncode == 2
    assert "gives no page" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_check_tells_every_fault(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("start: [x]\nmode: all\n", encoding="utf-8")
    done = _scrapy(tmp_path, "site", "check", "bad")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 2


def test_the_schema_is_json(tmp_path: Path) -> None:
    assert _scrapy(tmp_path, "site", "schema", str(tmp_path / "s.json")).returncode == 0
    assert "start" in json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["required"]
