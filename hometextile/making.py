"""From a page with rated blocks to resources: by a template of the site file, else from the main blocks."""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin, urlsplit

from hometextile.blocks.content import Content, main_text
from hometextile.blocks.kinds import page_kind
from hometextile.dedup.urls import canonical_url
from hometextile.extract.facts import facts
from hometextile.extract.metadata import Metadata, metadata
from hometextile.extract.resource import Resource
from hometextile.extract.templates import Extracted, extract_by, find_template
from hometextile.page.files import file_text
from hometextile.page.page import Page
from hometextile.sites import Site

#: Kinds of pages that lead to resources and are none.
LIST_KINDS = {"listing", "collection", "search"}
#: Ways here that make a page a list whatever it looks like, unless a template says otherwise.
LIST_WAYS = {"start", "answer", "next"}
#: Tokens of text that a page without pictures and videos must have to be a resource.
MIN_CHARS = 20
#: Fields of a template that are the resource's own.
OWN = {"title", "published", "source", "author", "text", "description", "language"}
_LISTS = {"images", "videos", "keywords"}


def make_resources(page: Page, site: Site) -> tuple[list[Resource], str | None]:
    """The page's resources, or why it gives none.

    Args:
        page: with blocks rated.
        site: its site file.
    """
    if not page.text:
        return _from_file(page)
    template = find_template(page.document, site.data.templates)
    if template is not None:
        page.template = template.name
        return _by_template(page, extract_by(page.document, template))
    if page.way.kind in LIST_WAYS:
        return [], "list"
    kind = page_kind(page.document, page.blocks)
    page.story["kind"] = kind
    if kind in LIST_KINDS and page.way.kind != "result":
        return [], "list"
    content = main_text(page.blocks, page.document)
    resource = _generic(page, content, metadata(page.document))
    resource.fields = dict(facts(page.document, page.blocks))
    if not resource.title or (len(resource.text) < MIN_CHARS and not (resource.images or resource.videos or resource.fields)):
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
        "site": page.site, "page": page.url, "kind": way.kind, "form": way.form, "keyword": way.keyword,
        "link": way.anchor, "referrer": way.referrer, "depth": way.depth, "crawl": page.crawl_id, "template": page.template,
    }


def _by_template(page: Page, found: list[Extracted]) -> tuple[list[Resource], str | None]:
    content, about = main_text(page.blocks, page.document), metadata(page.document)
    resources = []
    for record in found:
        if record.missing:
            page.story.setdefault("missing", []).extend(record.missing)
            continue
        resource = _generic(page, content, about)
        if record.key is not None:
            _make_record(resource, page, record)
        _fill(resource, record, page)
        resources.append(resource)
    if not resources:
        return [], "required-field-missing" if page.story.get("missing") else "no-content"
    return resources, None


def _make_record(resource: Resource, page: Page, record: Extracted) -> None:
    """A record of a list: it has its own address or key, and its own text only."""
    resource.identity = canonical_url(record.url) if record.url else f"{canonical_url(page.url)}#{record.key}"
    resource.url = record.url or page.url
    resource.title, resource.text, resource.markdown = record.title, record.text, record.text
    resource.images, resource.videos, resource.links, resource.blocks = record.images, [], [], []
    resource.description, resource.keywords, resource.published = "", [], ""


def _fill(resource: Resource, record: Extracted, page: Page) -> None:
    resource.rules = sorted(record.values)
    for name, value in record.values.items():
        if value in (None, "", []):
            continue
        if name in OWN:
            setattr(resource, name, value if isinstance(value, str) else "\n".join(map(str, value)))
            if name == "text":
                resource.markdown = resource.text
        elif name in _LISTS:
            values = value if isinstance(value, list) else [value]
            setattr(resource, name, [{"url": urljoin(page.document.base_url, str(v))} for v in values]
                    if name != "keywords" else [str(v) for v in values])
        else:
            resource.fields[name] = value
    resource.library = record.library or resource.library
    resource.category = record.category or resource.category


def _from_file(page: Page) -> tuple[list[Resource], str | None]:
    """A PDF, Word or Excel file: a resource like a page."""
    text = file_text(page.body, page.headers.get("content-type", ""), page.url)
    if text is None:
        return [], "not-a-page"
    if len(text.text) < MIN_CHARS:
        return [], "no-content"
    name = urlsplit(page.url).path.rsplit("/", 1)[-1]
    resource = Resource(
        identity=canonical_url(page.url), url=page.url, title=text.title or page.way.anchor or name, author=text.author,
        published=text.published, text=text.text, markdown=text.text, provenance=_provenance(page),
    )
    return [resource], None
