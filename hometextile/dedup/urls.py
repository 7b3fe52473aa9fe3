"""One address for each page: what the same page's many URLs have in common.

:func:`canonical_url` is for telling pages apart, never for fetching: a server may want its session id, its letter case
and its order of parameters. It does what RFC 3986, section 6.2.2 and 6.2.3, calls syntax-based and scheme-based
normalisation, and leaves out what never names a page: fragments, session ids, tracking parameters.
"""

from __future__ import annotations

import re
from importlib.resources import files
from urllib.parse import SplitResult, unquote, urlsplit

import idna
import yaml

#: Longer addresses are traps or data; they are cut there, so that nothing below can be made slow.
MAX_LENGTH = 8_192

_DEFAULT_PORTS = {"http": "80", "https": "443", "ftp": "21"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HOST_PORT = re.compile(r"[\w.-]+:\d+(?:[/?#]|$)")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_KEPT_IN_PATH = frozenset("/:@!$&'()*+,;=%") | _UNRESERVED
_KEPT_IN_QUERY = frozenset("/?:@!$&'()*+,;=%") | _UNRESERVED

_NAMES = yaml.safe_load(files("hometextile.dedup").joinpath("parameters.yaml").read_text(encoding="utf-8"))
_SESSION_NAMES = frozenset(_NAMES["session"])
_MAYBE_SESSION_NAMES = frozenset(_NAMES["maybe_session"])
_TRACKING_NAMES = frozenset(_NAMES["tracking"])
_TRACKING_PREFIXES = tuple(_NAMES["tracking_prefixes"])
_CACHE_NAMES = frozenset(_NAMES["cache"])
_LOOKS_LIKE_SESSION = re.compile(r"(?=[^a-zA-Z]*[a-zA-Z])(?=\D*\d)[0-9A-Za-z,_-]{20,}\Z|[0-9a-fA-F]{16,}\Z")
_CACHE_BUSTER = re.compile(r"\d{10,}\Z|0\.\d{6,}\Z")
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)=[^/;?#]*", re.IGNORECASE)
_ASP_SESSION = re.compile(r"/\((?:[A-Z]\([0-9A-Za-z]{16,}\))+\)(?=/|$)")


def canonical_url(url: str) -> str:
    """The address that all URLs of one page have in common.

    Args:
        url: an absolute address; ``http://`` is put before one that has no scheme.

    Returns:
        The canonical address, ASCII only; empty where *url* is no address (a host that cannot be one).
    """
    url = _tidied(url)
    if not _SCHEME.match(url) or _HOST_PORT.match(url):
        url = "http:" + url if url.startswith("//") else "http://" + url
    scheme, _colon, rest = url.partition(":")
    scheme = scheme.lower()
    if scheme not in ("http", "https", "ftp", "file"):
        return scheme + ":" + _escaped(rest, _KEPT_IN_QUERY | {"#"})
    try:
        parts = urlsplit(url)
        authority = _authority(scheme, parts)
    except (ValueError, UnicodeError):
        return ""
    path = _path(parts.path)
    prefix = f"{scheme}:"
    if authority or (scheme == "file" and url[5:8] == "///"):
        prefix += "//" + authority
    elif parts.netloc:
        return ""
    query = _query(parts.query)
    return prefix + path + (f"?{query}" if query else "") + _fragment(parts.fragment)


def host_of(url: str) -> str:
    """The host of *url*, lower case, without port; empty where there is none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _tidied(url: str) -> str:
    """Without the blanks around it and the line breaks in it (WHATWG URL, 4.4); other control characters stay."""
    return re.sub(r"[\t\r\n]", "", url[:MAX_LENGTH].strip(" \t\r\n\f\u00a0\u3000"))


def _authority(scheme: str, parts: SplitResult) -> str:
    _user, _at, place = parts.netloc.rpartition("@")
    host, port = place, ""
    if place.startswith("["):
        host, bracket, tail = place.partition("]")
        host, port = host + bracket, tail.removeprefix(":")
    elif ":" in place:
        host, _colon, port = place.rpartition(":")
    if port and not port.isascii():
        raise ValueError("port")
    if port and not (port.isdigit() and int(port) < 65_536):
        raise ValueError("port")
    host = _host(host)
    port = port.lstrip("0") if port else ""
    return host if not port or port == _DEFAULT_PORTS.get(scheme) else f"{host}:{port}"


def _host(host: str) -> str:
    if not host or host.startswith("["):
        return host.lower()
    if "%" in host:
        if _BROKEN_ESCAPE.search(host):
            raise ValueError("escape in host")
        host = unquote(host, errors="strict")
    host = host.lower().rstrip(".")
    if host.isascii():
        if not re.fullmatch(r"[a-z0-9._-]+", host):
            raise ValueError("host")
        return host
    return idna.encode(host, uts46=True, transitional=False).decode("ascii")


def _path(path: str) -> str:
    path = _ASP_SESSION.sub("", _PATH_SESSION.sub("", path))
    kept: list[str] = []
    segments = re.split(r"/+", _escaped(path, _KEPT_IN_PATH))
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment not in ("", "."):
            kept.append(segment)
    slash = "/" if kept and segments[-1] in ("", ".", "..") else ""
    return "/" + "/".join(kept) + slash


def _query(query: str) -> str:
    pairs: list[tuple[str, str]] = []
    for piece in query.split("&"):
        # ``?a=1&amp;p=2`` is a page's author who escaped twice; the name meant is ``p``.
        name, _equals, value = piece.removeprefix("amp;").partition("=")
        if name and not _is_noise(name, value):
            pairs.append((_escaped(name, _KEPT_IN_QUERY), _escaped(value, _KEPT_IN_QUERY)))
    pairs.sort(key=lambda pair: pair[0])
    return "&".join(f"{name}={value}" if value else name for name, value in pairs)


def _is_noise(name: str, value: str) -> bool:
    lower = name.lower()
    if lower in _SESSION_NAMES or lower in _TRACKING_NAMES or lower.startswith(_TRACKING_PREFIXES):
        return bool(value) or lower in _TRACKING_NAMES
    if lower in _MAYBE_SESSION_NAMES:
        return _LOOKS_LIKE_SESSION.match(value) is not None
    return lower in _CACHE_NAMES and _CACHE_BUSTER.match(value) is not None


def _fragment(fragment: str) -> str:
    """A fragment names a page only where a script reads it as one: ``#!/products/3``, ``#/products/3``."""
    if fragment.startswith(("!", "/")) and len(fragment) > 1:
        return "#" + _escaped(fragment, _KEPT_IN_QUERY)
    return ""


def _escaped(text: str, kept: frozenset[str]) -> str:
    """*text* with escapes in upper case, no escape of what needs none, and an escape of whatever needs one."""
    text = _BROKEN_ESCAPE.sub("%25", text)
    text = _ESCAPE.sub(_unescaped, text)
    if all(char in kept for char in text):
        return text
    return "".join(char if char in kept else _percent(char) for char in text)


def _unescaped(found: re.Match[str]) -> str:
    char = chr(int(found[1], 16))
    return char if char in _UNRESERVED else found[0].upper()


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))
