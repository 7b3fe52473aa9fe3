"""From records to the user's own table by a map (paper 3: Web information extraction with a mediator).

The paper's mediator reads intermediate files and a configuration: database URL, table, the column of each field, its
type, default and unit, and what happens on an exception. This one reads the library as well, writes a run in one
transaction, and keeps what it had to reject.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from sqlalchemy import Connection

from hometextile.library.values import clean_all, digest
from hometextile.mediator.address import read_address
from hometextile.mediator.expressions import empty, names, stands_in
from hometextile.mediator.schema import Map
from hometextile.mediator.sources import Record
from hometextile.mediator.target import Aside, Refused, Target
from hometextile.mediator.values import Unfit, column_value, typed
from hometextile.text.faults import Fault
from hometextile.text.messages import _

#: A rejected record longer than this, in characters of JSON, is not kept whole.
MAX_KEPT = 1_000_000


@dataclass
class Report:
    """What a run did.

    Attributes:
        counts: ``read``, ``new``, ``changed``, ``same``, ``kept``, ``rejected``, ``passed`` (not of those that the map
            takes), ``again`` (had the key of an earlier record of the run), ``lost`` (rejected records that were too
            long to be kept, and can't be tried again).
        reasons: why records were rejected: (column, reason) to how many; the column is empty where the database did
            not take the row.
        places: (column, reason) to where the first such record is from.
        unknown: faults for names that no record has: most likely they are misspelt.
    """

    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    places: dict[tuple[str, str], str] = field(default_factory=dict)
    unknown: list[Fault] = field(default_factory=list)


class Mediator:
    """A map with its database opened.

    Args:
        mapping: the map.

    Raises:
        Fault: the database can't be used, or its tables do not fit the map.
    """

    def __init__(self, mapping: Map) -> None:
        self.mapping = mapping
        _check_defaults(mapping)
        self._target = Target(mapping, read_address(mapping))

    def close(self) -> None:
        """Let go of the database."""
        self._target.close()

    def __enter__(self) -> Mediator:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def run(self, records: Iterable[Record]) -> Report:
        """Write records into the table, in one transaction.

        Args:
            records: from :mod:`hometextile.mediator.sources`.

        Raises:
            Fault: an error where the map says ``stop``, a source that can't be read, a database that is away; nothing
                of the run is written.
        """
        work = _Run(self.mapping, self._target)
        with self._target.run() as connection:
            work.begin(connection)
            for record in records:
                work.take(connection, record)
        return work.report()

    def retry(self) -> Report:
        """Try the rejected records again, by the map as it is now; those that fit leave the quarantine.

        Raises:
            Fault: as :meth:`run`.
        """
        work = _Run(self.mapping, self._target)
        with self._target.run() as connection:
            work.begin(connection)
            for number in self._target.aside(connection):
                place, fields = self._target.get_aside(connection, number)
                if fields is None:
                    work.done.counts["lost"] += 1
                elif work.take(connection, Record(fields, place), row=number):
                    self._target.forget_row(connection, number)
        return work.report()

    def aside(self) -> int:
        """How many records of the map lie in the quarantine."""
        with self._target.told(), self._target.engine.connect() as connection:
            return self._target.count_aside(connection)


class _Run:
    """What one run has seen."""

    def __init__(self, mapping: Map, target: Target) -> None:
        self.mapping = mapping
        self.target = target
        self.done = Report()
        self.keys: set[str] = set()
        self.asked = {
            (column, name) for column, expression in mapping.expressions.items() for name in names(expression)
        }
        self.known: set[str] = set()
        self.rejected: set[str] = set()

    def begin(self, connection: Connection) -> None:
        """See what lies in the quarantine."""
        self.rejected = self.target.hashes_aside(connection)

    def take(self, connection: Connection, record: Record, *, row: int | None = None) -> bool:
        """Write a record, or put it aside.

        Args:
            connection: of the target's run.
            record: the record.
            row: where it lies in the quarantine, if it is tried again.

        Returns:
            Whether it was written, or is not wanted any more.
        """
        self.done.counts["read"] += 1
        if not self.mapping.data.take.fits(record.fields):
            self.done.counts["passed"] += 1
            return True
        self._note_names(record)
        values: dict[str, Any] = {}
        column = ""
        try:
            for column in self.mapping.data.columns:
                values[column] = column_value(self.mapping, column, record.fields)
            column = ""
            what = self.target.put(connection, values)
        except (Unfit, Refused) as error:
            self._reject(connection, record, column, str(error), values, row)
            return False
        self.done.counts[what] += 1
        key = digest(*(str(values[name]) for name in self.mapping.data.key))
        if key in self.keys:
            self.done.counts["again"] += 1
        self.keys.add(key)
        self._forget(connection, self._identities(record, values))
        return True

    def _forget(self, connection: Connection, identities: list[str]) -> None:
        for identity in identities:
            if digest(identity) in self.rejected:
                self.target.forget(connection, identity)

    def _identities(self, record: Record, values: dict[str, Any]) -> list[str]:
        """What a record is known by in the quarantine, the best first.

        Its own identity; else its key, if that could be had; else all that it says.
        """
        own = record.fields.get("identity")
        if isinstance(own, str) and own.strip():
            return [own.strip()]
        keys = self.mapping.data.key
        found = []
        if set(keys) <= set(values):
            found.append(json.dumps([str(values[name]) for name in keys], ensure_ascii=False))
        return [*found, "=" + digest(_json(record.fields))]

    def _reject(
        self, connection: Connection, record: Record, column: str, reason: str, values: dict[str, Any], row: int | None
    ) -> None:
        action = self.mapping.on_error(column) if column else self.mapping.data.on_error
        if action == "stop":
            path = ("columns", column) if column else ("on_error",)
            raise self.mapping.fault(
                f"{record.place}: {reason}",
                *path,
                remedy=_("correct the rule or the record; nothing of this run was written"),
            )
        done = self.done
        done.counts["rejected"] += 1
        done.reasons[column, reason] += 1
        done.places.setdefault((column, reason), record.place)
        kept = _json(record.fields)
        for name in self.mapping.data.key:
            if name not in values and column != name:
                with suppress(Unfit):
                    values[name] = column_value(self.mapping, name, record.fields)
        identity, *others = self._identities(record, values)
        if row is None:
            self._forget(connection, others)
        aside = Aside(record.place, column, reason, kept if len(kept) <= MAX_KEPT else None)
        self.target.put_aside(connection, identity, aside, row)

    def _note_names(self, record: Record) -> None:
        if not self.asked:
            return
        self.known.update(record.fields)
        fields = record.fields.get("fields")
        if isinstance(fields, dict):
            self.known.update(fields)
        self.asked = {one for one in self.asked if not stands_in(record.fields, one[1].path)}

    def report(self) -> Report:
        """What was done."""
        if self.done.counts["read"] > self.done.counts["passed"]:
            order = list(self.mapping.data.columns)
            for column, name in sorted(self.asked, key=lambda one: (order.index(one[0]), str(one[1]))):
                near = get_close_matches(name.path[-1], sorted(map(str, self.known)), 1, 0.6)
                unseen = {other for other in names(self.mapping.expressions[column]) if (column, other) in self.asked}
                # Of alternatives, one that no record has is as it should be, unless it looks like a slip of the pen.
                if not near and unseen != set(names(self.mapping.expressions[column])):
                    continue
                remedy = _("did you mean `{key}`?").format(key=near[0]) if near else _("look at a record's fields")
                problem = _("no record has {name}").format(name=name)
                self.done.unknown.append(self.mapping.fault(problem, "columns", column, remedy=remedy))
        return self.done


def _json(fields: dict[str, Any]) -> str:
    return json.dumps(clean_all(fields), ensure_ascii=False, sort_keys=True, default=str)


def _check_defaults(mapping: Map) -> None:
    """A default or constant that the column itself can't take would fail on every record."""
    for column, rule in mapping.data.columns.items():
        for key, value in (("default", rule.default), ("constant", rule.constant)):
            if empty(value):
                continue
            try:
                typed(mapping, rule, value, own=True)
            except Unfit as unfit:
                raise mapping.fault(
                    str(unfit), "columns", column, key, remedy=_("write a value that the column can hold")
                ) from None
