"""Files and images of resources that were fetched before."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, select

from hometextile.library import tables as t
from hometextile.library.library import Library
from hometextile.library.recording import StoredFile
from hometextile.library.values import clean, digest


def files_of(library: Library, identities: Iterable[str]) -> dict[str, StoredFile]:
    """What lies in the store already of the files of some resources.

    Args:
        library: opened.
        identities: of the resources.

    Returns:
        Address to file.
    """
    f, r = t.files.c, t.resources.c
    keys = [digest(clean(identity)) for identity in identities]
    names = ("url", "kind", "path", "checksum", "media_type", "size", "width", "height", "thumbnail", "status")
    query = (
        select(*(f[name] for name in names))
        .select_from(t.files.join(t.resources))
        .where(r.identity_hash.in_(keys), f.path != "")
    )

    def ask(connection: Connection) -> dict[str, StoredFile]:
        return {row["url"]: StoredFile(**row) for row in connection.execute(query).mappings()}

    return library.database.read(ask) if keys else {}
