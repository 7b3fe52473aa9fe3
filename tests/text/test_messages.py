"""What a user reads: every message has its Chinese, with the same placeholders."""

from __future__ import annotations

import re
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from hometextile.text.messages import _, locale_name

PACKAGE = Path(str(files("hometextile")))
CATALOGUE = PACKAGE / "locale" / "zh_CN" / "LC_MESSAGES"
_PLACEHOLDER = re.compile(r"\{[a-z_]\w*[^}]*\}|%\([a-z_]+\)[sd]")


def _written() -> set[str]:
    found = set()
    for _file, _line, message, _comments, _context in extract_from_dir(
        PACKAGE, [("**.py", "python")], {}, {"_": None, "N_": None, "ngettext": (1, 2)}
    ):
        found.add(message if isinstance(message, str) else message[0])
    return found - {""}


def _translated() -> dict[str, str]:
    catalogue = read_po(BytesIO((CATALOGUE / "hometextile.po").read_bytes()), locale="zh_CN")
    return {
        m.id if isinstance(m.id, str) else m.id[0]: m.string if isinstance(m.string, str) else m.string[0]
        for m in catalogue
        if m.id
    }


def test_every_message_has_its_chinese() -> None:
    translated = _translated()
    missing = sorted(message for message in _written() if not translated.get(message))
    assert not missing, "run script/messages and translate: " + "; ".join(missing[:10])


def test_placeholders_are_kept() -> None:
    wrong = [
        message
        for message, chinese in _translated().items()
        if chinese and set(_PLACEHOLDER.findall(message)) != set(_PLACEHOLDER.findall(chinese))
    ]
    assert not wrong


def test_the_compiled_catalogue_is_the_written_one() -> None:
    compiled = read_mo(BytesIO((CATALOGUE / "hometextile.mo").read_bytes()))
    strings = {
        m.id if isinstance(m.id, str) else m.id[0]: m.string if isinstance(m.string, str) else m.string[0]
        for m in compiled
        if m.id
    }
    assert strings == {key: value for key, value in _translated().items() if value}, "run script/messages"


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("LC_ALL", "zh_CN.UTF-8", "zh_CN"),
        ("LANG", "zh_TW.UTF-8", "zh_CN"),
        ("LANGUAGE", "en:zh", "en"),
        ("LC_ALL", "C.UTF-8", "en"),
    ],
)
def test_locale(monkeypatch: pytest.MonkeyPatch, variable: str, value: str, expected: str) -> None:
    monkeypatch.delenv("LC_ALL")
    monkeypatch.setenv(variable, value)
    assert locale_name() == expected
    assert _("unknown key") == ("未知的键" if expected == "zh_CN" else "unknown key")
