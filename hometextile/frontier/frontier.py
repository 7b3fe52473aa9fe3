"""The requests of a site as rows of the library: taken under a lease, done when all that came of them is stored.

A request is a row before, while and after it is fetched, so that the table is the list of what was seen, too. Workers
take rows under a lease; a lease that ran out, or whose worker's process is gone, is anyone's. All methods with a
connection run inside the caller's write transaction and may be repeated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, and_, bindparam, case, delete, func, literal_column, or_, select, update

from hometextile.dedup.urls import canonical_url
from hometextile.frontier.entry import Entry, Leased, Manner, Outcome
from hometextile.frontier.owner import is_dead, name_worker
from hometextile.library import tables as t
from hometextile.library.database import Database
from hometextile.library.moving import move, withdraw_page
from hometextile.library.upserting import upsert
from hometextile.library.values import clean, clean_all, now
from hometextile.text.faults import Fault
from hometextile.text.messages import _

#: A request that was begun so often goes behind all others: it may be what kills the program ...
SINKS = 4
#: ... and so often is given up.
MOST_TRIES = 40
_SUNK = -100_000.0
_OPEN = ("waiting", "leased")


@dataclass
class Frontier:
    """What one worker does with the requests of a site.

    Attributes:
        database: the library's.
        site: the site's number.
        crawl: the crawl's number.
        lease: seconds that a lease holds unless it is renewed.
        owner: the worker's name.
        clock: seconds since 1970; on a server its own clock is asked instead, since workers' clocks differ.
    """

    database: Database
    site: int
    crawl: int
    lease: float = 120.0
    owner: str = field(default_factory=name_worker)
    clock: Callable[[], float] = time.time
    _statements: dict[Manner, Any] = field(default_factory=dict, repr=False)

    # -- workers

    def join(self, connection: Connection) -> list[str]:
        """Say that this worker is at work.

        Returns:
            The other workers of the site that live.
        """
        w = t.workers.c
        moment = self.moment(connection)
        owners = connection.execute(select(w.owner, w.until).where(w.site_id == self.site, w.owner != self.owner)).all()
        gone = [owner for owner, until in owners if until < moment or is_dead(owner)]
        if gone:
            connection.execute(delete(t.workers).where(w.owner.in_(gone)))
        row = {"owner": self.owner, "site_id": self.site, "until": moment + self.lease}
        statement = upsert(connection, t.workers).values(row)
        connection.execute(statement.on_conflict_do_update(index_elements=["owner"], set_={"until": row["until"]}))
        return [owner for owner, _until in owners if owner not in gone]

    def join_alone(self, connection: Connection, file: str) -> None:
        """The same where only one worker may be at work: on SQLite.

        Raises:
            Fault: another one is.
        """
        others = self.join(connection)
        if others:
            raise Fault(
                _("another crawl of this site is at work on this library (process {process})").format(
                    process=others[0].split(":")[1]
                ),
                file=file,
                remedy=_("wait until it is done or stop it; several at once need PostgreSQL"),
            )

    def leave(self, connection: Connection) -> None:
        """Say that this worker is gone, and give back what it did not fetch."""
        f, w, i = t.frontier.c, t.workers.c, t.interrogations.c
        connection.execute(delete(t.workers).where(w.owner == self.owner))
        connection.execute(
            update(t.interrogations).where(i.site_id == self.site, i.owner == self.owner).values(owner=None, until=None)
        )
        connection.execute(
            update(t.frontier)
            .where(f.site_id == self.site, f.state == "leased", f.lease_owner == self.owner)
            .values(
                state="waiting", lease_owner=None, lease_until=None, tries=case((f.tries > 0, f.tries - 1), else_=0)
            )
        )

    def moment(self, connection: Connection) -> float:
        """Seconds since 1970 by the clock that all workers share."""
        if connection.dialect.name == "sqlite":
            return self.clock()
        return float(connection.execute(select(func.extract("epoch", func.clock_timestamp()))).scalar_one())

    def renew(self, connection: Connection) -> int:
        """Hold what is held, and take from workers that are gone what they held.

        Returns:
            How many requests were taken from others.
        """
        f, i = t.frontier.c, t.interrogations.c
        self.join(connection)
        until = self.moment(connection) + self.lease
        connection.execute(
            update(t.frontier)
            .where(f.site_id == self.site, f.state == "leased", f.lease_owner == self.owner)
            .values(lease_until=until)
        )
        connection.execute(
            update(t.interrogations).where(i.site_id == self.site, i.owner == self.owner).values(until=until)
        )
        return self.recover(connection)

    def recover(self, connection: Connection) -> int:
        """Let what workers held that are gone wait again; what was begun too often is given up.

        Returns:
            How many requests wait again.
        """
        f = t.frontier.c
        held = and_(f.site_id == self.site, f.state == "leased", f.lease_owner != self.owner)
        owners = connection.execute(select(f.lease_owner).where(held).distinct()).scalars().all()
        dead = [owner for owner in owners if is_dead(owner)]
        lapsed = and_(held, or_(f.lease_until < self.moment(connection), f.lease_owner.in_(dead)))
        free: dict[str, Any] = {"lease_owner": None, "lease_until": None}
        connection.execute(
            update(t.frontier)
            .where(lapsed, f.tries >= MOST_TRIES)
            .values(state="failed", reason="begun too often", **free)
        )
        priority = case((f.tries == SINKS, f.priority + _SUNK), else_=f.priority)
        return connection.execute(
            update(t.frontier).where(lapsed).values(state="waiting", priority=priority, **free)
        ).rowcount

    # -- taking

    def take(self, connection: Connection, number: int, full: Iterable[str] = ()) -> list[Leased]:
        """Lease the best requests that wait.

        Args:
            connection: inside a write transaction.
            number: how many at the most.
            full: hosts of which this worker has enough.
        """
        f = t.frontier.c
        moment = self.moment(connection)
        query = (
            select(
                f.id, f.request, f.fingerprint, f.host, f.priority, f.tries, f.form, f.fetches, f.etag,
                f.last_modified, f.content_hash,
            )
            .where(f.site_id == self.site, f.state == "waiting", or_(f.not_before.is_(None), f.not_before <= moment))
            .order_by(f.priority.desc(), f.id)
            .limit(number)
        )  # fmt: skip
        full = list(full)
        if full:
            query = query.where(f.host.not_in(full))
        if connection.dialect.name != "sqlite":
            query = query.with_for_update(skip_locked=True)
            i = t.interrogations.c
            others = select(i.form).where(i.site_id == self.site, i.owner != self.owner, i.until > moment)
            query = query.where(or_(f.form.is_(None), f.form.not_in(others)))
        rows = connection.execute(query).all()
        forms = {row.form for row in rows if row.form is not None}
        lost = {form for form in sorted(forms) if not self._claim(connection, form, moment)}
        rows = [row for row in rows if row.form not in lost]
        if rows:
            statement = (
                update(t.frontier)
                .where(f.id.in_([row.id for row in rows]))
                .values(
                    state="leased", lease_owner=self.owner, lease_until=moment + self.lease, tries=f.tries + 1,
                    crawl_id=self.crawl,
                )
            )  # fmt: skip
            connection.execute(statement)
        return [
            Leased(
                row.id, bytes(row.request or b""), row.fingerprint, row.host, row.priority, row.tries + 1, row.form,
                row.fetches, row.etag or "", row.last_modified or "", row.content_hash or "",
            )
            for row in rows
        ]  # fmt: skip

    def _claim(self, connection: Connection, form: str, moment: float) -> bool:
        """Make a form this worker's: whoever takes in its answers has to know all of them."""
        i = t.interrogations.c
        row = {"site_id": self.site, "crawl_id": self.crawl, "form": form, "owner": self.owner}
        row["until"] = moment + self.lease
        statement = upsert(connection, t.interrogations).values(row)
        statement = statement.on_conflict_do_update(
            index_elements=["site_id", "form"],
            set_={"owner": self.owner, "until": row["until"]},
            where=or_(i.owner.is_(None), i.owner == self.owner, i.until < moment, i.owner.in_(self._dead(connection))),
        )
        return connection.execute(statement.returning(i.id)).first() is not None

    def _dead(self, connection: Connection) -> list[str]:
        i = t.interrogations.c
        owners = connection.execute(
            select(i.owner).where(i.site_id == self.site, i.owner.is_not(None), i.owner != self.owner).distinct()
        )
        return [owner for owner in owners.scalars() if is_dead(owner)]

    def open_count(self, connection: Connection) -> tuple[int, int]:
        """How many requests wait, and how many are held (by any worker); counted up to 1,000 each."""
        f = t.frontier.c
        counts = []
        for state in _OPEN:
            part = select(f.id).where(f.site_id == self.site, f.state == state).limit(1000).subquery()
            counts.append(int(connection.execute(select(func.count()).select_from(part)).scalar_one()))
        return counts[0], counts[1]

    # -- writing

    def write(self, connection: Connection, outcomes: Iterable[Outcome], entries: Iterable[Entry] = ()) -> int:
        """Write what came of requests, children and all, and requests that came of none.

        Returns:
            How many requests wait now that did not before, at the most.
        """
        outcomes = list(outcomes)
        rows: dict[Manner, dict[str, dict[str, Any]]] = {"child": {}, "start": {}, "again": {}}
        added = now()
        for entry in entries:
            self._gather(rows, entry, entry.parent, added)
        # A page may ask for itself again: it is done before what came of it is added.
        self._end(connection, outcomes)
        for outcome in outcomes:
            for entry in outcome.children:
                self._gather(rows, entry, outcome.id, added)
        waiting = 0
        for manner, found in rows.items():
            if found:
                # In one order for all workers, so that two of them never wait for each other.
                batch = sorted(found.values(), key=lambda row: row["fingerprint"])
                connection.execute(self._statement(connection, manner), batch)
                waiting += len(batch)
        for known in (False, True):
            forms: dict[str, Any] = {}
            for outcome in outcomes:
                forms.update(outcome.forms if known else outcome.found)
            for form, state in sorted(forms.items()):
                self._keep(connection, form, state, known=known)
        return waiting + sum(outcome.state == "waiting" for outcome in outcomes)

    def _gather(
        self, rows: dict[Manner, dict[str, dict[str, Any]]], entry: Entry, parent: int | None, added: str
    ) -> None:
        """A row for a request; one that is in the batch already keeps the greater priority."""
        known = rows[entry.manner].get(entry.fingerprint)
        if known is not None:
            known["priority"] = max(known["priority"], entry.priority)
            return
        rows[entry.manner][entry.fingerprint] = {
            "site_id": self.site,
            "crawl_id": self.crawl,
            "url": clean(entry.url),
            "fingerprint": entry.fingerprint,
            "host": clean(entry.host),
            "kind": entry.kind[:20],
            "priority": entry.priority,
            "depth": entry.depth,
            "parent_id": parent,
            "form": entry.form,
            "request": entry.request,
            "added": added,
        }

    def _statement(self, connection: Connection, manner: Manner) -> Any:
        if manner not in self._statements:
            self._statements[manner] = self._make_statement(connection, manner)
        return self._statements[manner]

    def _make_statement(self, connection: Connection, manner: Manner) -> Any:
        f = t.frontier.c
        statement = upsert(connection, t.frontier)
        new = statement.excluded
        taken = ("crawl_id", "url", "host", "kind", "priority", "depth", "parent_id", "form", "request")
        unseen = or_(f.crawl_id.is_(None), f.crawl_id != new.crawl_id)
        values: dict[str, Any] = {name: new[name] for name in taken}
        # What is being fetched stays so; a page that was fetched, and is not due, was seen and no more.
        staying = ("leased", "done") if manner == "child" else ("leased",)
        # (No IN here: SQLAlchemy spells it out for each row, which a statement for many rows can't have.)
        state = case((or_(*(f.state == each for each in staying)), f.state), else_=literal_column("'waiting'"))
        values.update(state=state, tries=0, reason="", not_before=None)
        where = unseen
        if manner == "child":
            # Seen, and waiting to be begun: a link that promises more raises it, and changes nothing else.
            where = or_(unseen, and_(f.state == "waiting", f.tries == 0, f.priority < new.priority))
            values = {
                name: value if name == "priority" else case((unseen, value), else_=f[name])
                for name, value in values.items()
            }
        if manner == "again":
            # A query is asked once; a page that was fetched by a link may be what a query asks for, too.
            where = or_(unseen, and_(*(f.state != each for each in _OPEN), or_(f.form.is_(None), new.form.is_(None))))
        return statement.on_conflict_do_update(index_elements=["site_id", "fingerprint"], set_=values, where=where)

    def _end(self, connection: Connection, outcomes: list[Outcome]) -> None:
        if not outcomes:
            return
        f = t.frontier.c
        came: Any = bindparam("came")
        when = now()
        statement = (
            update(t.frontier)
            .where(f.id == bindparam("row"))
            .values(
                state=bindparam("new_state"), lease_owner=None, lease_until=None, crawl_id=self.crawl,
                reason=bindparam("why"), last_fetched=case((came == 1, when), else_=f.last_fetched),
                last_status=func.coalesce(bindparam("code"), f.last_status), etag=bindparam("tag"),
                last_modified=bindparam("modified"), content_hash=bindparam("hash"), fetches=f.fetches + came,
                changes=f.changes + bindparam("differs"),
                last_changed=case((bindparam("differs") == 1, when), else_=f.last_changed),
            )
        )  # fmt: skip
        batch = [
            {
                "row": each.id, "new_state": each.state, "why": clean(each.reason)[:500],
                "came": int(each.status is not None), "code": each.status, "tag": clean(each.etag)[:500] or None,
                "modified": clean(each.last_modified)[:100] or None, "hash": each.content_hash or None,
                "differs": int(each.changed),
            }
            for each in sorted(outcomes, key=lambda outcome: outcome.id)
        ]  # fmt: skip
        connection.execute(statement, batch)
        for outcome in outcomes:
            if outcome.state == "gone":
                withdraw_page(connection, self.site, outcome.fingerprint)
            if outcome.moved is not None:
                old, new = outcome.moved
                move(connection, canonical_url(old), canonical_url(new))

    def _keep(self, connection: Connection, form: str, state: Any, *, known: bool) -> None:
        row = {"site_id": self.site, "crawl_id": self.crawl, "form": form, "state": clean_all(state)}
        statement = upsert(connection, t.interrogations).values(row)
        key = ["site_id", "form"]
        if not known:
            # Another worker may have found it first, and have asked it by now.
            connection.execute(statement.on_conflict_do_nothing(index_elements=key))
            return
        i = t.interrogations.c
        changing = {"state": row["state"], "crawl_id": self.crawl}
        own = or_(i.owner.is_(None), i.owner == self.owner)
        connection.execute(statement.on_conflict_do_update(index_elements=key, set_=changing, where=own))

    # -- forms

    def forms(self) -> dict[str, Any]:
        """How far each form of this crawl is asked, by the form's fingerprint."""
        i = t.interrogations.c
        query = select(i.form, i.state).where(i.site_id == self.site, i.crawl_id == self.crawl, i.state.is_not(None))
        return dict(self.database.read(lambda connection: [(row.form, row.state) for row in connection.execute(query)]))

    def own_forms(self, connection: Connection) -> set[str]:
        """The forms whose answers this worker takes in."""
        i = t.interrogations.c
        query = select(i.form).where(i.site_id == self.site, i.owner == self.owner)
        return set(connection.execute(query).scalars())

    def form(self, mark: str) -> Any:
        """How far one form is asked; None where nothing is known."""
        i = t.interrogations.c
        query = select(i.state).where(i.site_id == self.site, i.form == mark)
        return self.database.read(lambda connection: connection.execute(query).scalar())
