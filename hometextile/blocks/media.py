"""Pictures with captions, and videos: player or file, poster, duration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

from hometextile.page.document import Document
from hometextile.page.embedded import embedded

_LAZY = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-actualsrc",
    "data-url",
    "file",
    "zoomfile",
    "data-image",
    "data-large",
    "data-full",
)
_DECORATION = re.compile(
    r"(?:^|[/_.-])(?:spacer|blank|pixel|1x1|loading|placeholder|icon|icons|logo|sprite|avatar|emoji|smil(?:ey|ies)|"
    r"transparent|arrow|btn|button|qrcode|captcha)(?:[/_.\d-]|$)",
    re.I,
)
_PLAYER = re.compile(
    r"youtube(?:-nocookie)?\.com/embed|player\.youku|player\.bilibili|v\.qq\.com|player\.vimeo|dailymotion\.com/embed|"
    r"/(?:player|embed|video)s?[/?.]|\.(?:mp4|m3u8|webm|flv)(?:\?|$)",
    re.I,
)
#: A page without any of these has no video; most pages need not be searched.
_MENTIONED = ("<video", "<iframe", "<embed", "<object", "videoobject", "og:video")
_FILE = re.compile(r"\.(?:mp4|m4v|webm|ogv|mov|flv|m3u8|avi|wmv)(?:$|\?)", re.I)
_ISO = re.compile(r"P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$", re.I)
_SMALLEST = 48
_MOST = 300


def _absolute(base: str, address: str) -> str:
    try:
        joined = urljoin(base, address.strip())
        return joined if urlsplit(joined).scheme in {"http", "https"} else ""
    except ValueError:
        return ""


def _size(element: Any, name: str) -> int:
    found = re.match(r"\s*(\d{1,5})", element.get(name) or "")
    return int(found.group(1)) if found else 0


def _source(image: Any) -> str:
    for name in _LAZY:
        value = (image.get(name) or "").strip()
        if value and not value.startswith("data:") and len(value) > 3:
            return value
    for name in ("data-srcset", "srcset"):
        best, widest = "", -1.0
        for entry in (image.get(name) or "").split(", "):
            parts = entry.split()
            if parts:
                number = re.match(r"[\d.]+", parts[1]) if len(parts) > 1 else None
                width = float(number.group(0)) if number and number.group(0).strip(".") else 0.0
                if width > widest:
                    best, widest = parts[0], width
        if best and not best.startswith("data:"):
            own = (image.get("src") or "").strip()
            return own if own and not own.startswith("data:") and name == "srcset" else best
    value = (image.get("src") or "").strip()
    return "" if value.startswith("data:") else value


def _caption(image: Any) -> str:
    """The text of the figure's caption, else what stands as a caption under the picture."""
    for ancestor in image.iterancestors():
        if ancestor.tag == "figure":
            for caption in ancestor.iter("figcaption"):
                return " ".join("".join(caption.itertext()).split())
        if ancestor.tag in {"body", "article", "main"}:
            break
    parent = image.getparent()
    for _level in range(2):
        if parent is None:
            break
        beside = parent.getnext()
        name = f"{beside.get('class') or ''}" if beside is not None and isinstance(beside.tag, str) else ""
        if beside is not None and re.search(r"caption|desc|tuzhu|图注|intro", name, re.I):
            text = " ".join("".join(beside.itertext()).split())
            if text and len(text) < 300:
                return text
        parent = parent.getparent()
    return ""


def pictures(elements: Iterable[Any], base: str) -> list[dict[str, Any]]:
    """The pictures among the elements: ``url``, ``alt``, ``caption``, ``width``, ``height``; decoration left out.

    Args:
        elements: ``img`` elements in document order.
        base: what addresses are resolved against.
    """
    found: list[dict[str, Any]] = []
    seen: set[str] = set()
    for image in elements:
        source = _source(image)
        width, height = _size(image, "width"), _size(image, "height")
        if not source or (0 < width < _SMALLEST) or (0 < height < _SMALLEST) or _DECORATION.search(source):
            continue
        address = _absolute(base, source)
        if not address or address in seen:
            continue
        seen.add(address)
        alt = " ".join((image.get("alt") or image.get("title") or "").split())
        found.append({"url": address, "alt": alt, "caption": _caption(image), "width": width, "height": height})
        if len(found) >= _MOST:
            break
    return found


