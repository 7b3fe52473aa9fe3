"""From a page with rated blocks to resources: by a template of the site file, else from the main blocks."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import Any
from urllib.parse import urljoin, urlsplit

from hometextile.blocks.content import Content, main_text
from hometextile.blocks.kinds import page_kind
from hometextile.blocks.leading import leads_only
from hometextile.dedup.urls import canonical_url
from hometextile.extract.facts import facts
from hometextile.extract.metadata import Metadata, metadata
from hometextile.extract.resource import Resource
from hometextile.extract.schema import TemplateRule
from hometextile.extract.templates import Extracted, Record, apply, choose
from hometextile.page.files import file_text
from hometextile.page.page import Page
from hometextile.page.reading import text_of
from hometextile.sites import Site

#: Ways here that make a page a list whatever it looks like, unless a template says otherwise.
LIST_WAYS = {"start", "answer", "next"}
#: Tokens of text that a page without pictures and videos must have to be a resource.
MIN_CHARS = 20
#: Fields of a template that are the resource's own.
OWN = {"title", "published", "source", "author", "text", "description", "language"}
_LISTS = {"images", "videos", "keywords"}


def is_list(page: Page, site: Site) -> bool:
    """Whether the way here says that the page only leads to resources, and no template says otherwise."""
    return page.way.kind in LIST_WAYS and bool(page.text) and choose(page.document, site.data.templates) is None


def make_resources(page: Page, site: Site) -> tuple[list[Resource], str | None]:
    """The page's resources, or why it gives none.

    Args:
        page: with blocks rated.
        site: its site file.
    """
    if not page.text:
        return _from_file(page)
    template = choose(page.document, site.data.templates)
    if template is not None:
        page.template = template.name
        return _by_template(page, template, apply(page.document, template))
    kind = page_kind(page.document, page.blocks)
    page.story["kind"] = kind
    # What an answer led to is a record, however short: its kind alone makes it no list.
    leads = leads_only(page.document, page.blocks, "" if page.way.kind == "result" else kind)
    if leads is not None:
        return [], leads
    content = main_text(page.blocks, page.document)
    page.story["words"] = content.dropped
    resource = _generic(page, content, metadata(page.document, now=_when(page)))
    resource.fields = dict(facts(page.document, page.blocks))
    if not resource.title or (
        len(resource.text) < MIN_CHARS and not (resource.images or resource.videos or resource.fields)
    ):
        return [], "no-content"
    return [resource], None


def _generic(page: Page, content: Content, about: Metadata) -> Resource:
    identity = canonical_url(_own_address(page, about))
    return Resource(
        identity=identity,
        url=page.url,
        title=about.title or content.title,
        published=about.published,
        source=about.source,
        author=about.author,
        text=content.text,
        markdown=content.markdown,
        description=about.description,
        keywords=about.keywords,
        language=about.language,
        images=content.images,
        videos=content.videos,
        links=content.links,
        blocks=content.block_ids,
        provenance=_provenance(page),
    )


def _when(page: Page) -> datetime | None:
    """When the page was fetched: what "yesterday" on it counts from."""
    return datetime.fromisoformat(page.fetched) if page.fetched else None


def _own_address(page: Page, about: Metadata) -> str:
    """The page's canonical address, believed only on the same host and when it is not every page's home."""
    if about.canonical:
        own, said = urlsplit(page.url), urlsplit(about.canonical)
        if said.hostname == own.hostname and (said.path.strip("/") or not own.path.strip("/")):
            return about.canonical
    return page.url


def _provenance(page: Page) -> dict[str, Any]:
    way = page.way
    return {
        "site": page.site,
        "page": page.url,
        "kind": way.kind,
        "form": way.form,
        "keyword": way.keyword,
        "link": way.anchor,
        "referrer": way.referrer,
        "depth": way.depth,
        "crawl": page.crawl_id,
        "template": page.template,
    }


def _by_template(page: Page, template: TemplateRule, found: Extracted) -> tuple[list[Resource], str | None]:
    if found.incomplete:
        page.story["missing"] = sorted({name for record in found.incomplete for name in record.missing})
    if found.costly:
        page.story["costly"] = found.costly
    if template.kind == "detail":
        content, about = main_text(page.blocks, page.document), metadata(page.document, now=_when(page))
        resources = [_generic(page, content, about) for _record in found.records]
        if not template.fields:
            resources = [_generic(page, content, about)]
            resources[0].fields = dict(facts(page.document, page.blocks))
    else:
        resources = [_of_record(page, record) for record in found.records]
    for resource, record in zip(resources, found.records, strict=False):
        _fill(resource, record, template, page)
    for resource in resources:
        resource.library, resource.category = template.library, template.category
    resources = [resource for resource in resources if resource.title]
    if not resources:
        return [], "required-field-missing" if found.incomplete else "no-content"
    return resources, None


def _of_record(page: Page, record: Record) -> Resource:
    """A record of a list: its own page's address, else the list's with what tells it from the others."""
    text = text_of(record.element)
    address = record.link or page.url
    identity = canonical_url(address)
    if not record.link:
        identity += "#" + sha256(repr(sorted(record.values.items())).encode()).hexdigest()[:16]
    return Resource(
        identity=identity,
        url=address,
        title=text.split("\n", 1)[0][:200],
        text=text,
        markdown=text,
        provenance=_provenance(page),
    )


def _fill(resource: Resource, record: Record, template: TemplateRule, page: Page) -> None:
    """Put a template's values where they belong: the resource's own, or the site's fields."""
    resource.rules = sorted(f"{template.name}.{name}" for name in record.values)
    for name, values in record.values.items():
        if name in OWN:
            setattr(resource, name, "\n".join(values))
            if name == "text":
                resource.markdown = resource.text
        elif name == "keywords":
            resource.keywords = values
        elif name in _LISTS:
            setattr(resource, name, [{"url": urljoin(page.document.base_url, value)} for value in values])
        else:
            resource.fields[name] = values if template.fields[name].many else values[0]


def _from_file(page: Page) -> tuple[list[Resource], str | None]:
    """A PDF, Word or Excel file: a resource like a page."""
    text = file_text(page.body, page.headers.get("content-type", ""), page.url)
    if text.reason:
        return [], f"file-{text.reason}"
    if len(text.text) < MIN_CHARS:
        return [], "no-content"
    name = urlsplit(page.url).path.rsplit("/", 1)[-1]
    resource = Resource(
        identity=canonical_url(page.url),
        url=page.url,
        title=text.title or page.way.anchor or name,
        author=text.author,
        keywords=text.keywords,
        published=text.created,
        text=text.text,
        markdown=text.text,
        provenance=_provenance(page),
    )
    return [resource], None
