"""Cases of form submission: pages of ours, one for each thing the standard says, with what is filled in.

A case has a ``name``, a ``page``, and where they matter: ``url``, ``charset`` (the label the page is encoded and
declared in), ``header`` (false: no charset in the header; or another label), ``form`` (its number), ``values``,
``button`` (the number of the one pressed), and for a declared ``deviation`` from Chromium what is ``ours``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import webencodings
import yaml

DEFAULT_URL = "http://cases.example/dir/page?old=1#top"


@dataclass
class Case:
    """One case."""

    name: str
    page: str
    group: str
    url: str = DEFAULT_URL
    charset: str = "utf-8"
    header: str | bool = True
    form: int = 0
    values: dict[str, list[str]] = field(default_factory=dict)
    button: int | None = None
    deviation: str = ""
    ours: dict[str, str] = field(default_factory=dict)

    @property
    def body(self) -> bytes:
        """The page as a server sends it."""
        encoded, _ = webencodings.lookup(self.charset).codec_info.encode(self.page, "xmlcharrefreplace")
        return bytes(encoded)

    @property
    def content_type(self) -> str:
        """The header it comes with."""
        if self.header is False:
            return "text/html"
        return f"text/html; charset={self.charset if self.header is True else self.header}"


def load_cases() -> list[Case]:
    """All cases, by file and place in it."""
    cases = []
    for path in sorted(files(__name__).iterdir(), key=lambda path: path.name):
        if path.name.endswith(".yaml"):
            rows: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
            cases += [Case(**{"group": path.name.removesuffix(".yaml"), **row}) for row in rows]
    names = [case.name for case in cases]
    if len(set(names)) != len(names):
        raise ValueError(f"names used twice: {sorted({name for name in names if names.count(name) > 1})}")
    return cases
