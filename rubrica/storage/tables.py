"""The tables as the queries see them; the migrations make them.

Every table has the study's number. Texts that come from outside are kept as ASCII (`codec`), truth
values as 0 and 1, times as ISO 8601 in UTC with fixed width, so that both databases order and compare
them alike.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData()

Number = BigInteger().with_variant(Integer, "sqlite")
"""SQLite counts by itself only in a column that is called INTEGER."""


def of_study() -> Column[int]:
    return Column("study", Integer, ForeignKey("studies.id"), nullable=False)


def of_study_too() -> Column[int]:
    """The study where a key of several columns leads there already."""
    return Column("study", Integer, nullable=False)


studies = Table(
    "studies",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("secret", LargeBinary, nullable=False),
    Column("added", Text, nullable=False),
    Column("closed", Text),
    Column("raters", Integer, nullable=False, server_default="0"),
    Column("loads", Integer, nullable=False, server_default="0"),
)

versions = Table(
    "versions",
    metadata,
    Column("number", Number, primary_key=True),
    of_study(),
    Column("hash", Text, nullable=False),
    Column("declared", Text, nullable=False),
    Column("question_hashes", Text, nullable=False),
    Column("added", Text, nullable=False),
    UniqueConstraint("study", "hash"),
)

raters = Table(
    "raters",
    metadata,
    of_study(),
    Column("number", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("guidelines", Text),
    Column("consent", Text),
    Column("practice", Text, nullable=False),
    Column("joined", Text, nullable=False),
    # 0 for an unnamed place of ratings made elsewhere, which is no person.
    Column("named", SmallInteger, nullable=False, server_default="1"),
    PrimaryKeyConstraint("study", "number"),
)

names = Table(
    "names",
    metadata,
    of_study_too(),
    Column("rater", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("code_hash", Text, nullable=False),
    Column("crowd", Text, nullable=False),
    PrimaryKeyConstraint("study", "rater"),
    ForeignKeyConstraint(["study", "rater"], ["raters.study", "raters.number"]),
    UniqueConstraint("study", "name"),
)

walks = Table(
    "walks",
    metadata,
    of_study_too(),
    Column("rater", Integer, nullable=False),
    Column("given", Integer, nullable=False, server_default="0"),
    Column("cursor", Text, nullable=False, server_default="{}"),
    Column("last_thread", BigInteger),
    PrimaryKeyConstraint("study", "rater"),
    ForeignKeyConstraint(["study", "rater"], ["raters.study", "raters.number"]),
)

places = Table(
    "places",
    metadata,
    Column("id", Number, primary_key=True),
    of_study_too(),
    Column("item", Number, ForeignKey("items.id"), nullable=False),
    Column("rater", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("until", Text),
    Column("repeat_of", Number),
    # 1 for a planned repeat; part of the key that keeps an item from coming twice.
    Column("again", SmallInteger, nullable=False, server_default="0"),
    Column("gold", SmallInteger, nullable=False, server_default="0"),
    Column("round", Text, nullable=False),
    Column("at", Integer),
    # The item's k when the place was given; empty where the place takes none of it.
    Column("capacity", Integer),
    Column("surplus", SmallInteger, nullable=False, server_default="0"),
    # The rating that stands.
    Column("rating", Text),
    UniqueConstraint("study", "rater", "item", "again"),
    UniqueConstraint("study", "rater", "number"),
    ForeignKeyConstraint(["study", "rater"], ["raters.study", "raters.number"]),
    Index("places_item", "study", "item"),
    Index(
        "places_expiring",
        "study",
        "until",
        sqlite_where=text("state = 'reserved' AND capacity IS NOT NULL"),
        postgresql_where=text("state = 'reserved' AND capacity IS NOT NULL"),
    ),
    Index(
        "places_reserved",
        "study",
        "rater",
        "number",
        sqlite_where=text("state = 'reserved'"),
        postgresql_where=text("state = 'reserved'"),
    ),
    Index(
        "places_released",
        "study",
        "rater",
        "number",
        sqlite_where=text("state = 'released'"),
        postgresql_where=text("state = 'released'"),
    ),
)

moves = Table(
    "moves",
    metadata,
    Column("number", Number, primary_key=True),
    of_study(),
    Column("place", Number, nullable=False),
    Column("rater", Integer, nullable=False),
    Column("item", Number, nullable=False),
    Column("what", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("time", Text, nullable=False),
    Index("moves_what", "study", "what", "number"),
)

drafts = Table(
    "drafts",
    metadata,
    Column("place", Number, ForeignKey("places.id"), primary_key=True, autoincrement=False),
    of_study(),
    Column("rater", Integer, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("content", Text, nullable=False),
    Column("saved", Text, nullable=False),
    Index("drafts_rater", "study", "rater"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("number", Number, primary_key=True),
    of_study_too(),
    Column("id", Text, nullable=False),
    Column("place", Number, ForeignKey("places.id"), nullable=False),
    Column("rater", Integer, nullable=False),
    Column("item", Number, nullable=False),
    Column("item_version", Integer, nullable=False),
    Column("version", Text, nullable=False),
    Column("answers", Text),
    Column("skip_reason", Text),
    Column("supersedes", Text),
    Column("language", Text, nullable=False),
    Column("pace", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("received", Text, nullable=False),
    Column("surplus", SmallInteger, nullable=False),
    Column("conflict", SmallInteger, nullable=False),
    Column("imported", SmallInteger, nullable=False),
    UniqueConstraint("study", "id"),
    ForeignKeyConstraint(["study", "version"], ["versions.study", "versions.hash"]),
    Index("ratings_number", "study", "number"),
    Index("ratings_rater", "study", "rater", "number"),
    Index("ratings_place", "place", "number"),
)

withdrawals = Table(
    "withdrawals",
    metadata,
    Column("number", Number, primary_key=True),
    of_study(),
    Column("rater", Integer, nullable=False),
    Column("time", Text, nullable=False),
    Index("withdrawals_rater", "study", "rater"),
)

audit = Table(
    "audit",
    metadata,
    Column("number", Number, primary_key=True),
    of_study(),
    Column("time", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("details", Text, nullable=False),
    Index("audit_study", "study", "number"),
)

messages = Table(
    "messages",
    metadata,
    Column("number", Number, primary_key=True),
    of_study(),
    Column("kind", Text, nullable=False),
    Column("rater", Integer),
    Column("item", Number),
    Column("place", Number),
    Column("answers", Number),
    Column("text", Text, nullable=False),
    Column("sent", Text, nullable=False),
    Index("messages_study", "study", "number"),
)

# Belongs to the installation, not to a study.
settings = Table(
    "settings",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("hashed", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("study", Text, nullable=False),
    Column("who", Integer, nullable=False),
    Column("touched", Float, nullable=False),
    Column("until", Float, nullable=False),
    Index("sessions_who", "role", "study", "who"),
    Index("sessions_until", "until"),
)

hits = Table(
    "hits",
    metadata,
    Column("key", Text, primary_key=True),
    Column("window", BigInteger, nullable=False),
    Column("count", Integer, nullable=False),
)

APPEND_ONLY = (versions, ratings, moves, withdrawals, audit, messages)
"""Tables in which nothing is ever changed or removed; triggers hold it."""
