"""The step and its pipeline: a map is found from the site file; a database that is away does not end a crawl."""

from __future__ import annotations

import logging
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hometextile.integrating import open_mediator
from hometextile.library.library import Library
from hometextile.sites import load_site
from hometextile.steps import STEPS, integrate
from hometextile.text.faults import Fault
from tests.library.conftest import page, resource

MAP = "table: t\nkey: url\ncreate: true\ncolumns: {url: url, weave: {from: fields.weave, values: {缎纹: satin}"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "maps").mkdir()
    (tmp_path / "rules" / "shop.yaml").write_text("start: [http://a.example/]\nintegrate: maps/m.yaml\n")
    return tmp_path


def shop_of(project: Path, library: Library) -> Any:
    site = load_site(project / "rules" / "shop.yaml")
    counts: Counter[str] = Counter()
    return SimpleNamespace(
        library=library,
        mediator=open_mediator(site),
        counts=counts,
        count=lambda name, n=1: counts.update({name: n}),
    )


def write(project: Path, text: str) -> None:
    # The library's own file is a database like any other: the user's table may lie beside its tables.
    database = f"database: sqlite:///{project / 'library.db'}\n"
    (project / "maps" / "m.yaml").write_text(database + text, encoding="utf-8")


def test_it_is_the_last_step() -> None:
    assert [each.name for each in STEPS][-2:] == ["store", "integrate"]


def test_what_was_stored_goes_into_the_table_once(project: Path) -> None:
    with Library.open(f"sqlite:///{project / 'library.db'}", wait=2, patience=2) as library:
        write(project, MAP + "}}\n")
        shop = shop_of(project, library)
        one = page(1, resource(1), resource(2, fields={"weave": "平纹"}), resource(3, duplicate_of="gone"))
        library.save(one)
        for _time in range(2):
            integrate(one, shop)
        assert shop.counts == {
            "integrate/read": 6,
            "integrate/new": 2,
            "integrate/same": 2,
            "integrate/rejected": 2,
        }
        integrate(page(9), shop)
        assert shop.counts["integrate/read"] == 6
        shop.mediator.close()
        assert library.counts()["resources"] == 3


def test_stop_ends_the_integration_and_not_the_crawl(project: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Library.open(f"sqlite:///{project / 'library.db'}", wait=2, patience=2) as library:
        write(project, MAP + ", on_error: stop}}\n")
        shop = shop_of(project, library)
        one = page(1, resource(1, fields={"weave": "平纹"}))
        library.save(one)
        with caplog.at_level(logging.ERROR):
            integrate(one, shop)
            integrate(one, shop)
        assert shop.mediator is None
        assert shop.counts == {"integrate/failed": 1}
        assert len(caplog.records) == 1
        said = caplog.records[0].getMessage()
        assert "m.yaml:5: columns.weave: resource 1: 平纹 is not listed" in said
        assert said.endswith("The crawl goes on; run `scrapy integrate` afterwards")


def test_no_such_map(project: Path) -> None:
    with pytest.raises(Fault, match=r"there is no map maps/m\.yaml → write its path") as caught:
        open_mediator(load_site(project / "rules" / "shop.yaml"))
    assert "shop.yaml: integrate: " in str(caught.value)
