"""What became of a resource whose page is gone from its address: moved, or withdrawn."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, update

from hometextile.library import tables as t
from hometextile.library.search import index
from hometextile.library.values import clean, digest, now


def move(connection: Connection, old: str, new: str) -> bool:
    """A page moved for good (301, 308): its resource is the same one under its new identity.

    Where a resource of the new identity was stored before that was known, the old one becomes its duplicate.

    Args:
        connection: inside a write transaction.
        old: identity until now.
        new: identity from now on.

    Returns:
        Whether there was such a resource.
    """
    old, new = clean(old), clean(new)
    r, d, n = t.resources.c, t.duplicates.c, t.near_texts.c
    if old == new:
        return False
    before = connection.execute(select(r.id).where(r.identity_hash == digest(old))).scalar()
    if before is None:
        return False
    there = connection.execute(select(r.id).where(r.identity_hash == digest(new))).scalar()
    if there is not None:
        connection.execute(update(t.resources).where(r.id == before).values(duplicate_of=new, withdrawn=now()))
        index.remove(connection, [before])
        return True
    connection.execute(delete(t.duplicates).where(d.identity_hash == digest(new)))
    connection.execute(
        update(t.resources).where(r.id == before).values(identity=new, identity_hash=digest(new), withdrawn=None)
    )
    connection.execute(update(t.resources).where(r.duplicate_of == old).values(duplicate_of=new))
    connection.execute(delete(t.near_texts).where(n.identity_hash == digest(new)))
    connection.execute(
        update(t.near_texts).where(n.identity_hash == digest(old)).values(identity=new, identity_hash=digest(new))
    )
    return True


def withdraw_page(connection: Connection, site: int, fingerprint: str) -> int:
    """Mark the resource of a page as gone from its site (404, 410); records that a list told of are not meant.

    Args:
        connection: inside a write transaction.
        site: the site's number.
        fingerprint: of the page's request.

    Returns:
        How many resources were marked.
    """
    r, p = t.resources.c, t.pages.c
    page = connection.execute(select(p.id, p.url).where(p.site_id == site, p.fingerprint == fingerprint)).one_or_none()
    if page is None:
        return 0
    gone = update(t.resources).where(r.page_id == page.id, r.url == page.url, r.withdrawn.is_(None))
    return connection.execute(gone.values(withdrawn=now())).rowcount
