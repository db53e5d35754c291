"""Bringing the desk's counts up to date: a piece of the queues is read, counted, and written at once.

What is read is counted outside the write transaction, which then only takes the piece out of the
queues and adds it up; if another process took it meanwhile, nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Select, bindparam, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.sql.dml import ReturningInsert

from rubrica.ratings.model import Rating
from rubrica.review.board import Counting, Mark, Standing
from rubrica.review.reading import is_unread
from rubrica.storage.codec import json_out
from rubrica.storage.core import Core
from rubrica.storage.desk_tables import (
    filled,
    levels,
    marks,
    new_ratings,
    settlements,
    tallies,
    touched_items,
)
from rubrica.storage.item_tables import items, shown
from rubrica.storage.ratings import COLUMNS, NOT_WITHDRAWN, as_rating
from rubrica.storage.sql import Row, Tx, insert_into, one_of
from rubrica.storage.tables import messages, places, ratings

MARKS: tuple[Mark, ...] = ("skipped", "comments", "flags", "split", "settled")
FILLED_AT_ONCE = 5_000
TOLD_APART = 5_000

WAITING = (
    select(new_ratings.c.number)
    .where(new_ratings.c.study == bindparam("study"))
    .order_by(new_ratings.c.number)
    .limit(bindparam("most"))
)
TOUCHED = (
    select(touched_items.c.item)
    .where(touched_items.c.study == bindparam("study"))
    .order_by(touched_items.c.item)
    .limit(bindparam("most"))
)
ARRIVED = (
    select(
        ratings.c.rater,
        func.coalesce(items.c.batch, -1),
        ratings.c.received,
        ratings.c.version,
        ratings.c.answers.is_not(None),
        ratings.c.supersedes,
        ratings.c.pace,
        ratings.c.item,
        func.length(shown.c.views),
    )
    .join_from(ratings, items, items.c.id == ratings.c.item)
    .join(shown, (shown.c.item == items.c.id) & (shown.c.version == items.c.version))
    .where(one_of(ratings.c.number, "numbers"))
    .order_by(ratings.c.number)
)
STANDING = (
    select(*COLUMNS)
    .join_from(places, ratings, (ratings.c.place == places.c.id) & (ratings.c.id == places.c.rating))
    .where(
        places.c.study == bindparam("study"),
        one_of(places.c.item, "items"),
        places.c.state != "released",
        NOT_WITHDRAWN,
    )
    .order_by(ratings.c.number)
)
FLAGS = (
    select(messages.c.item, func.count())
    .where(messages.c.study == bindparam("study"), messages.c.kind == "flag")
    .where(one_of(messages.c.item, "items"))
    .group_by(messages.c.item)
)
SETTLED = (
    select(settlements.c.item)
    .where(settlements.c.study == bindparam("study"), one_of(settlements.c.item, "items"))
    .distinct()
)
WHERE = select(items.c.id, items.c.position, func.coalesce(items.c.batch, -1)).where(
    one_of(items.c.id, "items"), items.c.position.is_not(None)
)
KNOWN = select(marks.c.item, marks.c.batch, marks.c.done, *(marks.c[name] for name in MARKS)).where(
    one_of(marks.c.item, "items")
)

TAKE_RATINGS = delete(new_ratings).where(
    new_ratings.c.study == bindparam("study"), one_of(new_ratings.c.number, "numbers")
)
TAKE_ITEMS = delete(touched_items).where(
    touched_items.c.study == bindparam("study"), one_of(touched_items.c.item, "items")
)
_TALLY = insert_into(tallies)
_SUMMED = ("rated", "skipped", "revised", "active", "wall", "unread")
_SAME_TALLY = ["study", "rater", "batch", "day", "version"]
ADD_TALLY = _TALLY.on_conflict_do_update(
    index_elements=_SAME_TALLY,
    set_={
        **{n: tallies.c[n] + _TALLY.excluded[n] for n in _SUMMED},
        "last": _TALLY.excluded.last,
    },
)
_MARK = insert_into(marks)
_MARKED = ("done", *MARKS)
SET_MARKS = _MARK.on_conflict_do_update(
    index_elements=["item"], set_={n: _MARK.excluded[n] for n in _MARKED}
)
_LEVEL = insert_into(levels)
MOVE_LEVEL = _LEVEL.on_conflict_do_update(
    index_elements=["study", "kind", "batch", "level"],
    set_={"items": levels.c["items"] + _LEVEL.excluded["items"]},
)

_LINE = ["item", "study", "position", "batch"]
_LINES = select(items.c.id, items.c.study, items.c.position, func.coalesce(items.c.batch, -1))


def _add_lines(found: Select[Any]) -> ReturningInsert[Any]:
    """Lines of items that have none, as nobody has rated them."""
    ordered = found.order_by(items.c.position)
    added = insert(marks).inline().from_select(_LINE, ordered).on_conflict_do_nothing()
    return added.returning(marks.c.batch)


# Ratings come in any order: that an item has a line says nothing of those before it.
FILLED = select(filled.c.position).where(filled.c.study == bindparam("study"))
LAST_PLACED = select(func.max(items.c.position)).where(items.c.study == bindparam("study"))
FILL = _add_lines(
    _LINES.where(
        items.c.study == bindparam("study"),
        items.c.position > bindparam("after"),
        items.c.position <= bindparam("until"),
    )
)
BEGIN = _add_lines(_LINES.where(one_of(items.c.id, "items"), items.c.position.is_not(None)))
_FILLED = insert_into(filled)
SET_FILLED = _FILLED.on_conflict_do_update(
    index_elements=["study"], set_={"position": _FILLED.excluded.position}
)


class Taken(Exception):
    """Another process counted this piece meanwhile."""


@dataclass(slots=True)
class Piece:
    """What is counted together. `standing` has every rating of every item it touches."""

    numbers: list[int]
    touched: list[int]
    tallies: dict[tuple[Any, ...], dict[str, Any]] = field(default_factory=dict)
    standing: dict[int, Standing] = field(default_factory=dict)
    flags: Mapping[int, int] = field(default_factory=dict)
    settled: frozenset[int] = frozenset()
    where: Mapping[int, Row] = field(default_factory=dict)


def count(core: Core, study: str, counting: Counting, most: int) -> int:
    """Count one piece; about how much is left."""
    known = core.id(study)
    with core.database.snapshot() as tx:
        piece = _read(tx, known, most)
        by_item = _standing(tx, study, known, list(piece.where))
    piece.standing = {item: counting(item, found) for item, found in by_item.items()}
    if piece.numbers or piece.touched:
        try:
            core.writer.call(lambda tx: _write(tx, known, piece))
        except Taken:
            return most
    new = core.writer.call(lambda tx: _fill(tx, known)) if _is_unfilled(core, known) else 0
    return new + waiting(core, known)


def waiting(core: Core, known: int) -> int:
    with core.database.read() as tx:
        return len(tx.all(WAITING, study=known, most=TOLD_APART)) + len(
            tx.all(TOUCHED, study=known, most=TOLD_APART)
        )


def _read(tx: Tx, study: int, most: int) -> Piece:
    piece = Piece(
        [row[0] for row in tx.all(WAITING, study=study, most=most)],
        [row[0] for row in tx.all(TOUCHED, study=study, most=most)],
    )
    items_ = set(piece.touched)
    for row in tx.all(ARRIVED, numbers=piece.numbers):
        _tally(piece, study, row)
        items_.add(row[7])
    listed = sorted(items_)
    piece.where = {row[0]: row for row in tx.all(WHERE, items=listed)}
    piece.flags = dict(tx.all(FLAGS, study=study, items=listed))
    piece.settled = frozenset(row[0] for row in tx.all(SETTLED, study=study, items=listed))
    return piece


def _tally(piece: Piece, study: int, row: Row) -> None:
    rater, batch, received, version, answered, supersedes, pace, _, length = row
    key = (study, rater, batch, received[:10], version)
    fresh = dict.fromkeys(_SUMMED, 0) | {"first": received, "last": received}
    own = piece.tallies.setdefault(key, fresh)
    kind = "revised" if supersedes is not None else "rated" if answered else "skipped"
    own[kind] += 1
    *_, wall, active = json_out(pace)
    own["wall"] += _seconds(wall)
    own["active"] += _seconds(active)
    own["unread"] += kind == "rated" and active is not None and is_unread(length, _seconds(active))
    own["last"] = max(own["last"], received)


def _seconds(value: Any) -> float:
    """A browser's clock may say anything; a day is the most that is believed for one item."""
    return min(float(value), 86_400.0) if isinstance(value, int | float) and value > 0 else 0.0


