"""An export, written beside its place and moved there when it is whole."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

from hometextile.library.exports import records, sheets, warc
from hometextile.library.library import Library
from hometextile.text.faults import Fault
from hometextile.text.messages import _

Writer = Callable[[Callable[[], Iterable[Mapping[str, Any]]], BinaryIO], int]

FORMATS: dict[str, Writer] = {
    "jsonl": sheets.jsonl,
    "csv": sheets.as_csv,
    "xlsx": sheets.xlsx,
    "parquet": sheets.parquet,
    "dc": records.dublin_core,
    "marcxml": records.marcxml,
    "ris": records.ris,
    "bibtex": records.bibtex,
}
#: Of pages, not of resources.
PAGES = "warc"
#: Formats for reference managers: without a filter, only classes that these know.
REFERENCES = {"ris", "bibtex"}
_BY_NAME = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".xlsx": "xlsx", ".parquet": "parquet", ".ris": "ris",
    ".bib": "bibtex", ".warc": "warc", ".gz": "warc", ".xml": "dc",
}  # fmt: skip


def format_of(path: str, name: str | None) -> str:
    """The format by its name, or by the file's ending.

    Raises:
        Fault: there is no such format, or the ending says none.
    """
    known = [*FORMATS, PAGES]
    if name is None:
        found = _BY_NAME.get(Path(path).suffix.lower())
        if found is None:
            raise Fault(
                _("the file's ending does not say which format is wanted"),
                file=path,
                remedy=_("add --format: {names}").format(names=", ".join(known)),
            )
        return found
    if name not in known:
        raise Fault(
            _("there is no format {name}").format(name=name),
            remedy=_("use one of: {names}").format(names=", ".join(known)),
        )
    return name


def export(shelf: Library, path: str, name: str, filters: Mapping[str, Any]) -> int:
    """Write resources (or pages, for WARC) to a file.

    Args:
        shelf: the library.
        path: of the file; an older one is replaced when the new one is whole.
        name: of the format.
        filters: those of :meth:`Library.resources`.

    Returns:
        How many were written.

    Raises:
        Fault: the file can't be written, the disk is full; an older file is as it was.
    """
    place = Path(path)
    only_references = name in REFERENCES and not (filters.get("library") or filters.get("category"))

    def resources() -> Iterable[Mapping[str, Any]]:
        found = shelf.resources(**filters)
        return (one for one in found if records.is_reference(one)) if only_references else found

    def write(file: BinaryIO) -> int:
        if name == PAGES:
            return warc.warc(shelf.pages(site=filters.get("site")), file, compress=place.suffix == ".gz")
        return FORMATS[name](resources, file)

    try:
        with tempfile.NamedTemporaryFile(dir=place.absolute().parent, prefix=f".{place.name}.", delete=False) as file:
            try:
                count = write(cast(BinaryIO, file.file))
                file.flush()
                os.fsync(file.fileno())
                _like_new(file.name)
                Path(file.name).replace(place)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        remedy = _("make room and run it again") if error.errno == errno.ENOSPC else _("name another file")
        raise Fault(
            _("can't be written: {why}").format(why=error.strerror or error), file=path, remedy=remedy
        ) from error
    return count


def _like_new(path: str) -> None:
    """The permissions that a new file has; temporary ones are the owner's alone."""
    mask = os.umask(0)
    os.umask(mask)
    Path(path).chmod(0o666 & ~mask)
