"""Two requests are the same when method, body and the canonical form of the address are."""

from __future__ import annotations

import json
from hashlib import sha1
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from hometextile.dedup.urls import canonical_url

if TYPE_CHECKING:
    from scrapy import Request


class CanonicalFingerprinter:
    """Scrapy's request fingerprinter on :func:`hometextile.dedup.urls.canonical_url`."""

    def __init__(self) -> None:
        self._cache: WeakKeyDictionary[Request, bytes] = WeakKeyDictionary()

    def fingerprint(self, request: Request) -> bytes:
        """20 bytes."""
        if request not in self._cache:
            content_type = request.headers.get("Content-Type") or b""
            # A multipart boundary is random: the body tells the requests apart without it.
            content_type, _, boundary = content_type.partition(b"boundary=")
            body = request.body.replace(boundary, b"") if boundary else request.body
            parts = (
                request.method.encode(),
                canonical_url(request.url).encode("utf-8", "surrogatepass"),
                content_type,
                body,
                # What is done on a page in the browser makes another page of it.
                json.dumps(request.meta["actions"], sort_keys=True).encode() if request.meta.get("actions") else b"",
            )
            self._cache[request] = sha1(b"\n".join(parts if parts[-1] else parts[:-1]), usedforsecurity=False).digest()
        return self._cache[request]
