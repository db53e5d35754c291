"""Fixed lists that change hands: what one rater leaves undone goes to others.

The lists are written anew from their files at every start. What was handed on is kept beside them,
in order, and done again then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, delete, select, text

from rubrica.assignment.handing import AFTER_FILES, spread
from rubrica.storage.desk_tables import handed
from rubrica.storage.item_tables import lists
from rubrica.storage.sql import Tx, insert_into, one_of
from rubrica.storage.tables import names, places

NAMES = select(names.c.rater, names.c.name).where(
    names.c.study == bindparam("study"), one_of(names.c.rater, "raters")
)
LISTED = (
    select(lists.c.item)
    .where(lists.c.study == bindparam("study"), lists.c.name == bindparam("name"))
    .order_by(lists.c.entry)
)
DONE = select(places.c.item).where(
    places.c.study == bindparam("study"),
    places.c.rater == bindparam("rater"),
    text("places.state IN ('rated', 'skipped')"),
)
TAKE = delete(lists).where(
    lists.c.study == bindparam("of_study"),
    lists.c.name == bindparam("of_name"),
    lists.c.item == bindparam("of_item"),
)
GIVE = insert_into(lists)
LAST = select(handed.c.number).order_by(handed.c.number.desc()).limit(1)
KEEP = insert_into(handed)
KEPT = (
    select(handed.c.number, handed.c.item, handed.c.source, handed.c.target)
    .where(handed.c.study == bindparam("study"))
    .order_by(handed.c.number)
)
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(7304215)"


def hand_on(tx: Tx, study: int, rater: int, to: Sequence[int]) -> int:
    if not tx.sqlite:
        tx.plain(ONE_AT_A_TIME)
    named: dict[int, str] = dict(tx.all(NAMES, study=study, raters=[rater, *to]))
    done = {row[0] for row in tx.all(DONE, study=study, rater=rater)}
    left = [item for item in _listed(tx, study, named[rater]) if item not in done]
    theirs = {number: _listed(tx, study, named[number]) for number in to if number in named}
    last = tx.value(LAST) or 0
    moves = [
        (last + n, item, named[rater], named[target])
        for n, (item, target) in enumerate(spread(left, theirs), 1)
    ]
    rows = [dict(zip(("number", "item", "source", "target"), move, strict=True)) for move in moves]
    tx.many(KEEP, [{"study": study, **row} for row in rows])
    _move(tx, study, moves)
    return len(moves)


def hand_on_again(tx: Tx, study: int) -> None:
    """After the lists were written anew."""
    _move(tx, study, tx.all(KEPT, study=study))


def _move(tx: Tx, study: int, moves: Sequence[tuple[Any, ...]]) -> None:
    for number, item, source, target in moves:
        if tx.run(TAKE, of_study=study, of_name=source, of_item=item):
            tx.run(GIVE, study=study, name=target, entry=AFTER_FILES + number, item=item)


def _listed(tx: Tx, study: int, name: str) -> list[int]:
    return [row[0] for row in tx.all(LISTED, study=study, name=name)]
