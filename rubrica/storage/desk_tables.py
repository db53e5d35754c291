"""The tables of the coordinators' desk: people, counts, settled answers, kept results.

Counts are brought up to date from two queues that triggers fill, so that recording a rating costs no
more than one small row, whoever records it, and no rating is counted twice or never.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from rubrica.storage.tables import Number, metadata


def _counted(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, server_default="0")


people = Table(
    "people",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, unique=True),
    Column("state", Text, nullable=False),
    Column("password", Text, nullable=False),
    Column("added", Text, nullable=False),
)

members = Table(
    "members",
    metadata,
    Column("person", Number, ForeignKey("people.number"), nullable=False),
    # The study's name, so that a role can be given before the study is loaded; empty for all.
    Column("study", Text, nullable=False),
    Column("role", Text, nullable=False),
    PrimaryKeyConstraint("person", "study"),
)

tickets = Table(
    "tickets",
    metadata,
    Column("hashed", Text, primary_key=True),
    Column("person", Number, ForeignKey("people.number"), nullable=False),
    Column("purpose", Text, nullable=False),
    Column("until", Float, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=False),
    Column("hashed", Text, nullable=False, unique=True),
    Column("person", Number, ForeignKey("people.number"), nullable=False),
    Column("name", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("made", Text, nullable=False),
    Column("until", Float, nullable=False),
    Column("ended", SmallInteger, nullable=False, server_default="0"),
    Index("tokens_person", "person"),
)

deeds = Table(
    "deeds",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=False),
    Column("time", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("details", Text, nullable=False),
)

new_ratings = Table(
    "new_ratings",
    metadata,
    Column("study", Integer, nullable=False),
    Column("number", Number, nullable=False),
    PrimaryKeyConstraint("study", "number"),
)

touched_items = Table(
    "touched_items",
    metadata,
    Column("study", Integer, nullable=False),
    Column("item", Number, nullable=False),
    PrimaryKeyConstraint("study", "item"),
)

tallies = Table(
    "tallies",
    metadata,
    Column("study", Integer, ForeignKey("studies.id"), nullable=False),
    Column("rater", Integer, nullable=False),
    # -1 for items without a batch.
    Column("batch", Integer, nullable=False),
    Column("day", Text, nullable=False),
    Column("version", Text, nullable=False),
    _counted("rated"),
    _counted("skipped"),
    _counted("revised"),
    Column("active", Float, nullable=False, server_default="0"),
    Column("wall", Float, nullable=False, server_default="0"),
    # Sooner than the item can be read.
    _counted("unread"),
    Column("first", Text, nullable=False),
    Column("last", Text, nullable=False),
    PrimaryKeyConstraint("study", "rater", "batch", "day", "version"),
)

marks = Table(
    "marks",
    metadata,
    Column("item", Number, ForeignKey("items.id"), primary_key=True, autoincrement=False),
    Column("study", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("batch", Integer, nullable=False),
    _counted("done"),
    _counted("skipped"),
    _counted("comments"),
    _counted("flags"),
    Column("split", Float, nullable=False, server_default="0"),
    Column("settled", SmallInteger, nullable=False, server_default="0"),
    UniqueConstraint("study", "position"),
    Index("marks_done", "study", "done", "position"),
    *(
        Index(
            f"marks_{name}",
            "study",
            "position",
            sqlite_where=text(f"{name} > 0"),
            postgresql_where=text(f"{name} > 0"),
        )
        for name in ("skipped", "comments", "flags", "settled")
    ),
    Index(
        "marks_split",
        "study",
        "split",
        "position",
        sqlite_where=text("split > 0"),
        postgresql_where=text("split > 0"),
    ),
)

# Up to which position every item has a line among the marks; those that were rated have one anyway.
filled = Table(
    "filled",
    metadata,
    Column("study", Integer, ForeignKey("studies.id"), primary_key=True, autoincrement=False),
    Column("position", Integer, nullable=False),
)

levels = Table(
    "levels",
    metadata,
    Column("study", Integer, ForeignKey("studies.id"), nullable=False),
    # `done`, or the name of a mark.
    Column("kind", Text, nullable=False),
    Column("batch", Integer, nullable=False),
    # How many are done with the items, or how many skipped them; 1 for other marks.
    Column("level", Integer, nullable=False),
    _counted("items"),
    PrimaryKeyConstraint("study", "kind", "batch", "level"),
)

# What one rater's fixed list lost to another's, in order.
handed = Table(
    "handed",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=False),
    Column("study", Integer, ForeignKey("studies.id"), nullable=False),
    Column("item", Number, ForeignKey("items.id"), nullable=False),
    Column("source", Text, nullable=False),
    Column("target", Text, nullable=False),
    Index("handed_study", "study", "number"),
)

settlements = Table(
    "settlements",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=False),
    Column("study", Integer, ForeignKey("studies.id"), nullable=False),
    Column("item", Number, ForeignKey("items.id"), nullable=False),
    Column("question", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("time", Text, nullable=False),
    Index("settlements_item", "study", "item", "number"),
)

kept_results = Table(
    "kept_results",
    metadata,
    Column("study", Integer, ForeignKey("studies.id"), nullable=False),
    Column("what", Text, nullable=False),
    Column("of", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("made", Text, nullable=False),
    Column("seconds", Float, nullable=False),
    PrimaryKeyConstraint("study", "what"),
)

TABLES = (
    *(people, members, tickets, tokens, deeds, new_ratings, touched_items),
    *(tallies, marks, filled, levels, handed, settlements, kept_results),
)
APPEND_ONLY_TOO = (deeds, handed, settlements)
"""Nothing is ever changed or removed in these either."""


def queue_triggers(*, sqlite: bool) -> list[str]:
    """What fills the queues: new ratings, released places that had been rated, flags."""
    rating = "INSERT INTO new_ratings (study, number) VALUES (NEW.study, NEW.number)"
    touched = (
        "INSERT INTO touched_items (study, item) VALUES (NEW.study, NEW.item) ON CONFLICT DO NOTHING"
    )
    freed = "NEW.state = 'released' AND OLD.rating IS NOT NULL"
    flag = "NEW.kind = 'flag' AND NEW.item IS NOT NULL"
    wanted = (
        ("ratings_queue", "AFTER INSERT ON ratings", "", rating),
        ("places_queue", "AFTER UPDATE OF state ON places", f"WHEN ({freed})", touched),
        ("messages_queue", "AFTER INSERT ON messages", f"WHEN ({flag})", touched),
    )
    if sqlite:
        return [f"CREATE TRIGGER {n} {on} {when} BEGIN {do}; END" for n, on, when, do in wanted]
    made = []
    for name, on, when, do in wanted:
        body = f"$$ BEGIN {do}; RETURN NULL; END $$"
        made.append(f"CREATE FUNCTION rubrica_{name}() RETURNS trigger LANGUAGE plpgsql AS {body}")
        run = f"EXECUTE FUNCTION rubrica_{name}()"
        made.append(f"CREATE TRIGGER {name} {on} FOR EACH ROW {when} {run}")
    return made
