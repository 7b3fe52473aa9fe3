"""The library: one database with what crawls gather, opened by its address.

Each method is one transaction. Those that write may be repeated without harm, and wait out a lock or a server that is
away for a while; what does not pass is a :class:`~hometextile.text.faults.Fault`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection, select

from hometextile.forms.form import Form, Query
from hometextile.library import contents, creating, reading, recording, responses, saving, stories
from hometextile.library import tables as t
from hometextile.library.bands import Bands
from hometextile.library.database import Database, shown
from hometextile.library.limits import Limits, limits_of, number
from hometextile.library.recording import Crawl, StoredFile
from hometextile.library.responses import Stored
from hometextile.library.saving import Saved
from hometextile.library.search import searching
from hometextile.library.search.hits import Found, show
from hometextile.library.search.searching import Filters, filters_of
from hometextile.library.values import digest
from hometextile.page.page import Page
from hometextile.text.faults import Fault

T = TypeVar("T")


@dataclass
class Library:
    """An opened library.

    Attributes:
        database: where it lies.
        limits: how much of one thing is stored.
        cut: gives the words of a long Chinese run, for questions; the general dictionary's when None.
    """

    database: Database
    limits: Limits = field(default_factory=Limits)
    cut: Callable[[str], list[str]] | None = None

    @classmethod
    def open(
        cls,
        url: str,
        *,
        create: bool = True,
        limits: Limits | None = None,
        wait: float = 30.0,
        patience: float = 60.0,
        cut: Callable[[str], list[str]] | None = None,
    ) -> Library:
        """Open the library at *url*; make it where there is none and *create* is true.

        Args:
            url: ``sqlite:///library.db`` or ``postgresql+psycopg://user@host/database``.
            create: whether to make a new one.
            limits: how much of one thing is stored.
            wait: seconds that one statement waits for a lock.
            patience: seconds that a write is tried again while the database is locked, away or full.
            cut: gives the words of a long Chinese run (:class:`hometextile.text.words.Cutter`).

        Raises:
            Fault: no database, not one of ours, older or newer than this program, locked, away. It is untouched.
        """
        database = Database(url, wait=wait, patience=patience)
        try:
            creating.ready(database, create=create)
        except Fault:
            database.close()
            raise
        return cls(database, limits or Limits(), cut)

    @classmethod
    def of_settings(cls, url: str, settings: Mapping[str, Any], *, create: bool = True) -> Library:
        """Open the library as settings say (``docs/database.md`` names them).

        Args:
            url: its address.
            settings: Scrapy's, or any mapping; what is not in it has its default.
            create: whether to make a new one.

        Raises:
            Fault: as :meth:`open`, and where a setting is no number.
        """
        wait, patience = number(settings, "LIBRARY_WAIT", 30.0), number(settings, "LIBRARY_PATIENCE", 60.0)
        return cls.open(url, create=create, limits=limits_of(settings), wait=wait, patience=patience)

    @property
    def address(self) -> str:
        """The database's address, without a password."""
        return shown(self.database.url)

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # -- crawls

    def begin_crawl(self, site: str, arguments: Mapping[str, Any] | None = None, *, resume: bool = True) -> Crawl:
        """A row for a crawl: the last one of the site if it was cut off, else a new visit.

        Args:
            site: the site's name.
            arguments: what the crawl was started with.
            resume: False makes a new visit in any case.
        """
        return self.database.write(
            lambda connection: recording.begin_crawl(connection, site, dict(arguments or {}), resume=resume)
        )

    def end_crawl(
        self,
        crawl: Crawl | int,
        *,
        state: str = "finished",
        reason: str = "",
        counts: Mapping[str, Any] | None = None,
    ) -> None:
        """Write how a crawl ended.

        Args:
            crawl: from :meth:`begin_crawl`.
            state: ``finished``, ``stopped`` (goes on next time) or ``failed``.
            reason: Scrapy's close reason.
            counts: figures worth keeping.
        """
        number = crawl if isinstance(crawl, int) else crawl.id
        self.database.write(
            lambda connection: recording.end_crawl(connection, number, state, reason, dict(counts or {}))
        )
        self.prune()

    def prune(self) -> int:
        """Let go of the contents of pages that the limits say are too old or too many.

        Returns:
            How many pages lost their content; their rows and resources stay.
        """
        days, size = self.limits.keep_days, self.limits.keep_bytes
        if days is None and size is None:
            return 0
        return self.database.write(lambda connection: contents.prune(connection, days, size))

    def record_form(self, site: str, form: Form, verdict: Mapping[str, Any] | None = None) -> None:
        """Keep a form and what was made of it (query interface or not, why)."""
        self.database.write(lambda connection: recording.record_form(connection, site, form, verdict))

    def record_query(
        self,
        query: Query,
        *,
        site: str,
        crawl: Crawl | int | None = None,
        answer: str = "",
        results: int = 0,
        new: int = 0,
        pages: int = 1,
    ) -> None:
        """Keep a query and its yield; the same query of the same crawl is kept once, with the last figures.

        Args:
            query: what was sent.
            site: the site's name.
            crawl: from :meth:`begin_crawl`.
            answer: kind of the answer (``results``, ``none``, ``error`` ...).
            results: records or links in the answer.
            new: how many of them were new.
            pages: answer pages read.
        """
        number = crawl if crawl is None or isinstance(crawl, int) else crawl.id
        figures = {"answer": answer[:20], "results": results, "new": new, "pages": pages}
        self.database.write(lambda connection: recording.record_query(connection, query, site, number, figures))

    def record_error(
        self,
        *,
        step: str,
        message: str,
        kind: str = "",
        url: str = "",
        site: str | None = None,
        crawl: Crawl | int | None = None,
    ) -> None:
        """Keep an error: in which step, of what kind, on which page."""
        number = crawl if crawl is None or isinstance(crawl, int) else crawl.id
        self.database.write(
            lambda connection: recording.record_error(connection, site, number, url, step, kind, message)
        )

    # -- saving

    def save(self, page: Page, *, within: Callable[[Connection, list[Saved]], None] | None = None) -> list[Saved]:
        """Store a page, its blocks, its resources and how they were come by, in one transaction.

        May be repeated without harm: a page and a resource are known by identity. A page that was dropped is stored
        with its reason.

        Args:
            page: after its last step.
            within: called inside the same transaction at its end, such as the frontier's *done*.

        Raises:
            Fault: the database is locked, away, read-only or its disk is full, and stayed so; nothing is stored.
        """

        def work(connection: Connection) -> list[Saved]:
            saved = saving.save_page(connection, page, self.limits)
            if within is not None:
                within(connection, saved)
            return saved

        return self.database.write(work)

    def keep_response(self, site: str, fingerprint: str, response: Stored) -> bool:
        """Store a response in the one store of pages, for the HTTP cache.

        Args:
            site: the site's name.
            fingerprint: of the request, in hex; a page with the same one is the same page.
            response: to be stored.

        Returns:
            Whether it was: one over the limits is not.
        """
        return self.database.write(
            lambda connection: responses.put(connection, site, fingerprint, response, self.limits.page)
        )

    def kept_response(self, site: str, fingerprint: str) -> Stored | None:
        """The response to a request, for the HTTP cache; None where it is not stored."""
        return self.database.read(lambda connection: responses.get(connection, site, fingerprint))

    def record_file(self, identity: str, file: StoredFile) -> bool:
        """Keep where a file or image of a resource lies; the same address of a resource is kept once.

        Args:
            identity: the resource's.
            file: as it was stored.

        Returns:
            Whether there is such a resource.
        """
        return self.database.write(lambda connection: recording.record_file(connection, identity, file))

    def withdraw(self, identity: str) -> bool:
        """Mark a resource as gone from its site (404, 410); it stays in the library.

        Returns:
            Whether there is such a resource.
        """
        return self.database.write(lambda connection: recording.withdraw(connection, identity))

    def mark(self, numbers: list[int], mark: str, *, library: str | None = None, category: str | None = None) -> int:
        """Mark resources by hand.

        Args:
            numbers: of the resources.
            mark: ``reviewed``, ``wrong class``, ``withdrawn`` or empty.
            library: the right library; crawls don't change it again.
            category: the right class.

        Returns:
            How many were marked.
        """
        return self.database.write(
            lambda connection: recording.mark(connection, numbers, mark, library=library, category=category)
        )

    # -- reading

    def known(self, identity: str) -> bool:
        """Whether the library has a resource of this identity."""
        query = select(t.resources.c.id).where(t.resources.c.identity_hash == digest(identity))
        return self.database.read(lambda connection: connection.execute(query).first() is not None)

    def known_content(self, content_hash: str) -> str | None:
        """Identity of the oldest resource with this content."""
        r = t.resources.c
        query = (
            select(r.identity)
            .where(r.content_hash == content_hash, r.duplicate_of.is_(None), r.content_hash != "")
            .order_by(r.id)
            .limit(1)
        )
        return self.database.read(lambda connection: connection.execute(query).scalar())

    def near_store(self) -> Bands:
        """The near-duplicates' table, for :class:`hometextile.dedup.near.NearIndex`."""
        return Bands(self.database)

    def resources(self, *, batch: int = 500, **filters: Any) -> Iterator[dict[str, Any]]:
        """Resources one after the other, in the order of their numbers.

        Args:
            batch: how many are read at a time.
            filters: ``site``, ``library``, ``category``, ``since``, ``until``, ``price_from``, ``price_to``, ``mark``,
                ``withdrawn``, ``duplicates``, ``changed_since``, ``ids``, ``limit``, ``newest``.

        Yields:
            The columns of the resource by name, with ``site`` and ``class``.

        Raises:
            Fault: no such filter.
        """
        return reading.resources(self.database, batch, filters)

    def get(self, number: int) -> dict[str, Any] | None:
        """A resource by its number; None if there is none."""
        return next(iter(self.resources(ids=[number], duplicates=True)), None)

    def page(self, number: int) -> Page | None:
        """A stored page by its number, as it was fetched or drawn; None if there is none."""
        return next(iter(self.pages(ids=[number])), None)

    def pages(self, *, site: str | None = None, ids: list[int] | None = None, after: int = 0) -> Iterator[Page]:
        """Stored pages in the order of their numbers; ``story["page_id"]`` is the number.

        Args:
            site: of this site only.
            ids: of these numbers only.
            after: with greater numbers only, so that a run can go on.
        """
        return reading.pages(self.database, site, ids, after)

    def story(self, number: int) -> dict[str, Any] | None:
        """How a resource came into the library and what became of it; None if there is none."""
        return self.database.read(lambda connection: stories.story(connection, number))

    def counts(self) -> dict[str, Any]:
        """How many there are: of each table, and resources by library, class and site."""
        return self.database.read(reading.counts)

    # -- search

    def search(
        self,
        words: str,
        *,
        limit: int = 20,
        offset: int = 0,
        marks: tuple[str, str] = ("**", "**"),
        **filters: Any,
    ) -> Found:
        """The best hits for what a reader typed.

        Args:
            words: Chinese and English words, ``"phrases"``, ``-exclusions``.
            limit: how many hits.
            offset: how many to leave out first.
            marks: what stands before and after each found word in title and snippet.
            filters: ``library``, ``category``, ``site``, ``since``, ``until``, ``price_from``, ``price_to``.

        Raises:
            Fault: no such filter.
        """
        wanted = self.database.read(lambda connection: filters_of(connection, filters))
        if wanted is None:
            return Found([], 0, False, "words")

        def ask(connection: Connection) -> Found:
            answer = searching.find(connection, words, wanted, limit=limit, offset=offset, cut=self._cut)
            return show(connection, answer, marks)

        return self.database.read(ask)

    def matches(self, words: str, **filters: Any) -> list[int]:
        """The numbers of all resources that hold the words as typed, in the order of their worth."""
        wanted = self.database.read(lambda connection: filters_of(connection, filters))
        if wanted is None:
            return []
        return self.database.read(lambda connection: searching.every(connection, words, wanted))

    def _cut(self, run: str) -> list[str]:
        if self.cut is None:
            from hometextile.text.words import Cutter

            self.cut = Cutter().cut
        return self.cut(run)


__all__ = ["Crawl", "Filters", "Found", "Library", "Limits", "Saved"]
