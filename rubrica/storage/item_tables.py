"""The tables of items: what raters see of them, what stays hidden, where each stands in order."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from rubrica.storage.tables import Number, metadata, of_study, of_study_too

batches = Table(
    "batches",
    metadata,
    of_study(),
    Column("number", Integer, nullable=False),
    Column("name", Text, nullable=False),
    PrimaryKeyConstraint("study", "number"),
    UniqueConstraint("study", "name"),
)

spans = Table(
    "spans",
    metadata,
    of_study(),
    Column("start", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    Column("load", Integer, nullable=False),
    Column("batch", Integer),
    Column("unit_start", Integer, nullable=False),
    Column("rounds", Text, nullable=False),
    PrimaryKeyConstraint("study", "start"),
)

items = Table(
    "items",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=False),
    of_study(),
    Column("public", Text, nullable=False),
    Column("version", Integer, nullable=False, server_default="1"),
    Column("load", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("batch", Integer),
    Column("thread", BigInteger),
    Column("turn", Integer, nullable=False, server_default="0"),
    Column("gold", SmallInteger, nullable=False, server_default="0"),
    Column("rated", SmallInteger, nullable=False, server_default="1"),
    # Where raters meet it; all empty for context, which is never rated.
    Column("position", Integer),
    Column("unit", Integer),
    Column("member", Integer),
    Column("covered", Integer, nullable=False, server_default="0"),
    Column("returned", BigInteger),
    UniqueConstraint("study", "public"),
    Index("items_position", "study", "position", unique=True),
    Index(
        "items_unplaced",
        "study",
        "load",
        sqlite_where=text("position IS NULL AND rated = 1"),
        postgresql_where=text("position IS NULL AND rated = 1"),
    ),
    Index(
        "items_covered",
        "study",
        "covered",
        "position",
        sqlite_where=text("gold = 0"),
        postgresql_where=text("gold = 0"),
    ),
    Index(
        "items_gold",
        "study",
        "position",
        sqlite_where=text("gold = 1"),
        postgresql_where=text("gold = 1"),
    ),
    Index(
        "items_returned",
        "study",
        "returned",
        sqlite_where=text("returned IS NOT NULL"),
        postgresql_where=text("returned IS NOT NULL"),
    ),
    Index(
        "items_thread",
        "study",
        "thread",
        sqlite_where=text("thread IS NOT NULL"),
        postgresql_where=text("thread IS NOT NULL"),
    ),
    Index(
        "items_unit",
        "study",
        "unit",
        "member",
        sqlite_where=text("unit IS NOT NULL"),
        postgresql_where=text("unit IS NOT NULL"),
    ),
)

shown = Table(
    "shown",
    metadata,
    Column("item", Number, ForeignKey("items.id"), nullable=False),
    Column("version", Integer, nullable=False),
    of_study_too(),
    Column("views", Text, nullable=False),
    Column("entries", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Column("media", Text, nullable=False),
    PrimaryKeyConstraint("item", "version"),
)

hidden = Table(
    "hidden",
    metadata,
    Column("item", Number, ForeignKey("items.id"), nullable=False),
    Column("version", Integer, nullable=False),
    of_study_too(),
    Column("key", Text, nullable=False),
    Column("copy", Integer, nullable=False),
    Column("digest", Text, nullable=False),
    Column("file", Text, nullable=False),
    Column("line", Integer, nullable=False),
    Column("thread", Text),
    Column("system", Text),
    Column("wave", Text),
    Column("gold", Text),
    # Empty where the source says all of it.
    Column("data", Text),
    Column("source", LargeBinary, nullable=False),
    PrimaryKeyConstraint("item", "version"),
    UniqueConstraint("study", "key", "copy", "version"),
)

media = Table(
    "media",
    metadata,
    of_study(),
    Column("public", Text, nullable=False),
    Column("name", Text, nullable=False),
    PrimaryKeyConstraint("study", "public"),
)

lists = Table(
    "lists",
    metadata,
    of_study(),
    Column("name", Text, nullable=False),
    Column("entry", Integer, nullable=False),
    Column("item", Number, ForeignKey("items.id"), nullable=False),
    PrimaryKeyConstraint("study", "name", "entry"),
)
