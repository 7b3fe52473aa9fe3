"""Requests as bytes for the frontier and back: plain data, callbacks by name, never a pickle."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from scrapy import Request, Spider

#: Meta of one fetch, which means nothing to the next.
PASSING = {
    "request_id", "parent_id", "download_latency", "download_slot", "retry_times", "_dont_cache", "cached_response",
    "conditional", "around", "block",
}  # fmt: skip
_COMPRESS_FROM = 1500
_MAX_SIZE = 32 * 1024 * 1024


class Unpackable(ValueError):
    """The request holds something that is no plain data, or a callback that is no method of the spider."""


def pack_request(request: Request, spider: Spider) -> bytes:
    """The request as bytes.

    Args:
        request: with plain data only (strings, numbers, lists, dicts) in ``meta`` and ``cb_kwargs``.
        spider: whose methods the callbacks are.

    Raises:
        Unpackable: it can't be.
    """
    data: dict[str, Any] = {"url": request.url, "priority": request.priority}
    if request.method != "GET":
        data["method"] = request.method
    if request.body:
        data["body"] = base64.b64encode(request.body).decode("ascii")
    if request.headers:
        data["headers"] = {
            name.decode("latin-1"): [value.decode("latin-1") for value in values]
            for name, values in request.headers.items()
        }
    for name, function in (("callback", request.callback), ("errback", request.errback)):
        if function is not None:
            data[name] = _name(function, spider)
    meta = {key: value for key, value in request.meta.items() if key not in PASSING}
    more = (
        ("meta", meta), ("cb_kwargs", request.cb_kwargs), ("cookies", request.cookies), ("flags", request.flags),
        ("encoding", request.encoding if request.encoding != "utf-8" else None), ("dont_filter", request.dont_filter),
    )  # fmt: skip
    data.update({name: value for name, value in more if value})
    try:
        plain = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError, RecursionError) as error:
        raise Unpackable(str(error)) from error
    return zlib.compress(plain, 1) if len(plain) > _COMPRESS_FROM else plain


def unpack_request(data: bytes, spider: Spider) -> Request:
    """The request that was packed.

    Raises:
        Unpackable: the bytes are damaged, or name a callback that the spider does not have (any more).
    """
    try:
        if not data.startswith(b"{"):
            opener = zlib.decompressobj()
            data = opener.decompress(data, _MAX_SIZE)
        found = json.loads(data.decode("utf-8", "surrogatepass"))
        for name in ("callback", "errback"):
            if name in found:
                found[name] = _method(spider, found[name])
        if "body" in found:
            found["body"] = base64.b64decode(found["body"], validate=True)
        if "headers" in found:
            found["headers"] = {
                name: [value.encode("latin-1") for value in values] for name, values in found["headers"].items()
            }
        return Request(**found)
    except (ValueError, TypeError, AttributeError, KeyError, zlib.error) as error:
        raise Unpackable(str(error)) from error


def _method(spider: Spider, name: Any) -> Any:
    found = getattr(spider, name) if isinstance(name, str) and not name.startswith("__") else None
    if not callable(found):
        raise Unpackable(f"the spider has no method {str(name)[:100]}")
    return found


def _name(function: Any, spider: Spider) -> str:
    name = str(getattr(function, "__name__", ""))
    own = getattr(spider, name, None)
    if own is None or getattr(own, "__func__", own) is not getattr(function, "__func__", function):
        raise Unpackable(f"{function!r} is no method of the spider")
    return name
