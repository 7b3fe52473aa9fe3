"""YAML as our users mean it: small, flat, no surprises, and every key knows its line.

``yaml.safe_load`` accepts alias bombs, keeps the last of two equal keys, reads ``NO`` as false and ``017`` as 15. This
reader refuses anchors, aliases, tags and doubled keys, limits size and depth, and takes only ``true``/``false``,
``null``, decimal numbers and text for what they are (YAML 1.2 core schema, without octal and hexadecimal numbers).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from hometextile.text.faults import Fault
from hometextile.text.messages import _

MAX_CHARS = 1_000_000
MAX_DEPTH = 32

#: libyaml's parser where it is there: some twenty times as fast, the same events.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})\Z")
_FLOAT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?\Z")
_CONSTANTS: dict[str, Any] = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "True": True,
    "false": False,
    "False": False,
}

Path = tuple[str | int, ...]


@dataclass
class Loaded:
    """A YAML file's data, and the line of each key and item.

    Attributes:
        data: plain dicts, lists, strings, numbers, booleans and None.
        file: the file's name, for messages.
        lines: path of keys and indexes to line, counted from 1.
    """

    data: Any
    file: str
    lines: dict[Path, int] = field(default_factory=dict)

    def line(self, path: Path) -> int | None:
        """The line of *path*, or of the nearest thing above it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)


def load_yaml(text: str, file: str) -> Loaded:
    """Read YAML strictly.

    Args:
        text: the file's text.
        file: its name, for messages.

    Raises:
        Fault: not YAML, too large, too deep, an alias, a tag, a doubled key.
    """
    if len(text) > MAX_CHARS:
        raise Fault(
            _("the file has {n} characters, more than the {limit} allowed").format(n=len(text), limit=MAX_CHARS),
            file=file,
            remedy=_("split it into several files"),
        )
    loaded = Loaded(None, file)
    try:
        _refuse_aliases(text, file)
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        if error.context_mark is not None and mark is not None and mark.index >= len(text.rstrip()):
            mark = error.context_mark  # the file ended inside something: tell where that began
        raise Fault(
            _("not readable as YAML: {problem}").format(problem=error.problem or error.context or ""),
            file=file,
            line=mark.line + 1 if mark else None,
            remedy=_("check indentation, colons and quotation marks in this line and the one above"),
        ) from None
    except yaml.YAMLError as error:
        raise Fault(
            _("not readable as YAML: {problem}").format(problem=" ".join(str(error).split())), file=file
        ) from None
    except RecursionError:
        raise _too_deep(file, None) from None
    if node is not None:
        loaded.data = _build(node, (), loaded)
    return loaded


def _refuse_aliases(text: str, file: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        line = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise Fault(
                _("anchors (&) and aliases (*) are not allowed"),
                file=file,
                line=line,
                remedy=_("write the value out, or put it in quotation marks"),
            )
        tag = getattr(event, "tag", None)
        if tag:
            raise Fault(
                _("the tag {tag} is not allowed").format(tag=tag),
                file=file,
                line=line,
                remedy=_("remove it, or put the value in quotation marks"),
            )
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            depth += 1
            if depth > MAX_DEPTH:
                raise _too_deep(file, line)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            depth -= 1


def _too_deep(file: str, line: int | None) -> Fault:
    return Fault(
        _("nested more than {n} levels deep").format(n=MAX_DEPTH),
        file=file,
        line=line,
        remedy=_("make the structure flatter"),
    )


def _build(node: yaml.Node, path: Path, loaded: Loaded) -> Any:
    loaded.lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise Fault(
                    _("a key must be a word, not a list or a mapping"),
                    file=loaded.file,
                    line=line,
                    remedy=_("write `key: value`"),
                )
            key = key_node.value
            if key in result:
                raise Fault(
                    _("the key stands here twice"),
                    file=loaded.file,
                    line=line,
                    key=_dotted((*path, key)),
                    remedy=_("keep one of the two"),
                )
            loaded.lines[(*path, key)] = line
            result[key] = _build(value_node, (*path, key), loaded)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_build(child, (*path, n), loaded) for n, child in enumerate(node.value)]
    return _scalar(node)


