"""A browser for the tests that want one, and small servers on loopback."""

import pytest

from hometextile.render.finding import find_browser
from tests.render.servers import Server


@pytest.fixture
def server():
    one = Server()
    yield one
    one.close()


@pytest.fixture
def canary():
    """A server where nothing may arrive."""
    one = Server("127.0.0.2")
    yield one
    one.close()


@pytest.fixture(autouse=True)
def _browser_wanted(request):
    if request.node.get_closest_marker("browser") and find_browser() is None:
        pytest.skip("no browser: install chromium-headless-shell")
