"""The small language in which a map says where a column's value comes from.

A field name, a constant, several of them joined by ``+``, and four functions; nothing is ever executed::

    title
    fields.`克重(g/m²)`
    first(fields.brand, source, "unknown")
    fields.width + " × " + fields.length
    join(keywords, "；")

The grammar::

    expression = term { "+" term }
    term       = text | number | name | function "(" expression { "," expression } ")" | "(" expression ")"
    name       = part { "." part }          (a part is letters, digits, - and _, or anything between two backquotes)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from hometextile.library.exports.flat import text_of
from hometextile.text.messages import _

MAX_LENGTH = 2000
MAX_DEPTH = 20

_TOKEN = re.compile(
    r"\s*(?:(?P<text>\"[^\"]*\"|'[^']*')|(?P<number>-?\d+(?:\.\d+)?(?![\w`]))"
    r"|(?P<name>(?:[^\W\d][\w-]*|`[^`]+`)(?:\.(?:[\w-]+|`[^`]+`))*)|(?P<sign>[+(),]))"
)
_PART = re.compile(r"`([^`]+)`|([\w-]+)")

Value = Any


@dataclass(frozen=True)
class Constant:
    """A text or a number that stands in the map itself."""

    value: str | Decimal


@dataclass(frozen=True)
class Name:
    """A field of the record, by its path."""

    path: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(self.path)


@dataclass(frozen=True)
class Call:
    """A function of other expressions; joining by ``+`` is the function ``+``."""

    function: str
    arguments: tuple[Expression, ...]


Expression = Constant | Name | Call


class Broken(ValueError):
    """An expression that can't be read; the message is ``problem → remedy``."""


def parse(text: str) -> Expression:
    """Read an expression.

    Args:
        text: as it stands in the map.

    Raises:
        Broken: it is none.
    """
    if len(text) > MAX_LENGTH:
        raise Broken(_("the expression is too long") + " → " + _("write it with fewer parts"))
    tokens: list[tuple[str, str]] = []
    place = 0
    text = text.strip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            raise Broken(
                _("can't be read from here: {rest}").format(rest=text[place : place + 30])
                + " → "
                + _("write a field name, a constant in quotation marks, a + b, or first(a, b)")
            )
        tokens.append((str(found.lastgroup), found[str(found.lastgroup)]))
        place = found.end()
    reader = _Reader(tokens)
    result = reader.expression(0)
    if reader.left:
        raise Broken(_("unexpected: {what}").format(what=reader.left[0][1]) + " → " + _("put + between two parts"))
    return result


