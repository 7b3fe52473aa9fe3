"""An older library is told so and left alone, and brought to today's tables by ``scrapy library upgrade``."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from sqlalchemy import Connection, text

from hometextile.library import creating, tables, upgrading
from hometextile.library.database import APPLICATION_ID, Database
from hometextile.library.library import Library
from hometextile.library.values import digest
from hometextile.text.faults import Fault

_TIME = "2026-01-01T00:00:00.000000Z"


def make_old(url: str) -> None:
    """A library at the first revision with one resource."""

    def work(connection: Connection) -> None:
        if connection.dialect.name == "sqlite":
            connection.execute(text(f"PRAGMA application_id = {APPLICATION_ID}"))
        upgrading.migrate(connection, "0001")
        connection.execute(tables.sites.insert(), {"name": "example", "first_crawled": _TIME})
        row = {name: [] for name in ("keywords", "images", "videos", "links", "rules", "blocks")}
        values = {"identity": "x", "identity_hash": digest("x"), "url": "http://x", "title": "宋锦", "text": "丝织"}
        times = {"first_seen": _TIME, "last_seen": _TIME}
        connection.execute(
            tables.resources.insert(), {**row, **values, **times, "site_id": 1, "fields": {}, "provenance": {}}
        )

    database = Database(url)
    database.write(work)
    database.close()


def test_an_old_library_is_told_so_and_upgraded(any_url: str) -> None:
    make_old(any_url)
    with pytest.raises(Fault, match=r"older version \(0001, not \d{4}\); it was left as it is.*library upgrade"):
        Library.open(any_url)
    assert upgrading.upgrade(any_url) == ("0001", tables.REVISION)
    assert upgrading.upgrade(any_url) == (tables.REVISION, tables.REVISION)
    with Library.open(any_url, create=False) as library:
        assert [hit.title for hit in library.search("宋锦").hits] == ["**宋锦**"]


def test_an_old_file_is_untouched_until_then(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    make_old(f"sqlite:///{path}")
    before = path.read_bytes()
    with pytest.raises(Fault):
        Library.open(f"sqlite:///{path}")
    assert path.read_bytes() == before


def test_an_upgrade_that_is_cut_off_changes_nothing(any_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_old(any_url)

    def fail(_connection: Connection) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(upgrading.index, "rebuild", fail)
    with pytest.raises(KeyboardInterrupt):
        upgrading.upgrade(any_url)
    monkeypatch.undo()
    database = Database(any_url)
    assert database.revision() == "0001"
    names = database.read(lambda connection: creating.inspect(connection).get_table_names())
    assert "search_documents" not in names
    database.close()
    assert upgrading.upgrade(any_url) == ("0001", tables.REVISION)


def test_a_newer_library_is_left_alone(any_url: str) -> None:
    with Library.open(any_url) as library:
        library.database.write(lambda c: c.execute(text(f"UPDATE {tables.VERSION_TABLE} SET version_num = '9999'")))
    for attempt in (lambda: Library.open(any_url), lambda: upgrading.upgrade(any_url)):
        with pytest.raises(Fault, match="made by a newer version of this program"):
            attempt()


def test_nothing_to_upgrade(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="there is no library here yet"):
        upgrading.upgrade(f"sqlite:///{tmp_path / 'none.db'}")
    assert list(tmp_path.iterdir()) == []


def schema(database: Database) -> dict[str, list[str]]:
    """Tables, columns, constraints and indexes, whatever the order in which they were declared."""
    if database.sqlite:
        query = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'search_index_%' AND sql IS NOT NULL"
        rows = database.read(lambda connection: connection.execute(text(query)).all())
        clauses = {}
        for name, sql in rows:
            flat = re.sub(r"[\s\"]+", " ", sql).replace("CONSTRAINT library_version_pkc PRIMARY KEY (version_num)", "")
            clauses[name] = sorted(part.strip(" ,()") for part in re.split(r", (?=[A-Za-z_]+ )|\( | \)", flat))
        clauses.pop(tables.VERSION_TABLE)
        return clauses
    queries = (
        "SELECT table_name, column_name || ' ' || data_type || ' ' || is_nullable || ' ' || "
        "coalesce(column_default, '') || ' ' || coalesce(collation_name, '') "
        "FROM information_schema.columns WHERE table_schema = current_schema()",
        "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) || conname FROM pg_constraint "
        "WHERE connamespace = current_schema()::regnamespace",
        "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = current_schema()",
    )
    found: dict[str, list[str]] = {}
    for query in queries:
        for name, what in database.read(lambda connection, query=query: connection.execute(text(query)).all()):
            found.setdefault(name, []).append(re.sub(r"hometextile_test_\w{12}\.", "", what))
    found.pop(tables.VERSION_TABLE)
    return {name: sorted(lines) for name, lines in found.items()}


def test_migrations_build_what_the_tables_say(any_url: str, tmp_path: Path) -> None:
    database = Database(any_url)
    database.write(upgrading.migrate)
    migrated = schema(database)
    if database.sqlite:
        other = Database(f"sqlite:///{tmp_path / 'made.db'}")
        other.write(creating.make)
        made = schema(other)
        other.close()
    else:
        drop = "DROP SCHEMA {0} CASCADE; CREATE SCHEMA {0}"
        name = database.read(lambda connection: connection.execute(text("SELECT current_schema()")).scalar_one())
        database.write(lambda connection: connection.execute(text(drop.format(name))))
        database.write(creating.make)
        made = schema(database)
    database.close()
    assert set(made) == set(migrated)
    for name, lines in made.items():
        assert lines == migrated[name], name


def test_migrations_are_found_in_a_zipped_egg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = Path(upgrading.__file__).parent
    egg = tmp_path / "package.egg"
    with ZipFile(egg, "w") as archive:
        for file in (package / "migrations").rglob("*.py"):
            archive.write(file, Path("zipped_migrations") / file.relative_to(package / "migrations"))
    monkeypatch.syspath_prepend(str(egg))
    monkeypatch.setattr(
        upgrading, "files", lambda _name: __import__("importlib.resources").resources.files("zipped_migrations")
    )
    with upgrading.migrations() as folder:
        assert sorted(file.name for file in (folder / "versions").iterdir())[0].startswith("0001")
