"""Pipeline ``images``: the images of resources, with thumbnails, by Scrapy's own images pipeline.

Off unless a site file says ``download: [images]``. Settings beside Scrapy's own (``IMAGES_STORE``: a folder or
``s3://...``, ``IMAGES_THUMBS``, ``IMAGES_MIN_WIDTH``, ``IMAGES_EXPIRES``):

=====================  ===============  ============================================================
``IMAGES_MOST``        ``50``           images fetched of one resource
``IMAGES_MAX_PIXELS``  ``100,000,000``  larger images are not opened: a small file can be a huge image
=====================  ===============  ============================================================

Counted: ``images/downloaded``, ``images/cached``, ``images/failed/REASON``, ``images/over-limit``.
"""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from PIL import Image
from scrapy.pipelines.images import ImagesPipeline
from scrapy.utils.defer import ensure_awaitable

from hometextile.extract.resource import Resource
from hometextile.library.recording import StoredFile
from hometextile.pipelines.media import OfResources, Unusable, address_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

#: Formats that are images and nothing else (an SVG can be a program), and their endings.
_FORMATS = {"JPEG": ".jpg", "MPO": ".jpg", "PNG": ".png", "GIF": ".gif", "WEBP": ".webp", "BMP": ".bmp",
            "TIFF": ".tif", "AVIF": ".avif"}  # fmt: skip


@lru_cache(maxsize=1)
def _formats() -> list[str]:
    """The formats that this Pillow can read."""
    Image.init()
    return [name for name in _FORMATS if name in Image.OPEN]


class ResourceImagesPipeline(OfResources, ImagesPipeline):
    """Fetches images; the original's bytes are kept as they came, thumbnails are JPEG."""

    switch = "images"
    kind = "image"
    most = ("IMAGES_MOST", 50)

    def addresses(self, resource: Resource) -> list[str]:
        """The resource's images."""
        return [str(image["url"]) for image in resource.images if image.get("url")]

    def ending(self, response: Response) -> str:
        """By what the bytes are, whatever the address says."""
        return _FORMATS[str(self._opened(response.body).format)]

    def _opened(self, body: bytes) -> Image.Image:
        """The image, its pixels not read yet.

        Raises:
            Unusable: no image, of another format, too many or too few pixels.
        """
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", Image.DecompressionBombWarning)
                image = Image.open(BytesIO(body), formats=_formats())
        except Image.DecompressionBombError:
            raise Unusable("too large") from None
        except (OSError, ValueError, SyntaxError):
            raise Unusable("no image") from None
        width, height = image.size
        if width * height > self._settings.getint("IMAGES_MAX_PIXELS", 100_000_000):
            raise Unusable("too large")
        if width < self.min_width or height < self.min_height:
            raise Unusable("too small")
        return image

    async def keep(self, response: Response, request: Request, info: Any) -> StoredFile:
        """Store the image and its thumbnails."""
        image = self._opened(response.body)
        path = self.file_path(request, response=response, info=info)
        media_type = Image.MIME.get(str(image.format), "image/jpeg")
        width, height = image.size
        # Scaling down takes a tenth of a second and more: not in the reactor's thread.
        thumbs = await asyncio.to_thread(lambda: list(self._thumbnails(response.body)))
        await self._persist(path, BytesIO(response.body), info, media_type)
        for name, small in thumbs:
            await self._persist(name, small, info, "image/jpeg")
        return StoredFile(
            url=request.url,
            kind=self.kind,
            path=path,
            checksum=address_of(response.body)[3:],
            media_type=media_type,
            size=len(response.body),
            width=width,
            height=height,
            thumbnail=thumbs[0][0] if thumbs else "",
            status="cached" if "cached" in response.flags else "downloaded",
        )

    def _thumbnails(self, body: bytes) -> Iterator[tuple[str, BytesIO]]:
        for name, size in self.thumbs.items():
            image = self._opened(body)
            try:
                # JPEG is read at a fraction of its size where that is enough.
                image.draft("RGB", (2 * size[0], 2 * size[1]))
                upright = self._ImageOps.exif_transpose(image)
                _small, buffer = self.convert_image(upright, (size[0], size[1]), response_body=BytesIO(body))
            except (OSError, ValueError, SyntaxError, MemoryError, Image.DecompressionBombError):
                raise Unusable("broken") from None
            yield f"thumbs/{name}/{address_of(body)}.jpg", buffer

    async def _persist(self, path: str, buffer: BytesIO, info: Any, media_type: str) -> None:
        buffer.seek(0)
        stored = self.store.persist_file(path, buffer, info, meta={}, headers={"Content-Type": media_type})
        await ensure_awaitable(stored)
