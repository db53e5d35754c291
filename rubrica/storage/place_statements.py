"""The statements by which places are given to raters, most of them for many at once."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, bindparam, case, select, text, update

from rubrica.storage.item_tables import items
from rubrica.storage.ledger import HELD
from rubrica.storage.lookup import PLACE
from rubrica.storage.sql import given, insert_given, locked, one_of
from rubrica.storage.tables import drafts, places, walks

STUDY: BindParameter[Any] = bindparam("study")
# Found through its partial index only where the query says the same, word for word.
RESERVED = text("places.state = 'reserved'")

WALKS = locked(
    select(walks.c.rater, walks.c.given, walks.c.cursor, walks.c.last_thread)
    .where(walks.c.study == STUDY, one_of(walks.c.rater, "raters"))
    .order_by(walks.c.rater)
)
# The study comes with each row, so that its rows are what is begun with, not all walks of the study.
_STEPS = given(
    "rows",
    study=walks.c.study,
    rater=walks.c.rater,
    given=walks.c.given,
    cursor=walks.c.cursor,
    last_thread=walks.c.last_thread,
)
STEP = (
    update(walks)
    .where(walks.c.study == _STEPS.c.study, walks.c.rater == _STEPS.c.rater)
    .values(given=_STEPS.c.given, cursor=_STEPS.c.cursor, last_thread=_STEPS.c.last_thread)
)
OPEN = locked(
    select(*PLACE).where(places.c.study == STUDY, one_of(places.c.rater, "raters"), RESERVED), skip=True
)
OPEN_HELD = locked(
    select(*HELD)
    .where(places.c.study == STUDY, places.c.rater == bindparam("rater"), RESERVED)
    .order_by(places.c.number),
    skip=True,
)
DRAFTED = select(drafts.c.place).where(drafts.c.study == STUDY, drafts.c.rater == bindparam("rater"))
_LATE = given(
    "rows", place=places.c.id, study=places.c.study, rater=places.c.rater, late=places.c.until
)
KEEP = (
    update(places)
    .where(
        places.c.id == _LATE.c.place,
        places.c.study == _LATE.c.study,
        places.c.rater == _LATE.c.rater,
        places.c.state == "reserved",
    )
    .values(until=case((places.c.until > _LATE.c.late, places.c.until), else_=_LATE.c.late))
)
_WANTED = given("rows", item=items.c.id, times=items.c.covered, capacity=items.c.covered)
FREE = (
    select(items.c.id)
    .join_from(items, _WANTED, items.c.id == _WANTED.c.item)
    .where(items.c.covered + _WANTED.c.times <= _WANTED.c.capacity)
    .order_by(items.c.id)
    .with_for_update(of=items, skip_locked=True)
)
COVER = (
    update(items)
    .where(items.c.id == _WANTED.c.item)
    .values(covered=items.c.covered + _WANTED.c.times, returned=None)
)
NEW = insert_given(
    places,
    *("id", "study", "item", "rater", "number", "state", "until", "repeat_of", "again", "gold"),
    *("round", "at", "capacity", "surplus"),
)
REVIVE = (
    update(places)
    .where(places.c.id == bindparam("of_place"))
    .values(state="reserved", until=bindparam("late"), capacity=bindparam("k"))
)