def _standing(tx: Tx, study: str, known: int, items_: list[int]) -> dict[int, list[Rating]]:
    found: dict[int, list[Rating]] = {item: [] for item in items_}
    for row in tx.all(STANDING, study=known, items=items_):
        rating = as_rating(study, row)
        found[rating.submission.item].append(rating)
    return found


def _write(tx: Tx, study: int, piece: Piece) -> None:
    if tx.run(TAKE_RATINGS, study=study, numbers=piece.numbers) != len(piece.numbers):
        raise Taken
    if tx.run(TAKE_ITEMS, study=study, items=piece.touched) != len(piece.touched):
        raise Taken
    rows = [
        {**dict(zip(_SAME_TALLY, key, strict=True)), **sums}
        for key, sums in sorted(piece.tallies.items())
    ]
    tx.many(ADD_TALLY, rows)
    write_marks(tx, study, piece)


def write_marks(tx: Tx, study: int, piece: Piece) -> None:
    """The marks of these items, and how many items have which."""
    listed = sorted(piece.where)
    moved = Counter(("done", batch, 0) for (batch,) in tx.all(BEGIN, items=listed))
    before = {row[0]: row for row in tx.all(KNOWN, items=listed)}
    fresh = [_marks(study, piece, item) for item in listed]
    tx.many(SET_MARKS, fresh)
    for row in fresh:
        was = dict(zip(_MARKED, before[row["item"]][2:], strict=True))
        moved.subtract(_levels(row["batch"], was))
        moved.update(_levels(row["batch"], row))
    _move(tx, study, moved)


