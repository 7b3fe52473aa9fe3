"""Each site file is a spider."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy import Request
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from hometextile.sites import site_files
from hometextile.spiders.loader import SiteLoader
from hometextile.text.faults import Fault

RULES = Path(__file__).parent.parent.parent / "rules"
GOOD = "start: [https://www.example.cn/]\n"


def test_files_become_spiders(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "b.yml").write_text(GOOD + "limits: {delay: 3, pages: 7}\n", encoding="utf-8")
    (tmp_path / "_draft.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    loader = SiteLoader.from_settings(Settings({"RULES_FOLDER": str(tmp_path)}))
    assert loader.list() == ["a", "b"]
    spider = loader.load("b")
    assert spider.name == "b"
    assert spider.custom_settings is not None
    assert spider.custom_settings["DOWNLOAD_DELAY"] == 3
    with pytest.raises(KeyError):
        loader.load("c")


def test_a_broken_file_stops_its_own_spider_only(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.yaml").write_text("strat: [x]\n", encoding="utf-8")
    loader = SiteLoader(str(tmp_path))
    assert loader.load("good").name == "good"
    with pytest.raises(Fault):
        loader.load("bad")
    assert {fault.key for fault in loader.faults()} == {"strat", "start"}
    assert loader.find_by_request(Request("https://www.example.cn/x")) == ["good"]


async def _start(name: str) -> list[Request]:
    spider = get_crawler(SiteLoader(str(RULES)).load(name))._create_spider()
    return [request async for request in spider.start()]


@pytest.mark.parametrize("name", [name for name, _file in site_files(str(RULES))])
def test_every_spider_in_rules_starts(name: str) -> None:
    import asyncio

    requests = asyncio.run(_start(name))
    assert requests
    assert all(request.url.startswith(("http://", "https://")) for request in requests)
