"""Headers and cookies of a site, from the environment or a file; never sent to another host."""

from __future__ import annotations

from http.cookiejar import LoadError, MozillaCookieJar
from io import StringIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hometextile.sites import Site, secret
from hometextile.text.faults import Fault
from hometextile.text.messages import _

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler


#: Of a line of a Netscape ``cookies.txt``.
_COLUMNS = 7


class SessionMiddleware:
    """Adds the site file's ``session`` to requests for the site's own hosts.

    Cookies are handed to Scrapy's cookie jar once a host, so that what the site sets later wins. A redirect to another
    host loses the headers.
    """

    def __init__(self, site: Site | None) -> None:
        self._hosts = site.hosts if site else set()
        self._headers: dict[str, str] = {}
        self._cookies: list[dict[str, Any]] = []
        self._given: set[str] = set()
        if site is not None:
            session = site.data.session
            self._headers = {
                name: secret(value, file=site.file, key=f"session.headers.{name}")
                for name, value in session.headers.items()
            }
            if session.cookies:
                self._cookies = read_cookies(secret(session.cookies, file=site.file, key="session.cookies"), site.file)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make a component."""
        return cls(getattr(crawler.spider, "site", None))

    def process_request(self, request: Request) -> None:
        """Set headers and, the first time, cookies."""
        host = urlsplit(request.url).hostname or ""
        if host not in self._hosts:
            for name in self._headers:
                request.headers.pop(name, None)
            return
        for name, value in self._headers.items():
            request.headers[name] = value
        if self._cookies and host not in self._given:
            self._given.add(host)
            request.cookies = [dict(cookie) for cookie in self._cookies]  # type: ignore[misc]


def read_cookies(text: str, file: str) -> list[dict[str, Any]]:
    """Cookies of a Netscape ``cookies.txt``, or of ``name=value`` pairs separated by ``;`` or line breaks.

    Raises:
        Fault: neither. The message never holds a cookie.
    """
    if "\t" in text:
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("# ")]
        if any(len(line.split("\t")) != _COLUMNS for line in lines):
            raise _unreadable(file, _("export them as cookies.txt from your browser"))
        jar = MozillaCookieJar()
        if not text.lstrip().startswith("#"):
            text = "# Netscape HTTP Cookie File\n" + text
        try:
            jar._really_load(StringIO(text), "", True, True)  # type: ignore[attr-defined]
        except (LoadError, ValueError):
            raise _unreadable(file, _("export them as cookies.txt from your browser")) from None
        return [
            {"name": c.name, "value": c.value or "", "domain": c.domain, "path": c.path, "secure": c.secure}
            for c in jar
        ]
    cookies = []
    for pair in text.replace("\n", ";").split(";"):
        name, found, value = pair.strip().partition("=")
        if found and name:
            cookies.append({"name": name.strip(), "value": value.strip()})
        elif pair.strip():
            raise _unreadable(file, _("write name=value, one a line"))
    return cookies


def _unreadable(file: str, remedy: str) -> Fault:
    return Fault(_("the cookies are not readable"), file=file, key="session.cookies", remedy=remedy)