def _marks(study: int, piece: Piece, item: int) -> dict[str, Any]:
    standing = piece.standing.get(item, Standing())
    return {
        "item": item,
        "study": study,
        "position": piece.where[item][1],
        "batch": piece.where[item][2],
        "done": standing.done,
        "skipped": standing.skipped,
        "comments": standing.comments,
        "split": standing.split,
        "flags": piece.flags.get(item, 0),
        "settled": int(item in piece.settled),
    }


def _levels(batch: int, row: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    times = {"skipped": row["skipped"]}
    marked = ((name, batch, times.get(name, 1)) for name in MARKS if row[name])
    return [("done", batch, row["done"]), *marked]


def _move(tx: Tx, study: int, moved: Mapping[tuple[str, int, int], int]) -> None:
    rows = [
        {"study": study, "kind": kind, "batch": batch, "level": level, "items": change}
        for (kind, batch, level), change in sorted(moved.items())
        if change
    ]
    tx.many(MOVE_LEVEL, rows)


def _is_unfilled(core: Core, known: int) -> bool:
    with core.database.read() as tx:
        return _filled(tx, known) < _last_placed(tx, known)


def _filled(tx: Tx, study: int) -> int:
    until = tx.value(FILLED, study=study)
    return -1 if until is None else int(until)


def _last_placed(tx: Tx, study: int) -> int:
    last = tx.value(LAST_PLACED, study=study)
    return -1 if last is None else int(last)


def _fill(tx: Tx, study: int) -> int:
    """A line for items nobody has rated yet, so that they are counted and listed too."""
    after = _filled(tx, study)
    until = min(after + FILLED_AT_ONCE, _last_placed(tx, study))
    new = tx.all(FILL, study=study, after=after, until=until)
    tx.run(SET_FILLED, study=study, position=until)
    _move(tx, study, Counter(("done", batch, 0) for (batch,) in new))
    return until - after
