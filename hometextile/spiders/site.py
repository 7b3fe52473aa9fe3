"""The spider of a site: start pages, links, forms found; it yields queries and pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import Request, Spider, signals
from scrapy.exceptions import CloseSpider, IgnoreRequest
from scrapy.http import Response, TextResponse

from hometextile.dedup.traps import TrapGuard
from hometextile.dedup.urls import canonical_url
from hometextile.forms.form import Form
from hometextile.forms.interrogation import Advice, Ask, Interrogation, Outcome, Step
from hometextile.forms.recognising import Recogniser
from hometextile.frontier.revisiting import ALL_KEYWORDS, fruitful_keywords
from hometextile.page.page import Page, Way
from hometextile.render.finding import find_browser
from hometextile.sites import Site
from hometextile.spidermiddlewares.form_request import to_request
from hometextile.spiders.arguments import Arguments, read_arguments
from hometextile.spiders.links import Follower
from hometextile.spiders.pages import page_of
from hometextile.spiders.proposal import control_names, entry_name
from hometextile.spiders.queries import QueryItem
from hometextile.steps import Workshop
from hometextile.text.faults import Fault
from hometextile.text.messages import _
from hometextile.topic.relevance import topic_vector

if TYPE_CHECKING:
    from twisted.python.failure import Failure

    from hometextile.frontier.entry import Outcome as Ended

#: Order of requests: results first, so that what was found is stored before more is looked for.
PRIORITY = {"start": 100, "result": 60, "next": 40, "answer": 20, "link": 0}

#: Forms that look like a search and are not asked: so many are told of in the log, all are counted.
TOLD = 10

#: Reasons with which a crawl is over; with any other it goes on next time.
ENDED = {"finished", "preview", "page-limit", "closespider_timeout"}


class SiteSpider(Spider):
    """Crawls the source that a site file describes. Made by :meth:`of`, one class a file."""

    site: ClassVar[Site]
    workshop: Workshop

    def __init__(self, name: str | None = None, **arguments: Any) -> None:
        super().__init__(name)
        self.arguments: Arguments = read_arguments(arguments)
        self.allowed_domains = sorted(self.site.hosts)
        self.mode = self.arguments.mode or self.site.data.mode
        self.render = self.arguments.render or self.site.data.render
        self.page_limit = self.arguments.preview or self.arguments.pages or self.site.data.limits.pages
        self.pages_taken = 0
        self._told = 0

    @classmethod
    def of(cls, site: Site) -> type[SiteSpider]:
        """The spider class of a site."""
        limits = site.data.limits
        settings = {
            "DOWNLOAD_DELAY": limits.delay,
            "CONCURRENT_REQUESTS_PER_DOMAIN": limits.concurrency if limits.delay == 0 else 1,
            "DOWNLOAD_MAXSIZE": int(limits.size_mb * 1024 * 1024),
            "DOWNLOAD_TIMEOUT": limits.timeout,
            "CLOSESPIDER_TIMEOUT": limits.minutes * 60,
            "ROBOTSTXT_OBEY": site.data.robots,
            # Depth is counted by the spider, links only: a pager of fifty pages is not fifty links deep.
            "DEPTH_LIMIT": 0,
        }
        return type(
            f"Site_{site.name}",
            (cls,),
            {
                "name": site.name,
                "site": site,
                "custom_settings": settings,
                "__module__": cls.__module__,
                "start_urls": list(site.data.start),
                "allowed_domains": sorted(site.hosts),
            },
        )

    def open(self, shop: Workshop) -> None:
        """Take what the steps share; called once, before the first request."""
        stats = self.crawler.stats
        self.workshop = shop
        data = self.site.data
        recogniser = Recogniser.load(self.workshop.pack)
        vector = topic_vector(shop.pack)

        def judge(title: str, text: str) -> float | None:
            evidence = vector.weigh(title=title, text=text)
            return evidence.score if evidence.words or evidence.against else None

        self.interrogation = Interrogation(
            recognise=recogniser.recognise,
            canonical=canonical_url,
            keywords=self._words_of_pack(),
            named=self.arguments.keywords or data.keywords,
            fixed=bool(self.arguments.keywords) or data.keywords_fixed,
            judge=judge,
            threshold=shop.threshold,
            cut=shop.pack.cutter.cut,
            advice=[Advice(**rule.model_dump()) for rule in data.forms],
            fruitful=self._fruitful(),
            hosts=self.site.hosts,
            browser=self.render != "never" and find_browser() is not None,
            meanings=recogniser.meanings,
            max_queries=data.limits.queries,
            max_pages=data.limits.pages_per_query,
            count=stats.inc_value,
            held_back=self._held_back,
        )
        if shop.ledger is not None:
            for mark, state in shop.ledger.frontier.forms().items():
                self.interrogation.restore(mark, state)
        self.crawler.signals.connect(self._came_of, signal=signals.item_scraped)
        self.follower = Follower(self.site, TrapGuard(), stats.inc_value)

    def _held_back(self, form: Form, keys: list[str], entered: bool) -> None:
        """Say which form is not asked though it looks like a search, and which line of the site file would allow it."""
        self._told += 1
        if self._told > TOLD:
            return
        told = _("Looks like a search, not asked: {form} on {url}. To have it asked, add to the site file: {lines}")
        if entered:
            told = _("Looks like a search, not asked: {form} on {url}. To have it asked, add to its entry: {lines}")
        named = f"{form.method.upper()} {form.action} [{control_names(form)}]"[:200]
        lines = ", ".join(f"{key}: true" for key in keys)
        lines = lines if entered else f"forms: [{{{entry_name(form)}, {lines}}}]"
        self.logger.warning("%s", " ".join(told.format(form=named, url=form.url[:200], lines=lines).split()))

    def _words_of_pack(self) -> list[str]:
        """The pack's words, best first; of several languages in turn, since nobody knows yet which the site speaks."""
        pack = self.workshop.pack
        if self.site.data.language != "both":
            return pack.keywords(self.site.data.language)
        lists = [pack.keywords(language) for language in pack.settings.languages]
        return [word for words in zip_longest(*lists) for word in words if word is not None]

    def _fruitful(self) -> dict[str, list[str]]:
        """Keywords worth asking again, by form; with those that a person named and that were never asked."""
        shop = self.workshop
        if shop.crawl is None or (shop.crawl.visit - 1) % ALL_KEYWORDS == 0 or self.arguments.keywords:
            return {}
        number = shop.crawl.site_id
        found = shop.library.database.read(lambda connection: fruitful_keywords(connection, number))
        named = self.site.data.keywords
        return {form: [*words, *(word for word in named if word not in words)] for form, words in found.items()}

    async def start(self) -> AsyncIterator[Any]:
        """The start pages."""
        for url in [self.arguments.start] if self.arguments.start else self.site.data.start:
            yield self._request(url, Way("start"))

    def _request(self, url: str, way: Way, ask: Ask | None = None, **more: Any) -> Request:
        meta: dict[str, Any] = {"way": vars(way), **more.pop("meta", {})}
        if ask is not None:
            meta["ask"] = vars(ask)
        return Request(
            url,
            callback=self.parse,
            errback=self.failed,
            meta=meta,
            priority=PRIORITY[way.kind] + more.pop("score", 0),
            # Whether a query is asked again is the interrogation's business; two answers may redirect to one address.
            dont_filter=way.kind == "start" or ask is not None,
            **more,
        )

    async def parse(self, response: Response, **kwargs: Any) -> AsyncIterator[Any]:
        """A page: itself, the queries of its forms, its links."""
        if self.pages_taken >= self.page_limit:
            raise CloseSpider("preview" if self.arguments.preview else "page-limit")
        self.pages_taken += 1
        page = page_of(response, self)
        ask = Ask(**response.meta["ask"]) if "ask" in response.meta else None
        if ask is not None:
            self._recall(ask)
        if not isinstance(response, TextResponse) or not page.text:
            if ask is not None:
                for item in self._steps(self.interrogation.failed(ask), page):
                    yield item
                self._remember(page.request_id, ask)
            yield page
            return
        if ask is not None:
            outcome = self.interrogation.answered(ask, page.document, page.status)
            for item in self._answered(ask, outcome, page):
                yield item
            self._remember(page.request_id, ask)
        elif self.mode != "surface":
            steps = self.interrogation.look(page.document)
            for item in self._steps(steps, page):
                yield item
            for step in steps:
                self._remember(page.request_id, step.ask, found=True)
        if self.mode != "deep" and ask is None:
            for request in self._links(page):
                yield request
        yield page

    def _came_of(self, item: Any) -> None:
        """Tell a form what the page of one of its results was, and the guard against traps what that of a link was."""
        if not isinstance(item, Page):
            return
        if item.way.kind == "result" and item.way.form:
            self.interrogation.feedback(item.way.form, item.url, bool(item.resources))
        elif item.way.kind in {"link", "next"} and self.mode != "deep":
            self.follower.came_of(item)

    def _recall(self, ask: Ask) -> None:
        """Before an answer is taken in: how far the form is asked, if another run or worker asked it before."""
        ledger = self.workshop.ledger
        state = ledger.recall(ask.form) if ledger is not None else None
        if state is not None and not self.interrogation.restore(ask.form, state):
            self.crawler.stats.inc_value("form/state-unreadable")

    def _outcome(self, number: int | None) -> Ended | None:
        """What becomes of a request of the frontier."""
        ledger = self.workshop.ledger
        return ledger.outcome(number) if ledger is not None and number is not None else None

    def _remember(self, number: int | None, ask: Ask, *, found: bool = False) -> None:
        """Have a form's state stored in one transaction with the page that changed it."""
        outcome = self._outcome(number)
        if outcome is not None:
            (outcome.found if found else outcome.forms)[ask.form] = self.interrogation.state(ask.form)

    def _answered(self, ask: Ask, outcome: Outcome, page: Page) -> Iterator[Any]:
        page.story["answer"] = {"kind": outcome.answer.kind, "links": len(outcome.answer.links), "new": outcome.new}
        for kind, gain in outcome.gains:
            self.workshop.library.record_query(
                gain.query,
                site=self.site.name,
                crawl=page.crawl_id,
                answer=kind,
                results=gain.results,
                new=gain.new,
                pages=gain.pages,
            )
        for link in outcome.links:
            if not self.follower.may(link.url, page.way.depth + 1):
                continue
            way = Way("result", ask.form, ask.keyword, page.way.values, page.url, link.text, page.way.depth + 1)
            yield self._request(link.url, way)
        yield from self._steps(outcome.steps, page)

    def _steps(self, steps: list[Step], page: Page) -> Iterator[Any]:
        for step in steps:
            kind = "next" if step.ask.page > 1 else "answer"
            way = Way(kind, step.ask.form, step.ask.keyword, step.ask.sent, page.url, "", page.way.depth)
            acting = {"actions": step.actions} if step.actions else {}
            if acting:
                self.crawler.stats.inc_value("form/acted")
            if step.url is not None:
                if self.follower.may(step.url, 0):
                    yield self._request(step.url, way, step.ask, meta=acting)
                else:
                    yield from self._steps(self.interrogation.failed(step.ask), page)
            elif step.query is not None:
                refused: list[Any] = []
                yield QueryItem(
                    step.query,
                    callback=self.parse,
                    errback=self.failed,
                    priority=PRIORITY[kind],
                    dont_filter=True,
                    meta={"way": vars(way), "ask": vars(step.ask), **acting},
                    refused=lambda _query, why: refused.append(why),  # noqa: B023
                )
                if refused:  # the middleware has seen the query by the time the generator goes on
                    yield from self._steps(self.interrogation.failed(step.ask), page)

    def _links(self, page: Page) -> Iterator[Request]:
        for link in self.follower.links(page):
            # A further page of a list is a list, however few entries it has.
            kind = "next" if link.paging else "link"
            way = Way(kind, None, None, [], page.url, link.text, page.way.depth + (not link.paging))
            yield self._request(link.url, way, meta={"around": link.around})

    async def failed(self, failure: Failure) -> AsyncIterator[Any]:
        """A request that brought no page: counted, kept in the library, and the form goes on with its next keyword."""
        request = failure.request  # type: ignore[attr-defined]
        reason = type(failure.value).__name__
        status = getattr(getattr(failure.value, "response", None), "status", None)
        self.crawler.stats.inc_value(f"page/failed/{status or reason}")
        self.workshop.library.record_error(
            step="fetch",
            kind=str(status or reason),
            url=request.url,
            message=failure.getErrorMessage()[:500],
            site=self.site.name,
            crawl=self.workshop.crawl_id,
        )
        outcome = self._outcome(request.meta.get("request_id"))
        if outcome is not None and status is None and isinstance(failure.value, IgnoreRequest):
            # Nothing went wrong: robots.txt, or the guard, does not let it be asked for.
            outcome.state, outcome.reason = "refused", failure.getErrorMessage()[:200]
        if "ask" in request.meta:
            ask = Ask(**request.meta["ask"])
            self._recall(ask)
            page = Page(self.site.name, request.url, "", way=Way(**request.meta["way"]))
            for item in self._steps(self.interrogation.failed(ask), page):
                # Spider middlewares don't see what comes of a failed download.
                yield self._sent(item) if isinstance(item, QueryItem) else item
            self._remember(request.meta.get("request_id"), ask)

    def _sent(self, item: QueryItem) -> Request | None:
        return to_request(item, self.crawler.stats.inc_value, longest=self.crawler.settings.getint("URLLENGTH_LIMIT"))

    def closed(self, reason: str) -> None:
        """Write how the crawl ended and let go of the library."""
        shop = self.workshop
        if shop.crawl is not None:
            stats = self.crawler.stats.get_stats() if self.crawler.stats else {}
            counts = {key: value for key, value in stats.items() if isinstance(value, int | float)}
            state = "finished" if reason in ENDED else "stopped"
            try:
                shop.library.end_crawl(shop.crawl, state=state, reason=reason, counts=counts)
            except Fault as fault:
                # The row stays as one that is cut off, which is right; who cut it off was mostly said before.
                if not counts.get("library/away"):
                    self.logger.error("%s", fault)
                    self.crawler.stats.inc_value("library/away")
