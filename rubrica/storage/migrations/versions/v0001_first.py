"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from rubrica.storage.guards import guards

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = ("versions", "ratings", "moves", "withdrawals", "audit", "messages")


def upgrade() -> None:
    op.create_table(
        "hits",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("window", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "sessions",
        sa.Column("hashed", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("study", sa.Text(), nullable=False),
        sa.Column("who", sa.Integer(), nullable=False),
        sa.Column("touched", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("hashed"),
    )
    op.create_index("sessions_until", "sessions", ["until"], unique=False)
    op.create_index("sessions_who", "sessions", ["role", "study", "who"], unique=False)
    op.create_table(
        "settings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "studies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("added", sa.Text(), nullable=False),
        sa.Column("closed", sa.Text(), nullable=True),
        sa.Column("raters", sa.Integer(), server_default="0", nullable=False),
        sa.Column("loads", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "audit",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("time", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("audit_study", "audit", ["study", "number"], unique=False)
    op.create_table(
        "batches",
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("study", "number"),
        sa.UniqueConstraint("study", "name"),
    )
    op.create_table(
        "items",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("public", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("load", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=True),
        sa.Column("thread", sa.BigInteger(), nullable=True),
        sa.Column("turn", sa.Integer(), server_default="0", nullable=False),
        sa.Column("gold", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("rated", sa.SmallInteger(), server_default="1", nullable=False),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("unit", sa.Integer(), nullable=True),
        sa.Column("member", sa.Integer(), nullable=True),
        sa.Column("covered", sa.Integer(), server_default="0", nullable=False),
        sa.Column("returned", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("study", "public"),
    )
    op.create_index(
        "items_covered",
        "items",
        ["study", "covered", "position"],
        unique=False,
        sqlite_where=sa.text("gold = 0"),
        postgresql_where=sa.text("gold = 0"),
    )
    op.create_index(
        "items_gold",
        "items",
        ["study", "position"],
        unique=False,
        sqlite_where=sa.text("gold = 1"),
        postgresql_where=sa.text("gold = 1"),
    )
    op.create_index("items_position", "items", ["study", "position"], unique=True)
    op.create_index(
        "items_returned",
        "items",
        ["study", "returned"],
        unique=False,
        sqlite_where=sa.text("returned IS NOT NULL"),
        postgresql_where=sa.text("returned IS NOT NULL"),
    )
    op.create_index(
        "items_thread",
        "items",
        ["study", "thread"],
        unique=False,
        sqlite_where=sa.text("thread IS NOT NULL"),
        postgresql_where=sa.text("thread IS NOT NULL"),
    )
    op.create_index(
        "items_unit",
        "items",
        ["study", "unit", "member"],
        unique=False,
        sqlite_where=sa.text("unit IS NOT NULL"),
        postgresql_where=sa.text("unit IS NOT NULL"),
    )
    op.create_index(
        "items_unplaced",
        "items",
        ["study", "load"],
        unique=False,
        sqlite_where=sa.text("position IS NULL AND rated = 1"),
        postgresql_where=sa.text("position IS NULL AND rated = 1"),
    )
    op.create_table(
        "media",
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("public", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("study", "public"),
    )
    op.create_table(
        "messages",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=True),
        sa.Column("item", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("place", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("answers", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sent", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("messages_study", "messages", ["study", "number"], unique=False)
    op.create_table(
        "moves",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("place", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("item", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("time", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("moves_what", "moves", ["study", "what", "number"], unique=False)
    op.create_table(
        "raters",
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("guidelines", sa.Text(), nullable=True),
        sa.Column("consent", sa.Text(), nullable=True),
        sa.Column("practice", sa.Text(), nullable=False),
        sa.Column("joined", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("study", "number"),
    )
    op.create_table(
        "spans",
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("load", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=True),
        sa.Column("unit_start", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("study", "start"),
    )
    op.create_table(
        "versions",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("declared", sa.Text(), nullable=False),
        sa.Column("question_hashes", sa.Text(), nullable=False),
        sa.Column("added", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("study", "hash"),
    )
    op.create_table(
        "withdrawals",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("time", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("withdrawals_rater", "withdrawals", ["study", "rater"], unique=False)
    op.create_table(
        "hidden",
        sa.Column("item", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("copy", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=True),
        sa.Column("system", sa.Text(), nullable=True),
        sa.Column("wave", sa.Text(), nullable=True),
        sa.Column("gold", sa.Text(), nullable=True),
        sa.Column("data", sa.Text(), nullable=True),
        sa.Column("source", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item"],
            ["items.id"],
        ),
        sa.PrimaryKeyConstraint("item", "version"),
        sa.UniqueConstraint("study", "key", "copy", "version"),
    )
    op.create_table(
        "lists",
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("item", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["item"],
            ["items.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("study", "name", "entry"),
    )
    op.create_table(
        "names",
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("crowd", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study", "rater"],
            ["raters.study", "raters.number"],
        ),
        sa.PrimaryKeyConstraint("study", "rater"),
        sa.UniqueConstraint("study", "name"),
    )
    op.create_table(
        "places",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("item", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=True),
        sa.Column("repeat_of", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("again", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("gold", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("round", sa.Text(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=True),
        sa.Column("capacity", sa.Integer(), nullable=True),
        sa.Column("surplus", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("rating", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["item"],
            ["items.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study", "rater"],
            ["raters.study", "raters.number"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("study", "rater", "item", "again"),
        sa.UniqueConstraint("study", "rater", "number"),
    )
    op.create_index(
        "places_expiring",
        "places",
        ["study", "until"],
        unique=False,
        sqlite_where=sa.text("state = 'reserved' AND capacity IS NOT NULL"),
        postgresql_where=sa.text("state = 'reserved' AND capacity IS NOT NULL"),
    )
    op.create_index(
        "places_reserved",
        "places",
        ["study", "rater", "number"],
        unique=False,
        sqlite_where=sa.text("state = 'reserved'"),
        postgresql_where=sa.text("state = 'reserved'"),
    )
    op.create_index(
        "places_released",
        "places",
        ["study", "rater", "number"],
        unique=False,
        sqlite_where=sa.text("state = 'released'"),
        postgresql_where=sa.text("state = 'released'"),
    )
    op.create_table(
        "shown",
        sa.Column("item", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("views", sa.Text(), nullable=False),
        sa.Column("entries", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("media", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item"],
            ["items.id"],
        ),
        sa.PrimaryKeyConstraint("item", "version"),
    )
    op.create_table(
        "walks",
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("given", sa.Integer(), server_default="0", nullable=False),
        sa.Column("cursor", sa.Text(), server_default="{}", nullable=False),
        sa.Column("last_thread", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["study", "rater"],
            ["raters.study", "raters.number"],
        ),
        sa.PrimaryKeyConstraint("study", "rater"),
    )
    op.create_table(
        "drafts",
        sa.Column(
            "place",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("saved", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["place"],
            ["places.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("place"),
    )
    op.create_index("drafts_rater", "drafts", ["study", "rater"], unique=False)
    op.create_table(
        "ratings",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("place", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("item", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("item_version", sa.Integer(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=True),
        sa.Column("skip_reason", sa.Text(), nullable=True),
        sa.Column("supersedes", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("pace", sa.Text(), nullable=False),
        sa.Column("scores", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("received", sa.Text(), nullable=False),
        sa.Column("surplus", sa.SmallInteger(), nullable=False),
        sa.Column("conflict", sa.SmallInteger(), nullable=False),
        sa.Column("imported", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["place"],
            ["places.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study", "version"],
            ["versions.study", "versions.hash"],
        ),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("study", "id"),
    )
    op.create_index("ratings_number", "ratings", ["study", "number"], unique=False)
    op.create_index("ratings_place", "ratings", ["place", "number"], unique=False)
    op.create_index("ratings_rater", "ratings", ["study", "rater", "number"], unique=False)
    for statement in guards(APPEND_ONLY, sqlite=op.get_bind().dialect.name == "sqlite"):
        op.execute(statement)
