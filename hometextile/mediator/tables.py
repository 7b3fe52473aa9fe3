"""The user's table and the one for rejected records: looked at, made where asked, never altered and never dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Date,
    DateTime,
    Enum,
    Float,
    Integer,
    MetaData,
    Numeric,
    String,
    Table,
    Text,
    UniqueConstraint,
    inspect,
)
from sqlalchemy.dialects.mysql import LONGTEXT
from sqlalchemy.exc import NoSuchTableError
from sqlalchemy.types import JSON, NullType, TypeEngine

from hometextile.library import tables as of_library
from hometextile.mediator.schema import ColumnRule, Map
from hometextile.text.messages import _

_LONG = Text().with_variant(LONGTEXT(), "mysql", "mariadb")
#: The longest text that is a key on every database without more ado: MariaDB's indexes end at 768 characters.
_KEY_LENGTH = 500
_NUMBER = BigInteger().with_variant(Integer(), "sqlite")
#: So that a key tells ``A`` from ``a`` on MariaDB too, and a killed run leaves nothing half done.
_OPTIONS: dict[str, Any] = {
    "mysql_engine": "InnoDB", "mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin",
    "mariadb_engine": "InnoDB", "mariadb_charset": "utf8mb4", "mariadb_collate": "utf8mb4_bin",
}  # fmt: skip

#: Kinds of columns, and what of a map fits in.
_FITS: dict[str, set[str]] = {
    "text": {"text", "json"},
    "number": {"integer", "number", "price", "year"},
    "whole": {"integer", "year", "boolean"},
    "boolean": {"boolean"},
    "date": {"date"},
    "datetime": {"datetime"},
    "json": {"json"},
}


@dataclass(frozen=True)
class Tables:
    """What a run writes to.

    Attributes:
        target: the user's table, with the columns of the map.
        rejected: the quarantine.
        lengths: column to the characters that it holds.
        unique: whether the database itself sees to it that no key stands twice.
    """

    target: Table
    rejected: Table
    lengths: Mapping[str, int]
    unique: bool


def rejected_table(name: str, schema: str | None) -> Table:
    """The quarantine: one row a record that was put aside."""
    return Table(
        name,
        MetaData(),
        Column("id", _NUMBER, primary_key=True, autoincrement=True),
        Column("map", String(100), nullable=False),
        Column("record_hash", String(64), nullable=False),
        Column("record_key", _LONG, nullable=False),
        Column("place", _LONG, nullable=False),
        Column("column_name", String(100), nullable=False),
        Column("reason", _LONG, nullable=False),
        Column("record", _LONG),
        Column("tries", Integer, nullable=False),
        Column("first_rejected", String(40), nullable=False),
        Column("last_rejected", String(40), nullable=False),
        UniqueConstraint("map", "record_hash"),
        schema=schema,
        **_OPTIONS,
    )


def new_table(mapping: Map) -> Table:
    """The table as ``create: true`` makes it."""
    data = mapping.data
    columns = [
        Column(name, _type_of(rule, name in data.key), nullable=not (rule.required or name in data.key))
        for name, rule in data.columns.items()
    ]
    table = Table(data.table, MetaData(), *columns, schema=data.db_schema, **_OPTIONS)
    table.append_constraint(UniqueConstraint(*data.key))
    return table


def _type_of(rule: ColumnRule, in_key: bool) -> TypeEngine[Any]:
    if rule.kind == "text":
        if rule.length is not None and rule.length <= 16_000:
            return String(rule.length)
        return String(_KEY_LENGTH) if in_key else _LONG
    numeric = Numeric(16 + rule.decimals, rule.decimals)
    types: dict[str, Any] = {
        "integer": BigInteger(),
        "number": numeric,
        "price": numeric,
        "boolean": Boolean(),
        "date": Date(),
        "datetime": DateTime(),
        "year": Integer(),
        "json": _LONG,
    }
    kind: TypeEngine[Any] = types[rule.kind]
    return kind


def prepare(connection: Connection, mapping: Map) -> None:
    """Make what ``create: true`` asks for and is not there yet; a transaction of its own.

    Raises:
        Fault: a table is missing and may not be made.
    """
    data = mapping.data
    known = inspect(connection)
    if known.has_table(of_library.VERSION_TABLE, data.db_schema) and data.table in {
        *of_library.metadata.tables,
        of_library.VERSION_TABLE,
        "search_index",
    }:
        raise mapping.fault(
            _("{name} is one of the library's own tables").format(name=data.table),
            "table",
            remedy=_("name another table"),
        )
    for key, table in (("table", new_table(mapping)), ("rejected", rejected_table(data.rejected, data.db_schema))):
        if known.has_table(table.name, data.db_schema):
            continue
        if not data.create:
            remedy = _("write `create: true`, or make it first")
            if key == "rejected":
                remedy = _("write `create: true`: only what is missing is made")
            raise mapping.fault(_("there is no table {name}").format(name=table.name), key, remedy=remedy)
        table.create(connection)


def look(connection: Connection, mapping: Map) -> Tables:
    """The tables as they are, held against the map.

    Raises:
        Fault: a column is missing, of another type, too narrow, or must be filled and is not in the map.
    """
    data = mapping.data
    try:
        found = Table(data.table, MetaData(), schema=data.db_schema, autoload_with=connection, resolve_fks=False)
    except NoSuchTableError:
        raise mapping.fault(_("there is no table {name}").format(name=data.table), "table") from None
    sqlite = connection.dialect.name == "sqlite"
    lengths: dict[str, int] = {}
    columns = []
    for name, rule in data.columns.items():
        if name not in found.columns:
            raise mapping.fault(
                _("the table {table} has no column {name}").format(table=data.table, name=name),
                "columns", name,
                remedy=_("write one of: {values}").format(values=", ".join(found.columns.keys())),
            )  # fmt: skip
        column = found.columns[name]
        _check_type(mapping, name, rule, column.type)
        length = getattr(column.type, "length", None)
        if rule.kind in {"text", "json"} and isinstance(length, int) and not isinstance(column.type, Text):
            lengths[name] = length
        # SQLite takes and gives back plain values; its declared types are only names.
        columns.append(Column(name, NullType() if sqlite else column.type))
    for column in found.columns:
        automatic = column.server_default is not None or column.computed or column.identity
        serial = column.primary_key and isinstance(column.type, Integer) and len(found.primary_key) == 1
        if column.name not in data.columns and not column.nullable and not automatic and not serial:
            raise mapping.fault(
                _("the table's column {name} must have a value, and the map gives none").format(name=column.name),
                "columns",
                remedy=_("add `{name}: FIELD`").format(name=column.name),
            )
    target = Table(data.table, MetaData(), *columns, schema=data.db_schema)
    return Tables(target, _rejected(connection, mapping), lengths, _unique(connection, mapping, found))


def _check_type(mapping: Map, name: str, rule: ColumnRule, kind: TypeEngine[Any]) -> None:
    family = _family(kind)
    if family is None or rule.kind in _FITS[family]:
        return
    raise mapping.fault(
        _("the table's column is {theirs}, the map's is {ours}").format(theirs=str(kind), ours=rule.kind),
        "columns", name, "type",
        remedy=_("write one of: {values}").format(values=", ".join(sorted(_FITS[family]))),
    )  # fmt: skip


def _family(kind: TypeEngine[Any]) -> str | None:
    """What kind of values a column's type holds; None for what only the database itself can tell."""
    for types, family in (
        (JSON, "json"),
        (Boolean, "boolean"),
        (Integer, "whole"),
        ((Numeric, Float), "number"),
        (DateTime, "datetime"),
        (Date, "date"),
        (String, "text"),
    ):
        if isinstance(kind, types):
            return None if isinstance(kind, Enum) else family
    return None


def _rejected(connection: Connection, mapping: Map) -> Table:
    wanted = rejected_table(mapping.data.rejected, mapping.data.db_schema)
    there = {column["name"] for column in inspect(connection).get_columns(wanted.name, mapping.data.db_schema)}
    missing = [column.name for column in wanted.columns if column.name not in there]
    if missing:
        raise mapping.fault(
            _("the table {name} is not the one for rejected records").format(name=wanted.name),
            "rejected",
            remedy=_("name another table"),
        )
    return wanted


def _unique(connection: Connection, mapping: Map, found: Table) -> bool:
    """Whether the key's columns are unique in the table."""
    key = set(mapping.data.key)
    keys = [set(found.primary_key.columns.keys())]
    inspector = inspect(connection)
    keys += [set(each["column_names"]) for each in inspector.get_unique_constraints(found.name, found.schema)]
    keys += [
        {str(name) for name in each["column_names"]}
        for each in inspector.get_indexes(found.name, found.schema)
        if each["unique"]
    ]
    return any(each and each <= key for each in keys)
