"""What the pipelines ``images`` and ``files`` share: which addresses, what became of them, where it is written down.

They are Scrapy's own files and images pipelines: requests go through the downloader, so that guard, robots, delays and
sizes hold for them as for pages. A file is stored under the SHA-256 of its bytes, so that one that ten pages show lies
there once. The pages wait for their files: a page whose files are still coming is not done, and is fetched again if the
crawl is killed.
"""

from __future__ import annotations

import hashlib
import logging
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http.request import NO_CALLBACK

from hometextile.extract.resource import Resource
from hometextile.library.files import files_of
from hometextile.library.recording import StoredFile
from hometextile.page.page import Page
from hometextile.text.faults import Fault
from hometextile.text.messages import _

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)


def check_store(switch: str, settings: BaseSettings) -> None:
    """Say before the crawl what the store needs: Scrapy would leave the files out with a line in the log.

    Args:
        switch: ``images`` or ``files``.
        settings: with ``IMAGES_STORE`` or ``FILES_STORE``, a folder or ``s3://bucket/``.

    Raises:
        Fault: it is on S3, and the library for that is not installed.
    """
    setting = f"{switch.upper()}_STORE"
    if (settings.get(setting) or "").startswith("s3://") and find_spec("botocore") is None:
        raise Fault(
            _("{setting} is on S3, and botocore is not installed").format(setting=setting),
            remedy=_("install it (.venv/bin/pip install botocore), or give a folder"),
        )


class OfResources:
    """Mixed into one of Scrapy's media pipelines; see there for the methods that it calls."""

    #: Its name in a site file's ``download``, and in counters.
    switch: ClassVar[str]
    #: The file's kind in the library.
    kind: ClassVar[str]
    #: Setting for the number of files fetched of one resource, and its default.
    most: ClassVar[tuple[str, int]]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        #: Scrapy remembers that a request failed, and not why.
        self._missing: dict[str, StoredFile] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component; off unless the site file switches it on, and in a preview."""
        spider: Any = crawler.spider
        site = getattr(spider, "site", None)
        if site is None or cls.switch not in site.data.download or spider.arguments.preview:
            raise NotConfigured
        check_store(cls.switch, crawler.settings)
        made: Self = super().from_crawler(crawler)  # type: ignore[misc]
        return made

    def addresses(self, resource: Resource) -> list[str]:
        """The addresses of a resource's files, in order."""
        raise NotImplementedError

    async def keep(self, response: Response, request: Request, info: Any) -> StoredFile:
        """Store what came.

        Raises:
            Unusable: it is not what it should be.
        """
        raise NotImplementedError

    def get_media_requests(self, item: Any, info: Any) -> list[Request]:
        """A request for each file of the page's resources."""
        if not isinstance(item, Page) or item.dropped is not None:
            return []
        spider: Any = info.spider
        kept = [resource for resource in item.resources if resource.duplicate_of is None]
        known = files_of(spider.workshop.library, [resource.identity for resource in kept])
        requests = []
        for url in dict.fromkeys(url for resource in kept for url in self._wanted(resource)):
            # Sites keep their images on hosts of their own; the guard judges those as any other.
            meta = {"render": "never", "allow_offsite": True, "stored": known.get(url)}
            requests.append(Request(url, callback=NO_CALLBACK, headers={"Referer": item.url}, meta=meta))
        return requests

    def _wanted(self, resource: Resource) -> list[str]:
        name, most = self.most
        limit = self._settings.getint(name, most)
        urls = list(dict.fromkeys(filter(None, map(_escaped, self.addresses(resource)))))
        if len(urls) > limit:
            self._count("over-limit", len(urls) - limit)
        return urls[:limit]

    def media_to_download(self, request: Request, info: Any, *, item: Any = None) -> Any:
        """What lies in the store already and is fresh is not fetched."""
        stored = request.meta["stored"]
        if stored is None:
            return None
        found = super().media_to_download(request, info, item=item)  # type: ignore[misc]
        return found.addCallback(lambda result: result and {**result, "stored": stored})

    async def media_downloaded(self, response: Response, request: Request, info: Any, *, item: Any = None) -> Any:
        """Keep what came; what is unusable is counted, and its reason written down."""
        request.meta["came"] = True
        try:
            if response.status != 200 or not response.body:
                raise Unusable("empty" if response.status == 200 else str(response.status))
            stored = await self.keep(response, request, info)
        except Unusable as unusable:
            self._miss(request, str(unusable))
            return None
        except OSError as error:
            logger.error("Not stored: %s: %s", request.url, error, extra={"spider": info.spider})
            self._miss(request, "not stored")
            return None
        self._count(stored.status)
        return {"url": request.url, "path": stored.path, "checksum": stored.checksum, "status": stored.status,
                "stored": stored}  # fmt: skip

    def media_failed(self, failure: Failure, request: Request, info: Any) -> Any:
        """A request that brought nothing; were it raised again, Scrapy would log a traceback for each."""
        if "came" in request.meta:
            failure.raiseException()  # no trouble of the download: a mistake of ours, to be seen
        reason = getattr(failure.value, "reason", None)
        if "robots.txt" in str(failure.value):
            reason = "robots"
        self._miss(request, reason if isinstance(reason, str) else type(failure.value).__name__)

    def _miss(self, request: Request, reason: str) -> None:
        self._count(f"failed/{reason}")
        logger.info("No %s from %s: %s", self.kind, request.url, reason)
        self._missing[request.url] = StoredFile(request.url, self.kind, status=reason)

    def item_completed(self, results: list[Any], item: Any, info: Any) -> Any:
        """Write down at each resource what became of its files; the step ``store`` puts it into the library."""
        if not results:
            return item
        found = {one["url"]: one["stored"] for success, one in results if success and one}
        for resource in item.resources:
            if resource.duplicate_of is None:
                files = [found.get(url) or self._missing.get(url) for url in self._wanted(resource)]
                resource.extra.setdefault("files", []).extend(file for file in files if file is not None)
        return item

    def file_path(
        self, request: Request, response: Response | None = None, info: Any = None, *, item: Any = None
    ) -> str:
        """The path in the store, by content; by what is known of the address as long as nothing was fetched."""
        if response is None:
            return str(request.meta["stored"].path)
        return f"{self.switch}/{address_of(response.body)}{self.ending(response)}"

    def ending(self, response: Response) -> str:
        """The file name's ending, with its full stop."""
        raise NotImplementedError

    @property
    def _settings(self) -> Any:
        return self.crawler.settings  # type: ignore[attr-defined]

    def _count(self, name: str, number: int = 1) -> None:
        self.crawler.stats.inc_value(f"{self.switch}/{name}", number)  # type: ignore[attr-defined]


def _escaped(url: str) -> str:
    """An address as it is sent; empty for what is none (``data:`` and the like)."""
    if not url.startswith(("http://", "https://")):
        return ""
    try:
        return Request(url).url
    except ValueError:
        return ""


class Unusable(Exception):
    """What came is not what it should be; the message is a short word for counting."""


def address_of(body: bytes) -> str:
    """Folder and name of bytes in the store: their SHA-256 in hex, in 256 folders."""
    key = hashlib.sha256(body).hexdigest()
    return f"{key[:2]}/{key}"
