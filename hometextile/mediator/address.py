"""Where the user's database is: its address from the environment or a file, and never in a message."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from hometextile.mediator.schema import Map
from hometextile.text.messages import _

_DRIVERS = {
    "sqlite": "sqlite", "sqlite+pysqlite": "sqlite",
    "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg", "postgresql+psycopg": "postgresql+psycopg",
    "mysql": "mysql+pymysql", "mysql+pymysql": "mysql+pymysql",
    "mariadb": "mysql+pymysql", "mariadb+pymysql": "mysql+pymysql",
}  # fmt: skip


@dataclass(frozen=True)
class Address:
    """A database's address.

    Attributes:
        url: the address itself; it may hold a password.
        name: what messages call it: ``env:NAME``, ``file:PATH`` or the SQLite file.
    """

    url: URL
    name: str

    def scrubbed(self, text: str) -> str:
        """A driver's message without the password, on one line."""
        if self.url.password:
            text = text.replace(str(self.url.password), "***")
        return " ".join(re.sub(r"://[^\s/@]*@", "://", text).split())[:300]

    @property
    def path(self) -> Path | None:
        """The file of a SQLite database; None in memory and for servers."""
        name = self.url.database
        return Path(name) if self.url.drivername == "sqlite" and name and name != ":memory:" else None


def read_address(mapping: Map) -> Address:
    """The address that a map names.

    Raises:
        Fault: the variable or file is not there, or holds no address of a database that the mediator knows.
    """
    said = mapping.data.database
    secret = _outside(mapping, said)
    if secret is None and not said.startswith("sqlite:"):
        raise mapping.fault(
            _("the database's address stands in the file itself"),
            "database",
            remedy=_("write env:NAME or file:PATH, and keep the address there"),
        )
    try:
        url = make_url(secret if secret is not None else said)
    except (ArgumentError, ValueError):
        raise _no_address(mapping) from None
    if url.drivername not in _DRIVERS or (url.drivername != "sqlite" and not url.database):
        raise _no_address(mapping)
    url = url.set(drivername=_DRIVERS[url.drivername])
    return Address(url, said)


def _no_address(mapping: Map) -> Exception:
    # The text itself is not shown: it may be a password.
    return mapping.fault(
        _("that is no address of a database"),
        "database",
        remedy=_("write sqlite:///FILE, postgresql+psycopg://user@host/database or mysql+pymysql://user@host/database"),
    )


def _outside(mapping: Map, said: str) -> str | None:
    if said.startswith("env:"):
        value = os.environ.get(said[4:], "").strip()
        if not value:
            raise mapping.fault(
                _("the environment variable {name} is not set").format(name=said[4:]),
                "database",
                remedy=_("set it to the database's address"),
            )
        return value
    if said.startswith("file:"):
        path = Path(said[5:]).expanduser()
        try:
            return path.read_text(encoding="utf-8-sig")[:4000].strip()
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or _("the file is not UTF-8")
            raise mapping.fault(
                _("{path} cannot be read: {why}").format(path=path, why=why),
                "database",
                remedy=_("write the database's address into that file"),
            ) from None
    return None
