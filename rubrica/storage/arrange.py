"""Where the items of a load stand among those that are rated.

Positions count on without holes from load to load: batch by batch, a thread together and in its own
order, so that what was already arranged never moves. Threads are numbered by falling size, so that
those with more than r members are always the first ones (see `Span`).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, bindparam, func, select, text, update

from rubrica.storage.codec import json_in
from rubrica.storage.item_tables import items, spans
from rubrica.storage.sql import Tx, insert_into

STUDY: BindParameter[Any] = bindparam("study")
LOAD: BindParameter[Any] = bindparam("load")

COME_LATER = (
    update(items)
    .where(
        items.c.study == bindparam("of_study"),
        text("position IS NULL AND rated = 1"),
        items.c.load != bindparam("of_load"),
    )
    .values(load=bindparam("of_load"))
)
CLEAR = (
    update(items)
    .where(items.c.study == bindparam("of_study"), items.c.load == bindparam("of_load"))
    .where(items.c.position >= bindparam("start"))
    .values(position=None)
)


def _order() -> Any:
    """Position, unit and member of every item of the load that has no position."""
    batch = func.coalesce(items.c.batch, -1)
    thread = func.coalesce(items.c.thread, -items.c.id)
    same = (batch, thread)
    within = (items.c.turn, items.c.place, items.c.id)
    known = (
        select(
            items.c.id,
            batch.label("batch"),
            thread.label("thread"),
            items.c.turn,
            items.c.place,
            func.min(items.c.place).over(partition_by=same).label("first"),
            func.count().over(partition_by=same).label("size"),
            (func.row_number().over(partition_by=same, order_by=within) - 1).label("member"),
        )
        .where(items.c.study == STUDY, items.c.load == LOAD, text("position IS NULL AND rated = 1"))
        .subquery("known")
    )
    c = known.c
    position = func.row_number().over(order_by=(c.batch, c.first, c.thread, c.member)) - 1
    unit = func.dense_rank().over(order_by=(c.batch, c.size.desc(), c.first, c.thread)) - 1
    return select(
        c.id,
        (position + bindparam("start")).label("position"),
        (unit + bindparam("unit_start")).label("unit"),
        c.member,
    ).subquery("ordered")


ordered = _order()
ARRANGE = (
    update(items)
    .where(items.c.id == ordered.c.id)
    .values(position=ordered.c.position, unit=ordered.c.unit, member=ordered.c.member)
)
LAST_UNIT = select(func.max(items.c.unit)).where(items.c.study == STUDY)
_PLACED = (items.c.study == STUDY, items.c.load == LOAD, items.c.position >= bindparam("start"))
SPANS = (
    select(items.c.batch, func.min(items.c.position), func.count(), func.min(items.c.unit))
    .where(*_PLACED)
    .group_by(items.c.batch)
)
ROUNDS = (
    select(items.c.batch, items.c.member, func.count())
    .where(*_PLACED, items.c.member.is_not(None))
    .group_by(items.c.batch, items.c.member)
    .order_by(items.c.batch, items.c.member)
)
ADD_SPAN = insert_into(spans)


def arrange(tx: Tx, study: int, load: int, start: int, *, in_order: bool) -> None:
    """Place what the load brought from position `start` on, and keep the spans it makes."""
    moved = tx.run(COME_LATER, of_study=study, of_load=load)
    if not in_order or moved:
        tx.run(CLEAR, of_study=study, of_load=load, start=start)
        unit = tx.value(LAST_UNIT, study=study)
        unit_start = 0 if unit is None else unit + 1
        tx.run(ARRANGE, study=study, load=load, start=start, unit_start=unit_start)
    rounds: dict[int | None, list[int]] = {}
    for batch, _, count in tx.all(ROUNDS, study=study, load=load, start=start):
        rounds.setdefault(batch, []).append(count)
    rows = [
        {
            "study": study,
            "load": load,
            "batch": batch,
            "start": first,
            "size": size,
            "unit_start": unit or 0,
            "rounds": json_in(rounds.get(batch, [])),
        }
        for batch, first, size, unit in tx.all(SPANS, study=study, load=load, start=start)
    ]
    tx.many(ADD_SPAN, rows)
