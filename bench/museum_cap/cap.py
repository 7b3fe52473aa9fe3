"""A Datasette plugin: a query gets the first MUSEUM_CAP rows by id and no more, whatever is asked for.

Rows beyond are taken out of the page, links to further pages too once the last row that may be shown is on it; other
formats and SQL are refused.
"""

import os
import re
import sqlite3
from urllib.parse import parse_qs

from datasette import hookimpl

CAP = int(os.environ["MUSEUM_CAP"])
DATABASE = os.environ["MUSEUM_DATABASE"]
ALLOWED = (
    "select id from objects where rowid in (select rowid from objects_fts where objects_fts match ?) "
    "order by id limit ?"
)
ROW = re.compile(r"<tr>\s*<td class=\"col-(?:Link|id)[^>]*>.*?</tr>", re.DOTALL)
LINK = re.compile(r"/objects/([^\"?#]+)\"")
NEXT = re.compile(r"<p><a href=\"[^\"]*\">Next page</a></p>")


def allowed(search):
    """Ids that may be shown, in order."""
    words = " ".join(f'"{word}"' for word in search.replace('"', " ").split())
    base = sqlite3.connect(DATABASE)
    try:
        return [row[0] for row in base.execute(ALLOWED, (words, CAP))]
    finally:
        base.close()


def cut(page, search):
    """The page with no more than what may be shown."""
    ids = allowed(search)
    # Datasette writes ids into addresses with ~ escapes; those of the museum need none.
    shown = set(ids)
    last = []

    def keep(match):
        link = LINK.search(match[0])
        if link is None or link[1] not in shown:
            return ""
        last.append(link[1])
        return match[0]

    page = ROW.sub(keep, page)
    if not last or last[-1] == ids[-1]:
        page = NEXT.sub("", page)
    return page


@hookimpl
def asgi_wrapper(datasette):
    """Cuts answers."""

    def wrap(app):
        async def capped(scope, receive, send):
            asked = parse_qs(scope.get("query_string", b"").decode())
            path = scope.get("path", "")
            if scope["type"] != "http" or not (asked.get("_search") or "sql" in asked or path.count(".")):
                await app(scope, receive, send)
                return
            if "sql" in asked or (path.count(".") and not path.startswith("/-/")):
                if asked.get("_size") == ["1"]:
                    await app(scope, receive, send)
                    return
                await send({"type": "http.response.start", "status": 403, "headers": []})
                await send({"type": "http.response.body", "body": b"Forbidden"})
                return
            started, body = {}, b""

            async def hold(message):
                nonlocal started, body
                if message["type"] == "http.response.start":
                    started = message
                    return
                body += message.get("body", b"")
                if not message.get("more_body"):
                    page = cut(body.decode(), asked.get("_search", [""])[0]).encode() if asked.get("_search") else body
                    headers = [pair for pair in started["headers"] if pair[0].lower() != b"content-length"]
                    await send({**started, "headers": headers})
                    await send({"type": "http.response.body", "body": page})

            await app(scope, receive, hold)

        return capped

    return wrap
