from __future__ import annotations

import pytest

from hometextile.forms.sanitising import sanitise


@pytest.mark.parametrize(
    ("kind", "value", "attributes", "expected"),
    [
        ("text", "a\r\nb", {}, "ab"),
        ("hidden", "a\r\nb", {}, "a\r\nb"),
        ("url", " http://x\n ", {}, "http://x"),
        ("email", " a@b , c@d", {"multiple": ""}, "a@b,c@d"),
        ("number", "1e3", {}, "1e3"),
        ("number", "１", {}, ""),
        ("number", "9" * 500, {}, ""),
        ("date", "2024-02-29", {}, "2024-02-29"),
        ("date", "2023-02-29", {}, ""),
        ("date", "275760-09-13", {}, "275760-09-13"),
        ("month", "2024-00", {}, ""),
        ("week", "2021-W53", {}, ""),
        ("time", "23:59:59.9", {}, "23:59:59.9"),
        ("datetime-local", "2020-01-01 10:00", {}, "2020-01-01T10:00"),
        ("color", "Red", {}, "#ff0000"),
        ("color", "#ABC", {}, "#aabbcc"),
        ("color", "nonsense", {}, "#000000"),
        ("range", "junk", {}, "50"),
        ("range", "8", {"max": "10", "step": "5"}, "10"),
        ("range", "1e9", {"min": "0", "max": "1", "step": "any"}, "1"),
        ("range", "7", {"min": "10", "max": "5"}, "10"),
    ],
)
def test_values(kind: str, value: str, attributes: dict[str, str], expected: str):
    assert sanitise(kind, value, attributes) == expected
