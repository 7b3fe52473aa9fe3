"""Three weekly visits to the demo source: every change seen, nothing twice, few requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometextile.render.browser import find_browser

ROOT = Path(__file__).parent.parent
pytestmark = [
    pytest.mark.long,
    pytest.mark.network,
    pytest.mark.timeout(1200),
    pytest.mark.browser,
    pytest.mark.skipif(find_browser() is None, reason="no browser: the gallery's answers are drawn by script"),
]


def test_three_visits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT)
    monkeypatch.chdir(ROOT)
    from bench.visits import run

    first, *others = run(f"sqlite:///{tmp_path / 'library.db'}", tmp_path / "stats.json")
    assert first["requests"] > 500
    for visit in others:
        assert visit["share"] < 0.4
        assert visit["missed"] == []
        assert visit["seen"] == visit["changes"] > 10
        assert visit["twice"] == 0
        assert visit["unchanged"] > 200
