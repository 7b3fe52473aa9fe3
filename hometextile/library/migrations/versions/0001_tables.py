"""The tables of the library but for those of the search.

Revision ID: 0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WHEN = sa.String(40).with_variant(sa.String(40, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "contents",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("size", NUMBER, nullable=False),
        sa.Column("stored", WHEN, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_contents")),
    )
    op.create_table(
        "near_texts",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("identity_hash", sa.String(length=64), nullable=False),
        sa.Column("identity", sa.Text(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_near_texts")),
        sa.UniqueConstraint("identity_hash", name=op.f("uq_near_texts_identity_hash")),
    )
    op.create_table(
        "sites",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("first_crawled", WHEN, nullable=False),
        sa.Column("last_crawled", WHEN, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sites")),
        sa.UniqueConstraint("name", name=op.f("uq_sites_name")),
    )
    op.create_table(
        "crawls",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("site_id", NUMBER, nullable=False),
        sa.Column("arguments", sa.Text(), nullable=False),
        sa.Column("visit", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("state", sa.String(length=20), server_default="running", nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("started", WHEN, nullable=False),
        sa.Column("resumed", WHEN, nullable=True),
        sa.Column("ended", WHEN, nullable=True),
        sa.Column("counts", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('running', 'finished', 'stopped', 'failed')", name=op.f("ck_crawls_state")),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_crawls_site_id_sites"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_crawls")),
    )
    op.create_index(op.f("ix_crawls_site_id"), "crawls", ["site_id"], unique=False)
    op.create_table(
        "forms",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("site_id", NUMBER, nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("method", sa.String(length=10), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("controls", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("found", WHEN, nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_forms_site_id_sites"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_forms")),
        sa.UniqueConstraint("site_id", "fingerprint", name=op.f("uq_forms_site_id_fingerprint")),
    )
    op.create_table(
        "near_bands",
        sa.Column("band", NUMBER, nullable=False),
        sa.Column("text_id", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(
            ["text_id"], ["near_texts.id"], name=op.f("fk_near_bands_text_id_near_texts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("band", "text_id", name=op.f("pk_near_bands")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_near_bands_text_id"), "near_bands", ["text_id"], unique=False)
    op.create_table(
        "errors",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("site_id", NUMBER, nullable=True),
        sa.Column("crawl_id", NUMBER, nullable=True),
        sa.Column("url", sa.Text(), server_default="", nullable=False),
        sa.Column("step", sa.String(length=60), nullable=False),
        sa.Column("kind", sa.String(length=80), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("happened", WHEN, nullable=False),
        sa.ForeignKeyConstraint(
            ["crawl_id"], ["crawls.id"], name=op.f("fk_errors_crawl_id_crawls"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_errors_site_id_sites"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_errors")),
    )
    op.create_index(op.f("ix_errors_crawl_id"), "errors", ["crawl_id"], unique=False)
    op.create_index(op.f("ix_errors_site_id"), "errors", ["site_id"], unique=False)
    op.create_table(
        "frontier",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("site_id", NUMBER, nullable=False),
        sa.Column("crawl_id", NUMBER, nullable=True),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("host", sa.Text(), server_default="", nullable=False),
        sa.Column("kind", sa.String(length=20), server_default="link", nullable=False),
        sa.Column("state", sa.String(length=20), server_default="waiting", nullable=False),
        sa.Column("priority", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("depth", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("parent_id", NUMBER, nullable=True),
        sa.Column("lease_owner", sa.String(length=80), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("not_before", sa.Float(), nullable=True),
        sa.Column("tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("added", WHEN, server_default="", nullable=False),
        sa.Column("last_fetched", WHEN, nullable=True),
        sa.Column("last_status", sa.Integer(), nullable=True),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.String(length=64), nullable=True),
        sa.Column("fetches", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("changes", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("last_changed", WHEN, nullable=True),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("request", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint(
            "state IN ('waiting', 'leased', 'done', 'failed', 'gone', 'refused')", name=op.f("ck_frontier_state")
        ),
        sa.ForeignKeyConstraint(
            ["crawl_id"], ["crawls.id"], name=op.f("fk_frontier_crawl_id_crawls"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["parent_id"], ["frontier.id"], name=op.f("fk_frontier_parent_id_frontier"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_frontier_site_id_sites"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_frontier")),
        sa.UniqueConstraint("site_id", "fingerprint", name=op.f("uq_frontier_site_id_fingerprint")),
    )
    op.create_index(op.f("ix_frontier_crawl_id"), "frontier", ["crawl_id"], unique=False)
    op.create_index("ix_frontier_host", "frontier", ["host", "state"], unique=False)
    op.create_index(
        "ix_frontier_lease",
        "frontier",
        ["lease_until"],
        unique=False,
        sqlite_where=sa.text("lease_until IS NOT NULL"),
        postgresql_where=sa.text("lease_until IS NOT NULL"),
    )
    op.create_index(
        "ix_frontier_next", "frontier", ["site_id", "state", sa.literal_column("priority DESC"), "id"], unique=False
    )
    op.create_index(op.f("ix_frontier_parent_id"), "frontier", ["parent_id"], unique=False)
    op.create_table(
        "pages",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("site_id", NUMBER, nullable=False),
        sa.Column("crawl_id", NUMBER, nullable=True),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("encoding", sa.String(length=40), nullable=False),
        sa.Column("rendered", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("first_fetched", WHEN, nullable=False),
        sa.Column("fetched", WHEN, nullable=False),
        sa.Column("visits", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("changes", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("way", sa.String(length=20), nullable=False),
        sa.Column("form", sa.String(length=64), nullable=True),
        sa.Column("keyword", sa.Text(), nullable=True),
        sa.Column("sent", sa.Text(), nullable=True),
        sa.Column("referrer", sa.Text(), nullable=True),
        sa.Column("anchor", sa.Text(), server_default="", nullable=False),
        sa.Column("depth", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("template", sa.Text(), nullable=True),
        sa.Column("dropped", sa.Text(), nullable=True),
        sa.Column("headers", sa.Text(), nullable=False),
        sa.Column("story", sa.Text(), nullable=False),
        sa.Column("body_hash", sa.String(length=64), nullable=True),
        sa.Column("text_hash", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["body_hash"], ["contents.hash"], name=op.f("fk_pages_body_hash_contents")),
        sa.ForeignKeyConstraint(
            ["crawl_id"], ["crawls.id"], name=op.f("fk_pages_crawl_id_crawls"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_pages_site_id_sites"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["text_hash"], ["contents.hash"], name=op.f("fk_pages_text_hash_contents")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pages")),
        sa.UniqueConstraint("site_id", "fingerprint", name=op.f("uq_pages_site_id_fingerprint")),
    )
    op.create_index(op.f("ix_pages_body_hash"), "pages", ["body_hash"], unique=False)
    op.create_index(op.f("ix_pages_crawl_id"), "pages", ["crawl_id"], unique=False)
    op.create_index(op.f("ix_pages_fetched"), "pages", ["fetched"], unique=False)
    op.create_index(op.f("ix_pages_text_hash"), "pages", ["text_hash"], unique=False)
    op.create_table(
        "queries",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("site_id", NUMBER, nullable=False),
        sa.Column("crawl_id", NUMBER, nullable=True),
        sa.Column("form", sa.String(length=64), nullable=False),
        sa.Column("keyword", sa.Text(), nullable=True),
        sa.Column("sent", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), server_default="", nullable=False),
        sa.Column("answer", sa.String(length=20), server_default="", nullable=False),
        sa.Column("results", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("new", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("pages", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("asked", WHEN, nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["crawl_id"], ["crawls.id"], name=op.f("fk_queries_crawl_id_crawls"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_queries_site_id_sites"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_queries")),
        sa.UniqueConstraint("crawl_id", "key", name=op.f("uq_queries_crawl_id_key")),
    )
    op.create_index(op.f("ix_queries_site_id"), "queries", ["site_id"], unique=False)
    op.create_table(
        "blocks",
        sa.Column("page_id", NUMBER, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("level", sa.String(length=10), nullable=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("coherence", sa.Integer(), nullable=True),
        sa.Column("x", sa.Float(), nullable=True),
        sa.Column("y", sa.Float(), nullable=True),
        sa.Column("width", sa.Float(), nullable=True),
        sa.Column("height", sa.Float(), nullable=True),
        sa.Column("characters", sa.Integer(), nullable=False),
        sa.Column("beginning", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["pages.id"], name=op.f("fk_blocks_page_id_pages"), ondelete="CASCADE"),
        sa.UniqueConstraint("page_id", "number", name=op.f("uq_blocks_page_id_number")),
    )
    op.create_table(
        "resources",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("identity_hash", sa.String(length=64), nullable=False),
        sa.Column("site_id", NUMBER, nullable=False),
        sa.Column("page_id", NUMBER, nullable=True),
        sa.Column("library", sa.String(length=40), server_default="", nullable=False),
        sa.Column("category", sa.String(length=60), server_default="", nullable=False),
        sa.Column("language", sa.String(length=10), server_default="", nullable=False),
        sa.Column("published", WHEN, server_default="", nullable=False),
        sa.Column("price", sa.Float(), nullable=True),
        sa.Column("currency", sa.String(length=10), nullable=True),
        sa.Column("relevance", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("credibility", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("first_seen", WHEN, nullable=False),
        sa.Column("last_seen", WHEN, nullable=False),
        sa.Column("changed", WHEN, nullable=True),
        sa.Column("withdrawn", WHEN, nullable=True),
        sa.Column("mark", sa.String(length=20), server_default="", nullable=False),
        sa.Column("marked", WHEN, nullable=True),
        sa.Column("classed_by", sa.String(length=10), server_default="program", nullable=False),
        sa.Column("content_hash", sa.String(length=64), server_default="", nullable=False),
        sa.Column("duplicate_of", sa.Text(), nullable=True),
        sa.Column("identity", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("source", sa.Text(), server_default="", nullable=False),
        sa.Column("author", sa.Text(), server_default="", nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("keywords", sa.Text(), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("images", sa.Text(), nullable=False),
        sa.Column("videos", sa.Text(), nullable=False),
        sa.Column("links", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("blocks", sa.Text(), nullable=False),
        sa.Column("provenance", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("markdown", sa.Text(), server_default="", nullable=False),
        sa.CheckConstraint("mark IN ('', 'reviewed', 'wrong class', 'withdrawn')", name=op.f("ck_resources_mark")),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name=op.f("fk_resources_page_id_pages"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_resources_site_id_sites"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_resources")),
        sa.UniqueConstraint("identity_hash", name=op.f("uq_resources_identity_hash")),
    )
    op.create_index("ix_resources_class", "resources", ["library", "category"], unique=False)
    op.create_index("ix_resources_content", "resources", ["content_hash"], unique=False)
    op.create_index(op.f("ix_resources_page_id"), "resources", ["page_id"], unique=False)
    op.create_index("ix_resources_site", "resources", ["site_id", "last_seen"], unique=False)
    op.create_table(
        "duplicates",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("resource_id", NUMBER, nullable=False),
        sa.Column("page_id", NUMBER, nullable=True),
        sa.Column("identity_hash", sa.String(length=64), nullable=False),
        sa.Column("identity", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("kind", sa.String(length=20), server_default="", nullable=False),
        sa.Column("similarity", sa.Float(), nullable=True),
        sa.Column("found", WHEN, nullable=False),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name=op.f("fk_duplicates_page_id_pages"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["resource_id"], ["resources.id"], name=op.f("fk_duplicates_resource_id_resources"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_duplicates")),
        sa.UniqueConstraint("identity_hash", name=op.f("uq_duplicates_identity_hash")),
    )
    op.create_index(op.f("ix_duplicates_page_id"), "duplicates", ["page_id"], unique=False)
    op.create_index(op.f("ix_duplicates_resource_id"), "duplicates", ["resource_id"], unique=False)
    op.create_table(
        "files",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("resource_id", NUMBER, nullable=False),
        sa.Column("url_hash", sa.String(length=64), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("path", sa.Text(), server_default="", nullable=False),
        sa.Column("checksum", sa.String(length=128), server_default="", nullable=False),
        sa.Column("media_type", sa.Text(), server_default="", nullable=False),
        sa.Column("size", NUMBER, nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("thumbnail", sa.Text(), server_default="", nullable=False),
        sa.Column("status", sa.String(length=20), server_default="", nullable=False),
        sa.Column("fetched", WHEN, nullable=False),
        sa.ForeignKeyConstraint(
            ["resource_id"], ["resources.id"], name=op.f("fk_files_resource_id_resources"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_files")),
        sa.UniqueConstraint("resource_id", "url_hash", name=op.f("uq_files_resource_id_url_hash")),
    )
    op.create_table(
        "versions",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("resource_id", NUMBER, nullable=False),
        sa.Column("crawl_id", NUMBER, nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("until", WHEN, nullable=False),
        sa.Column("changed", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), server_default="", nullable=False),
        sa.Column("before", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["crawl_id"], ["crawls.id"], name=op.f("fk_versions_crawl_id_crawls"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["resource_id"], ["resources.id"], name=op.f("fk_versions_resource_id_resources"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("resource_id", "number", name=op.f("uq_versions_resource_id_number")),
    )
    op.create_index(op.f("ix_versions_crawl_id"), "versions", ["crawl_id"], unique=False)
    op.create_table(
        "ways",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("resource_id", NUMBER, nullable=False),
        sa.Column("page_id", NUMBER, nullable=True),
        sa.Column("crawl_id", NUMBER, nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("form", sa.String(length=64), server_default="", nullable=False),
        sa.Column("keyword", sa.Text(), server_default="", nullable=False),
        sa.Column("referrer", sa.Text(), server_default="", nullable=False),
        sa.Column("anchor", sa.Text(), server_default="", nullable=False),
        sa.Column("depth", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("found", WHEN, nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["crawl_id"], ["crawls.id"], name=op.f("fk_ways_crawl_id_crawls"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["page_id"], ["pages.id"], name=op.f("fk_ways_page_id_pages"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(
            ["resource_id"], ["resources.id"], name=op.f("fk_ways_resource_id_resources"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ways")),
        sa.UniqueConstraint("resource_id", "key", name=op.f("uq_ways_resource_id_key")),
    )
    op.create_index(op.f("ix_ways_crawl_id"), "ways", ["crawl_id"], unique=False)
    op.create_index(op.f("ix_ways_page_id"), "ways", ["page_id"], unique=False)
