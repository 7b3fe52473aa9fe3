"""Actions as they stand in a site file."""

import pytest

from hometextile.render.actions import Action, read_actions
from hometextile.text.faults import Fault


def test_read():
    items = [{"fill": "#q", "value": "棉布"}, {"wait": 2}, {"wait": " .x "}, {"more": "a", "times": 20}, {"scroll": 5}]
    assert read_actions(items) == (
        Action("fill", "#q", "棉布"),
        Action("wait", "", "2.0"),
        Action("wait", ".x"),
        Action("more", "a", "", 20),
        Action("scroll", "", "", 5),
    )
    assert str(Action("click", "#go")) == "click #go"


@pytest.mark.parametrize(
    ("item", "told"),
    [
        ({}, "not one action"),
        ("click", "not one action"),
        ({"click": "a", "fill": "b"}, "not one action"),
        ({"klick": "a"}, "write one of"),
        ({"click": "a", "timez": 2}, "timez"),
        ({"fill": "#q"}, "no value"),
        ({"click": ""}, "no selector"),
        ({"click": 7}, "no selector"),
        ({"wait": 600}, "seconds"),
        ({"more": "a", "times": 0}, "whole number"),
        ({"more": "a", "times": True}, "whole number"),
        ({"scroll": "far"}, "whole number"),
    ],
)
def test_faults_are_told_in_one_line(item, told):
    with pytest.raises(Fault, match=told) as fault:
        read_actions([{"scroll": 1}, item])
    assert "actions[1]" in str(fault.value)


def test_not_too_many():
    with pytest.raises(Fault, match="51 actions"):
        read_actions([{"scroll": 1}] * 51)