def seconds(duration: Any) -> float | None:
    """A duration in seconds: a number, ``PT1M30S``, or ``1:30``."""
    if isinstance(duration, int | float):
        return float(duration)
    text = str(duration or "").strip()
    found = _ISO.match(text)
    if text and found and any(found.groups()):
        days, hours, minutes, rest = (float(part or 0) for part in found.groups())
        return days * 86400 + hours * 3600 + minutes * 60 + rest
    if re.fullmatch(r"\d{1,3}(?::\d\d){1,2}", text):
        total = 0.0
        for part in text.split(":"):
            total = total * 60 + int(part)
        return total
    return float(text) if re.fullmatch(r"\d+(?:\.\d+)?", text) else None


def videos(document: Document) -> list[dict[str, Any]]:
    """The page's videos: ``url`` of the file or player, ``poster``, ``duration`` in seconds, ``title``.

    Read in this order, each address once: VideoObject (JSON-LD, microdata), ``<video>``, players in frames, OpenGraph
    and oEmbed. What several of them say of the only video is joined.
    """
    base = document.base_url
    lowered = document.text.lower()
    if not any(mention in lowered for mention in _MENTIONED):
        return []
    found: list[dict[str, Any]] = []
    for video in [*_stated(document), *_elements(document, base), *_players(document, base), *_opengraph(document)]:
        video["url"] = _absolute(base, video["url"]) if video["url"] else ""
        video["poster"] = _absolute(base, video["poster"]) if video["poster"] else ""
        if not video["url"]:
            continue
        same = next((known for known in found if known["url"] == video["url"]), None)
        if same is None:
            found.append(video)
        else:
            for name, value in video.items():
                same[name] = same[name] or value
    return found[:_MOST]


def _stated(document: Document) -> Iterator[dict[str, Any]]:
    if "VideoObject" not in document.text:
        return
    for item in embedded(document).of_type("VideoObject"):
        yield {
            "url": _first(item.get("contentUrl")) or _first(item.get("embedUrl")),
            "poster": _first(item.get("thumbnailUrl")),
            "duration": seconds(_first(item.get("duration"))),
            "title": _first(item.get("name")),
        }


def _first(value: Any) -> str:
    while isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict):
        value = value.get("url") or value.get("@id") or ""
    return str(value).strip() if isinstance(value, str | int | float) else ""


def _elements(document: Document, base: str) -> Iterator[dict[str, Any]]:
    for element in document.tree.iter("video"):
        source = element.get("src") or element.get("data-src") or ""
        if not source:
            source = next((s.get("src") or "" for s in element.iter("source") if s.get("src")), "")
        yield {
            "url": source,
            "poster": element.get("poster") or "",
            "duration": seconds(element.get("data-duration")),
            "title": element.get("title") or element.get("aria-label") or "",
        }
    for element in document.tree.iter("embed", "object"):
        source = element.get("src") or element.get("data") or ""
        if _FILE.search(source) or _PLAYER.search(source):
            yield {"url": source, "poster": "", "duration": None, "title": element.get("title") or ""}


def _players(document: Document, base: str) -> Iterator[dict[str, Any]]:
    for frame in document.tree.iter("iframe"):
        source = frame.get("src") or frame.get("data-src") or ""
        if _PLAYER.search(source):
            yield {"url": source, "poster": "", "duration": None, "title": frame.get("title") or ""}


def _opengraph(document: Document) -> Iterator[dict[str, Any]]:
    if "og:video" not in document.text:
        return
    graph = embedded(document).opengraph
    address = next(
        (graph[name][0] for name in ("og:video:secure_url", "og:video:url", "og:video") if graph.get(name)), ""
    )
    if address:
        length = next((graph[name][0] for name in ("video:duration", "og:video:duration") if graph.get(name)), "")
        yield {
            "url": address,
            "poster": (graph.get("og:image") or [""])[0],
            "duration": seconds(length),
            "title": (graph.get("og:title") or [""])[0],
        }
