"""A library copied to the other database and back is the same, row by row."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select

from hometextile.forms.form import Form, Query
from hometextile.library import copying
from hometextile.library import tables as t
from hometextile.library.library import Library
from hometextile.page.page import Way
from hometextile.text.faults import Fault
from tests.library.conftest import page, resource


def fill(library: Library) -> None:
    """Something in every table."""
    crawl = library.begin_crawl("example", {"mode": "deep"})
    for number in range(1, 6):
        library.save(page(number, resource(number), crawl_id=crawl.id, headers={"etag": f"{number}"}))
    library.save(page(1, resource(1, title="改 😀"), fetched="2026-02-01T00:00:00.000000Z"))
    library.save(page(9, resource(9, duplicate_of="http://site.example/1")))
    library.save(page(10, dropped="off-topic", way=Way("answer", values=[("q", "宋锦")])))
    query = Query(Form(action="/s", url="http://site.example/"), {"q": ["宋锦"]}, keyword="宋锦")
    library.record_query(query, site="example", crawl=crawl, results=3)
    library.record_form("example", query.form)
    library.record_error(step="fetch", message="坏", site="example", crawl=crawl)
    library.near_store().add_bands("http://site.example/1", [-5, 7], "text")

    def work(connection: Connection) -> None:
        base = {"site_id": 1, "request": b"\x00\xff", "lease_until": 1.5}
        rows = [
            {**base, "id": 1, "url": "http://a", "fingerprint": "a", "parent_id": 2},
            {**base, "id": 2, "url": "http://b", "fingerprint": "b", "parent_id": None},
        ]
        connection.execute(t.frontier.insert(), [{**rows[0], "parent_id": None}, rows[1]])
        connection.execute(t.frontier.update().where(t.frontier.c.id == 1).values(parent_id=2))
        file = {"resource_id": 1, "url_hash": "x", "url": "http://f", "kind": "image", "fetched": "2026"}
        connection.execute(insert(t.files), file)

    library.database.write(work)


def everything(library: Library) -> dict[str, list[tuple[object, ...]]]:
    def ask(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in t.metadata.sorted_tables
        }

    return library.database.read(ask)


def test_copied_on_sqlite(small: Library, tmp_path: Path) -> None:
    fill(small)
    url = f"sqlite:///{tmp_path / 'copy.db'}"
    counts = copying.copy(small, url)
    filled = ("contents", "pages", "blocks", "resources", "ways", "versions", "duplicates", "files", "frontier")
    assert all(counts[name] for name in filled)
    with Library.open(url, create=False) as other:
        assert everything(other) == everything(small)
        assert other.search("宋锦") == small.search("宋锦")
        assert other.save(page(20, resource(20)))[0].what == "new"
    with pytest.raises(Fault, match="there is a library with something in it already"):
        copying.copy(small, url)


@pytest.mark.postgresql
def test_copied_to_postgresql_and_back(small: Library, postgresql_url: str, tmp_path: Path) -> None:
    fill(small)
    copying.copy(small, postgresql_url)
    with Library.open(postgresql_url) as other:
        assert everything(other) == everything(small)
        assert other.search("锦", limit=50) == small.search("锦", limit=50)
        copying.copy(other, f"sqlite:///{tmp_path / 'back.db'}")
        assert other.save(page(20, resource(20)))[0].what == "new", "numbers go on after those that were copied"
    with Library.open(f"sqlite:///{tmp_path / 'back.db'}") as back:
        assert everything(back) == everything(small)


def test_a_copy_that_comes_out_different_is_not_kept(
    small: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(small)
    url = f"sqlite:///{tmp_path / 'copy.db'}"
    real = copying._rows

    def losing(connection: Connection, table: object) -> object:
        rows = real(connection, table)  # type: ignore[arg-type]
        if table is t.versions and connection.engine is small.database.engine:
            next(rows)
            monkeypatch.setattr(copying, "_rows", real)
        return rows

    monkeypatch.setattr(copying, "_rows", losing)
    with pytest.raises(Fault, match="table versions came out different; nothing was kept"):
        copying.copy(small, url)
    with Library.open(url, create=False) as other:
        assert other.counts()["resources"] == 0
