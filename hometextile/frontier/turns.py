"""A host's turns: politeness over all workers and crawls of a library."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from hometextile.library import tables as t
from hometextile.library.upserting import upsert

#: Seconds that a turn is held for a worker that does not say when it asked.
GRACE = 15.0


def may_ask(connection: Connection, host: str, delay: float, moment: float) -> float:
    """Take a host's next turn, if it is due.

    The next turn is not before :func:`asked` says when this one's request was sent (a worker can be held up between the
    two), or :data:`GRACE` seconds have passed (it was killed, or the host takes its time).

    Args:
        connection: inside a write transaction.
        host: whose turn.
        delay: seconds between two turns.
        moment: seconds since 1970 by the clock that all workers share.

    Returns:
        0 when the turn was taken; else the seconds after which to try again.
    """
    h = t.hosts.c
    row = {"host": host, "next_allowed": moment + delay + GRACE}
    statement = upsert(connection, t.hosts).values(row)
    statement = statement.on_conflict_do_update(
        index_elements=["host"], set_={"next_allowed": row["next_allowed"]}, where=h.next_allowed <= moment
    )
    if connection.execute(statement.returning(h.host)).first() is not None:
        return 0.0
    until = connection.execute(select(h.next_allowed).where(h.host == host)).scalar_one()
    return max(0.005, min(float(until) - moment, delay / 4))


def asked(connection: Connection, host: str, left: float, moment: float) -> None:
    """The request of a turn was sent.

    Args:
        connection: inside a write transaction.
        host: whose turn it was.
        left: seconds until the next turn is due.
        moment: as for :func:`may_ask`.
    """
    h = t.hosts.c
    connection.execute(
        update(t.hosts).where(h.host == host, h.next_allowed > moment + left).values(next_allowed=moment + left)
    )
