"""``scrapy blocks``: shown, listed, labelled, as a user would."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scrapy.utils.project import get_project_settings

from hometextile.blocks.labels import read_labels
from hometextile.commands.blocks import Command

# a page of a menu, a text and a footer
PAGE = (
    "<html><head><title>织造</title></head><body><ul><li><a href=/a>首页</a><li><a href=/b>新闻</a></ul>"
    "<div><h1>织造</h1><p>"
    + "经线与纬线在织机上交错，织成一幅布，尺寸由筘幅决定。" * 6
    + "</p></div><div>版权所有</div></body></html>"
)


@pytest.fixture
def page(tmp_path: Path) -> str:
    file = tmp_path / "织造.html"
    file.write_bytes(PAGE.encode("gb18030"))
    return str(file)


def run(*args: str) -> int:
    import argparse

    command = Command()
    command.settings = get_project_settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    options, rest = parser.parse_known_args(list(args))
    command.run(rest, options)
    return int(command.exitcode or 0)


def test_show_json(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", page, "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["method"] == "tags"
    main = [block["text"] for block in shown["blocks"] if block["level"] == "main"]
    assert any("经线与纬线" in text for text in main)


def test_show_picture(page: str, tmp_path: Path) -> None:
    assert run("show", page, "--picture", str(tmp_path / "p.png")) == 0
    assert (tmp_path / "p.png").read_bytes()[:4] == b"\x89PNG"


def test_print_then_read(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "labels")
    run("label", page, "--print")
    listed = capsys.readouterr().out
    count = sum(line[:1].isdigit() for line in listed.splitlines())
    levels = tmp_path / "levels.txt"
    levels.write_text(f"1 related\n2-{count} main\n", "utf-8")
    assert run("label", page, "--read", str(levels), "--who", "ann", "--labels", folder) == 0
    assert len(read_labels(Path(folder))) == count
    run("label", "--labels", folder)
    assert "1 pages, 1 people" in capsys.readouterr().out


def test_faults_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", str(tmp_path / "nothing.html")) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "nothing.html" in error
    assert run("train", "--data", str(tmp_path)) == 2
