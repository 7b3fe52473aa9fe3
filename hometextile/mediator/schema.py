"""A map: which table of the user's, and how each of its columns is filled (``docs/mediator.md``)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from hometextile.mediator.expressions import Expression, parse
from hometextile.mediator.units import Units
from hometextile.text.faults import Fault
from hometextile.text.messages import _
from hometextile.text.normalise import fold
from hometextile.text.strict_yaml import Loaded, faults_of, load_yaml

MAX_BYTES = 1_000_000
#: PostgreSQL's longest name, in bytes; MariaDB's is 64 characters.
_MAX_NAME = 63

OnError = Literal["reject", "default", "stop"]
Scalar = str | bool | int | float | None


def _expression(value: str | None) -> str | None:
    if value is not None:
        parse(value)
    return value


def _alternatives(value: Any) -> Any:
    """``from: [a, b]`` is short for ``from: first(a, b)``."""
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        for each in value:
            parse(each)
        return value[0] if len(value) == 1 else f"first({', '.join(value)})"
    return value


def _name(value: str) -> str:
    if not value.strip() or len(value.encode()) > _MAX_NAME or not value.isprintable():
        raise ValueError(
            _("{value} is no name for a table or column").format(value=value)
            + " → "
            + _("write a name of 1 to {n} bytes").format(n=_MAX_NAME)
        )
    return value


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _ruled(value: Any) -> Any:
    """``title: title`` is short for ``title: {from: title}``, and a list likewise."""
    return {"from": value} if isinstance(value, str | list) else value


Name = Annotated[str, AfterValidator(_name)]
Words = Annotated[list[str], BeforeValidator(_listed)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Take(_Strict):
    """Which records; each key given must fit."""

    site: Words = Field([], description="Of these sites")
    library: Words = Field([], description="Of these libraries")
    category: Words = Field([], description="Of these classes")
    withdrawn: bool | None = Field(None, description="true: only what is gone from its site; false: only what is not")
    relevance: float | None = Field(None, ge=0, le=1, description="At least as relevant")

    def fits(self, record: Mapping[str, Any]) -> bool:
        """Whether a record is one of them."""
        for name in ("site", "library", "category"):
            wanted = getattr(self, name)
            if wanted and record.get(name) not in wanted:
                return False
        if self.withdrawn is not None and bool(record.get("withdrawn")) != self.withdrawn:
            return False
        if self.relevance is None:
            return True
        rated = record.get("relevance")
        return isinstance(rated, int | float) and rated >= self.relevance


class ColumnRule(_Strict):
    """How one column is filled."""

    source: Annotated[str | None, BeforeValidator(_alternatives), AfterValidator(_expression)] = Field(
        None, alias="from", description="A field of the record or an expression; of a list, the first that has a value"
    )
    constant: Scalar = Field(None, description="The same value in every row")
    type: Literal["text", "integer", "number", "price", "boolean", "date", "datetime", "year", "json"] = Field(
        "text", description="What the value is"
    )
    unit: str | None = Field(None, max_length=40, description="The unit that the column holds; the type is number")
    assume: str | None = Field(None, max_length=40, description="The unit of a value that names none")
    values: dict[str, Scalar] = Field({}, description="A value of the record to the value of the table")
    unlisted: Literal["error", "keep", "default"] = Field(
        "error", description="What becomes of a value that `values` does not list"
    )
    length: int | None = Field(None, ge=1, le=1_000_000, description="Characters at the most")
    cut: bool = Field(False, description="true: a longer text is cut off; false: it is an error")
    decimals: int = Field(6, ge=0, le=12, description="Digits after the point, of numbers")
    whole: bool = Field(False, description="true: a date without its day or month becomes the first of them")
    required: bool = Field(False, description="true: no value is an error")
    default: Scalar = Field(None, description="Taken where there is no value, and on an error under on_error: default")
    on_error: OnError | None = Field(None, description="What becomes of an error; none: as the map says")

    @model_validator(mode="after")
    def _one_way(self) -> ColumnRule:
        given = {"source", "constant"} & self.model_fields_set
        if len(given) != 1:
            problem = _("both from and constant") if given else _("neither from nor constant")
            raise ValueError(problem + " → " + _("write `from: FIELD` or `constant: VALUE`, one of the two"))
        if self.unit is not None and "type" in self.model_fields_set and self.type not in {"number", "integer"}:
            raise ValueError(
                _("a column with a unit holds numbers, not {type}").format(type=self.type)
                + " → "
                + _("remove `type`, or write `type: number`")
            )
        if self.assume is not None and self.unit is None:
            raise ValueError(_("assume stands without unit") + " → " + _("add `unit: ...`"))
        return self

    @property
    def kind(self) -> str:
        """The type; a number where there is a unit and no type is named."""
        return "number" if self.unit is not None and self.type == "text" else self.type


class MapFile(_Strict):
    """From records to a table."""

    database: str = Field(
        min_length=1, description="env:NAME or file:PATH, where its address stands; or sqlite:///FILE"
    )
    table: Name = Field(description="The table")
    db_schema: Name | None = Field(None, alias="schema", description="Its schema, where it is not the user's own")
    key: Annotated[list[Name], BeforeValidator(_listed)] = Field(
        min_length=1, description="The columns that make a row the same on the next run"
    )
    create: bool = Field(False, description="true: make the table, and the one for rejected records, if missing")
    existing: Literal["update", "keep"] = Field(
        "update", description="What becomes of a row that is there: update its columns, or keep it as it is"
    )
    on_error: OnError = Field(
        "reject", description="reject: put the record aside; default: take the default; stop: write nothing at all"
    )
    rejected: Name = Field("hometextile_rejected", description="The table where rejected records are put aside")
    record: str | None = Field(None, description="XML files: the element that is a record; none: the root's children")
    take: Take = Take()
    units: dict[str, str] = Field({}, description="Units of your own: the word, and what one of it is, e.g. 匹: 40 m")
    columns: dict[Name, Annotated[ColumnRule, BeforeValidator(_ruled)]] = Field(
        min_length=1, description="Column to field, or to keys as below"
    )


class Map:
    """A map with its name, its expressions read, and the lines of its keys.

    Attributes:
        name: its name, for the quarantine table: the file's name without its ending.
        data: the file's content.
        file: the file's name, for messages.
        expressions: column to expression.
        units: the map's own units.
    """

    def __init__(self, name: str, data: MapFile, loaded: Loaded) -> None:
        self.name = name
        self.data = data
        self.file = loaded.file
        self._loaded = loaded
        self.units = self._units()
        self.expressions: dict[str, Expression] = {
            column: parse(rule.source) for column, rule in data.columns.items() if rule.source is not None
        }
        self.values = {
            column: {fold(said): value for said, value in rule.values.items()} for column, rule in data.columns.items()
        }
        self._check()

    def fault(self, problem: str, *path: str, remedy: str = "") -> Fault:
        """A fault at a key of the file."""
        return Fault(problem, file=self.file, line=self._loaded.line(path), key=".".join(path) or None, remedy=remedy)

    def on_error(self, column: str) -> OnError:
        """What becomes of an error in a column."""
        return self.data.columns[column].on_error or self.data.on_error

    def _units(self) -> Units:
        for word, text in self.data.units.items():
            try:
                Units.of({word: text})
            except ValueError:
                raise self.fault(
                    _("{text} is no quantity").format(text=text), "units", word, remedy=_("write it like 40 m")
                ) from None
        return Units.of(self.data.units)

    def _check(self) -> None:
        columns = self.data.columns
        for name in self.data.key:
            if name not in columns:
                raise self.fault(
                    _("the key {name} is none of the columns").format(name=name),
                    "key",
                    remedy=_("write one of: {values}").format(values=", ".join(columns)),
                )
            if columns[name].source is None:
                raise self.fault(
                    _("a key that is the same in every row tells none apart"),
                    "columns", name, remedy=_("take a column with `from`"),
                )  # fmt: skip
            if columns[name].kind == "json":
                raise self.fault(_("a key can't be of the type json"), "columns", name, "type", remedy=_("write text"))
        for name, rule in columns.items():
            for key, unit in (("unit", rule.unit), ("assume", rule.assume)):
                if unit is not None and not self.units.known(unit):
                    raise self.fault(
                        _("there is no unit {name}").format(name=unit),
                        "columns", name, key, remedy=_("see docs/mediator.md, or add it under `units`"),
                    )  # fmt: skip


def parse_map(text: str, name: str, file: str) -> Map:
    """Read a map's text.

    Args:
        text: the YAML.
        name: the map's name.
        file: the file's name, for messages.

    Raises:
        Fault: the first thing wrong with it; the others are in its ``others``.
    """
    loaded = load_yaml(text, file)
    if not isinstance(loaded.data, dict):
        raise Fault(
            _("the file is not made of `key: value` lines"), file=file, line=1, remedy=_("see docs/mediator.md")
        )
    try:
        data = MapFile.model_validate(loaded.data)
    except ValidationError as error:
        found = faults_of(error, loaded, MapFile)
        first = found[0]
        first.others = found[1:]
        raise first from None
    return Map(name, data, loaded)


def load_map(path: Path | Traversable) -> Map:
    """Read a map file.

    Raises:
        Fault: it is not readable, not UTF-8, too large, or wrong.
    """
    try:
        body = path.read_bytes()
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body[: error.start].count(b"\n") + 1
        raise Fault(
            _("the file is not UTF-8"), file=str(path), line=line, remedy=_("save it as UTF-8 in your editor")
        ) from None
    except OSError as error:
        raise Fault(_("cannot be read: {why}").format(why=error.strerror or error), file=str(path)) from None
    if len(body) > MAX_BYTES:
        raise Fault(
            _("the file has {n} bytes, more than the {limit} allowed").format(n=len(body), limit=MAX_BYTES),
            file=str(path),
        )
    return parse_map(text, Path(path.name).stem, str(path))
