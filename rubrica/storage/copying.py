"""The contents of one database into another, as they stood at one moment: all, or one study's.

Tables are copied as they are, by the program's own description of them, so that it makes no
difference which kind of database either side is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, Text, cast, func, literal, or_, select

from rubrica.accounts.model import is_robot
from rubrica.storage.database import Database
from rubrica.storage.desk_tables import (
    deeds,
    kept_results,
    members,
    new_ratings,
    people,
    tickets,
    tokens,
    touched_items,
)
from rubrica.storage.item_tables import lists
from rubrica.storage.sql import Row, Tx
from rubrica.storage.tables import (
    audit,
    hits,
    metadata,
    names,
    raters,
    ratings,
    sessions,
    settings,
    studies,
    withdrawals,
)

Told = Callable[[float], None]
Copied = dict[str, int]
"""How many rows of each table."""

AT_ONCE = 2_000

QUEUES = (new_ratings, touched_items)
"""Triggers fill these while other tables are copied, so they come last and are emptied before."""

STAY = (settings, hits, people, members, tickets, tokens, deeds, sessions, lists, kept_results)
"""What does not travel with a study: it belongs to the installation, or is made anew from the study's
files and ratings."""

TABLES = (*(t for t in metadata.sorted_tables if t not in QUEUES), *QUEUES)


def copy_all(source: Database, target: Database, told: Told = lambda _: None) -> Copied:
    """Everything, into a database whose tables are made and empty."""
    return _copy(source, target, [(table, select(table)) for table in TABLES], told)


@dataclass(frozen=True, slots=True)
class Part:
    """One study, with what is left out of it."""

    study: int
    without_withdrawn: bool = False
    with_names: bool = False

    def chosen(self) -> list[tuple[Table, Select[Any]]]:
        return [
            (table, select(table).where(*self._wanted(table))) for table in TABLES if table not in STAY
        ]

    def change(self, table: Table, row: Row) -> Row:
        """Annotator ids, codes and what a crowd platform sent stay behind unless asked for."""
        if table is not names or self.with_names:
            return row
        study, rater, name, *_ = row
        tells_nobody = name.startswith(("withdrawn ", "unnamed place ")) or is_robot(name)
        return (study, rater, name if tells_nobody else f"rater {rater}", "", "{}")

    def _wanted(self, table: Table) -> Iterator[ColumnElement[bool]]:
        yield (studies.c.id if table is studies else table.c.study) == self.study
        if not self.without_withdrawn:
            return
        gone = select(withdrawals.c.rater).where(withdrawals.c.study == self.study)
        if table is raters:
            yield raters.c.number.not_in(gone)
        elif table is new_ratings:
            theirs = select(ratings.c.number).where(
                ratings.c.study == self.study, ratings.c.rater.in_(gone)
            )
            yield new_ratings.c.number.not_in(theirs)
        elif table is audit:
            said = select(literal("rater ") + cast(withdrawals.c.rater, Text))
            yield audit.c.who.not_in(said.where(withdrawals.c.study == self.study))
        elif "rater" in table.c:
            yield or_(table.c.rater.is_(None), table.c.rater.not_in(gone))


def copy_study(source: Database, target: Database, part: Part, told: Told = lambda _: None) -> Copied:
    """One study, into a database whose tables are made and empty."""
    return _copy(source, target, part.chosen(), told, part.change)


def is_empty(tx: Tx) -> bool:
    """Whether nothing has been kept in a database yet."""
    return tx.one(select(studies.c.id)) is None and tx.one(select(people.c.number)) is None


def _copy(
    source: Database,
    target: Database,
    chosen: Sequence[tuple[Table, Select[Any]]],
    told: Told,
    change: Callable[[Table, Row], Row] = lambda _, row: row,
) -> Copied:
    copied: Copied = {}
    with source.snapshot() as there, target.write() as here:
        counts = {table: _count(there, wanted) for table, wanted in chosen}
        total, done = sum(counts.values()) or 1, 0
        for table, wanted in chosen:
            if table in QUEUES:
                here.run(table.delete())
            copied[table.name] = 0
            rows = (change(table, row) for row in there.stream(wanted, AT_ONCE))
            while some := list(islice(rows, AT_ONCE)):
                here.bulk(
                    table, [column.name for column in table.columns], [*chain.from_iterable(some)]
                )
                copied[table.name] += len(some)
                done += len(some)
                told(min(1.0, done / total))
        if not here.sqlite:
            _count_on(here)
    return copied


def _count(tx: Tx, wanted: Select[Any]) -> int:
    return int(tx.value(select(func.count()).select_from(wanted.subquery())))


def _count_on(tx: Tx) -> None:
    """PostgreSQL counts apart from its tables: what is added next must not take a number again."""
    for table in TABLES:
        for column in table.primary_key.columns:
            found = tx.plain(f"SELECT pg_get_serial_sequence('{table.name}', '{column.name}')")
            top = tx.value(select(func.max(column))) if found[0][0] else None
            if top is not None:
                tx.plain(f"SELECT setval('{found[0][0]}', {int(top)})")
