"""The user's database: one transaction a run, rows known by their key, rejected records put aside."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Engine, and_, bindparam, create_engine, delete, event, func, insert, select, update
from sqlalchemy import text as sql
from sqlalchemy.exc import DatabaseError, DataError, DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.types import JSON

from hometextile.library.values import digest, now
from hometextile.mediator.address import Address
from hometextile.mediator.schema import Map
from hometextile.mediator.tables import Tables, look, prepare
from hometextile.text.faults import Fault
from hometextile.text.messages import _

_WAIT = 30
#: MariaDB counts these among its operational errors: no value, out of range, wrong value, too long, a foreign key, a
#: trigger's SIGNAL, a CHECK constraint.
_ROW_CODES = {1048, 1264, 1265, 1292, 1364, 1366, 1406, 1451, 1452, 1644, 3819, 4025}
_STRICT = "SET SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES'), time_zone = '+00:00'"


class Refused(Exception):
    """A row that the database does not take: why, in one line."""


@dataclass(frozen=True)
class Aside:
    """A rejected record, as it lies in the quarantine.

    Attributes:
        place: where it came from.
        column: the column whose value was no good; empty where the database did not take the row.
        reason: why, in one line.
        record: its fields as JSON; None where they were too long to be kept.
    """

    place: str
    column: str
    reason: str
    record: str | None


class Target:
    """A database with a map's tables.

    Args:
        mapping: the map.
        address: where the database is.

    Raises:
        Fault: it can't be reached, or its tables do not fit the map.
    """

    def __init__(self, mapping: Map, address: Address) -> None:
        self.mapping = mapping
        self.address = address
        path = address.path
        if path is not None and not path.exists() and not mapping.data.create:
            raise mapping.fault(
                _("there is no database file {path}").format(path=path), "database", remedy=_("write `create: true`")
            )
        self.engine = self._make_engine()
        try:
            with self.told(), self.engine.begin() as connection:
                prepare(connection, mapping)
            with self.told(), self.engine.begin() as connection:
                self.tables: Tables = look(connection, mapping)
        except Fault:
            self.close()
            raise
        self._make_statements()

    def _make_engine(self) -> Engine:
        url = self.address.url
        options: dict[str, Any] = {}
        if url.drivername == "sqlite":
            options["connect_args"] = {"timeout": _WAIT, "check_same_thread": False}
        else:
            options["connect_args"] = {"connect_timeout": 10}
            options["pool_pre_ping"] = True
            options["pool_recycle"] = 600
        try:
            engine = create_engine(url, hide_parameters=True, **options)
        except (ImportError, NoSuchModuleError):
            name = "postgresql" if "postgresql" in url.drivername else "mariadb"
            raise self.mapping.fault(
                _("the driver for {name} is not installed").format(name=name),
                "database",
                remedy=f"pip install 'hometextile[{name}]'",
            ) from None
        event.listen(engine, "connect", _prepare)
        if url.drivername == "sqlite":
            event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
        return engine

    def _make_statements(self) -> None:
        table, key = self.tables.target, self.mapping.data.key
        rejected = self.tables.rejected.c
        mine = and_(*(table.c[name] == bindparam(f"key_{number}") for number, name in enumerate(key)))
        self._find = select(table).where(mine).limit(2)
        self._insert = insert(table)
        self._update = update(table).where(mine)
        self._know = select(rejected.id).where(
            rejected.map == self.mapping.name[:100], rejected.record_hash == bindparam("known")
        )
        self._forget = delete(self.tables.rejected).where(
            rejected.map == self.mapping.name[:100], rejected.record_hash == bindparam("known")
        )

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    @contextmanager
    def told(self) -> Iterator[None]:
        """Troubles of the database as one fault, without its address."""
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error) as error:
            why = self.address.scrubbed(str(getattr(error, "orig", None) or error))
            raise self.mapping.fault(
                _("the database {name} does not work: {why}").format(name=self.address.name, why=why),
                "database",
                remedy=_("start it, or correct its address and the user's rights; nothing of this run was written"),
            ) from None

    @contextmanager
    def run(self) -> Iterator[Connection]:
        """One transaction, all of it or nothing; runs into the same table take turns.

        Raises:
            Fault: the database is away or read-only.
        """
        name = self.tables.target.fullname
        with (
            self.told(),
            self.engine.connect() as connection,
            _turn(connection, name),
            connection.begin(),
        ):
            if connection.dialect.name == "postgresql":
                key = int(digest(name)[:15], 16)
                connection.execute(sql("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
            yield connection

    def put(self, connection: Connection, row: Mapping[str, Any]) -> str:
        """Write a row.

        Args:
            connection: of :meth:`run`.
            row: column to value.

        Returns:
            ``new``, ``changed``, ``same`` or ``kept``.

        Raises:
            Refused: the database does not take it; nothing of it is written.
        """
        values = {name: self._fitting(name, value) for name, value in row.items()}
        keys = {f"key_{number}": values[name] for number, name in enumerate(self.mapping.data.key)}
        try:
            with connection.begin_nested():
                return self._put(connection, values, keys)
        except DBAPIError as error:
            if not _of_row(error):
                raise
            why = str(error.orig).splitlines()[0] if str(error.orig) else type(error.orig).__name__
            raise Refused(self.address.scrubbed(why)) from None

    def _put(self, connection: Connection, values: dict[str, Any], keys: dict[str, Any]) -> str:
        found = connection.execute(self._find, keys).mappings().all()
        if len(found) > 1:
            raise Refused(_("the table has several rows with this key"))
        if not found:
            connection.execute(self._insert, values)
            return "new"
        if all(_same(found[0][name], value) for name, value in values.items()):
            return "same"
        if self.mapping.data.existing == "keep":
            return "kept"
        # Not the key itself: the database may take "A" for "a".
        changing = {name: value for name, value in values.items() if name not in self.mapping.data.key}
        if not changing:
            return "same"
        connection.execute(self._update.values(changing), keys)
        return "changed"

    def _fitting(self, name: str, value: Any) -> Any:
        """A value as the driver takes it.

        Raises:
            Refused: a text is longer than the column.
        """
        length = self.tables.lengths.get(name)
        if length is not None and isinstance(value, str) and len(value) > length:
            if not self.mapping.data.columns[name].cut:
                raise Refused(
                    _("{name}: {n} characters, more than the column's {limit}").format(
                        name=name, n=len(value), limit=length
                    )
                )
            value = value[:length]
        if self.address.url.drivername == "sqlite":
            return _plain(value)
        if isinstance(self.tables.target.c[name].type, JSON) and isinstance(value, str):
            return json.loads(value)
        return value

    # -- the quarantine

    def put_aside(self, connection: Connection, identity: str, aside: Aside, row: int | None = None) -> None:
        """Keep a record that was rejected; the same record is kept once.

        Args:
            connection: of :meth:`run`.
            identity: what the record is known by.
            aside: the record and why.
            row: where it lies already; None: found by its identity.
        """
        table = self.tables.rejected
        known = digest(identity)
        values: dict[str, Any] = {
            "place": aside.place, "column_name": aside.column[:100], "reason": aside.reason, "record": aside.record,
            "last_rejected": now(),
        }  # fmt: skip
        if row is None:
            row = connection.execute(self._know, {"known": known}).scalar()
        if row is not None:
            again = update(table).where(table.c.id == row)
            connection.execute(again.values(**values, tries=table.c.tries + 1))
            return
        values |= {"map": self.mapping.name[:100], "record_hash": known, "record_key": identity[:2000], "tries": 1}
        connection.execute(insert(table), {**values, "first_rejected": values["last_rejected"]})

    def forget(self, connection: Connection, identity: str) -> None:
        """Take a record out of the quarantine: it has been written."""
        connection.execute(self._forget, {"known": digest(identity)})

    def forget_row(self, connection: Connection, number: int) -> None:
        """Take a record out of the quarantine by its row."""
        connection.execute(delete(self.tables.rejected).where(self.tables.rejected.c.id == number))

    def aside(self, connection: Connection) -> list[int]:
        """The rows of the map's rejected records."""
        table = self.tables.rejected.c
        query = select(table.id).where(table.map == self.mapping.name[:100]).order_by(table.id)
        return [int(number) for number in connection.execute(query).scalars()]

    def hashes_aside(self, connection: Connection) -> set[str]:
        """What the map's rejected records are known by."""
        table = self.tables.rejected.c
        query = select(table.record_hash).where(table.map == self.mapping.name[:100])
        return set(connection.execute(query).scalars())

    def get_aside(self, connection: Connection, number: int) -> tuple[str, dict[str, Any] | None]:
        """Place and fields of a rejected record."""
        table = self.tables.rejected.c
        row = connection.execute(select(table.place, table.record).where(table.id == number)).one()
        return str(row.place), None if row.record is None else json.loads(row.record)

    def count_aside(self, connection: Connection) -> int:
        """How many records of the map lie in the quarantine."""
        table = self.tables.rejected.c
        query = select(func.count()).where(table.map == self.mapping.name[:100])
        return int(connection.execute(query).scalar_one())


