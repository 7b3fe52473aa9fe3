"""What a crawl does beside pages: its own row, forms, queries and their yields, errors, marks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from hometextile.forms.form import Form, Query
from hometextile.library import tables as t
from hometextile.library.saving import site_id
from hometextile.library.search import index
from hometextile.library.upserting import upsert
from hometextile.library.values import clean, clean_all, digest, now

_MESSAGE = 4000


@dataclass(frozen=True)
class Crawl:
    """A crawl's row.

    Attributes:
        id: its number.
        site: the site's name.
        site_id: the site's number.
        visit: which visit to the site it is, from 1.
        resumed: whether it goes on where an earlier run was cut off.
    """

    id: int
    site: str
    site_id: int
    visit: int
    resumed: bool


def begin_crawl(connection: Connection, site: str, arguments: dict[str, Any], *, resume: bool) -> Crawl:
    """See :meth:`hometextile.library.library.Library.begin_crawl`."""
    number = site_id(connection, clean(site))
    c = t.crawls.c
    connection.execute(update(t.sites).where(t.sites.c.id == number).values(last_crawled=now()))
    last = connection.execute(
        select(c.id, c.visit, c.state).where(c.site_id == number).order_by(c.id.desc()).limit(1)
    ).one_or_none()
    if resume and last is not None and last.state in {"running", "stopped"}:
        connection.execute(
            update(t.crawls).where(c.id == last.id).values(state="running", resumed=now(), ended=None, reason="")
        )
        return Crawl(last.id, site, number, last.visit, True)
    visit = 1 if last is None else last.visit + 1
    row = {"site_id": number, "arguments": clean_all(arguments), "visit": visit, "state": "running", "started": now()}
    made = int(connection.execute(insert(t.crawls).values(row).returning(c.id)).scalar_one())
    return Crawl(made, site, number, visit, False)


def end_crawl(connection: Connection, number: int, state: str, reason: str, counts: dict[str, Any]) -> None:
    """See :meth:`hometextile.library.library.Library.end_crawl`."""
    values = {"state": state, "reason": clean(reason), "counts": clean_all(counts), "ended": now()}
    connection.execute(update(t.crawls).where(t.crawls.c.id == number).values(values))


def record_form(connection: Connection, site: str, form: Form, verdict: Mapping[str, Any] | None) -> None:
    """See :meth:`hometextile.library.library.Library.record_form`."""
    controls = [
        {"kind": control.kind, "name": control.name, "words": control.words, "options": len(control.options)}
        for control in form.controls[:500]
    ]
    row = {
        "site_id": site_id(connection, clean(site)),
        "fingerprint": form.fingerprint,
        "url": clean(form.url),
        "action": clean(form.action),
        "method": form.method[:10],
        "name": clean(form.name),
        "controls": clean_all(controls),
        "verdict": None if verdict is None else clean_all(dict(verdict)),
        "found": now(),
    }
    statement = upsert(connection, t.forms).values(row)
    changing = {name: row[name] for name in ("url", "action", "name", "controls")}
    if verdict is not None:
        changing["verdict"] = row["verdict"]
    connection.execute(statement.on_conflict_do_update(index_elements=["site_id", "fingerprint"], set_=changing))


def record_query(connection: Connection, query: Query, site: str, crawl: int | None, figures: dict[str, Any]) -> None:
    """See :meth:`hometextile.library.library.Library.record_query`."""
    sent = clean_all(query.values)
    fingerprint = query.form.fingerprint
    row = {
        "site_id": site_id(connection, clean(site)),
        "crawl_id": crawl,
        "form": fingerprint,
        "keyword": None if query.keyword is None else clean(query.keyword),
        "sent": sent,
        "url": clean(query.url),
        "asked": now(),
        "key": digest(fingerprint, query.keyword or "", json.dumps(sent, sort_keys=True)),
        **figures,
    }
    statement = upsert(connection, t.queries).values(row)
    connection.execute(statement.on_conflict_do_update(index_elements=["crawl_id", "key"], set_=figures))


def record_error(
    connection: Connection, site: str | None, crawl: int | None, url: str, step: str, kind: str, message: str
) -> None:
    """See :meth:`hometextile.library.library.Library.record_error`."""
    row = {
        "site_id": None if site is None else site_id(connection, clean(site)),
        "crawl_id": crawl,
        "url": clean(url),
        "step": clean(step)[:60],
        "kind": clean(kind)[:80],
        "message": clean(message)[:_MESSAGE],
        "happened": now(),
    }
    connection.execute(insert(t.errors).values(row))


@dataclass(frozen=True)
class StoredFile:
    """A file or image of a resource, as a files pipeline stored it.

    Attributes:
        url: where it was fetched.
        kind: ``image``, ``video`` or ``file``.
        path: in the folder or bucket of files.
        checksum: of its bytes.
        media_type: such as ``image/jpeg``.
        size: bytes.
        width, height: pixels, of images.
        thumbnail: path of its small version.
        status: ``downloaded``, ``uptodate``, ``cached`` or why it is not there.
    """

    url: str
    kind: str
    path: str = ""
    checksum: str = ""
    media_type: str = ""
    size: int | None = None
    width: int | None = None
    height: int | None = None
    thumbnail: str = ""
    status: str = ""


def record_file(connection: Connection, identity: str, file: StoredFile) -> bool:
    """See :meth:`hometextile.library.library.Library.record_file`."""
    r = t.resources.c
    number = connection.execute(select(r.id).where(r.identity_hash == digest(clean(identity)))).scalar()
    if number is None:
        return False
    row = clean_all({**asdict(file), "kind": file.kind[:20], "status": file.status[:20]})
    row.update(resource_id=number, url_hash=digest(row["url"]), fetched=now())
    statement = upsert(connection, t.files).values(row)
    connection.execute(statement.on_conflict_do_update(index_elements=["resource_id", "url_hash"], set_=row))
    return True


def withdraw(connection: Connection, identity: str) -> bool:
    """See :meth:`hometextile.library.library.Library.withdraw`."""
    r = t.resources.c
    key = digest(clean(identity))
    found = connection.execute(select(r.id).where(r.identity_hash == key)).scalar()
    if found is not None:
        connection.execute(update(t.resources).where(r.id == found, r.withdrawn.is_(None)).values(withdrawn=now()))
    return found is not None


def mark(connection: Connection, numbers: list[int], word: str, *, library: str | None, category: str | None) -> int:
    """See :meth:`hometextile.library.library.Library.mark`."""
    r = t.resources.c
    values: dict[str, Any] = {"mark": word, "marked": now() if word else None}
    if word == "withdrawn":
        values["withdrawn"] = now()
    if library is not None or category is not None:
        values["classed_by"] = "person"
        values.update({name: value for name, value in (("library", library), ("category", category)) if value})
    count = 0
    for number in dict.fromkeys(numbers):
        before = connection.execute(select(t.resources).where(r.id == number)).mappings().one_or_none()
        if before is None:
            continue
        # What was withdrawn by hand is taken back by hand; a page that is gone from its site stays gone.
        back = {"withdrawn": None} if before["mark"] == "withdrawn" and word != "withdrawn" else {}
        connection.execute(update(t.resources).where(r.id == number).values(**values, **back))
        if any(values.get(name, before[name]) != before[name] for name in ("library", "category")):
            index.put(connection, number, {**before, **values})
        count += 1
    return count
