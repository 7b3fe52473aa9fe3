"""Pipeline ``files``: documents that resources link to, by Scrapy's own files pipeline.

Off unless a site file says ``download: [files]``. Settings beside Scrapy's own (``FILES_STORE``: a folder or
``s3://...``, ``FILES_EXPIRES``):

==============  ==============================  ===================================
``FILES_MOST``  ``20``                          files fetched of one resource
``FILES_TYPES`` :data:`TYPES`                   endings of addresses that are files
==============  ==============================  ===================================

Counted: ``files/downloaded``, ``files/cached``, ``files/failed/REASON``, ``files/over-limit``.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.http import HtmlResponse
from scrapy.pipelines.files import FilesPipeline
from scrapy.utils.defer import ensure_awaitable

from hometextile.extract.resource import Resource
from hometextile.library.recording import StoredFile
from hometextile.pipelines.media import OfResources, Unusable, address_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

TYPES = (
    ".pdf", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".wps", ".et", ".caj", ".epub", ".csv", ".txt", ".rtf",
    ".zip", ".rar", ".7z", ".psd", ".ai", ".eps", ".cdr", ".dwg", ".dxf", ".tif", ".tiff",
)  # fmt: skip


class ResourceFilesPipeline(OfResources, FilesPipeline):
    """Fetches the files that a resource's main text links to."""

    switch = "files"
    kind = "file"
    most = ("FILES_MOST", 20)

    def addresses(self, resource: Resource) -> list[str]:
        """Links whose address ends as a file's does."""
        types = types_of(self._settings)
        urls = [str(link["url"]) for link in resource.links if link.get("url")]
        return [url for url in urls if suffix_of(url) in types]

    def ending(self, response: Response) -> str:
        """By the address asked for, whatever it redirected to."""
        asked = response.request.meta.get("redirect_urls", [response.request.url])[0] if response.request else ""
        return suffix_of(str(asked)) or ".bin"

    async def keep(self, response: Response, request: Request, info: Any) -> StoredFile:
        """Store the file; a page that came instead of it (a login, an error) is none."""
        if isinstance(response, HtmlResponse):
            raise Unusable("a page")
        path = self.file_path(request, response=response, info=info)
        await ensure_awaitable(self.store.persist_file(path, BytesIO(response.body), info))
        media_type = (response.headers.get("Content-Type") or b"").decode("latin-1").partition(";")[0].strip()
        return StoredFile(
            url=request.url,
            kind=self.kind,
            path=path,
            checksum=address_of(response.body)[3:],
            media_type=media_type[:100],
            size=len(response.body),
            status="cached" if "cached" in response.flags else "downloaded",
        )


def types_of(settings: BaseSettings) -> frozenset[str]:
    """Endings of addresses that are files."""
    return frozenset(settings.getlist("FILES_TYPES") or TYPES)


def suffix_of(url: str) -> str:
    """The ending of an address's path, lower case, with its dot; empty for an address that is none."""
    try:
        return PurePosixPath(urlsplit(url).path).suffix.lower()
    except ValueError:
        return ""
