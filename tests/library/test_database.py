"""Databases that are not ours, locked, full, read-only, away, half made: one clear word, nothing touched or lost."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import IntegrityError

from hometextile.library import creating
from hometextile.library.database import Database, read_url, shown
from hometextile.library.library import Library
from hometextile.text.faults import Fault
from tests.library.conftest import page, resource


def url_of(path: Path) -> str:
    return f"sqlite:///{path}"


def refused(path: Path, *, create: bool = True) -> str:
    """What is said when the file is opened; its bytes must stay as they are, and nothing may lie beside it."""
    before, beside = path.read_bytes(), sorted(path.parent.iterdir())
    with pytest.raises(Fault) as told:
        Library.open(url_of(path), create=create, wait=0.2, patience=0.2)
    assert path.read_bytes() == before
    assert sorted(path.parent.iterdir()) == beside
    message = str(told.value)
    assert str(path) in message
    assert "\n" not in message
    return message


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    for content in (b"title,price\n", b"SQLite format 3", b"\x00" * 4096):
        path = tmp_path / "notes.db"
        path.write_bytes(content)
        assert "is not a SQLite database; it was left as it is" in refused(path)


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE resources (id INTEGER)")
    connection.close()
    assert "is a database of something else; it was left as it is" in refused(path)


def test_no_library_where_one_is_looked_for(tmp_path: Path) -> None:
    with pytest.raises(Fault, match=r"there is no library here yet → crawl first: scrapy crawl SITE"):
        Library.open(url_of(tmp_path / "none.db"), create=False)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(Fault, match="there is no such directory"):
        Library.open(url_of(tmp_path / "no" / "library.db"))
    with pytest.raises(Fault, match="is a directory"):
        Library.open(url_of(tmp_path))


def test_an_empty_file_becomes_a_library(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    path.touch()
    Library.open(url_of(path)).close()
    other = tmp_path / "empty.db"
    connection = sqlite3.connect(other)
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    Library.open(url_of(other)).close()


def test_addresses_that_are_none() -> None:
    for url in ("library.db", "mysql://host/db", "", "sqlite+aiosqlite:///x.db"):
        with pytest.raises(Fault, match=r"write sqlite:///library\.db or postgresql\+psycopg"):
            read_url(url)


def test_a_password_is_never_shown(tmp_path: Path) -> None:
    url = "postgresql://reader:s3cret@127.0.0.1:9/library"
    assert "s3cret" not in shown(read_url(url))
    with pytest.raises(Fault) as told:
        Library.open(url, wait=1, patience=0.1)
    assert "the database can't be reached" in str(told.value)
    assert "s3cret" not in str(told.value)


def test_a_locked_database(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    Library.open(url_of(path)).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Library.open(url_of(path), wait=0.1, patience=0.3) as library:
        assert library.counts()["pages"] == 0, "reading goes on"
        with pytest.raises(Fault, match="the database is locked by another program"):
            library.save(page(1, resource(1)))
    other.execute("ROLLBACK")
    other.close()


def test_a_lock_that_is_let_go_is_waited_out(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    with Library.open(url_of(path), wait=0.05, patience=20) as library:
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.4, lambda: other.execute("ROLLBACK"))
        timer.start()
        assert library.save(page(1, resource(1)))[0].what == "new"
        timer.join()
        other.close()


def test_a_locked_database_of_someone_else_is_untouched(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    Library.open(url_of(path)).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Fault, match="the database is locked by another program"):
        Library.open(url_of(path), wait=0.1, patience=0.1)
    other.close()


def test_a_full_disk_loses_nothing_and_is_said(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    with Library.open(url_of(path), patience=0.1) as library:
        library.save(page(1, resource(1)))
        with library.database.engine.connect() as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, sqlite3.Connection)
            used = raw.execute("PRAGMA page_count").fetchone()[0]
            raw.execute(f"PRAGMA max_page_count = {used + 2}")
        with pytest.raises(Fault, match="the disk is full; nothing was changed → make room and run it again"):
            library.save(page(2, resource(2, text="锦" * 100_000)))
        assert library.counts()["resources"] == library.counts()["pages"] == 1
    with Library.open(url_of(path)) as library:
        assert library.save(page(2, resource(2, text="锦" * 100_000)))[0].what == "new"


def test_room_made_in_time_saves_the_crawl(tmp_path: Path) -> None:
    with Library.open(url_of(tmp_path / "library.db"), patience=20) as library:
        with library.database.engine.connect() as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, sqlite3.Connection)
        used = raw.execute("PRAGMA page_count").fetchone()[0]
        raw.execute(f"PRAGMA max_page_count = {used + 2}")
        timer = threading.Timer(0.3, lambda: raw.execute("PRAGMA max_page_count = 1000000"))
        timer.start()
        assert library.save(page(1, resource(1, text="锦" * 100_000)))[0].what == "new"
        timer.join()


def test_a_read_only_library_is_read_and_not_written(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    with Library.open(url_of(path)) as library:
        library.save(page(1, resource(1)))
    with Library.open(f"sqlite:///file:{path}?mode=ro&uri=true", create=False) as library:
        assert library.search("宋锦").total == 1
        with pytest.raises(Fault, match="the database is read-only; nothing was changed"):
            library.save(page(2, resource(2)))


def test_a_damaged_database(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    with Library.open(url_of(path)) as library:
        library.save(page(1, resource(1)))
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(Fault, match="the database is damaged"), Library.open(url_of(path)) as library:
        library.counts()


def test_a_library_whose_making_was_cut_off_is_made(tmp_path: Path) -> None:
    """The header may already say whose file it is, while no table was ever committed."""
    path = tmp_path / "library.db"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA application_id = {creating.APPLICATION_ID}")
    connection.close()
    with Library.open(url_of(path)) as library:
        assert library.save(page(1, resource(1)))[0].what == "new"


def test_many_open_a_new_library_at_once(any_url: str) -> None:
    troubles: list[Exception] = []

    def make() -> None:
        try:
            Library.open(any_url, wait=20).close()
        except (Fault, RuntimeError) as trouble:
            troubles.append(trouble)

    threads = [threading.Thread(target=make) for _number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []


def test_the_journal_is_changed_when_others_let_it(tmp_path: Path) -> None:
    """SQLite does not wait by itself here, and a library whose maker was killed in between is brought to it later."""
    path = tmp_path / "library.db"
    Library.open(url_of(path)).close()
    other = sqlite3.connect(path, check_same_thread=False)
    assert other.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    other.execute("BEGIN")
    other.execute("SELECT * FROM sites").fetchall()
    with pytest.raises(Fault, match="the database is locked by another program"):
        Library.open(url_of(path), wait=0.3)
    letting_go = threading.Timer(0.5, other.execute, ["COMMIT"])
    letting_go.start()
    with Library.open(url_of(path), wait=20) as library:
        letting_go.join()
        assert (
            library.database.read(lambda connection: connection.execute(text("PRAGMA journal_mode")).scalar_one())
            == "wal"
        )
    other.close()


def test_a_mistake_of_ours_is_no_fault_and_is_not_tried_for_ever(tmp_path: Path) -> None:
    calls = []

    def twice(connection: Connection) -> None:
        calls.append(1)
        connection.execute(text("INSERT INTO sites (name, first_crawled) VALUES ('a', ''), ('a', '')"))

    with Library.open(url_of(tmp_path / "library.db"), patience=30) as library:
        begun = time.monotonic()
        with pytest.raises(IntegrityError):
            library.database.write(twice)
        assert time.monotonic() - begun < 10
        assert calls


@pytest.mark.postgresql
def test_a_server_that_drops_its_connections_is_asked_again(postgresql_url: str) -> None:
    with Library.open(postgresql_url, patience=20) as library:
        library.save(page(1, resource(1)))
        mine = library.database.read(
            lambda connection: [connection.execute(text("SELECT pg_backend_pid()")).scalar_one()]
        )
        other = create_engine(read_url(postgresql_url), isolation_level="AUTOCOMMIT")
        with other.connect() as connection:
            connection.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": mine[0]})
        assert library.save(page(2, resource(2)))[0].what == "new"

        struck = []

        def strike(connection: Connection, _saved: object) -> None:
            if not struck:
                pid = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
                with other.connect() as killer:
                    killer.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})
                struck.append(pid)
                connection.execute(text("SELECT 1"))

        assert library.save(page(3, resource(3)), within=strike)[0].what == "new", "cut off inside a transaction"
        assert struck
        assert library.counts()["resources"] == 3
        other.dispose()


@pytest.mark.postgresql
def test_a_schema_with_tables_of_someone_else(postgresql_url: str) -> None:
    engine = create_engine(read_url(postgresql_url))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE pages (id INTEGER)"))
    with pytest.raises(Fault, match="is a database of something else"):
        Library.open(postgresql_url)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE pages"))
        connection.execute(text("CREATE TABLE orders (id INTEGER)"))
    Library.open(postgresql_url).close()
    engine.dispose()


@pytest.mark.postgresql
def test_a_database_that_is_not_on_the_server(postgresql_url: str) -> None:
    url = read_url(postgresql_url).set(database="no_such_database")
    with pytest.raises(Fault, match=r"can't be reached \(.*no_such_database.*\) → start it, or correct the address"):
        Database(url, patience=0.1).look()


def test_a_crawl_waits_out_a_lock_when_it_reads(small: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hometextile.library.database.time.sleep", lambda _seconds: None)
    calls = []

    def busy(_connection: Connection) -> int:
        calls.append(1)
        if len(calls) < 4:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorname = "SQLITE_BUSY"
            raise error
        return 7

    with pytest.raises(Fault, match="locked"):
        small.database.read(busy)
    small.database.patient = True
    assert small.database.read(busy) == 7
