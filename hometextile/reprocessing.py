"""Changed rules, models or words run over stored pages, in processes of their own, without fetching anything."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from hometextile.integrating import open_mediator
from hometextile.library import tables as t
from hometextile.library.library import Library
from hometextile.page.page import Page
from hometextile.sites import Site
from hometextile.steps import STEPS, Workshop
from hometextile.text.faults import Fault
from hometextile.text.messages import _

#: Pages that a process takes at a time.
BATCH = 20
#: What a page's story keeps: it is told by the fetch, not by a step.
_FETCHED = {"answer"}
#: Steps that read and write what other pages gave, or the user's own table: one process at a time.
_TOGETHER = {"dedup", "store", "integrate"}

_shop: Workshop
_turn: Any


@dataclass
class Done:
    """What came of pages.

    Attributes:
        counts: ``pages``, ``new``, ``changed``, ``same``, ``duplicate``, ``lost``; and what the mediator did with the
            site's own table, ``integrate/...``.
        changes: of each resource that is new, changed or lost: what, its address, which values.
    """

    counts: Counter[str] = field(default_factory=Counter)
    changes: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, other: Done) -> None:
        """Take in what came of other pages."""
        self.counts.update(other.counts)
        self.changes += other.changes


@dataclass
class Run:
    """A run over a site's pages that can be stopped and gone on with.

    Attributes:
        file: where it is written how far the run is; gone when it is through.
        address: the library's, without a password.
        site: the site's name.
        after: pages with numbers up to this one are done.
        counts: what came of them.
    """

    file: Path
    address: str
    site: str
    after: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    @classmethod
    def open(cls, library: Library, site: str, folder: Path) -> Run:
        """Go on with a run that was stopped, or begin a new one.

        Args:
            library: whose pages.
            site: the site's name.
            folder: where the run's file lies.
        """
        run = cls(folder / f"reprocess-{site}.json", library.address, site)
        try:
            found = json.loads(run.file.read_text(encoding="utf-8"))
            if found["library"] == run.address and isinstance(found["after"], int):
                run.after, run.counts = found["after"], Counter(found["counts"])
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Fault(
                _("does not say how far the last run was: {why}").format(why=error),
                file=run.file,
                remedy=_("delete it to begin again"),
            ) from error
        return run

    def save(self) -> None:
        """Write how far it is; a file that is written half stands for nothing."""
        half = self.file.with_suffix(".part")
        half.write_text(
            json.dumps({"library": self.address, "after": self.after, "counts": self.counts}), encoding="utf-8"
        )
        half.replace(self.file)

    def end(self) -> None:
        """It is through."""
        self.file.unlink(missing_ok=True)


def page_numbers(library: Library, site: str, after: int) -> list[int]:
    """The numbers of a site's stored pages whose content is kept, in order."""
    p = t.pages.c
    query = (
        select(p.id)
        .select_from(t.pages.join(t.sites))
        .where(t.sites.c.name == site, p.id > after, func.coalesce(p.text_hash, p.body_hash).is_not(None))
        .where(p.way != "cache", p.status == 200)
        .order_by(p.id)
    )
    return list(library.database.read(lambda connection: connection.execute(query).scalars().all()))


def reprocess(
    library: Library,
    site: Site,
    run: Run,
    *,
    jobs: int,
    model: str,
    told: Callable[[int, int], None] = lambda _done, _all: None,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[Done, bool]:
    """Run the steps over a site's pages.

    Args:
        library: whose pages; each process opens it for itself.
        site: the site file as it is now.
        run: how far it is.
        jobs: processes.
        model: the importance model's name or path.
        told: called with the number of pages done and of all.
        stopped: asked now and then whether to stop.

    Returns:
        What changed in this run, and whether it is through.

    Raises:
        Fault: a process could not work.
    """
    numbers = page_numbers(library, site.name, run.after)
    url = library.database.url.render_as_string(hide_password=False)
    begun = sum(run.counts[name] for name in ("pages",))
    done, through = Done(), True
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _open, (url, site, model, context.Lock())) as pool:
        batches = [numbers[start : start + BATCH] for start in range(0, len(numbers), BATCH)]
        for batch, result in _in_order(pool, batches, jobs, stopped):
            done.add(result)
            run.counts.update(result.counts)
            run.after = batch[-1]
            run.save()
            told(begun + done.counts["pages"], begun + len(numbers))
        through = run.after == numbers[-1] if numbers else True
    if through:
        run.end()
    return done, through