def _prepare(connection: Any, record: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        # The module's own transactions begin too late and never cover DDL.
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys = ON")
        return
    with connection.cursor() as cursor:
        if "pymysql" in type(connection).__module__:
            # Too long a text is an error, as everywhere else, and no cut and a warning.
            cursor.execute(_STRICT)
        else:
            cursor.execute("SET TIME ZONE 'UTC'")
    connection.commit()


@contextmanager
def _turn(connection: Connection, name: str) -> Iterator[None]:
    """MariaDB: two runs into one table would both find no row and both write one, where no constraint is in the way.

    The lock is the session's: it is had before the transaction, and its view of the data, begins. SQLite has its own
    lock, PostgreSQL one of the transaction.
    """
    if connection.dialect.name not in {"mysql", "mariadb"}:
        yield
        return
    lock = {"name": f"hometextile {digest(name)[:40]}"}
    got = connection.execute(sql("SELECT GET_LOCK(:name, :wait)"), {**lock, "wait": 10 * _WAIT}).scalar()
    connection.commit()
    if got != 1:
        raise DatabaseError("GET_LOCK", None, Exception(_("another run is writing to the table")))
    try:
        yield
    finally:
        if not connection.invalidated:
            connection.execute(sql("SELECT RELEASE_LOCK(:name)"), lock)
            connection.commit()


def _of_row(error: DBAPIError) -> bool:
    """Whether an error is about the row, and not a trouble of the database: a constraint, a trigger, a wrong value."""
    if error.connection_invalidated:
        return False
    if isinstance(error, IntegrityError | DataError):
        return True
    code = error.orig.args[0] if error.orig is not None and error.orig.args else None
    state = str(getattr(error.orig, "sqlstate", None) or "")
    return code in _ROW_CODES or state.startswith(("22", "23", "44", "P0"))


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and abs(value) < 2**53 else float(value)
    if isinstance(value, datetime):
        return value.isoformat(" ")
    return value.isoformat() if isinstance(value, date) else value


def _same(there: Any, wanted: Any) -> bool:
    """Whether a row holds what the map says."""
    if there is None or wanted is None:
        return there is wanted
    if isinstance(there, datetime) and there.tzinfo is not None:
        there = there.astimezone(UTC).replace(tzinfo=None)
    if isinstance(there, float) and isinstance(wanted, Decimal | int):
        return there == float(wanted)
    if isinstance(there, Decimal) and isinstance(wanted, Decimal):
        # The column may keep fewer digits than the map gives.
        exponent = there.as_tuple().exponent
        return there == wanted or (isinstance(exponent, int) and there == round(wanted, -exponent))
    return bool(there == wanted)
