"""The stored pages as WARC 1.1 (ISO 28500), for web archives and their players."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from io import BytesIO
from typing import BinaryIO

from hometextile import __version__
from hometextile.page.page import Page

#: The body is stored as it was after the transfer; these headers no longer tell the truth of it.
_OF_THE_TRANSFER = {"content-encoding", "transfer-encoding", "content-length", "connection", "keep-alive"}


def warc(pages: Iterable[Page], file: BinaryIO, *, compress: bool = True) -> int:
    """Write pages: what a server sent as ``response``, what only the browser's drawing is left of as ``resource``.

    Args:
        pages: from the library.
        file: opened for writing.
        compress: each record by itself, as ``.warc.gz`` wants it.
    """
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    writer = WARCWriter(file, gzip=compress, warc_version="1.1")
    about = {"software": f"hometextile/{__version__}", "format": "WARC file version 1.1"}
    writer.write_record(writer.create_warcinfo_record("hometextile.warc.gz", about))
    count = 0
    for page in pages:
        if not page.body and not page.text:
            continue
        headers = {"WARC-Date": _date(page.fetched)}
        if page.body:
            record = writer.create_warc_record(
                page.url,
                "response",
                payload=BytesIO(page.body),
                length=len(page.body),
                http_headers=StatusAndHeaders(_status(page.status), _headers(page), protocol="HTTP/1.1"),
                warc_headers_dict=headers,
            )
        else:
            record = writer.create_warc_record(
                page.url,
                "resource",
                payload=BytesIO(page.text.encode("utf-8", "replace")),
                warc_content_type="text/html; charset=utf-8",
                warc_headers_dict=headers,
            )
        writer.write_record(record)
        count += 1
    return count


def _date(fetched: str) -> str:
    """A WARC date: to the second, in UTC."""
    return fetched[:19] + "Z" if len(fetched) >= 19 else "1970-01-01T00:00:00Z"


def _status(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"{status} Unknown"


def _headers(page: Page) -> list[tuple[str, str]]:
    headers = []
    for name, value in page.headers.items():
        if name.lower() not in _OF_THE_TRANSFER:
            values = value if isinstance(value, list) else [value]
            headers += [(name, " ".join(str(one).split())) for one in values]
    return [*headers, ("Content-Length", str(len(page.body)))]
