"""Finding a browser."""

import os

from hometextile.render import finding


def fake(folder, name):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_order(tmp_path, monkeypatch):
    monkeypatch.delenv("HOMETEXTILE_BROWSER", raising=False)
    monkeypatch.setattr(finding.sys, "platform", "linux")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "pw"))
    assert finding.find_browser() is None
    whole = fake(tmp_path, "bin/google-chrome")
    assert finding.find_browser() == whole
    fake(tmp_path, "pw/chromium_headless_shell-1100/chrome-linux/headless_shell")
    newer = fake(tmp_path, "pw/chromium_headless_shell-1200/chrome-linux/headless_shell")
    assert finding.find_browser() == newer
    shell = fake(tmp_path, "bin/chromium-headless-shell")
    assert finding.find_browser() == shell
    monkeypatch.setenv("HOMETEXTILE_BROWSER", whole)
    assert finding.find_browser() == whole
    monkeypatch.setenv("HOMETEXTILE_BROWSER", "none")
    assert finding.find_browser() is None
    monkeypatch.setenv("HOMETEXTILE_BROWSER", os.fspath(tmp_path / "missing"))
    assert finding.find_browser() is None
