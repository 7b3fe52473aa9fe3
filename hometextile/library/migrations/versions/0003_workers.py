"""What several workers of one crawl must agree on: who is at work, whose form it is, when a host may be asked again.

Revision ID: 0003
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("frontier", sa.Column("form", sa.String(length=64), nullable=True))
    op.create_table(
        "interrogations",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("site_id", NUMBER, nullable=False),
        sa.Column("crawl_id", NUMBER, nullable=True),
        sa.Column("form", sa.String(length=64), nullable=False),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("owner", sa.String(length=80), nullable=True),
        sa.Column("until", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["crawl_id"], ["crawls.id"], name=op.f("fk_interrogations_crawl_id_crawls"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["site_id"], ["sites.id"], name=op.f("fk_interrogations_site_id_sites"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interrogations")),
        sa.UniqueConstraint("site_id", "form", name=op.f("uq_interrogations_site_id_form")),
    )
    op.create_index(op.f("ix_interrogations_crawl_id"), "interrogations", ["crawl_id"])
    op.create_table(
        "workers",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("owner", sa.String(length=80), nullable=False),
        sa.Column("site_id", NUMBER, nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_workers_site_id_sites"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workers")),
        sa.UniqueConstraint("owner", name=op.f("uq_workers_owner")),
    )
    op.create_index(op.f("ix_workers_site_id"), "workers", ["site_id"])
    op.create_table(
        "hosts",
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("next_allowed", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("host", name=op.f("pk_hosts")),
    )