def _in_order(
    pool: ProcessPoolExecutor, batches: list[list[int]], jobs: int, stopped: Callable[[], bool]
) -> Iterator[tuple[list[int], Done]]:
    """Results in the order of the batches, so that one number says how far it is; few are under way at once."""
    waiting: dict[int, Future[Done]] = {}
    given = taken = 0
    while taken < len(batches):
        while given < len(batches) and len(waiting) < 2 * jobs and not stopped():
            waiting[given] = pool.submit(_work, batches[given])
            given += 1
        if not waiting:
            return
        first = waiting.get(taken)
        if first is not None and first.done():
            yield batches[taken], waiting.pop(taken).result()
            taken += 1
            continue
        wait(list(waiting.values()) if first is None else [first], timeout=1.0, return_when=FIRST_COMPLETED)


def _open(url: str, site: Site, model: str, turn: Any) -> None:
    """A process begins."""
    global _shop, _turn
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    _shop, _turn = Workshop.open(site, Library.open(url, create=False), model=model), turn
    if site.data.integrate is not None:
        _shop.mediator = open_mediator(site)


def _work(numbers: list[int]) -> Done:
    """The steps over a few pages."""
    done = Done()
    for page in list(_shop.library.pages(ids=numbers)):
        number = page.story["page_id"]
        _reset(page)
        for step in STEPS:
            if page.dropped is not None and not step.takes_dropped:
                continue
            if step.name in _TOGETHER:
                continue
            step.run(page, _shop)
            if page.dropped is not None:
                page.story.setdefault("dropped_by", step.name)
        with _turn:
            _store(page, number, done)
        done.counts["pages"] += 1
    return done


def _reset(page: Page) -> None:
    """The page as it was fetched: what the steps of the last time wrote goes."""
    page.story = {name: value for name, value in page.story.items() if name in _FETCHED}
    page.dropped = page.template = None


def _store(page: Page, number: int, done: Done) -> None:
    r = t.resources.c
    query = select(r.id, r.identity, r.url, r.version).where(r.page_id == number, r.duplicate_of.is_(None))
    before = {row.identity: row for row in _shop.library.database.read(lambda c: c.execute(query).all())}
    counted: Counter[str] = Counter()
    _shop.count = lambda name, n=1: counted.update({name: n})
    for step in STEPS:
        if step.name in _TOGETHER and (page.dropped is None or step.takes_dropped):
            step.run(page, _shop)
    for what in ("new", "changed", "same", "duplicate"):
        done.counts[what] += counted[f"store/{what}"]
    done.counts.update({name: number for name, number in counted.items() if name.startswith("integrate/")})
    kept = {resource.identity: resource for resource in page.resources}
    for identity, row in before.items():
        if identity not in kept:
            done.counts["lost"] += 1
            done.changes.append(("lost", row.url, page.dropped or ""))
    after = _shop.library.database.read(lambda c: c.execute(query).all())
    for row in after:
        if row.identity not in before:
            done.changes.append(("new", row.url, ""))
        elif row.version != before[row.identity].version:
            done.changes.append(("changed", row.url, _changed(row.id)))


def _changed(number: int) -> str:
    """The names of the values that the newest change of a resource changed."""
    v = t.versions.c
    query = select(v.changed).where(v.resource_id == number).order_by(v.number.desc()).limit(1)
    names: Any = _shop.library.database.read(lambda connection: connection.execute(query).scalar())
    return ", ".join(names or [])
