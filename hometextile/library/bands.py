"""Bands of MinHash signatures as a table, so that restarts and other workers see each other's texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, delete, select

from hometextile.library import tables as t
from hometextile.library.database import Database
from hometextile.library.upserting import upsert
from hometextile.library.values import clean, digest, pack, unpack

#: Of a band that very many texts share (a page's boilerplate), no more than this come back.
MOST = 1000
_SIGN = 1 << 63


class Bands:
    """The near-duplicates' table; it is a :class:`hometextile.dedup.near.NearStore`.

    Args:
        database: opened.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def find_bands(self, bands: Sequence[int]) -> list[str]:
        """Identities that have one of the bands, each once, oldest first, no more than :data:`MOST`.

        Args:
            bands: 64-bit numbers, signed or not, each of a band's place and content.
        """
        if not bands:
            return []
        texts, links = t.near_texts.c, t.near_bands.c
        inner = select(links.text_id).where(links.band.in_(_signed(bands))).distinct().order_by(links.text_id)
        query = select(texts.identity).where(texts.id.in_(inner.limit(MOST))).order_by(texts.id)
        return self._database.read(lambda connection: list(connection.execute(query).scalars()))

    def add_bands(self, identity: str, bands: Sequence[int], text: str) -> None:
        """Keep an identity with its bands and text; what was kept under it before is replaced."""
        self._database.write(lambda connection: put_bands(connection, identity, bands, text))

    def texts(self, identities: Iterable[str]) -> Mapping[str, str]:
        """The texts kept under the identities, those that are there."""
        keys = [digest(clean(identity)) for identity in identities]
        n = t.near_texts.c

        def ask(connection: Connection) -> dict[str, str]:
            found: dict[str, str] = {}
            for start in range(0, len(keys), 400):
                query = select(n.identity, n.text).where(n.identity_hash.in_(keys[start : start + 400]))
                for row in connection.execute(query):
                    found[row.identity] = unpack(row.text).decode("utf-8", "surrogatepass")
            return found

        return self._database.read(ask)


def _signed(bands: Iterable[int]) -> list[int]:
    """64-bit numbers as the databases' signed ones, each once, in order."""
    return sorted({((band + _SIGN) & ((1 << 64) - 1)) - _SIGN for band in bands})


def put_bands(connection: Connection, identity: str, bands: Sequence[int], text: str) -> None:
    """The same as :meth:`Bands.add_bands`, inside a write transaction."""
    n = t.near_texts.c
    row = {
        "identity": clean(identity),
        "identity_hash": digest(clean(identity)),
        "text": pack(text.encode("utf-8", "surrogatepass")),
    }
    before = connection.execute(select(n.id, n.text).where(n.identity_hash == row["identity_hash"])).one_or_none()
    if before is not None and bytes(before.text) == row["text"]:
        # The same text has the same bands: most pages of a later visit have not changed.
        return
    statement = upsert(connection, t.near_texts)
    statement = statement.on_conflict_do_update(
        index_elements=["identity_hash"], set_={"text": statement.excluded.text}
    )
    number = connection.execute(statement.returning(n.id), row).scalar_one()
    if before is not None:
        connection.execute(delete(t.near_bands).where(t.near_bands.c.text_id == number))
    rows = [{"band": band, "text_id": number} for band in _signed(bands)]
    if rows:
        connection.execute(upsert(connection, t.near_bands).on_conflict_do_nothing(), rows)
