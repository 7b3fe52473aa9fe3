"""YAML without surprises."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hometextile.text.faults import Fault
from hometextile.text.strict_yaml import load_yaml


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("NO", "NO"),
        ("yes", "yes"),
        ("on", "on"),
        ("017", "017"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("12", 12),
        ("-3", -3),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("'12'", "12"),
        ("2023-05-06", "2023-05-06"),
        ("12:30", "12:30"),
        (".5", ".5"),
        (".inf", ".inf"),
        ("1.", "1."),
    ],
)
def test_scalars_are_what_they_look_like(written: str, value: object) -> None:
    assert load_yaml(f"key: {written}\n", "f").data == {"key": value}


def test_every_key_and_item_knows_its_line() -> None:
    loaded = load_yaml("a: 1\nb:\n  - x\n  - c: 2\n", "f")
    assert loaded.line(("b", 1, "c")) == 4
    assert loaded.line(("b", 0)) == 3
    assert loaded.line(("b", 1, "missing")) == 4


@pytest.mark.parametrize(
    "text", ["a: &x 1", "a: *x", "a: !!str 1", "a: 1\na: 2", "a: {b: 1, b: 2}", "? [a]\n: 1", "a: b: c", "\t- x"]
)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(Fault) as caught:
        load_yaml(text, "f.yaml")
    assert str(caught.value).startswith("f.yaml:")


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        load_yaml(text, "f.yaml")
    except Fault as fault:
        assert "\n" not in str(fault)


_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(max_size=20).filter(lambda t: t.isprintable()),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abcdef", min_size=1, max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(_PLAIN)
def test_what_a_writer_writes_is_read_back(data: object) -> None:
    text = yaml.safe_dump(data, allow_unicode=True, default_style='"' if isinstance(data, str) else None)
    if isinstance(data, dict | list):
        text = yaml.dump(data, Dumper=_Quoting, allow_unicode=True)
    assert load_yaml(text, "f").data == data


class _Quoting(yaml.SafeDumper):
    """Writes every text in quotation marks, and no anchors."""

    def ignore_aliases(self, data: object) -> bool:
        return True


_Quoting.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"'))
