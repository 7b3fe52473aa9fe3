"""The one error a person gets: file, line, key, what is wrong, remedy.

Every engine raises :class:`Fault` for input that a person can put right (a site file, a rule, a map, a model file, a
database address). Commands print ``str(fault)`` as one line and leave with exit code 2; there is no traceback.
"""

from __future__ import annotations

from pathlib import Path


class Fault(Exception):
    """Bad input, told in one line.

    Args:
        problem: what is wrong, already translated.
        remedy: what to do about it, already translated; may be empty.
        file: the file it stands in.
        line: its line, counted from 1.
        key: the dotted key, such as ``fields.price.xpath``.
    """

    def __init__(
        self,
        problem: str,
        *,
        remedy: str = "",
        file: str | Path | None = None,
        line: int | None = None,
        key: str | None = None,
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy
        self.others: list[Fault] = []
        self.file = str(file) if file is not None else None
        self.line = line
        self.key = key

    def __str__(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place += f":{self.line}"
        parts = [part for part in (place, self.key, self.problem) if part]
        text = ": ".join(parts)
        if self.remedy:
            text += f" → {self.remedy}"
        return " ".join(text.split())
