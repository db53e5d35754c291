"""What is wrong with a database: SQLite's own checks, the triggers, and what must always hold."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, and_, bindparam, func, inspect, or_, select

from rubrica.errors import Problem, Rule
from rubrica.storage.codec import time_in
from rubrica.storage.database import Database, Sqlite
from rubrica.storage.desk_tables import APPEND_ONLY_TOO
from rubrica.storage.guards import missing_guards
from rubrica.storage.item_tables import items
from rubrica.storage.rules import (
    CORRUPT,
    FROM_THE_FUTURE,
    LOST_PLACE,
    MISCOUNTED,
    NO_GUARD,
    OLD_SQLITE,
    OVER_ASSIGNED,
    SCHEMA_CHANGED,
)
from rubrica.storage.sql import Tx
from rubrica.storage.store import SqlStore
from rubrica.storage.tables import APPEND_ONLY, metadata, places, ratings, withdrawals

FIXED_SQLITE = ((3, 51, 3), (3, 50, 7), (3, 44, 6))
"""Releases from which on a write cannot be lost between two checkpoints (the "WAL reset" fault): the
newest line, and older lines that were mended."""

_withdrawn = (
    select(withdrawals.c.number)
    .where(withdrawals.c.study == ratings.c.study, withdrawals.c.rater == ratings.c.rater)
    .exists()
)
_filled = (
    select(places.c.id)
    .where(
        places.c.id == ratings.c.place,
        places.c.study == ratings.c.study,
        places.c.rater == ratings.c.rater,
        places.c.item == ratings.c.item,
        or_(places.c.state == "rated", places.c.state == "skipped"),
        places.c.rating.is_not(None),
    )
    .exists()
)
WITHOUT_PLACE = select(func.count(), func.min(ratings.c.id)).where(~_filled, ~_withdrawn)

_taking = (
    select(places.c.item, func.count().label("taken"), func.max(places.c.capacity).label("k"))
    .where(places.c.capacity.is_not(None), places.c.state != "released", places.c.surplus == 0)
    .group_by(places.c.item)
    .subquery("taking")
)
TOO_MANY = select(func.count(), func.min(_taking.c.item)).where(_taking.c.taken > _taking.c.k)
WRONG_COUNT = (
    select(func.count(), func.min(items.c.id))
    .select_from(items)
    .outerjoin(_taking, _taking.c.item == items.c.id)
    .where(
        or_(
            and_(_taking.c.taken.is_(None), items.c.covered != 0),
            _taking.c.taken != items.c.covered,
        )
    )
)

AHEAD = timedelta(minutes=5)
"""What clocks of several machines may differ by."""
LATER = select(func.count(), func.min(ratings.c.number)).where(ratings.c.received > bindparam("now"))

CHECKS: tuple[tuple[Rule, Select[Any, Any]], ...] = (
    (LOST_PLACE, WITHOUT_PLACE),
    (OVER_ASSIGNED, TOO_MANY),
    (MISCOUNTED, WRONG_COUNT),
)


def findings(store: SqlStore) -> list[Problem]:
    """All that is wrong or worth a warning; empty where all is well."""
    database = store.database
    return [*_sqlite(database), *_tables(database), *_contents(database, store.core.clock())]


def risky(version: tuple[int, int, int]) -> bool:
    """Whether this release of SQLite can lose a write where checkpoints are not kept apart."""
    newest, *older = FIXED_SQLITE
    mended = any(version[:2] == fixed[:2] and version >= fixed for fixed in older)
    return version < newest and not mended


def _sqlite(database: Database) -> Iterator[Problem]:
    if not isinstance(database, Sqlite):
        return
    if risky(sqlite3.sqlite_version_info):
        yield Problem(OLD_SQLITE, got=sqlite3.sqlite_version)
    with database.read() as tx:
        for row in tx.plain("PRAGMA integrity_check(10)"):
            if row[0] != "ok":
                yield Problem(CORRUPT, details={"reason": row[0]})
        for row in tx.plain("PRAGMA foreign_key_check"):
            reason = f"row {row[1]} of {row[0]} names a row of {row[2]} that is not there"
            yield Problem(CORRUPT, details={"reason": reason})


def _tables(database: Database) -> Iterator[Problem]:
    missing = _missing(database)
    if missing:
        yield Problem(SCHEMA_CHANGED, details={"missing": ", ".join(missing)})
    with database.read() as tx:
        lost = missing_guards(tx, [table.name for table in (*APPEND_ONLY, *APPEND_ONLY_TOO)])
    for table, names in lost.items():
        yield Problem(NO_GUARD, got=table, details={"missing": ", ".join(names)})


def _missing(database: Database) -> list[str]:
    there = inspect(database.engine)
    missing = []
    for table in metadata.sorted_tables:
        if not there.has_table(table.name):
            missing.append(table.name)
            continue
        columns = {column["name"] for column in there.get_columns(table.name)}
        missing += [f"{table.name}.{c.name}" for c in table.columns if c.name not in columns]
    return missing


def _contents(database: Database, now: datetime) -> Sequence[Problem]:
    if _missing(database):
        return []
    with database.snapshot() as tx:
        found = [problem for rule, statement in CHECKS for problem in _check(tx, rule, statement)]
        return [*found, *_check(tx, FROM_THE_FUTURE, LATER, now=time_in(now + AHEAD))]


def _check(tx: Tx, rule: Rule, statement: Select[Any, Any], **values: Any) -> Iterator[Problem]:
    row = tx.one(statement, **values)
    if row is not None and row[0]:
        yield Problem(rule, got=str(row[0]), details={"first": row[1]})
