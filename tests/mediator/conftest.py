"""The user's database on SQLite, PostgreSQL and MariaDB; maps as texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from hometextile.mediator.mediator import Mediator, Report
from hometextile.mediator.schema import Map, parse_map
from hometextile.mediator.sources import Record

POSTGRESQL = os.environ.get("HOMETEXTILE_TEST_POSTGRESQL", "postgresql+psycopg://root@127.0.0.1:5432/test")
MARIADB = os.environ.get("HOMETEXTILE_TEST_MARIADB", "mysql+pymysql://root@127.0.0.1:3306/test")


@pytest.fixture
def postgresql_url() -> Iterator[str]:
    """An empty schema of its own on the test server."""
    name = f"hometextile_test_{uuid4().hex[:12]}"
    try:
        engine = create_engine(POSTGRESQL, connect_args={"connect_timeout": 3})
        with engine.begin() as connection:
            connection.execute(text(f"CREATE SCHEMA {name}"))
    except (SQLAlchemyError, ImportError) as error:
        pytest.skip(f"no PostgreSQL server answers at {make_url(POSTGRESQL).host}: {type(error).__name__}")
    url = make_url(POSTGRESQL).update_query_dict({"options": f"-csearch_path={name}"})
    yield url.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
    engine.dispose()


@pytest.fixture
def mariadb_url() -> Iterator[str]:
    """An empty database of its own on the test server."""
    name = f"hometextile_test_{uuid4().hex[:12]}"
    try:
        engine = create_engine(MARIADB, connect_args={"connect_timeout": 3})
        with engine.begin() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
    except (SQLAlchemyError, ImportError) as error:
        pytest.skip(f"no MariaDB server answers at {make_url(MARIADB).host}: {type(error).__name__}")
    yield make_url(MARIADB).set(database=name).render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(text(f"DROP DATABASE {name}"))
    engine.dispose()


class User:
    """The user with a database, whose address stands in the environment.

    Attributes:
        url: the address.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = create_engine(url)

    def do(self, *statements: str) -> None:
        """Run statements of the user's own."""
        with self.engine.begin() as connection:
            for statement in statements:
                connection.execute(text(statement))

    def rows(self, query: str) -> list[dict[str, Any]]:
        """What the user sees."""
        with self.engine.connect() as connection:
            return [dict(row) for row in connection.execute(text(query)).mappings()]

    def run(self, mapping: str | Map, *fields: dict[str, Any]) -> Report:
        """A run over records."""
        with Mediator(mapping if isinstance(mapping, Map) else read(mapping)) as mediator:
            return mediator.run(Record(each, f"file:{number}") for number, each in enumerate(fields, 1))

    def retry(self, mapping: str) -> Report:
        """Another try of what was rejected."""
        with Mediator(read(mapping)) as mediator:
            return mediator.retry()


def read(mapping: str, name: str = "products") -> Map:
    """A map's text, with the database named."""
    return parse_map("database: env:USERS_DATABASE\n" + mapping, name, f"{name}.yaml")


Make = Callable[[str], User]


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgresql", marks=pytest.mark.postgresql),
        pytest.param("mariadb", marks=pytest.mark.mariadb),
    ]
)
def user(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[User]:
    """A user with an empty database, on each of the three."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'users.db'}"
    else:
        url = str(request.getfixturevalue(f"{request.param}_url"))
    monkeypatch.setenv("USERS_DATABASE", url)
    made = User(url)
    yield made
    made.engine.dispose()


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[User]:
    """A user with SQLite alone."""
    url = f"sqlite:///{tmp_path / 'users.db'}"
    monkeypatch.setenv("USERS_DATABASE", url)
    made = User(url)
    yield made
    made.engine.dispose()
