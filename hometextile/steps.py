"""The way of a page as an ordered list of steps.

Each step is a plain callable on a page and the workshop of its site. A crawl runs a step in the item pipeline of its
name; reprocessing runs the same list over stored pages. A page that gives nothing is marked ``dropped`` with a short
reason, and the later steps pass it by until it is stored.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from hometextile.blocks.chrome import Chrome
from hometextile.blocks.importance import ImportanceModel, load_model
from hometextile.blocks.segment import segment as segment_document
from hometextile.blocks.sight import rate_blocks
from hometextile.blocks.topics import rate_by_topic
from hometextile.dedup.content import content_hash
from hometextile.dedup.idf import codes_of
from hometextile.dedup.near import NearIndex
from hometextile.frontier.ledger import Ledger
from hometextile.frontier.opening import begin
from hometextile.library.library import Library
from hometextile.library.recording import record_file
from hometextile.making import is_list, make_resources
from hometextile.mediator.mediator import Mediator
from hometextile.mediator.sources import from_library, numbers_of
from hometextile.page.page import Page
from hometextile.sites import Site
from hometextile.text.faults import Fault
from hometextile.text.memory import settle
from hometextile.text.messages import _
from hometextile.text.pack import Pack, load_pack
from hometextile.topic.classify import classify
from hometextile.topic.credibility import credibility
from hometextile.topic.relevance import relevance

if TYPE_CHECKING:
    from hometextile.extract.resource import Resource
    from hometextile.library.recording import Crawl
    from hometextile.library.saving import Saved

logger = logging.getLogger(__name__)


#: A resource with so many fields is a record.
FACTS = 3
#: A text with fewer bigrams is too short to be told from another by likeness.
PROSE = 60


def _no_count(name: str, n: int = 1) -> None:
    """Counts nothing."""


@dataclass
class Workshop:
    """What the steps of one crawl share.

    Attributes:
        site: the site file.
        pack: its domain pack.
        model: block importance.
        library: where pages and resources are kept.
        near: the index of near-duplicates.
        chrome: what the site repeats on every page.
        crawl: the crawl's row in the library.
        ledger: the requests that this crawl's worker holds; None where pages are stored without a frontier.
        count: called with a counter's name and a number.
        mediator: writes resources into the user's own table; None where the site file names no map.
    """

    site: Site
    pack: Pack
    model: ImportanceModel
    library: Library
    near: NearIndex
    chrome: Chrome = field(default_factory=Chrome)
    crawl: Crawl | None = None
    ledger: Ledger | None = None
    count: Callable[..., Any] = field(default=_no_count)
    mediator: Mediator | None = None

    @classmethod
    def open(
        cls, site: Site, library: Library, *, model: str = "importance", count: Callable[..., Any] = _no_count
    ) -> Workshop:
        """Load what the site file asks for.

        Args:
            site: the site.
            library: an open library.
            model: name of a shipped importance model, or a path.
            count: called with a counter's name and a number.

        Raises:
            Fault: the pack or the model is not to be had.
        """
        return cls(
            site, load_pack(site.data.domain), load_model(model), library, NearIndex(library.near_store()), count=count
        )

    def begin(self, arguments: dict[str, Any], settings: Mapping[str, Any] | None = None) -> None:
        """Begin a crawl in the library: go on with one that was cut off, or a new visit.

        Args:
            arguments: what the crawl was started with.
            settings: see :func:`hometextile.frontier.opening.begin`.

        Raises:
            Fault: on SQLite, another crawl of the site is at work.
        """
        begun = begin(self.library, self.site.name, arguments, settings or {})
        self.crawl, self.ledger = begun.crawl, begun.ledger
        for name, number in begun.counts.items():
            if number:
                self.count(f"frontier/{name}", number)
        settle()

    @property
    def crawl_id(self) -> int | None:
        """The crawl's number in the library."""
        return self.crawl.id if self.crawl is not None else None

    @property
    def threshold(self) -> float:
        """Least relevance kept."""
        own = self.site.data.relevance
        return self.pack.threshold if own is None else own


def segment(page: Page, shop: Workshop) -> None:
    """Cut the page into blocks: by sight with a layout, by tag classes without."""
    if is_list(page, shop.site):
        page.dropped = "list"
    elif page.text:
        page.blocks = blocks = segment_document(page.document)
        shop.count("block/segmented", len(blocks))
        if blocks.reason is not None:
            # Why there are none, or not all.
            shop.count(f"block/{blocks.reason}")
            page.story["blocks"] = blocks.reason


def filter_noise(page: Page, shop: Workshop) -> None:
    """Rate the blocks: noise, related, main."""
    if not page.blocks:
        return
    if shop.site.data.blocks == "topics":
        rate_by_topic(page.blocks, page.document)
    else:
        rate_blocks(page.blocks, page.document, shop.model)
    chrome = shop.chrome.mark(page.blocks)
    shop.count("block/chrome", len(chrome))
    for block in page.blocks:
        shop.count(f"block/{block.level}")


