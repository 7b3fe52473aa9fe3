"""``scrapy forms``."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from scrapy.cmdline import execute

# A page with a search, a login, a subscription, a comment and a sort box, written for this test.
PAGE = """<html><body>
<form role=search action=/search><input name=q placeholder="Search the library"></form>
<form method=post action=/login><input name=user><input type=password name=pw></form>
<form method=post action=/subscribe><input name=email placeholder="Your e-mail">"
"<input type=submit value=Subscribe></form>
<form method=post action=/comment><textarea name=c></textarea><input type=submit value="Post comment"></form>
<form action=/list><select name=sort><option>Price<option>Newest</select></form>
</body></html>"""


def scrapy(*arguments: str) -> int:
    """Run a command; its exit code."""
    with pytest.raises(SystemExit) as done:
        execute(["scrapy", *arguments])
    return int(done.value.code or 0)


@pytest.mark.parametrize("verb", [["show"], []])
def test_show(tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: list[str]) -> None:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    assert scrapy("forms", *verb, str(tmp_path / "page.html")) == 0
    text = " ".join(capsys.readouterr().out.split())
    for said in (
        "form",
        "decision",
        "score",
        "domain",
        "similarity",
        "words",
        "why",
        "beyond doubt",
        "it asks for a password",
        "it only sorts or pages a list",
        "a keyword would go into “q”",
    ):
        assert said in text, said
    assert text.count("no query") == 4


def test_what_is_wrong_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scrapy("forms", "show", str(tmp_path / "none.html")) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_no_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.html").write_text("<p>nothing", encoding="utf-8")
    assert scrapy("forms", str(tmp_path / "page.html")) == 0
    assert "no forms" in capsys.readouterr().out


def test_train(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    lines = []
    for n in range(12):
        html = f"<form action=/s{n}><input name=q></form><form method=post><input type=password name=p{n}></form>"
        (data / f"{n}.gz").write_bytes(gzip.compress(html.encode()))
        forms = [{"n": 0, "kind": "search"}, {"n": 1, "kind": "login"}]
        lines.append(json.dumps({"file": f"{n}.gz", "url": f"https://site{n}.example/", "forms": forms}))
    (data / "index.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert scrapy("forms", "train", "--data", str(data), "--to", str(tmp_path / "model")) == 0
    card = json.loads((tmp_path / "model" / "query_interface.json").read_text(encoding="utf-8"))
    assert (card["data"]["forms"], card["data"]["query_interfaces"], card["data"]["sites"]) == (24, 12, 12)
    assert "24 forms" in capsys.readouterr().out


def test_train_without_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scrapy("forms", "train", "--data", str(tmp_path)) == 2
    assert "index.jsonl" in capsys.readouterr().err
