"""``scrapy domain-model``."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from scrapy.cmdline import execute

from hometextile.forms.domain_store import load

# Two query interfaces and a login, written for this test.
PAGE = """<form action=/search><input name=q placeholder=关键词><input name=a title="Price from">"
"<input name=b title="Price to">
<input type=submit value=搜索></form>
<form action=/find><input name=k placeholder=Keywords><input name=t placeholder=Title>"
"<input type=submit value=Search></form>
<form method=post><input type=password name=p></form>"""


def scrapy(*arguments: str) -> int:
    """Run a command; its exit code."""
    with pytest.raises(SystemExit) as done:
        execute(["scrapy", *arguments])
    return int(done.value.code or 0)


def test_learn_and_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    grown = tmp_path / "model.yaml"
    assert scrapy("domain-model", "learn", str(tmp_path / "page.html"), "--fresh", "--to", str(grown)) == 0
    model = load(grown)
    assert (model.forms, model.sources) == (2, {"real": 2})
    assert [(node.id, node.tf) for node in model.nodes] == [
        ("keyword", 2),
        ("price", 1),
        ("price: from", 1),
        ("price: to", 1),
        ("title", 1),
    ]
    assert scrapy("domain-model", "show", "--model", str(grown), "--plot", str(tmp_path / "plot.png")) == 0
    text = capsys.readouterr().out
    assert "├─ keyword  [text box; 2]" in text
    assert "not stable yet" in text
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


# An advanced search with choices and a sentence, written for this test.
OTHERS = """<form action=/search><input name=q placeholder="Find anything that we have">
<input name=author title=Author><input name=title title=Title>
<select name=their_own_very_long_name title=Period><option>All<option>A. Nobody<option>B. Nobody</select>
<input type=date name=d1 title="Date from"><input type=date name=d2 title="Date to"><button>Search</button></form>"""


def test_of_pages_of_others_terms_are_kept_only(tmp_path: Path) -> None:
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(OTHERS.encode()))
    grown = tmp_path / "model.yaml"
    place = str(tmp_path / "page.html.gz")
    assert scrapy("domain-model", "learn", place, "--fresh", "--terms", "--to", str(grown)) == 0
    text, model = grown.read_text(encoding="utf-8"), load(grown)
    assert {"author", "title", "keyword", "date"} <= {node.id for node in model.nodes}
    assert "Nobody" not in text
    assert "anything" not in text
    assert "their_own" not in text


def test_a_damaged_packed_page_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(PAGE.encode())[:-9])
    assert scrapy("domain-model", "learn", str(tmp_path / "page.html.gz"), "--to", str(tmp_path / "m.yaml")) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_show_the_packs_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert scrapy("domain-model", "show", "--least", "20") == 0
    assert "keyword" in capsys.readouterr().out


def test_what_is_wrong_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scrapy("domain-model", "show", "--model", str(tmp_path / "none.yaml")) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
