"""Bands of MinHash signatures as a table, so that restarts and other workers see each other's texts.

This is the store that :class:`hometextile.dedup.near.NearIndex` asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, delete, select

from hometextile.library import tables as t
from hometextile.library.database import Database
from hometextile.library.saving import upsert
from hometextile.library.values import clean, digest

_SIGN = 1 << 63


def _signed(band: int) -> int:
    """A 64-bit number as the databases' signed one."""
    return ((band + _SIGN) & ((1 << 64) - 1)) - _SIGN


class Bands:
    """The near-duplicates' store.

    Args:
        database: opened.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def find_bands(self, bands: Sequence[int], *, most: int = 1000) -> list[str]:
        """Identities that share at least one band, oldest first.

        Args:
            bands: 64-bit numbers, each of a band's place and content.
            most: of a band that very many share, so that one boilerplate text can't stall a crawl.
        """
        if not bands:
            return []
        keys = sorted({_signed(band) for band in bands})
        texts, links = t.near_texts.c, t.near_bands.c
        inner = select(links.text_id).where(links.band.in_(keys)).distinct().order_by(links.text_id).limit(most)
        query = select(texts.identity).where(texts.id.in_(inner)).order_by(texts.id)
        return self._database.read(lambda connection: list(connection.execute(query).scalars()))

    def add_bands(self, identity: str, bands: Sequence[int]) -> None:
        """Set the bands of an identity; what it had before goes."""
        self._database.write(lambda connection: put_bands(connection, identity, bands))

    def texts(self, identities: Iterable[str]) -> dict[str, str]:
        """Title and text of each identity that is in the library, for the exact comparison."""
        keys = [digest(clean(identity)) for identity in identities]
        r = t.resources.c

        def ask(connection: Connection) -> dict[str, str]:
            found: dict[str, str] = {}
            for start in range(0, len(keys), 400):
                part = keys[start : start + 400]
                for row in connection.execute(select(r.identity, r.text).where(r.identity_hash.in_(part))):
                    found[row.identity] = row.text
            return found

        return self._database.read(ask)


def put_bands(connection: Connection, identity: str, bands: Sequence[int]) -> None:
    """Set the bands of an identity inside a write transaction."""
    identity = clean(identity)
    key = digest(identity)
    statement = upsert(connection, t.near_texts).values(identity_hash=key, identity=identity)
    connection.execute(statement.on_conflict_do_nothing(index_elements=["identity_hash"]))
    number = connection.execute(select(t.near_texts.c.id).where(t.near_texts.c.identity_hash == key)).scalar_one()
    connection.execute(delete(t.near_bands).where(t.near_bands.c.text_id == number))
    rows = [{"band": band, "text_id": number} for band in sorted({_signed(band) for band in bands})]
    if rows:
        connection.execute(upsert(connection, t.near_bands).on_conflict_do_nothing(), rows)
