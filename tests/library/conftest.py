"""Libraries on SQLite and PostgreSQL; pages to fill them with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from hometextile.blocks.block import Block
from hometextile.extract.resource import Resource
from hometextile.library.library import Library
from hometextile.page.page import Page, Way

SERVER = os.environ.get("HOMETEXTILE_TEST_POSTGRESQL", "postgresql+psycopg://postgres@127.0.0.1:5432/test")


@pytest.fixture
def postgresql_url() -> Iterator[str]:
    """The address of an empty schema of its own on the test server."""
    name = f"hometextile_test_{uuid4().hex[:12]}"
    try:
        engine = create_engine(SERVER, connect_args={"connect_timeout": 3})
        with engine.begin() as connection:
            connection.execute(text(f"CREATE SCHEMA {name}"))
    except (SQLAlchemyError, ImportError) as error:
        pytest.skip(f"no PostgreSQL server answers at {make_url(SERVER).host}: {type(error).__name__}")
    url = make_url(SERVER).update_query_dict({"options": f"-csearch_path={name}"})
    yield url.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
    engine.dispose()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def any_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An address where no library is yet, on each of the two databases."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'library.db'}"
    return str(request.getfixturevalue("postgresql_url"))


@pytest.fixture
def library(any_url: str) -> Iterator[Library]:
    """An empty library, on each of the two databases."""
    with Library.open(any_url, wait=2, patience=2) as opened:
        yield opened


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Library]:
    """An empty library on SQLite alone."""
    with Library.open(f"sqlite:///{tmp_path / 'small.db'}", wait=1, patience=1) as opened:
        yield opened


def resource(number: int = 1, **values: Any) -> Resource:
    """A resource with something in every column."""
    url = f"http://site.example/{number}"
    known: dict[str, Any] = {
        "identity": url,
        "url": url,
        "title": f"宋锦四件套 {number}",
        "published": "2023-05-06",
        "source": "苏州丝绸",
        "text": "宋锦是苏州的丝织品。\n四件套用棉布。",
        "library": "trade",
        "category": "product",
        "relevance": 0.5,
        "credibility": 0.5,
        "fields": {"price": "299元", "weave": "缎纹"},
        "images": [{"url": f"{url}.jpg", "alt": "图"}],
        "blocks": [1],
        "rules": ["product"],
        "content_hash": f"{number:064}",
    }
    return Resource(**{**known, **values})


def page(number: int = 1, *resources: Resource, **values: Any) -> Page:
    """A page that was found by a keyword and gives the resources."""
    known: dict[str, Any] = {
        "site": "example",
        "url": f"http://site.example/{number}",
        "text": f"<html><body>页 {number}</body></html>",
        "way": Way("result", form="f00d", keyword="宋锦", referrer="http://site.example/search", depth=2),
        "blocks": [
            Block(0, "/html/body/div[1]", text="首页 登录", level="noise", score=0.02, box=(0, 0, 100, 20)),
            Block(1, "/html/body/div[2]", text="宋锦是苏州的丝织品。", level="main", score=0.97, doc=8),
        ],
        "resources": list(resources),
        "fetched": "2026-01-05T10:00:00.000000Z",
    }
    known["body"] = known["text"].encode()
    return Page(**{**known, **values})
