"""The demo source without a web server: a call in, a reply out, and what must be remembered in between."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256
from typing import Any

from hometextile.demo import account, traps
from hometextile.demo.call import Call, Reply, gone
from hometextile.demo.sections import SECTIONS

FIRST_VISIT = datetime(2026, 11, 2, 8, 0, tzinfo=UTC)
"""When visit 1 takes place; each further one is a week later."""

ROBOTS = """User-agent: *
Disallow: /private/
Disallow: /user/admin/
Disallow: /*?print=1
Crawl-delay: 0

Sitemap: http://{host}/sitemap.xml
"""


def last_modified(visit: int) -> datetime:
    """When what changed for a visit was changed: the day before it."""
    return FIRST_VISIT + timedelta(days=7 * (visit - 1) - 1)


class Site:
    """One run of the demo source.

    Args:
        visit: which visit it plays, 1 to 3.
        slow: seconds that the slow page takes.

    Attributes:
        log: a row for each request: path, method, time, agent, status.
        violations: a row for each thing that no crawl may do: what, path, method, time.
    """

    def __init__(self, visit: int = 1, slow: float = 2.0) -> None:
        self.visit = visit
        self.slow = slow
        self.log: list[dict[str, Any]] = []
        self.violations: list[dict[str, Any]] = []
        self.failures: Counter[str] = Counter()
        self.sessions = 0

    def violate(self, what: str, call: Call) -> None:
        """Record a thing that no crawl may do."""
        self.violations.append({"what": what, "path": call.path, "method": call.method, "time": time.time()})

    def next_session(self) -> str:
        """A session id, another one for each page that puts it into its links."""
        self.sessions += 1
        return sha256(f"session {self.sessions}".encode()).hexdigest()[:26]

    def reply(self, method: str, target: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Reply:
        """Answer a request.

        Args:
            method: upper case.
            target: path and query as sent, percent-encoded.
            body: as sent.
            headers: lower-case names.
        """
        path, _, query = target.partition("?")
        call = Call(method, traps.plain_path(path), query, body, headers or {}, self)
        if call.path.startswith("/_demo/"):
            return self._inside(call)
        self._watch(call)
        reply = self._route(call)
        self._validators(call, reply)
        self.log.append(
            {
                "path": target,
                "method": method,
                "time": time.time(),
                "agent": call.headers.get("user-agent", ""),
                "status": reply.status,
                "conditional": "if-none-match" in call.headers or "if-modified-since" in call.headers,
            }
        )
        return reply

    def _watch(self, call: Call) -> None:
        if call.path.startswith(("/private/", "/user/admin/")) or "print=1" in call.raw_query.split("&"):
            self.violate("robots", call)
        if call.path.startswith("/inner/"):
            self.violate("address", call)

    def _route(self, call: Call) -> Reply:
        if call.path == "/robots.txt":
            return Reply(
                ROBOTS.format(host=call.headers.get("host", "127.0.0.1")), content_type="text/plain; charset=utf-8"
            )
        for answer in (account.reply, traps.reply):
            found = answer(call)
            if found is not None:
                return found
        for prefix, section in SECTIONS:
            if call.path == prefix or (prefix.endswith("/") and call.path.startswith(prefix)):
                found = section(call)
                return found if found is not None else gone(404, call.path)
        return gone(404, call.path)

    def _validators(self, call: Call, reply: Reply) -> None:
        """ETag and Last-Modified of a page that was asked for by GET, and 304 when nothing changed."""
        if call.method not in ("GET", "HEAD") or reply.status != 200 or "Set-Cookie" in reply.headers:
            return
        etag = '"' + sha256(reply.payload()).hexdigest()[:20] + '"'
        reply.headers["ETag"] = etag
        if reply.modified:
            reply.headers["Last-Modified"] = format_datetime(last_modified(reply.modified), usegmt=True)
        asked = call.headers.get("if-none-match", "")
        since = call.headers.get("if-modified-since", "")
        if asked:
            same = etag in re.findall(r'"[^"]*"', asked)
        else:
            same = bool(since and reply.modified and _not_after(last_modified(reply.modified), since))
        if same:
            reply.status, reply.text, reply.body = 304, None, b""

    def _inside(self, call: Call) -> Reply:
        """What tests ask: the log, the violations, the truth; and the pages beyond reason, linked from nowhere."""
        rows: Any
        if call.path == "/_demo/log":
            rows = self.log
        elif call.path == "/_demo/violations":
            rows = self.violations
        elif call.path == "/_demo/truth":
            from hometextile.demo.truth import truth

            rows = truth(self.visit)
        elif call.path == "/_demo/visit" and call.method == "POST":
            wanted = call.query.get("n", "")
            if wanted not in ("1", "2", "3"):
                return gone(400, call.path)
            self.visit = int(wanted)
            rows = {"visit": self.visit}
        else:
            return traps.beyond_reason(call)
        text = json.dumps(rows, ensure_ascii=False)
        return Reply(text, content_type="application/json; charset=utf-8")


def _not_after(moment: datetime, header: str) -> bool:
    try:
        return moment <= parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return False
