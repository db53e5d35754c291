"""Taking places and giving them back: what happens to a place, its item's count, and the log.

`covered` counts the places that take one of an item's k; it moves here only. Each move is logged with
its reason, so that the whole history can be played again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Update, bindparam, insert, select, update

from rubrica.assignment.contract import Candidate, Design, Place
from rubrica.storage.codec import text_in
from rubrica.storage.item_tables import items
from rubrica.storage.lookup import PLACE, as_place
from rubrica.storage.sql import Tx, insert_into, locked
from rubrica.storage.tables import moves, places

RECLAIMED_AT_ONCE = 100

EXISTING = select(*PLACE).where(
    places.c.study == bindparam("study"),
    places.c.rater == bindparam("rater"),
    places.c.item == bindparam("item"),
    places.c.again == bindparam("again"),
)


def _cover() -> Update:
    """One more rater for the item, if it may have one more and nobody is just taking it."""
    free = locked(
        select(items.c.id).where(
            items.c.id == bindparam("item"), items.c.covered < bindparam("capacity")
        ),
        skip=True,
    )
    return (
        update(items)
        .where(items.c.id.in_(free.scalar_subquery()))
        .values(covered=items.c.covered + 1, returned=None)
    )


COVER = _cover()
UNCOVER = (
    update(items)
    .where(items.c.id == bindparam("of_item"))
    .values(covered=items.c.covered - 1, returned=bindparam("move"))
)
NEW = insert_into(
    places,
    *("id", "study", "item", "rater", "number", "state", "until", "repeat_of", "again", "gold"),
    *("round", "at", "capacity", "surplus"),
)
REVIVE = (
    update(places)
    .where(places.c.id == bindparam("of_place"))
    .values(state="reserved", until=bindparam("late"), capacity=bindparam("k"))
)
GIVE_BACK = (
    update(places).where(places.c.id == bindparam("of_place")).values(state="released", until=None)
)
MOVE = insert(moves)

HELD = (places.c.id, places.c.item, places.c.rater, places.c.capacity, places.c.surplus)
EXPIRED = locked(
    select(*HELD)
    .join_from(places, items, places.c.item == items.c.id)
    .where(
        places.c.study == bindparam("study"),
        places.c.state == "reserved",
        places.c.capacity.is_not(None),
        places.c.until < bindparam("now"),
        places.c.rater != bindparam("rater"),
    )
    .order_by(places.c.until)
    .limit(RECLAIMED_AT_ONCE),
    skip=True,
)


@dataclass(slots=True)
class Ledger:
    """One rater's places within one transaction; fulfils the `Ledger` that choosing works on."""

    tx: Tx
    study: int
    rater: int
    now: str
    until: str | None
    _moves: list[tuple[str, int, int, int, str]] = field(default_factory=list)

    def take(self, candidate: Candidate, design: Design, number: int) -> Place | None:
        again = int(candidate.repeat_of is not None)
        which = {"study": self.study, "rater": self.rater, "item": candidate.item, "again": again}
        row = self.tx.one(EXISTING, **which)
        if row is not None and row[4] != "released":
            return None
        counts = candidate.counts if row is None else _counts(as_place(row))
        capacity = design.capacity if counts else None
        if capacity is not None and not self._covered(candidate.item, capacity):
            return None
        place = self._add(candidate, number, capacity) if row is None else self._revive(row, capacity)
        self._moves.append(("given", place.id, self.rater, place.item, candidate.why))
        return place

    def _covered(self, item: int, capacity: int) -> bool:
        return self.tx.run(COVER, item=item, capacity=capacity) == 1

    def _add(self, candidate: Candidate, number: int, capacity: int | None) -> Place:
        (fresh,) = self.tx.fresh("places", "id", 1)
        values = {
            "id": fresh,
            "item": candidate.item,
            "rater": self.rater,
            "number": number,
            "state": "reserved",
            "until": self.until,
            "repeat_of": candidate.repeat_of,
            "gold": int(candidate.gold),
            "round": candidate.round,
            "at": candidate.at,
        }
        again = int(candidate.repeat_of is not None)
        self.tx.run(NEW, study=self.study, capacity=capacity, surplus=0, again=again, **values)
        return as_place((*values.values(), 0))

    def _revive(self, row: tuple[Any, ...], capacity: int | None) -> Place:
        self.tx.run(REVIVE, of_place=row[0], late=self.until, k=capacity)
        return as_place((*row[:4], "reserved", self.until, *row[6:]))

    def reclaim(self) -> int:
        """Give back what others hold past its time."""
        rows = self.tx.all(EXPIRED, study=self.study, now=self.now, rater=self.rater)
        self.give_back(rows, "its time ran out")
        return len(rows)

    def give_back(self, held: Sequence[tuple[Any, ...]], why: str) -> None:
        """Rows of `HELD`; their items may be given to others again."""
        if not held:
            return
        self._write_moves()
        self.tx.many(GIVE_BACK, [{"of_place": row[0]} for row in held])
        back = [("returned", row[0], row[2], row[1], why) for row in held]
        numbers = self._log(back)
        counted = [
            {"of_item": row[1], "move": number}
            for row, number in zip(held, numbers, strict=True)
            if row[3] is not None and not row[4]
        ]
        self.tx.many(UNCOVER, counted)

    def close(self) -> None:
        self._write_moves()

    def _write_moves(self) -> None:
        self._log(self._moves)
        self._moves = []

    def _log(self, entries: Sequence[tuple[str, int, int, int, str]]) -> list[int]:
        return log_moves(self.tx, self.study, self.now, entries)


def _counts(place: Place) -> bool:
    return place.repeat_of is None and not place.gold and place.round == "main"


def log_moves(
    tx: Tx, study: int, now: str, entries: Sequence[tuple[str, int, int, int, str]]
) -> list[int]:
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
    tx.many(MOVE, rows)
    return numbers
