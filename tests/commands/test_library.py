"""``scrapy library``: what each action prints, and one clear line for what can't be done."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from hometextile.commands.library import Command
from hometextile.library.library import Library
from tests.library.conftest import page, resource

Run = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the command with arguments as typed; returns the exit code."""
    url = f"sqlite:///{tmp_path / 'library.db'}"
    with Library.open(url) as library:
        library.save(page(1, resource(1, title="宋锦\x1b[31m四件套 [b]", category="product")))
        library.save(page(2, resource(2, title="古代织造", library="culture", category="history", published="2019")))

    def run(*arguments: str, address: str = url) -> int:
        command = Command()
        command.settings = Settings({"LIBRARY_URL": address, "LIBRARY_WAIT": 1})
        parser = argparse.ArgumentParser()
        command.add_options(parser)
        options, rest = parser.parse_known_args(list(arguments))
        command.run(rest, options)
        return command.exitcode

    return run


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def fault(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error."""
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    return lines[0]


def test_list(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    text = said(capsys)
    assert text.index("古代织造") < text.index("宋锦"), "the newest first"
    assert "\x1b" not in text
    assert "[31m四件套 [b]" in text, "what a page says is shown, not run"
    run("list", "--library", "Culture")
    assert "宋锦" not in said(capsys)
    run("list", "--class", "历史文化", "--since", "2019", "--limit", "1")
    assert "古代织造" in said(capsys)
    run("list", "--site", "none")
    assert said(capsys).strip() == "Nothing found."


def test_list_in_chinese(run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    run("list")
    assert "历史文化" in said(capsys)


def test_search(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("search", "宋锦") == 0
    text = said(capsys)
    assert "1. [宋锦]" in text
    assert "http://site.example/1" in text
    assert "#1" in text
    assert "found." in text
    run("search", "sj")
    assert "No such word; titles with these pinyin initials:" in said(capsys)
    run("search", "不在")
    assert said(capsys).strip() == "Nothing found."
    with pytest.raises(UsageError):
        run("search")


def test_show_tells_the_whole_story(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "1", "#2") == 0
    text = said(capsys)
    for part in ("宋锦是苏州的丝织品。", "keyword 宋锦", "form f00d", "from http://site.example/search", "weave: 缎纹",
                 "noise", "dropped", "main", "kept", "rules: product", "古代织造"):  # fmt: skip
        assert part in text
    assert "\x1b" not in text


def test_mark(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("mark", "1", "--as", "wrong-class") == 0
    assert run("mark", "2", "--class", "品牌文化") == 0
    capsys.readouterr()
    run("list", "--marked", "wrong-class")
    assert "宋锦" in said(capsys)
    run("list", "--class", "brand_culture")
    assert "reviewed" in said(capsys)
    assert run("mark", "1", "77", "--as", "reviewed") == 2
    assert "not all of these resources" in fault(capsys)
    assert run("mark", "1") == 2
    assert "what shall they be marked as?" in fault(capsys)
    assert run("mark", "1", "--class", "cars") == 2
    assert "there is no class cars → use one of: history" in fault(capsys)


def test_export_check_and_stats(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("export", str(tmp_path / "x.csv"), "--library", "culture") == 0
    assert "Written: 1 to" in said(capsys)
    assert run("stats", str(tmp_path / "x.html")) == 0
    text = said(capsys)
    assert "Culture" in text
    assert "pages 2" in text
    assert run("check", "--reindex") == 0
    assert "The library is whole." in said(capsys)


def test_check_of_a_sick_library(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import sqlite3

    with sqlite3.connect(tmp_path / "library.db") as connection:
        connection.execute("UPDATE resources SET version = 7")
    connection.close()
    assert run("check") == 1
    text = capsys.readouterr()
    assert "✗ resources whose versions are not complete: 2" in text.out
    assert text.err.strip() == "The library is not whole."


def test_copy_and_upgrade(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = f"sqlite:///{tmp_path / 'other.db'}"
    assert run("copy", other) == 0
    assert "all equal" in said(capsys)
    assert run("upgrade", address=other) == 0
    assert "up to date" in said(capsys)
    assert run("copy", other) == 2
    assert "with something in it already" in fault(capsys)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "one"], "is not a resource's number: one"),
        (["show", "99"], "there is no resource 99"),
        (["list", "--since", "yesterday"], "--since: is not a date: yesterday → write 2023"),
        (["export", "x.doc"], "the file's ending does not say which format is wanted"),
        (["copy", "mysql://x:s3cret@y/z"], "the library does not run on mysql"),
    ],
)
def test_faults(run: Run, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    assert run(*arguments) == 2
    line = fault(capsys)
    assert words in line
    assert "s3cret" not in line


def test_no_library_yet(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.db"
    for action in ("list", "check", "upgrade"):
        assert run(action, address=f"sqlite:///{path}") == 2
        assert "there is no library here yet" in fault(capsys)
    assert not path.exists()


def test_unknown_actions(run: Run) -> None:
    for arguments in ([], ["sing"], ["list", "extra"], ["show"], ["export"]):
        with pytest.raises(UsageError):
            run(*arguments)
