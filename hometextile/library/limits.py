"""How much of one thing is stored, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hometextile.text.faults import Fault
from hometextile.text.messages import _


@dataclass(frozen=True)
class Limits:
    """How much of one thing is stored.

    Attributes:
        text: characters of a resource's text (and of its Markdown).
        page: bytes of a page or file, before compression; larger ones leave their row and no content.
        value: characters of any other value.
        blocks: blocks of a page.
        keep_days: days after its last fetch that a page's content is kept; None for ever.
        keep_bytes: bytes that the contents of all pages may take, compressed; the oldest go first; None for no limit.
    """

    text: int = 20_000_000
    page: int = 128 * 1024 * 1024
    value: int = 200_000
    blocks: int = 5_000
    keep_days: float | None = None
    keep_bytes: int | None = None


def number(settings: Mapping[str, Any], name: str, default: Any) -> Any:
    """A setting as a number; *default* where it is not set.

    Raises:
        Fault: it is no number.
    """
    value = settings.get(name)
    if value is None or value == "":
        return default
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise Fault(_("is not a number: {value}").format(value=value), key=name) from error


def limits_of(settings: Mapping[str, Any]) -> Limits:
    """The limits that settings say (``LIBRARY_MAX_TEXT`` and so on, see ``docs/database.md``).

    Raises:
        Fault: one of them is no number.
    """
    plain = Limits()
    size = number(settings, "LIBRARY_KEEP_BYTES", None)
    return Limits(
        text=int(number(settings, "LIBRARY_MAX_TEXT", plain.text)),
        page=int(number(settings, "LIBRARY_MAX_PAGE", plain.page)),
        value=int(number(settings, "LIBRARY_MAX_VALUE", plain.value)),
        blocks=int(number(settings, "LIBRARY_MAX_BLOCKS", plain.blocks)),
        keep_days=number(settings, "LIBRARY_KEEP_DAYS", None),
        keep_bytes=None if size is None else int(size),
    )