def _scalar(node: yaml.Node) -> Any:
    value: str = node.value
    if getattr(node, "style", None):
        return value
    if value in _CONSTANTS:
        return _CONSTANTS[value]
    if _INT.match(value):
        return int(value)
    if _FLOAT.match(value):
        return float(value)
    return value


def _dotted(path: Path) -> str:
    return ".".join(str(part) for part in path)


def faults_of(error: ValidationError, loaded: Loaded, model: type[BaseModel]) -> list[Fault]:
    """What pydantic found wrong, as faults with lines, in the file's order.

    Args:
        error: the validation error.
        loaded: the file it was raised for.
        model: the model validated against, for naming the keys there are.
    """
    faults = []
    seen = set()
    for detail in error.errors(include_url=False):
        path = _written(detail["loc"], loaded.data)
        problem, remedy = _explain(dict(detail), path, model)
        key = _dotted(path)
        if (key, problem) not in seen:
            seen.add((key, problem))
            faults.append(Fault(problem, file=loaded.file, line=loaded.line(path), key=key or None, remedy=remedy))
    return sorted(faults, key=lambda fault: fault.line or 0)


def _written(loc: tuple[str | int, ...], data: Any) -> Path:
    """The location without the names pydantic puts in between (union members, validators)."""
    path: list[str | int] = []
    here = data
    for n, part in enumerate(loc):
        if isinstance(here, dict):
            if part in here:
                path.append(part)
                here = here[part]
            elif n == len(loc) - 1:
                path.append(part)
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            path.append(part)
            here = here[part]
    return tuple(path)


def _keys_at(path: Path, model: type[BaseModel]) -> list[str]:
    """The keys that may stand beside the last one of *path*."""
    here: type[BaseModel] | None = model
    for part in path[:-1]:
        if isinstance(part, int) or here is None:
            continue
        info = here.model_fields.get(str(part)) or next(
            (f for f in here.model_fields.values() if f.alias == part), None
        )
        found = _model_in(info.annotation) if info else None
        if found is not None:
            here = found
    return [f.alias or name for name, f in here.model_fields.items()] if here else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _model_in(argument)
        if found:
            return found
    return None


def _explain(detail: dict[str, Any], path: Path, model: type[BaseModel]) -> tuple[str, str]:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        keys = _keys_at(path, model)
        near = get_close_matches(str(path[-1]) if path else "", keys, 1, 0.6)
        if near:
            return _("unknown key"), _("did you mean `{key}`?").format(key=near[0])
        return _("unknown key"), _("keys that can stand here: {keys}").format(keys=", ".join(sorted(keys)))
    if kind == "missing":
        return _("this key is missing"), _("add `{key}: ...`").format(key=path[-1] if path else "")
    if kind in {"literal_error", "enum"}:
        return (
            _("{value} is not one of the values that can stand here").format(value=_short(detail.get("input"))),
            _("write one of: {values}").format(values=context.get("expected", "").replace(" or ", ", ")),
        )
    if kind == "value_error":
        problem, found, remedy = str(context.get("error", detail["msg"])).partition(" → ")
        return problem, remedy if found else ""
    expected = _EXPECTED.get(kind) or _EXPECTED.get(kind.split("_")[0])
    if expected:
        return (
            _("{value} is of the wrong type").format(value=_short(detail.get("input"))),
            _("write {what}").format(what=_(expected)),
        )
    if kind in {"greater_than", "greater_than_equal", "less_than", "less_than_equal"}:
        limit = next(iter(context.values()), "")
        return (
            _("{value} is out of range").format(value=_short(detail.get("input"))),
            _("the limit is {limit}").format(limit=limit),
        )
    return _("{value} cannot stand here ({why})").format(value=_short(detail.get("input")), why=detail["msg"]), ""


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for "translate later"
    """Mark *message* for the catalogue without translating it yet."""
    return message


_EXPECTED = {
    "string": N_("a text"),
    "int": N_("a whole number"),
    "float": N_("a number"),
    "bool": N_("true or false"),
    "list": N_("a list, one `- item` a line"),
    "dict": N_("keys with values, one `key: value` a line"),
    "model": N_("keys with values, one `key: value` a line"),
    "tuple": N_("a list, one `- item` a line"),
}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
