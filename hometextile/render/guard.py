"""Which addresses the crawl may talk to.

A link, a redirect, a form action or a script may name an address that only this machine or its network can see
(server-side request forgery). :class:`AddressGuard` refuses it unless the site's own file allows that host. Hosts are
read as a browser reads them (WHATWG URL, sections 3.5 "host parsing" and "ends in a number checker"), so that decimal,
octal, hexadecimal and full-width spellings of an address are that address. Names are resolved and every address that
comes back is judged; the answer is kept for a minute and :meth:`AddressGuard.addresses` hands out the very addresses
that were judged, so that who connects to them cannot be sent elsewhere by a second, different DNS answer (rebinding).
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

#: Why an address can be refused; each is a counter ``guard/refused/REASON``.
REASONS = ("scheme", "bad-url", "loopback", "private", "link-local", "reserved")

_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_DOTS = str.maketrans("。．｡", "...")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_V4_COMPATIBLE = ipaddress.IPv6Network("::/96")
#: Forbidden in a host (WHATWG "forbidden domain code points"), so that no two parsers can differ about where it ends.
_FORBIDDEN = frozenset("\x00\t\n\r #/:<>?@[\\]^|%\"`{}") | {chr(c) for c in range(0x20)} | {"\x7f"}


@dataclass(frozen=True)
class Target:
    """Where a URL leads: its scheme, host (lower case, without brackets) and port."""

    scheme: str
    host: str
    port: int


def read_target(url: str) -> Target | None:
    """The scheme, host and port of a URL, read as a browser reads it.

    Args:
        url: an absolute URL.

    Returns:
        The target, or None where the URL has no host or one that parsers could read in two ways.
    """
    text = "".join(c for c in url.strip("".join(map(chr, range(0x21)))) if c not in "\t\r\n")
    authority = text.partition(":")[2].lstrip("/")
    if "\\" in authority.split("/", 1)[0] or text.partition(":")[2].startswith(("\\", "/\\")):
        return None
    try:
        parts = urlsplit(text)
        port = parts.port
        host = parts.hostname or ""
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if "[" in parts.netloc.rpartition("@")[2]:
        host = host.partition("%")[0]
        try:
            host = str(ipaddress.IPv6Address(host))
        except ValueError:
            return None
    else:
        host = _domain(host)
        if not host:
            return None
    return Target(scheme, host, port if port is not None else _DEFAULT_PORTS.get(scheme, 0))


def _domain(host: str) -> str:
    """A host name in its one spelling; '' where it is none. A number in any spelling comes as dotted decimal."""
    name = unicodedata.normalize("NFKC", unquote(host).translate(_DOTS)).translate(_DOTS).lower().rstrip(".")
    if not name or any(c in _FORBIDDEN for c in name):
        return ""
    last = name.rsplit(".", 1)[-1]
    if last.isascii() and (last.isdigit() or _number(last) is not None):
        return _ipv4(name)
    return name


def _number(text: str) -> int | None:
    """A part of an IPv4 address as browsers and inet_aton read it: decimal, 0 octal, 0x hexadecimal."""
    try:
        if text.startswith("0x"):
            return int(text[2:] or "0", 16) if "_" not in text else None
        if not text.isascii() or not text.isdigit():
            return None
        return int(text, 8) if len(text) > 1 and text[0] == "0" else int(text)
    except ValueError:
        return None


def _ipv4(name: str) -> str:
    parts = [_number(part) for part in name.split(".")]
    if len(parts) > 4 or any(part is None for part in parts):
        return ""
    numbers = [part for part in parts if part is not None]
    if any(part > 255 for part in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(numbers)):
        return ""
    value = numbers[-1] + sum(part << 8 * (3 - i) for i, part in enumerate(numbers[:-1]))
    return str(ipaddress.IPv4Address(value))


def judge_address(address: str) -> str | None:
    """Why an IP address is not for a crawler, or None for a public one.

    An IPv6 address that carries an IPv4 one (mapped, compatible, 6to4, Teredo, NAT64) is judged by both.

    Args:
        address: an IPv4 or IPv6 address, without brackets; a zone (``%eth0``) is left out.
    """
    try:
        ip: IPAddress = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "bad-url"
    if isinstance(ip, ipaddress.IPv6Address):
        for inner in _carried(ip):
            reason = judge_address(str(inner))
            if reason:
                return reason
        if ip.ipv4_mapped is not None or ip in _NAT64:
            return None
    if ip.is_loopback or ip.is_unspecified or (ip.version == 4 and int(ip) >> 24 == 0):
        return "loopback"  # 0.0.0.0/8 and :: reach this very machine on Linux and macOS
    if ip.is_link_local:
        return "link-local"
    if ip.is_multicast or ip.is_reserved:
        return "reserved"
    if ip.is_private or not ip.is_global or (isinstance(ip, ipaddress.IPv6Address) and ip.is_site_local):
        return "private"
    return None


def _carried(ip: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    found = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
    if ip in _NAT64 or (ip in _V4_COMPATIBLE and int(ip) > 0xFFFF):
        found.append(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
    return [inner for inner in found if inner is not None]


def resolve(host: str) -> list[str]:
    """The addresses of a name by the system's resolver; empty where it has none."""
    try:
        answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


