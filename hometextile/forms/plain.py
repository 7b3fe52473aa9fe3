"""Objects of the forms room as plain data and back, so that an interrogation goes on after the program was killed.

Whatever a form's state is made of (data classes, sets, dictionaries with any keys) becomes JSON; elements of a parsed
page do not, and are None afterwards. Only classes of this room are made again, and none of their code is run for it.
"""

from __future__ import annotations

import dataclasses
from importlib import import_module
from typing import Any

_ROOM = "hometextile.forms."
_MAX_DEPTH = 40


def to_plain(value: Any, *, _depth: int = 0) -> Any:
    """The value as lists, dictionaries with text keys, text, numbers and None.

    Args:
        value: made of plain values, sets, tuples, and objects of this room's classes.
    """
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if _depth > _MAX_DEPTH:
        return None
    deeper = _depth + 1
    if isinstance(value, list):
        return [to_plain(each, _depth=deeper) for each in value]
    if isinstance(value, tuple | set | frozenset):
        items = list(value) if isinstance(value, tuple) else sorted(value, key=repr)
        return {"is": type(value).__name__, "of": [to_plain(each, _depth=deeper) for each in items]}
    if isinstance(value, dict):
        pairs = [[to_plain(key, _depth=deeper), to_plain(each, _depth=deeper)] for key, each in value.items()]
        return {"is": "dict", "of": pairs}
    name = f"{type(value).__module__}:{type(value).__qualname__}"
    if not name.startswith(_ROOM):
        return None
    parts = {key: to_plain(each, _depth=deeper) for key, each in _attributes(value).items()}
    return {"is": name, "of": parts}


def from_plain(data: Any) -> Any:
    """The value again.

    Args:
        data: from :func:`to_plain`.

    Raises:
        ValueError: it is not of that kind, or names a class that is not (any more) in this room.
    """
    if isinstance(data, list):
        return [from_plain(each) for each in data]
    if not isinstance(data, dict):
        return data
    kind, of = data.get("is"), data.get("of")
    if kind == "dict" and isinstance(of, list):
        return {from_plain(key): from_plain(each) for key, each in of}
    if kind in {"tuple", "set", "frozenset"} and isinstance(of, list):
        items = [from_plain(each) for each in of]
        return {"tuple": tuple, "set": set, "frozenset": frozenset}[kind](items)
    if not isinstance(kind, str) or not isinstance(of, dict):
        raise ValueError("not the state of a form")
    made: Any = object.__new__(_class(kind))
    if dataclasses.is_dataclass(made):
        # What a newer program has beside has its default.
        for field in dataclasses.fields(made):
            if field.default is not dataclasses.MISSING:
                object.__setattr__(made, field.name, field.default)
            elif field.default_factory is not dataclasses.MISSING:
                object.__setattr__(made, field.name, field.default_factory())
    for key, each in of.items():
        object.__setattr__(made, key, from_plain(each))
    return made


def _attributes(value: Any) -> dict[str, Any]:
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    derived: frozenset[str] = getattr(type(value), "DERIVED", frozenset())
    return {name: each for name, each in vars(value).items() if name not in derived}


def _class(name: str) -> type:
    module, _, rest = name.partition(":")
    if not module.startswith(_ROOM) or not rest.isidentifier():
        raise ValueError(f"no class of this room: {name[:100]}")
    try:
        found = getattr(import_module(module), rest)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"no class of this room: {name[:100]}") from error
    if not isinstance(found, type) or found.__module__ != module:
        raise ValueError(f"no class of this room: {name[:100]}")
    return found