class _Reader:
    """Recursive descent over the tokens."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.left = tokens

    def _take(self, sign: str | None = None) -> tuple[str, str]:
        if self.left and sign in (None, self.left[0][1]):
            return self.left.pop(0)
        if self.left:
            problem = _("unexpected: {what}").format(what=self.left[0][1])
        else:
            problem = _("something is missing at the end")
        remedy = _("write a field name or a constant")
        if sign == ")" and not self.left:
            # {from: first(a, b)} is cut at the comma by YAML itself.
            remedy = _("write ) here; inside { } put an expression with commas in quotation marks")
        elif sign:
            remedy = _("write {what} here").format(what=sign)
        raise Broken(problem + " → " + remedy)

    def _next_is(self, sign: str) -> bool:
        return bool(self.left) and self.left[0] == ("sign", sign)

    def expression(self, depth: int) -> Expression:
        if depth > MAX_DEPTH:
            raise Broken(_("too many brackets inside each other") + " → " + _("write it with fewer parts"))
        parts = [self._term(depth)]
        while self._next_is("+"):
            self.left.pop(0)
            parts.append(self._term(depth))
        return parts[0] if len(parts) == 1 else Call("+", tuple(parts))

    def _term(self, depth: int) -> Expression:
        kind, word = self._take()
        if kind == "text":
            return Constant(word[1:-1])
        if kind == "number":
            return Constant(Decimal(word))
        if kind == "name":
            return self._call(word, depth) if self._next_is("(") else Name(_parts(word))
        if word == "(":
            inner = self.expression(depth + 1)
            self._take(")")
            return inner
        raise Broken(_("unexpected: {what}").format(what=word) + " → " + _("write a field name or a constant"))

    def _call(self, name: str, depth: int) -> Expression:
        if name not in FUNCTIONS:
            raise Broken(
                _("there is no function {name}").format(name=name)
                + " → "
                + _("write one of: {values}").format(values=", ".join(FUNCTIONS))
            )
        self._take("(")
        arguments = [self.expression(depth + 1)]
        while self._next_is(","):
            self.left.pop(0)
            arguments.append(self.expression(depth + 1))
        self._take(")")
        _function, least, most = FUNCTIONS[name]
        if not least <= len(arguments) <= most:
            raise Broken(
                _("{name} takes {least} to {most} values, not {n}").format(
                    name=name, least=least, most=most, n=len(arguments)
                )
                + " → "
                + _("put commas between them")
            )
        return Call(name, tuple(arguments))


def _parts(word: str) -> tuple[str, ...]:
    return tuple(quoted or plain for quoted, plain in _PART.findall(word))


def names(expression: Expression) -> Iterator[Name]:
    """The fields that an expression asks for."""
    if isinstance(expression, Name):
        yield expression
    elif isinstance(expression, Call):
        for each in expression.arguments:
            yield from names(each)


def evaluate(expression: Expression, record: Mapping[str, Any]) -> Value:
    """What an expression is for a record.

    Args:
        expression: from :func:`parse`.
        record: fields by name; those of the site under ``fields``.

    Returns:
        A field's value as it is (text, number, list, dict, None where there is none), or the text made of several.
    """
    if isinstance(expression, Constant):
        return expression.value
    if isinstance(expression, Name):
        return find(record, expression.path)
    function, _least, _most = FUNCTIONS[expression.function]
    return function([evaluate(each, record) for each in expression.arguments])


def find(record: Mapping[str, Any], path: tuple[str, ...]) -> Value:
    """The field at a path; None where there is none.

    A name that the record has not is looked for among the site's own fields; a record without ``fields`` (an
    intermediate file of another program) is its own ``fields``. A number counts a list's items from 0.
    """
    if path[0] in record:
        return _inside(record, path)
    fields = record.get("fields")
    if isinstance(fields, Mapping):
        return _inside(fields, path)
    return _inside(record, path[1:]) if path[0] == "fields" and len(path) > 1 else None


def stands_in(record: Mapping[str, Any], path: tuple[str, ...]) -> bool:
    """Whether a record has a field of that name at all, be it empty."""
    fields = record.get("fields")
    own = fields if isinstance(fields, Mapping) else record
    if path[0] == "fields" and len(path) > 1:
        return any(".".join(path[1:end]) in own for end in range(2, len(path) + 1))
    return path[0] in record or path[0] in own


def _inside(value: Value, path: tuple[str, ...]) -> Value:
    if not path:
        return value
    if isinstance(value, Mapping):
        # A field's own name may hold full stops: the longest that fits counts.
        for end in range(len(path), 0, -1):
            name = ".".join(path[:end])
            if name in value:
                return _inside(value[name], path[end:])
        return None
    if isinstance(value, list):
        if path[0].isascii() and path[0].isdigit():
            number = int(path[0][:9])
            return _inside(value[number], path[1:]) if number < len(value) else None
        found = [each for each in (_inside(item, path) for item in value) if not empty(each)]
        return found or None
    return None


def empty(value: Value) -> bool:
    """Whether a value says nothing."""
    return value is None or (isinstance(value, str) and not value.strip()) or value == [] or value == {}


def _first(values: list[Value]) -> Value:
    return next((value for value in values if not empty(value)), None)


def _joined(values: list[Value]) -> Value:
    between = text_of(values[1]) if len(values) > 1 else "; "
    items = values[0] if isinstance(values[0], list) else [values[0]]
    return between.join(text_of(item) for item in items if not empty(item))


def _concatenated(values: list[Value]) -> Value:
    return "".join(text_of(value) for value in values)


#: Name to what it does, and the least and greatest number of its arguments.
FUNCTIONS: dict[str, tuple[Callable[[list[Value]], Value], int, int]] = {
    "first": (_first, 1, 20),
    "join": (_joined, 1, 2),
    "lower": (lambda values: text_of(values[0]).lower(), 1, 1),
    "upper": (lambda values: text_of(values[0]).upper(), 1, 1),
    "+": (_concatenated, 1, MAX_LENGTH),
}
