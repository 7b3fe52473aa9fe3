"""What is installed and deployed holds all that the code reads."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_package_is_named_in_pyproject() -> None:
    written = set(
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    )
    there = {".".join(init.parent.relative_to(ROOT).parts) for init in (ROOT / "hometextile").rglob("__init__.py")}
    assert written == there | {"hometextile.rules", "hometextile.maps"}


def test_every_kind_of_data_file_is_named_in_pyproject() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    patterns = data["hometextile"]
    # Sources of what is compiled, and editors' schemas, are not read at run time.
    ignored = {".py", ".pyc", ".po", ".pot"}
    for path in (ROOT / "hometextile").rglob("*"):
        if path.is_file() and path.suffix not in ignored:
            assert any(path.match(pattern) for pattern in patterns), path


def test_no_data_file_is_read_by_its_path() -> None:
    """An egg stays zipped: ``Path(__file__)`` would raise NotADirectoryError there."""
    for path in (ROOT / "hometextile").rglob("*.py"):
        assert "__file__" not in path.read_text(encoding="utf-8"), path
