"""Pages as Chromium draws them: the gallery's answers, a layout that means something, the POST form pressed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from lxml import html

from hometextile.demo.content import search
from hometextile.demo.server import Server, serve
from hometextile.render.browser import Browser
from hometextile.render.finding import find_browser
from hometextile.render.guard import AddressGuard

pytestmark = [
    pytest.mark.browser,
    pytest.mark.network,
    pytest.mark.skipif(find_browser() is None, reason="no Chromium headless shell on this machine"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve(slow=0.1) as running:
        yield running


@pytest.fixture(scope="module")
def drawn(server: Server) -> dict[str, str]:
    paths = [
        f"/gallery/search?q={quote('面料')}",
        f"/gallery/search?q={quote('面料')}&page=2",
        "/news/2026/n01.html",
        "/dir/card.asp?id=d001",
    ]

    async def go() -> dict[str, str]:
        async with Browser(AddressGuard(["127.0.0.1"])) as browser:
            return {path: (await browser.draw(server.address + path)).html for path in paths}

    return asyncio.run(go())


def _box(page: str, xpath: str) -> tuple[float, ...]:
    element = html.fromstring(page).xpath(xpath)[0]
    return tuple(float(number) for number in element.get("data-box").split())


def test_gallery_answers_appear_in_a_browser(drawn: dict[str, str]) -> None:
    wanted = {item.path for item in search("gallery", "面料", 1)}
    pages = [page for path, page in drawn.items() if path.startswith("/gallery/search")]
    cards = [html.fromstring(page).xpath("//div[@class='card']/a/@href") for page in pages]
    assert len(cards[0]) == 12
    assert {link for links in cards for link in links} == wanted
    assert html.fromstring(pages[0]).xpath("//a[@rel='next']")


def test_the_main_column_lies_beside_the_side_column(drawn: dict[str, str]) -> None:
    page = drawn["/news/2026/n01.html"]
    main, side = _box(page, "//div[@class='left']"), _box(page, "//div[@class='right-col']")
    assert main[2] > 2 * side[2]
    assert main[0] + main[2] <= side[0]
    assert abs(main[1] - side[1]) < 5


def test_nested_tables_have_places(drawn: dict[str, str]) -> None:
    page = drawn["/dir/card.asp?id=d001"]
    contact, intro = _box(page, "//table[@class='contact']"), _box(page, "//td[@class='intro']")
    assert contact[1] < intro[1] and intro[2] > contact[2]
