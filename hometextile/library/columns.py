"""Kinds of columns of the library's tables: what both databases hold alike."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import BigInteger, Column, Dialect, ForeignKey, Integer, String, Text
from sqlalchemy.types import TypeDecorator


class Json(TypeDecorator[Any]):
    """A list or an object as JSON text, readable by eye and the same on both databases."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False, default=str)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


#: SQLite counts rows in INTEGER columns only; PostgreSQL's INTEGER ends at 2**31.
Number = BigInteger().with_variant(Integer(), "sqlite")

#: ISO 8601 text in UTC. PostgreSQL sorts text by the server's language unless told to go by bytes.
When = String(40).with_variant(String(40, collation="C"), "postgresql")


def identifier() -> Column[int]:
    """A row's number, given by the database."""
    return Column("id", Number, primary_key=True, autoincrement=True)


def reference(
    name: str, target: str, *, needed: bool = True, gone: str = "CASCADE", index: bool = False
) -> Column[int]:
    """The number of a row of another table.

    Args:
        name: of the column.
        target: the other table.
        needed: whether there must be one.
        gone: what happens when that row is deleted, in SQL's words.
        index: whether rows are looked for by it.
    """
    return Column(name, Number, ForeignKey(f"{target}.id", ondelete=gone), nullable=not needed, index=index)
