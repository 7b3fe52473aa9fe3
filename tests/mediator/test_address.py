"""Where the database is, and that no message tells its address."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometextile.mediator.address import read_address
from hometextile.mediator.mediator import Mediator
from hometextile.mediator.schema import parse_map
from hometextile.text.faults import Fault

REST = "\ntable: t\nkey: k\ncolumns: {k: k}\n"


def address(said: str) -> str:
    return read_address(parse_map(f"database: {said}{REST}", "m", "m.yaml")).url.render_as_string(hide_password=False)


def test_from_the_environment_or_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB", " mariadb://u:secret@h/d\n")
    (tmp_path / "db").write_text("postgres://u:secret@h/d\n", encoding="utf-8")
    assert address("env:DB") == "mysql+pymysql://u:secret@h/d"
    assert address(f"file:{tmp_path / 'db'}") == "postgresql+psycopg://u:secret@h/d"
    assert address("sqlite:///x.db") == "sqlite:///x.db"


@pytest.mark.parametrize(
    ("said", "value", "problem"),
    [
        ("env:DB", None, "the environment variable DB is not set"),
        ("env:DB", "secret", "that is no address of a database"),
        ("env:DB", "oracle://u:secret@h/d", "that is no address of a database"),
        ("env:DB", "postgresql://u:secret@h", "that is no address of a database"),
        ("file:/nowhere/secret_file", None, "cannot be read"),
        ("postgresql://u:secret@h/d", None, "the database's address stands in the file itself"),
    ],
)
def test_what_is_none(said: str, value: str | None, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is not None:
        monkeypatch.setenv("DB", value)
    with pytest.raises(Fault) as caught:
        address(said)
    assert str(caught.value).startswith("m.yaml:1: database: ")
    assert problem in str(caught.value)
    assert "secret@" not in str(caught.value)


@pytest.mark.parametrize("driver", ["postgresql", "mysql"])
def test_a_server_that_is_away_is_one_line_without_the_password(driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB", f"{driver}://somebody:hunter2@127.0.0.1:9/d")
    with pytest.raises(Fault) as caught:
        Mediator(parse_map(f"database: env:DB{REST}", "m", "m.yaml"))
    said = str(caught.value)
    assert said.startswith("m.yaml:1: database: the database env:DB does not work: ")
    assert "hunter2" not in said
    assert "\n" not in said


def test_a_file_that_is_no_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.db").write_text("my diary" * 200)
    monkeypatch.setenv("DB", f"sqlite:///{tmp_path / 'x.db'}")
    with pytest.raises(Fault, match="file is not a database"):
        Mediator(parse_map(f"database: env:DB{REST}", "m", "m.yaml"))
    assert (tmp_path / "x.db").read_text() == "my diary" * 200
    monkeypatch.setenv("DB", f"sqlite:///{tmp_path / 'y.db'}")
    with pytest.raises(Fault, match="there is no database file"):
        Mediator(parse_map(f"database: env:DB{REST}", "m", "m.yaml"))
    assert not (tmp_path / "y.db").exists()
