"""The tables of the search; :mod:`hometextile.library.upgrading` fills them afterwards.

Revision ID: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
WHEN = sa.String(40).with_variant(sa.String(40, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "search_documents",
        sa.Column("key", NUMBER, autoincrement=False, nullable=False),
        sa.Column("resource_id", NUMBER, nullable=False),
        sa.Column("published", WHEN, server_default="", nullable=False),
        sa.Column("price", sa.Float(), nullable=True),
        sa.Column("facets", sa.Text(), server_default="", nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("initials", sa.Text(), server_default="", nullable=False),
        sa.Column("body", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["resource_id"],
            ["resources.id"],
            name=op.f("fk_search_documents_resource_id_resources"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_search_documents")),
        sa.UniqueConstraint("resource_id", name=op.f("uq_search_documents_resource_id")),
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE search_index USING fts5("
            "title, body, initials, facets, content='', tokenize='ascii', prefix='1')"
        )
    else:
        op.execute(
            "CREATE TABLE search_index (key BIGINT PRIMARY KEY REFERENCES search_documents (key) "
            "ON DELETE CASCADE ON UPDATE CASCADE, terms TEXT[] NOT NULL)"
        )
        op.execute("CREATE INDEX ix_search_index_terms ON search_index USING gin (terms)")
