"""The coordinators' desk: people, counts, settled answers, kept results.

The tables are written out in full, so that this step stays what it was when the program's own
description of them goes on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from rubrica.storage.desk_tables import queue_triggers
from rubrica.storage.guards import guards

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
APPEND_ONLY = ("deeds", "handed", "settlements")
COUNTED = ("done", "skipped", "comments", "flags")


def _number(name: str, *more: sa.ForeignKey) -> sa.Column[int]:
    return sa.Column(name, NUMBER, *more, autoincrement=False, nullable=False)


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _counts(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer(), nullable=False, server_default="0") for name in names]


def _study() -> sa.Column[int]:
    return sa.Column("study", sa.Integer(), sa.ForeignKey("studies.id"), nullable=False)


def _partial(name: str, columns: list[str], where: str) -> None:
    op.create_index(
        name, "marks", columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where)
    )


def upgrade() -> None:
    _people()
    _counting()
    op.create_table(
        "handed",
        _number("number"),
        _study(),
        _number("item", sa.ForeignKey("items.id")),
        *_text("source", "target"),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("handed_study", "handed", ["study", "number"])
    op.create_table(
        "settlements",
        _number("number"),
        _study(),
        _number("item", sa.ForeignKey("items.id")),
        *_text("question", "value", "note", "who", "version", "time"),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("settlements_item", "settlements", ["study", "item", "number"])
    op.create_table(
        "kept_results",
        _study(),
        *_text("what", "of", "body", "made"),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("study", "what"),
    )
    op.create_index("places_item", "places", ["study", "item"])
    sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in (*guards(APPEND_ONLY, sqlite=sqlite), *queue_triggers(sqlite=sqlite)):
        op.execute(statement)
    op.execute("INSERT INTO new_ratings (study, number) SELECT study, number FROM ratings")


def _people() -> None:
    op.create_table(
        "people",
        _number("number"),
        *_text("name", "state", "password", "added"),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "members",
        _number("person", sa.ForeignKey("people.number")),
        *_text("study", "role"),
        sa.PrimaryKeyConstraint("person", "study"),
    )
    op.create_table(
        "tickets",
        *_text("hashed"),
        _number("person", sa.ForeignKey("people.number")),
        *_text("purpose"),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("hashed"),
    )
    op.create_table(
        "tokens",
        _number("number"),
        *_text("hashed"),
        _number("person", sa.ForeignKey("people.number")),
        *_text("name", "scope", "made"),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("ended", sa.SmallInteger(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("hashed"),
    )
    op.create_index("tokens_person", "tokens", ["person"])
    op.create_table(
        "deeds",
        _number("number"),
        *_text("time", "who", "what", "details"),
        sa.PrimaryKeyConstraint("number"),
    )


def _counting() -> None:
    for name, of in (("new_ratings", "number"), ("touched_items", "item")):
        op.create_table(
            name,
            sa.Column("study", sa.Integer(), nullable=False),
            _number(of),
            sa.PrimaryKeyConstraint("study", of),
        )
    op.create_table(
        "tallies",
        _study(),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        *_text("day", "version"),
        *_counts("rated", "skipped", "revised"),
        sa.Column("active", sa.Float(), nullable=False, server_default="0"),
        sa.Column("wall", sa.Float(), nullable=False, server_default="0"),
        *_text("first", "last"),
        sa.PrimaryKeyConstraint("study", "rater", "batch", "day", "version"),
    )
    op.create_table(
        "marks",
        _number("item", sa.ForeignKey("items.id")),
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        *_counts(*COUNTED),
        sa.Column("split", sa.Float(), nullable=False, server_default="0"),
        sa.Column("settled", sa.SmallInteger(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("item"),
        sa.UniqueConstraint("study", "position"),
    )
    op.create_index("marks_done", "marks", ["study", "done", "position"])
    for name in ("skipped", "comments", "flags", "settled"):
        _partial(f"marks_{name}", ["study", "position"], f"{name} > 0")
    _partial("marks_split", ["study", "split", "position"], "split > 0")
    op.create_table(
        "levels",
        _study(),
        *_text("kind"),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        *_counts("items"),
        sa.PrimaryKeyConstraint("study", "kind", "batch", "level"),
    )