def extract(page: Page, shop: Workshop) -> None:
    """Take out the page's resources: by the site's templates, else from its main blocks."""
    page.resources, page.dropped = make_resources(page, shop.site)
    shop.count("extract/resources", len(page.resources))


def judge_topic(page: Page, shop: Workshop) -> None:
    """Relevance, library and class, credibility; what is off the topic goes."""
    kept = []
    for resource in page.resources:
        resource.relevance = relevance(resource, shop.pack)
        if resource.relevance < shop.threshold:
            shop.count("topic/off-topic")
            continue
        if not (resource.library and resource.category):
            library, category, _score = classify(resource, shop.pack)
            resource.library = resource.library or library
            resource.category = resource.category or category
        resource.credibility = credibility(resource)
        shop.count("topic/on-topic")
        kept.append(resource)
    if page.resources and not kept:
        page.dropped = "off-topic"
        page.story["relevance"] = round(max(resource.relevance for resource in page.resources), 3)
    page.resources = kept


def dedup(page: Page, shop: Workshop) -> None:
    """Find what the library has already, under another address or nearly the same."""
    for resource in page.resources:
        resource.content_hash = content_hash(resource)
        same = shop.library.known_content(resource.content_hash)
        if same is not None and same != resource.identity:
            resource.duplicate_of = same
            shop.count("dedup/same-content")
            continue
        if not is_prose(resource):
            continue
        near = [
            (identity, likeness)
            for identity, likeness in shop.near.find(near_text(resource))
            if identity != resource.identity
        ]
        if near:
            resource.duplicate_of, likeness = near[0]
            resource.extra["likeness"] = likeness
            shop.count("dedup/near")


def is_prose(resource: Resource) -> bool:
    """Whether a resource is a text that could be a reprint.

    Records of a catalogue resemble each other by nature: two fragments of velvet of one century differ in little but
    their numbers, and are two. What has facts of its own, or hardly any text, is the same only if all of it is.
    """
    return len(resource.fields) < FACTS and len(codes_of(resource.text)) >= PROSE


def near_text(resource: Resource) -> str:
    """What near-duplicates are found by: title and text."""
    return f"{resource.title}\n{resource.text}"


def store(page: Page, shop: Workshop) -> None:
    """Put page, blocks and resources into the library, and that its request is done, in one transaction.

    It may be repeated. The index of near-duplicates comes first: a text in it whose resource was not stored (the
    program was killed in between) stands for nothing, while a resource that is not in it would let its reprints in.
    """
    for resource in page.resources:
        if resource.duplicate_of is None and is_prose(resource):
            shop.near.add(resource.identity, near_text(resource))
    ledger = shop.ledger
    done = ledger.within(page.request_id) if ledger is not None else None

    def within(connection: Connection, saved: list[Saved]) -> None:
        for resource in page.resources:
            for file in resource.extra.get("files", ()):
                record_file(connection, resource.identity, file)
        if done is not None:
            done(connection, saved)

    for saved in shop.library.save(page, within=within):
        shop.count(f"store/{saved.what}")
    if ledger is not None:
        ledger.stored(page.request_id)
    shop.count("store/pages")


def integrate(page: Page, shop: Workshop) -> None:
    """Write the page's resources, as the library has them now, into the user's own table.

    What can't be written now is in the library, and ``scrapy integrate`` writes it later; so a database that is away
    ends the integration and not the crawl.
    """
    if shop.mediator is None:
        return
    numbers = numbers_of(shop.library, [each.identity for each in page.resources])
    if not numbers:
        return
    try:
        report = shop.mediator.run(from_library(shop.library, ids=numbers))
    except Fault as fault:
        shop.mediator.close()
        shop.mediator = None
        shop.count("integrate/failed")
        logger.error(_("%(fault)s. The crawl goes on; run `scrapy integrate` afterwards"), {"fault": fault})
        return
    for name, number in report.counts.items():
        shop.count(f"integrate/{name}", number)


@dataclass(frozen=True)
class Step:
    """A step by name; ``takes_dropped``: whether it runs on pages that give nothing, too."""

    name: str
    run: Callable[[Page, Workshop], None]
    takes_dropped: bool = False


#: The way of a page, in order.
STEPS = (
    Step("segment", segment),
    Step("filter_noise", filter_noise),
    Step("extract", extract),
    Step("judge_topic", judge_topic),
    Step("dedup", dedup),
    Step("store", store, takes_dropped=True),
    Step("integrate", integrate),
)


def step(name: str) -> Step:
    """The step of that name."""
    return next(each for each in STEPS if each.name == name)


def run_steps(page: Page, shop: Workshop) -> None:
    """The whole way, as a crawl's pipelines run it."""
    for each in STEPS:
        if page.dropped is None or each.takes_dropped:
            each.run(page, shop)
            if page.dropped is not None and "dropped_by" not in page.story:
                page.story["dropped_by"] = each.name
                shop.count(f"page/dropped/{page.dropped}")
