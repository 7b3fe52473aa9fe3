"""``scrapy integrate``: what it prints, its exit code, and one clear line for what can't be done."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from hometextile.commands.integrate import Command
from hometextile.library.library import Library
from tests.library.conftest import page, resource

Run = Callable[..., int]
MAP = """
database: sqlite:///{folder}/mine.db
table: products
key: url
create: true
take: {{library: trade}}
columns:
  url: url
  title: title
  price: {{from: price, type: price}}
  weave: {{from: fields.weave, values: {{缎纹: satin}}}}
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command with arguments as typed, in a project with a library; returns the exit code."""
    url = f"sqlite:///{tmp_path / 'library.db'}"
    with Library.open(url) as library:
        library.save(page(1, resource(1), resource(2, fields={"weave": "平纹"}), resource(3, library="culture")))
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "products.yaml").write_text(MAP.format(folder=tmp_path), encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> int:
        command = Command()
        command.settings = Settings({"LIBRARY_URL": url, "LIBRARY_WAIT": 1})
        parser = argparse.ArgumentParser()
        command.add_options(parser)
        options, rest = parser.parse_known_args(list(arguments))
        command.run(rest, options)
        return command.exitcode

    return run


def test_from_the_library_then_retry(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("products") == 0
    assert capsys.readouterr().out.splitlines() == [
        "products: 3 records read; new 1, rejected 1",
        "Left out, since the map does not take them: 1",
        "  1 × weave: 平纹 is not listed under `values` (such as resource 2)",
        "In the table hometextile_rejected wait 1 rejected records; correct the map, then run it with --retry",
    ]
    path = tmp_path / "maps" / "products.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("satin", "satin, 平纹: plain"), encoding="utf-8")
    assert run("maps/products.yaml", "--retry") == 0
    assert capsys.readouterr().out == "products: 1 records read; new 1, rejected 0\n"
    assert run("products") == 0
    assert "new 0, as they were 2, rejected 0" in capsys.readouterr().out


def test_from_a_file(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "f.xml").write_text(
        "<r><i><library>trade</library><url>u</url><titel>t</titel><weave>缎纹</weave></i></r>", encoding="utf-8"
    )
    assert run("products", "--from", "f.xml") == 0
    said = capsys.readouterr()
    assert said.out == "products: 1 records read; new 1, rejected 0\n"
    assert said.err.splitlines() == [
        "maps/products.yaml:9: columns.title: no record has title → did you mean `titel`?",
        "maps/products.yaml:10: columns.price: no record has price → look at a record's fields",
    ]


def test_faults(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("nothing") == 2
    assert capsys.readouterr().err.startswith("maps/nothing.yaml: cannot be read: No such file")
    assert run("products", "--from", "f.csv") == 2
    assert "is no intermediate file" in capsys.readouterr().err
    (tmp_path / "two.yaml").write_text("tabel: t\nkey: k\n", encoding="utf-8")
    assert run("two.yaml") == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4
    assert "two.yaml:1: tabel: unknown key → did you mean `table`?" in lines
    with pytest.raises(UsageError):
        run()
    with pytest.raises(UsageError):
        run("products", "--retry", "--from", "f.xml")


def test_without_a_library(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "library.db").unlink()
    assert run("products") == 2
    assert "there is no library here yet" in capsys.readouterr().err
