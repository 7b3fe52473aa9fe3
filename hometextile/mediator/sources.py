"""Where records come from: the library, or the intermediate files of any extraction program (XML, JSON lines)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from lxml import etree

from hometextile.library import tables as t
from hometextile.library.library import Library
from hometextile.library.values import clean, digest
from hometextile.text.faults import Fault
from hometextile.text.messages import _

MAX_LINE = 64 * 1024 * 1024
MAX_DEPTH = 12
JSON_ENDINGS = (".jsonl", ".jl", ".ndjson")


@dataclass(frozen=True)
class Record:
    """One record.

    Attributes:
        fields: by name; those of the site under ``fields``, where it is a resource.
        place: where it is from, for messages: ``resource 12``, ``items.xml:30``.
    """

    fields: dict[str, Any]
    place: str


def from_library(library: Library, *, ids: list[int] | None = None) -> Iterator[Record]:
    """The library's resources; those that repeat others are left out.

    Args:
        library: opened.
        ids: of these numbers only.
    """
    filters: dict[str, Any] = {} if ids is None else {"ids": ids}
    for row in library.resources(**filters):
        fields = {name: value for name, value in row.items() if name != "identity_hash"}
        yield Record(fields, _("resource {id}").format(id=row["id"]))


def numbers_of(library: Library, identities: Iterable[str]) -> list[int]:
    """The numbers of resources by their identities, those that are in the library."""
    from sqlalchemy import select

    r = t.resources.c
    keys = [digest(clean(identity)) for identity in identities]
    query = select(r.id).where(r.identity_hash.in_(keys)).order_by(r.id)
    return library.database.read(lambda connection: [int(number) for number in connection.execute(query).scalars()])


def from_file(path: Path, element: str | None = None) -> Iterator[Record]:
    """The records of an intermediate file, one after the other, whatever its size.

    Args:
        path: ``.xml``, or ``.jsonl``, ``.jl``, ``.ndjson``.
        element: XML: the element that is a record; None: each child of the root is one.

    Raises:
        Fault: the file can't be read, or is not what its name says; the line is in it.
    """
    ending = path.suffix.lower()
    read: Callable[[BinaryIO, str], Iterator[Record]]
    if ending == ".xml":

        def read(file: BinaryIO, name: str) -> Iterator[Record]:
            return _xml(file, name, element)

    elif ending in JSON_ENDINGS:
        read = _json_lines
    else:
        raise Fault(_("is no intermediate file that can be read"), file=path, remedy=_("name a file .xml or .jsonl"))
    try:
        with path.open("rb") as file:
            yield from read(file, str(path))
    except OSError as error:
        raise Fault(_("cannot be read: {why}").format(why=error.strerror or error), file=path) from None


def _json_lines(file: BinaryIO, name: str) -> Iterator[Record]:
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise Fault(_("the line is longer than {n} MB").format(n=MAX_LINE // 1024 // 1024), file=name, line=number)
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"), parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            why = _("the file is not UTF-8") if isinstance(error, UnicodeDecodeError) else _("the line is not JSON")
            raise Fault(why, file=name, line=number, remedy=_("write one JSON object a line, in UTF-8")) from None
        if not isinstance(value, dict):
            raise Fault(_("the line is no JSON object"), file=name, line=number, remedy=_('write {"field": "value"}'))
        yield Record(value, f"{Path(name).name}:{number}")


def _no_constant(word: str) -> None:
    raise ValueError(word)


def _xml(file: BinaryIO, name: str, element: str | None) -> Iterator[Record]:
    """XML without entities, DTD or network; records are let go of as soon as they are read."""
    parser = etree.iterparse(
        file, events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    depth, inside = 0, False
    try:
        for event, node in parser:
            if event == "start":
                if depth == 0 and node.getroottree().docinfo.doctype:
                    raise Fault(
                        _("document type declarations (<!DOCTYPE ...>) are not read"),
                        file=name, line=1, remedy=_("remove the declaration"),
                    )  # fmt: skip
                inside = inside or (element is not None and _local(node) == element)
                depth += 1
                continue
            depth -= 1
            if _local(node) == element if element is not None else depth == 1:
                yield Record(_fields(node), f"{Path(name).name}:{node.sourceline}")
                inside = False
            elif inside or (element is None and depth > 1):
                continue
            node.clear()
            while node.getprevious() is not None:
                del node.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise Fault(
            _("not readable as XML: {problem}").format(problem=error.msg or ""),
            file=name,
            line=error.lineno,
            remedy=_("correct it at this line; & is written &amp;"),
        ) from None


def _local(node: Any) -> str:
    return etree.QName(node).localname


def _fields(node: Any) -> dict[str, Any]:
    value = _value(node, 0)
    return value if isinstance(value, dict) else {"value": value, **dict(node.attrib)}


def _value(node: Any, depth: int) -> Any:
    """An element's text; with elements inside, a dict, or a list where all are called ``value`` (Scrapy's feeds)."""
    children = [child for child in node if isinstance(child.tag, str)]
    if not children or depth > MAX_DEPTH:
        text = "".join(node.itertext()).strip()
        return text if text or not node.attrib else dict(node.attrib)
    if all(_local(child) == "value" for child in children):
        return [_value(child, depth + 1) for child in children]
    found: dict[str, Any] = dict(node.attrib)
    often: set[str] = set()
    for child in children:
        name, value = _local(child), _value(child, depth + 1)
        if name in often:
            found[name].append(value)
        elif any(name == _local(other) and other is not child for other in children):
            found[name] = [value]
            often.add(name)
        else:
            found[name] = value
    return found
