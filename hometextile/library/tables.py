"""The tables of the library database, by names that a person reads (see ``docs/database.md``).

SQLAlchemy Core: what is written here is what :mod:`hometextile.library.migrations` builds step by step. Both databases
hold the same values: times are ISO 8601 text in UTC, lists and objects are JSON text in UTF-8, bytes are compressed
by :mod:`hometextile.library.values`.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from hometextile.library.columns import Json, Number, When, identifier, reference

#: The newest migration; a database that says another one is older or newer than this program.
REVISION = "0003"

#: Where Alembic keeps the revision.
VERSION_TABLE = "library_version"

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


sites = Table(
    "sites",
    metadata,
    identifier(),
    Column("name", Text, nullable=False, unique=True),
    Column("first_crawled", When, nullable=False),
    Column("last_crawled", When),
)

crawls = Table(
    "crawls",
    metadata,
    identifier(),
    reference("site_id", "sites", index=True),
    Column("arguments", Json, nullable=False),
    Column("visit", Integer, nullable=False, server_default=text("1")),
    Column("state", String(20), nullable=False, server_default="running"),
    Column("reason", Text, nullable=False, server_default=""),
    Column("started", When, nullable=False),
    Column("resumed", When),
    Column("ended", When),
    Column("counts", Json),
    CheckConstraint("state IN ('running', 'finished', 'stopped', 'failed')", name="state"),
)

frontier = Table(
    "frontier",
    metadata,
    identifier(),
    reference("site_id", "sites"),
    reference("crawl_id", "crawls", needed=False, gone="SET NULL", index=True),
    Column("url", Text, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("host", Text, nullable=False, server_default=""),
    Column("kind", String(20), nullable=False, server_default="link"),
    Column("state", String(20), nullable=False, server_default="waiting"),
    Column("priority", Float, nullable=False, server_default=text("0")),
    Column("depth", Integer, nullable=False, server_default=text("0")),
    Column("parent_id", Number, ForeignKey("frontier.id", ondelete="SET NULL"), index=True),
    Column("lease_owner", String(80)),
    Column("lease_until", Float),
    Column("not_before", Float),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    Column("added", When, nullable=False, server_default=""),
    Column("last_fetched", When),
    Column("last_status", Integer),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("content_hash", String(64)),
    Column("fetches", Integer, nullable=False, server_default=text("0")),
    Column("changes", Integer, nullable=False, server_default=text("0")),
    Column("last_changed", When),
    Column("reason", Text, nullable=False, server_default=""),
    Column("request", LargeBinary),
    Column("form", String(64)),
    UniqueConstraint("site_id", "fingerprint"),
    CheckConstraint("state IN ('waiting', 'leased', 'done', 'failed', 'gone', 'refused')", name="state"),
)
Index("ix_frontier_next", frontier.c.site_id, frontier.c.state, frontier.c.priority.desc(), frontier.c.id)
Index("ix_frontier_host", frontier.c.host, frontier.c.state)
Index(
    "ix_frontier_lease",
    frontier.c.lease_until,
    sqlite_where=frontier.c.lease_until.is_not(None),
    postgresql_where=frontier.c.lease_until.is_not(None),
)

interrogations = Table(
    "interrogations",
    metadata,
    identifier(),
    reference("site_id", "sites"),
    reference("crawl_id", "crawls", needed=False, gone="CASCADE", index=True),
    Column("form", String(64), nullable=False),
    Column("state", Json),
    Column("owner", String(80)),
    Column("until", Float),
    UniqueConstraint("site_id", "form"),
)

workers = Table(
    "workers",
    metadata,
    identifier(),
    Column("owner", String(80), nullable=False, unique=True),
    reference("site_id", "sites", index=True),
    Column("until", Float, nullable=False),
)

hosts = Table(
    "hosts",
    metadata,
    Column("host", Text, primary_key=True),
    Column("next_allowed", Float, nullable=False),
)

contents = Table(
    "contents",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("size", Number, nullable=False),
    Column("stored", When, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

pages = Table(
    "pages",
    metadata,
    identifier(),
    reference("site_id", "sites"),
    reference("crawl_id", "crawls", needed=False, gone="SET NULL", index=True),
    Column("fingerprint", String(64), nullable=False),
    Column("url", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("encoding", String(40), nullable=False),
    Column("rendered", Boolean, nullable=False, server_default=false()),
    Column("first_fetched", When, nullable=False),
    Column("fetched", When, nullable=False, index=True),
    Column("visits", Integer, nullable=False, server_default=text("1")),
    Column("changes", Integer, nullable=False, server_default=text("0")),
    Column("way", String(20), nullable=False),
    Column("form", String(64)),
    Column("keyword", Text),
    Column("sent", Json),
    Column("referrer", Text),
    Column("anchor", Text, nullable=False, server_default=""),
    Column("depth", Integer, nullable=False, server_default=text("0")),
    Column("template", Text),
    Column("dropped", Text),
    Column("headers", Json, nullable=False),
    Column("story", Json, nullable=False),
    Column("body_hash", String(64), ForeignKey("contents.hash"), index=True),
    Column("text_hash", String(64), ForeignKey("contents.hash"), index=True),
    UniqueConstraint("site_id", "fingerprint"),
)

blocks = Table(
    "blocks",
    metadata,
    reference("page_id", "pages"),
    Column("number", Integer, nullable=False),
    Column("level", String(10)),
    Column("score", Float),
    Column("path", Text, nullable=False),
    Column("coherence", Integer),
    Column("x", Float),
    Column("y", Float),
    Column("width", Float),
    Column("height", Float),
    Column("characters", Integer, nullable=False),
    Column("beginning", Text, nullable=False),
)
blocks.append_constraint(UniqueConstraint("page_id", "number"))

forms = Table(
    "forms",
    metadata,
    identifier(),
    reference("site_id", "sites"),
    Column("fingerprint", String(64), nullable=False),
    Column("url", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("method", String(10), nullable=False),
    Column("name", Text, nullable=False, server_default=""),
    Column("controls", Json, nullable=False),
    Column("verdict", Json),
    Column("found", When, nullable=False),
    UniqueConstraint("site_id", "fingerprint"),
)

queries = Table(
    "queries",
    metadata,
    identifier(),
    reference("site_id", "sites", index=True),
    reference("crawl_id", "crawls", needed=False, gone="SET NULL"),
    Column("form", String(64), nullable=False),
    Column("keyword", Text),
    Column("sent", Json, nullable=False),
    Column("url", Text, nullable=False, server_default=""),
    Column("answer", String(20), nullable=False, server_default=""),
    Column("results", Integer, nullable=False, server_default=text("0")),
    Column("new", Integer, nullable=False, server_default=text("0")),
    Column("pages", Integer, nullable=False, server_default=text("0")),
    Column("asked", When, nullable=False),
    Column("key", String(64), nullable=False),
    UniqueConstraint("crawl_id", "key"),
)

resources = Table(
    "resources",
    metadata,
    identifier(),
    Column("identity_hash", String(64), nullable=False, unique=True),
    reference("site_id", "sites"),
    reference("page_id", "pages", needed=False, gone="SET NULL", index=True),
    Column("library", String(40), nullable=False, server_default=""),
    Column("category", String(60), nullable=False, server_default=""),
    Column("language", String(10), nullable=False, server_default=""),
    Column("published", When, nullable=False, server_default=""),
    Column("price", Float),
    Column("currency", String(10)),
    Column("relevance", Float, nullable=False, server_default=text("0")),
    Column("credibility", Float, nullable=False, server_default=text("0")),
    Column("version", Integer, nullable=False, server_default=text("1")),
    Column("first_seen", When, nullable=False),
    Column("last_seen", When, nullable=False),
    Column("changed", When),
    Column("withdrawn", When),
    Column("mark", String(20), nullable=False, server_default=""),
    Column("marked", When),
    Column("classed_by", String(10), nullable=False, server_default="program"),
    Column("content_hash", String(64), nullable=False, server_default=""),
    Column("duplicate_of", Text),
    Column("identity", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False, server_default=""),
    Column("source", Text, nullable=False, server_default=""),
    Column("author", Text, nullable=False, server_default=""),
    Column("description", Text, nullable=False, server_default=""),
    Column("keywords", Json, nullable=False),
    Column("fields", Json, nullable=False),
    Column("images", Json, nullable=False),
    Column("videos", Json, nullable=False),
    Column("links", Json, nullable=False),
    Column("rules", Json, nullable=False),
    Column("blocks", Json, nullable=False),
    Column("provenance", Json, nullable=False),
    Column("text", Text, nullable=False, server_default=""),
    Column("markdown", Text, nullable=False, server_default=""),
    CheckConstraint("mark IN ('', 'reviewed', 'wrong class', 'withdrawn')", name="mark"),
)
Index("ix_resources_class", resources.c.library, resources.c.category)
Index("ix_resources_site", resources.c.site_id, resources.c.last_seen)
Index("ix_resources_content", resources.c.content_hash)

ways = Table(
    "ways",
    metadata,
    identifier(),
    reference("resource_id", "resources"),
    reference("page_id", "pages", needed=False, gone="SET NULL", index=True),
    reference("crawl_id", "crawls", needed=False, gone="SET NULL", index=True),
    Column("kind", String(20), nullable=False),
    Column("form", String(64), nullable=False, server_default=""),
    Column("keyword", Text, nullable=False, server_default=""),
    Column("referrer", Text, nullable=False, server_default=""),
    Column("anchor", Text, nullable=False, server_default=""),
    Column("depth", Integer, nullable=False, server_default=text("0")),
    Column("found", When, nullable=False),
    Column("key", String(64), nullable=False),
    UniqueConstraint("resource_id", "key"),
)

versions = Table(
    "versions",
    metadata,
    identifier(),
    reference("resource_id", "resources"),
    reference("crawl_id", "crawls", needed=False, gone="SET NULL", index=True),
    Column("number", Integer, nullable=False),
    Column("until", When, nullable=False),
    Column("changed", Json, nullable=False),
    Column("content_hash", String(64), nullable=False, server_default=""),
    Column("before", LargeBinary, nullable=False),
    UniqueConstraint("resource_id", "number"),
)

duplicates = Table(
    "duplicates",
    metadata,
    identifier(),
    reference("resource_id", "resources", index=True),
    reference("page_id", "pages", needed=False, gone="SET NULL", index=True),
    Column("identity_hash", String(64), nullable=False, unique=True),
    Column("identity", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False, server_default=""),
    Column("kind", String(20), nullable=False, server_default=""),
    Column("similarity", Float),
    Column("found", When, nullable=False),
)

files = Table(
    "files",
    metadata,
    identifier(),
    reference("resource_id", "resources"),
    Column("url_hash", String(64), nullable=False),
    Column("url", Text, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("path", Text, nullable=False, server_default=""),
    Column("checksum", String(128), nullable=False, server_default=""),
    Column("media_type", Text, nullable=False, server_default=""),
    Column("size", Number),
    Column("width", Integer),
    Column("height", Integer),
    Column("thumbnail", Text, nullable=False, server_default=""),
    Column("status", String(20), nullable=False, server_default=""),
    Column("fetched", When, nullable=False),
    UniqueConstraint("resource_id", "url_hash"),
)

errors = Table(
    "errors",
    metadata,
    identifier(),
    reference("site_id", "sites", needed=False, index=True),
    reference("crawl_id", "crawls", needed=False, gone="SET NULL", index=True),
    Column("url", Text, nullable=False, server_default=""),
    Column("step", String(60), nullable=False),
    Column("kind", String(80), nullable=False),
    Column("message", Text, nullable=False),
    Column("happened", When, nullable=False),
)

near_texts = Table(
    "near_texts",
    metadata,
    identifier(),
    Column("identity_hash", String(64), nullable=False, unique=True),
    Column("identity", Text, nullable=False),
    Column("text", LargeBinary, nullable=False),
)

near_bands = Table(
    "near_bands",
    metadata,
    Column("band", Number, nullable=False),
    reference("text_id", "near_texts", index=True),
    sqlite_with_rowid=False,
)
near_bands.append_constraint(
    # One lookup by band is all that is ever asked: the key itself is the index.
    PrimaryKeyConstraint("band", "text_id")
)

search_documents = Table(
    "search_documents",
    metadata,
    Column("key", Number, primary_key=True, autoincrement=False),
    Column("resource_id", Number, ForeignKey("resources.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("published", When, nullable=False, server_default=""),
    Column("price", Float),
    Column("facets", Text, nullable=False, server_default=""),
    Column("title", Text, nullable=False, server_default=""),
    Column("initials", Text, nullable=False, server_default=""),
    Column("body", Text, nullable=False, server_default=""),
)
