"""The health check finds nothing in a healthy library, and each thing that is wrong in a sick one."""

from __future__ import annotations

from sqlalchemy import Connection, delete, text, update

from hometextile.library import tables as t
from hometextile.library.checking import check
from hometextile.library.library import Library
from hometextile.library.search import index
from tests.library.conftest import page, resource


def wrong(library: Library) -> dict[str, int]:
    return {finding.what: finding.count for finding in check(library.database) if finding.wrong and finding.count}


def test_a_healthy_library(library: Library) -> None:
    library.save(page(1, resource(1)))
    library.save(page(1, resource(1, title="other"), fetched="2026-02-01T00:00:00.000000Z"))
    library.save(page(2, resource(2, duplicate_of="http://site.example/1")))
    assert wrong(library) == {}
    figures = {finding.what: finding.count for finding in check(library.database)}
    assert (figures["resources"], figures["pages"], figures["versions"]) == (1, 2, 1)


def test_what_is_wrong_is_found(library: Library) -> None:
    for number in range(1, 5):
        library.save(page(number, resource(number)))

    def spoil(connection: Connection) -> None:
        connection.execute(delete(t.ways).where(t.ways.c.resource_id == 1))
        connection.execute(update(t.resources).where(t.resources.c.id == 2).values(version=3))
        connection.execute(update(t.pages).where(t.pages.c.id == 3).values(body_hash=None))
        connection.execute(update(t.contents).values(data=b"damaged").where(t.contents.c.size > 0))
        connection.execute(update(t.resources).where(t.resources.c.id == 4).values(title="by hand"))

    library.database.write(spoil)
    assert wrong(library) == {
        "resources that no page gave": 1,
        "resources whose versions are not complete": 1,
        "contents of no page": 1,
        "contents that are damaged": 4,
        "resources that the search does not know as they are": 1,
    }
    library.database.write(index.rebuild)
    assert "resources that the search does not know as they are" not in wrong(library)


def test_an_index_that_lost_a_document(library: Library) -> None:
    library.save(page(1, resource(1)))
    statement = "DELETE FROM search_index" if not library.database.sqlite else (
        "INSERT INTO search_index (search_index) VALUES ('delete-all')"
    )  # fmt: skip
    library.database.write(lambda connection: connection.execute(text(statement)))
    assert wrong(library) == {"documents that are not in the search index": 1}
