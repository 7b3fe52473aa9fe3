"""Arguments of a crawl are checked before the first request."""

from __future__ import annotations

import pytest

from hometextile.spiders.arguments import read_arguments
from hometextile.text.faults import Fault


def test_arguments_come_as_strings() -> None:
    given = read_arguments({"preview": "20", "keywords": "床品， 提花,", "mode": "deep", "_job": "scrapyd adds this"})
    assert (given.preview, given.keywords, given.mode) == (20, ["床品", "提花"], "deep")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"previw": "20"}, "-a previw: unknown argument → did you mean `preview`?"),
        ({"preview": "many"}, "-a preview: 'many' cannot stand here → fetch so many pages"),
        ({"mode": "all"}, "-a mode: 'all' cannot stand here"),
        ({"start": "example.cn"}, "-a start: 'example.cn' cannot stand here"),
        ({"pages": "-1"}, "-a pages"),
    ],
)
def test_wrong_ones_are_told_in_one_line(given: dict[str, str], message: str) -> None:
    with pytest.raises(Fault) as caught:
        read_arguments(given)
    assert str(caught.value).startswith(message)