class AddressGuard:
    """Judges URLs before anything is sent.

    Args:
        allow_hosts: what the site's own file allows: host names or addresses (``intranet.example``, ``127.0.0.1``,
            ``::1``), with a port where only that port is meant (``127.0.0.1:8000``, ``[::1]:8000``), or networks
            (``198.18.0.0/15``).
        allow_private: allow every address; schemes are still judged.
        resolver: name to addresses; it may block (it is called in a thread by the async methods).
        keep: seconds for which a name's addresses are kept.
        clock: seconds, for tests.
    """

    def __init__(
        self,
        allow_hosts: Iterable[str] = (),
        allow_private: bool = False,
        *,
        resolver: Callable[[str], Sequence[str]] = resolve,
        keep: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.allow_private = allow_private
        self._hosts: set[tuple[str, int | None]] = set()
        self._networks: list[IPNetwork] = []
        for entry in allow_hosts:
            self.allow(entry)
        self._resolver = resolver
        self._keep = keep
        self._clock = clock
        self._known: dict[str, tuple[float, list[str]]] = {}

    def allow(self, entry: str) -> None:
        """Allow one more host, host and port, or network. ValueError where the entry is none of these."""
        text = entry.strip()
        if "/" in text:
            self._networks.append(ipaddress.ip_network(text, strict=False))
            return
        if text.count(":") > 1 and not text.startswith("["):
            text = f"[{text}]"
        target = read_target(f"http://{text}/")
        if target is None:
            raise ValueError(f"not a host: {entry!r}")
        try:
            port = urlsplit(f"http://{text}/").port
        except ValueError as error:
            raise ValueError(f"not a host: {entry!r}") from error
        self._hosts.add((target.host, port))

    def check(self, url: str) -> str | None:
        """Why a URL is refused, one of :data:`REASONS`, or None where it may be fetched.

        A name is resolved, which blocks; in an event loop use :meth:`check_async`. A name that has no address is not
        refused: there is nothing to connect to, and who tries gets the resolver's own error.
        """
        reason, name = self._check_text(url)
        return self._judge_all(self.addresses(name)) if name else reason

    async def check_async(self, url: str) -> str | None:
        """:meth:`check` with the name resolved in a thread."""
        reason, name = self._check_text(url)
        return self._judge_all(await self.addresses_async(name)) if name else reason

    def allows(self, host: str, port: int | None = None) -> bool:
        """Whether the site's file allows this host by name, address or network."""
        if self.allow_private or (host, None) in self._hosts or (port is not None and (host, port) in self._hosts):
            return True
        return self._in_networks(host)

    def names(self, host: str) -> bool:
        """Whether the site's file names this host, for one port at least."""
        return self.allow_private or any(name == host for name, _port in self._hosts)

    def judge(self, address: str) -> str | None:
        """Why an IP address is refused, or None: public, or in an allowed network."""
        if self.allow_private or self._in_networks(address) or (address, None) in self._hosts:
            return None
        return judge_address(address)

    def addresses(self, host: str) -> list[str]:
        """The addresses of a name, from the last minute's answer or a new one. Blocks."""
        kept = self._kept(host)
        return kept if kept is not None else self._note(host, list(self._resolver(host)))

    async def addresses_async(self, host: str) -> list[str]:
        """:meth:`addresses` with the resolver in a thread."""
        kept = self._kept(host)
        if kept is not None:
            return kept
        return self._note(host, list(await asyncio.get_running_loop().run_in_executor(None, self._resolver, host)))

    def _check_text(self, url: str) -> tuple[str | None, str]:
        """What can be told without the resolver: a reason or None, and a name if one has yet to be resolved."""
        if url.strip().partition(":")[0].lower() not in _DEFAULT_PORTS:
            return "scheme", ""
        target = read_target(url)
        if target is None:
            return "bad-url", ""
        if self.allows(target.host, target.port):
            return None, ""
        if target.host == "localhost" or target.host.endswith(".localhost"):
            return "loopback", ""
        try:
            ipaddress.ip_address(target.host)
        except ValueError:
            return None, target.host
        return judge_address(target.host), ""

    def _judge_all(self, addresses: Iterable[str]) -> str | None:
        return next((reason for reason in map(self.judge, addresses) if reason), None)

    def _in_networks(self, host: str) -> bool:
        if not self._networks:
            return False
        try:
            address = ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            return False
        return any(address in network for network in self._networks)

    def _kept(self, host: str) -> list[str] | None:
        then, addresses = self._known.get(host, (float("-inf"), []))
        return addresses if self._clock() - then < self._keep else None

    def _note(self, host: str, addresses: list[str]) -> list[str]:
        if len(self._known) >= 10_000:
            self._known.clear()
        # A name without an address is asked for again sooner: it may be the resolver that was out of order.
        self._known[host] = (self._clock() - (0 if addresses else self._keep * 0.8), addresses)
        return addresses
