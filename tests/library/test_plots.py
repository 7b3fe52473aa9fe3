"""The page of plots: HTML that nothing from the web can break, PNG with a word about fonts."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from hometextile.library import plots
from hometextile.library.library import Library
from hometextile.text.faults import Fault
from tests.library.conftest import page, resource


def test_html_tells_every_count(small: Library, tmp_path: Path) -> None:
    for number in range(1, 4):
        fetched = f"2026-01-{number * 7:02}T00:00:00.000000Z"
        small.save(page(number, resource(number), site="<b>site</b>", fetched=fetched))
    assert plots.draw(small, str(tmp_path / "x.html"), {"trade": "交易库"}) == ""
    tree = html.fromstring((tmp_path / "x.html").read_text("utf-8"))
    rows = {row.findtext("th"): row.findtext("td/span") for row in tree.iter("tr")}
    assert rows["交易库"] == rows["<b>site</b>"] == rows["product"] == "3"
    assert [name for name in rows if name and name.startswith("2026-W")] == ["2026-W02", "2026-W03", "2026-W04"]


def test_png_and_its_font(small: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small.save(page(1, resource(1, title="$x$")))
    monkeypatch.setattr(plots, "chinese_font", lambda: None)
    assert plots.draw(small, str(tmp_path / "x.png")) == ""
    note = plots.draw(small, str(tmp_path / "y.png"), {"trade": "交易库"})
    assert "no font with Chinese characters is installed" in note
    assert (tmp_path / "y.png").read_bytes().startswith(b"\x89PNG")


def test_an_empty_library_and_another_ending(small: Library, tmp_path: Path) -> None:
    assert plots.draw(small, str(tmp_path / "x.html")) == ""
    with pytest.raises(Fault, match=r"a page of plots is \.html or \.png"):
        plots.draw(small, str(tmp_path / "x.pdf"))
