"""What the log says of a page: its address, and of a library that is away nothing but what the scheduler says."""

from __future__ import annotations

import logging

from hometextile.log_formatter import LogFormatter
from hometextile.page.page import Page
from hometextile.text.faults import Fault

PAGE = Page("site", "http://site.example/1", "<html>the whole page</html>")


def test_an_error_names_the_address_and_not_the_page() -> None:
    said = LogFormatter().item_error(PAGE, ValueError("x"), None, None)
    assert said == {
        "level": logging.ERROR,
        "msg": "Error processing %(url)s",
        "args": {"url": "http://site.example/1"},
    }


def test_a_library_that_is_away_is_no_error_of_the_page() -> None:
    said = LogFormatter().item_error(PAGE, Fault("the database can't be reached"), None, None)
    assert said["level"] == logging.DEBUG
    assert "the whole page" not in str(said)


def test_a_page_is_one_line() -> None:
    said = LogFormatter().scraped(PAGE, None, None)
    assert (said["msg"] % said["args"], said["level"]) == ("Page http://site.example/1: 0 resources", logging.DEBUG)
