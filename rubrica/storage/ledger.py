"""Giving places back, and the log: what happens to a place, its item's count, and the history.

`covered` counts the places that take one of an item's k; it moves here and in `reserving`. Each move is
logged with its reason, so that the whole history can be played again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, select, update

from rubrica.storage.codec import text_in
from rubrica.storage.item_tables import items
from rubrica.storage.lookup import PLACE
from rubrica.storage.sql import Tx, as_rows, insert_given, locked, one_of
from rubrica.storage.tables import moves, places

RECLAIMED_AT_ONCE = 100
Move = tuple[str, int, int, int, str]
"""What happened to which place, whose it is, of which item, and why."""

EXISTING = select(*PLACE).where(
    places.c.study == bindparam("study"),
    places.c.rater == bindparam("rater"),
    places.c.item == bindparam("item"),
    places.c.again == bindparam("again"),
)
UNCOVER = (
    update(items)
    .where(items.c.id == bindparam("of_item"))
    .values(covered=items.c.covered - 1, returned=bindparam("move"))
)
GIVE_BACK = update(places).where(one_of(places.c.id, "places")).values(state="released", until=None)
MOVE = insert_given(moves)

HELD = (places.c.id, places.c.item, places.c.rater, places.c.capacity, places.c.surplus)
EXPIRED = locked(
    select(*HELD)
    .join_from(places, items, places.c.item == items.c.id)
    .where(
        places.c.study == bindparam("study"),
        places.c.state == "reserved",
        places.c.capacity.is_not(None),
        places.c.until < bindparam("now"),
        ~one_of(places.c.rater, "raters"),
    )
    .order_by(places.c.until)
    .limit(RECLAIMED_AT_ONCE),
    skip=True,
)


def reclaim(tx: Tx, study: int, now: str, raters: Sequence[int]) -> None:
    """Give back what others than these hold past its time."""
    late = tx.all(EXPIRED, study=study, now=now, raters=list(raters))
    give_back(tx, study, now, late, "its time ran out")


def give_back(tx: Tx, study: int, now: str, held: Sequence[tuple[Any, ...]], why: str) -> None:
    """Rows of `HELD`; their items may be given to others again."""
    if not held:
        return
    tx.run(GIVE_BACK, places=[row[0] for row in held])
    numbers = log_moves(tx, study, now, [("returned", row[0], row[2], row[1], why) for row in held])
    counted = [
        {"of_item": row[1], "move": number}
        for row, number in zip(held, numbers, strict=True)
        if row[3] is not None and not row[4]
    ]
    tx.many(UNCOVER, counted)


def log_moves(tx: Tx, study: int, now: str, entries: Sequence[Move]) -> list[int]:
    """Append to the history of places; the numbers of the entries."""
    if not entries:
        return []
    numbers = list(tx.fresh("moves", "number", len(entries)))
    names = ("what", "place", "rater", "item", "why")
    rows = [
        {
            **dict(zip(names, entry, strict=True)),
            "why": text_in(entry[4]),
            "number": number,
            "study": study,
            "time": now,
        }
        for number, entry in zip(numbers, entries, strict=True)
    ]
    tx.run(MOVE, rows=as_rows(rows))
    return numbers
