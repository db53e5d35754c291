"""A policy's questions as queries; each is answered by one index."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, Select, and_, bindparam, func, select, text, tuple_

from rubrica.assignment.contract import Place, Span, Spot
from rubrica.storage.codec import json_out
from rubrica.storage.item_tables import items, lists, spans
from rubrica.storage.sql import Row, one_of
from rubrica.storage.tables import moves, names, places, studies

STUDY: BindParameter[Any] = bindparam("study")
RATER: BindParameter[Any] = bindparam("rater")
COUNT: BindParameter[Any] = bindparam("count")

# Partial indexes are found only where the query says the same, word for word.
NOT_GOLD = text("gold = 0")
GOLD = text("gold = 1")
RETURNED = text("returned IS NOT NULL")
LOST = text("places.state = 'released'")

SPOT = (
    items.c.id,
    items.c.position,
    items.c.batch,
    items.c.thread,
    items.c.unit,
    items.c.member,
    items.c.covered,
    items.c.gold,
)
PLACE = (
    places.c.id,
    places.c.item,
    places.c.rater,
    places.c.number,
    places.c.state,
    places.c.until,
    places.c.repeat_of,
    places.c.gold,
    places.c.round,
    places.c.at,
    places.c.surplus,
)


def _spots() -> Select[Any]:
    return select(*SPOT).where(items.c.study == STUDY)


SPANS = (
    select(spans.c.start, spans.c.size, spans.c.batch, spans.c.load, spans.c.unit_start, spans.c.rounds)
    .where(spans.c.study == STUDY)
    .order_by(spans.c.start)
)
AT = _spots().where(one_of(items.c.position, "positions")).order_by(items.c.position)
UNITS = (
    _spots()
    .where(
        one_of(items.c.unit, "units"),
        items.c.member.between(bindparam("first"), bindparam("last")),
    )
    .order_by(items.c.unit, items.c.member)
)
# Compared as pairs, so that no index but theirs can serve: walking along the positions alone would pass
# by all the items that are covered more.
_LEVEL = tuple_(items.c.covered, items.c.position)
COVERED = (
    _spots()
    .where(
        tuple_(bindparam("level"), bindparam("after")) < _LEVEL,
        tuple_(bindparam("level"), bindparam("before")) > _LEVEL,
        NOT_GOLD,
    )
    .order_by(items.c.covered, items.c.position)
    .limit(COUNT)
)
GIVEN_UP = _spots().where(RETURNED, NOT_GOLD).order_by(items.c.returned).limit(COUNT)
GIVEN_BACK = (
    select(*PLACE, places.c.capacity, places.c.again, *SPOT)
    .join_from(places, items, places.c.item == items.c.id)
    .where(places.c.study == STUDY, one_of(places.c.rater, "raters"), LOST)
)
MINE = select(places.c.item).where(
    places.c.study == STUDY,
    places.c.rater == RATER,
    one_of(places.c.item, "items"),
    places.c.again == 0,
    places.c.state != "released",
)
FURTHEST = (
    select(items.c.unit, func.max(items.c.member))
    .join_from(
        items,
        places,
        and_(places.c.study == items.c.study, places.c.rater == RATER, places.c.item == items.c.id),
    )
    .where(
        items.c.study == STUDY,
        one_of(items.c.unit, "units"),
        places.c.state != "released",
    )
    .group_by(items.c.unit)
)
GOLDEN = (
    _spots()
    .where(
        GOLD,
        ~select(places.c.id)
        .where(places.c.study == items.c.study, places.c.rater == RATER, places.c.item == items.c.id)
        .exists(),
    )
    .order_by(items.c.position)
    .limit(COUNT)
)
OWN = (
    select(*PLACE, *SPOT)
    .join_from(places, items, places.c.item == items.c.id)
    .where(
        places.c.study == STUDY,
        places.c.rater == RATER,
        places.c.number.between(bindparam("first"), bindparam("last")),
    )
    .order_by(places.c.number)
)
LISTED = (
    select(lists.c.entry, *SPOT)
    .join_from(names, lists, and_(lists.c.study == names.c.study, lists.c.name == names.c.name))
    .join(items, items.c.id == lists.c.item)
    .where(names.c.study == STUDY, names.c.rater == RATER, lists.c.entry > bindparam("after"))
    .order_by(lists.c.entry)
    .limit(COUNT)
)
LAST_RETURN = select(func.max(moves.c.number)).where(moves.c.study == STUDY, moves.c.what == "returned")
LOADS = select(studies.c.loads).where(studies.c.id == STUDY)
AT_ITEM = _spots().where(items.c.id == bindparam("item"))


def as_spot(row: Row) -> Spot:
    values = [*row[:7], bool(row[7])]
    return Spot(*values)


def as_place(row: Row) -> Place:
    values = [*row[:7], bool(row[7]), *row[8:10], bool(row[10])]
    return Place(*values)


def as_span(row: Row) -> Span:
    values = [*row[:5], tuple(json_out(row[5]))]
    return Span(*values)
