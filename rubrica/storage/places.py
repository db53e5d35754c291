"""Raters' places: reserved, kept alive, given back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from datetime import timedelta
from typing import Any

from sqlalchemy import BindParameter, bindparam, delete, func, select

from rubrica.assignment.contract import Design, Place, Policy
from rubrica.errors import Problem
from rubrica.storage.codec import text_in, time_in
from rubrica.storage.core import Core
from rubrica.storage.handing import hand_on, hand_on_again
from rubrica.storage.item_tables import hidden, items, lists
from rubrica.storage.ledger import HELD, give_back
from rubrica.storage.lookup import PLACE, as_place
from rubrica.storage.place_statements import KEEP, OPEN_HELD
from rubrica.storage.reserving import Wish, reserve
from rubrica.storage.rules import LIST_NAMES_NOTHING
from rubrica.storage.sql import Tx, as_rows, insert_into, locked, one_of
from rubrica.storage.tables import places

STUDY: BindParameter[Any] = bindparam("study")
RATER: BindParameter[Any] = bindparam("rater")
_OWN = (places.c.study == STUDY, places.c.rater == RATER)

EVERYTHING_HELD = locked(
    select(*HELD)
    .join_from(places, items, places.c.item == items.c.id)
    .where(*_OWN, places.c.state != "released")
    .order_by(places.c.item)
)
ONE = select(*PLACE).where(places.c.study == STUDY, places.c.id == bindparam("place"))
PAGE = (
    select(*PLACE)
    .where(*_OWN, places.c.number > bindparam("after"))
    .order_by(places.c.number)
    .limit(bindparam("count"))
)
TALLY = select(places.c.state, func.count()).where(*_OWN).group_by(places.c.state)

TALLIES = (
    select(places.c.rater, places.c.state, func.count())
    .where(places.c.study == STUDY, one_of(places.c.rater, "raters"))
    .group_by(places.c.rater, places.c.state)
)
FORGET_LISTS = delete(lists).where(lists.c.study == STUDY)
BY_KEY = (
    select(hidden.c.key, func.min(hidden.c.item))
    .join_from(hidden, items, hidden.c.item == items.c.id)
    .where(hidden.c.study == STUDY, one_of(hidden.c.key, "keys"), items.c.position.is_not(None))
    .where(hidden.c.copy == 0)
    .group_by(hidden.c.key)
)
ADD_LIST = insert_into(lists)


class Places:
    """Fulfils `PlaceStore`."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def reserve(
        self,
        study: str,
        rater: int,
        count: int,
        policy: Policy,
        design: Design,
        *,
        goto: int | None = None,
    ) -> Sequence[Place]:
        wish = self._wish(study, rater, count, policy, design, goto)
        found: Sequence[Place] = self._core.writer.put(reserve, wish, _key(wish)).result()
        return found

    def reserve_all(
        self, study: str, raters: Mapping[int, int], policy: Policy, design: Design
    ) -> Future[Sequence[Sequence[Place] | Problem]]:
        wishes = [self._wish(study, *one, policy, design) for one in raters.items()]
        return self._core.writer.put_all(reserve, wishes, [_key(wish) for wish in wishes])

    def _wish(
        self,
        study: str,
        rater: int,
        count: int,
        policy: Policy,
        design: Design,
        goto: int | None = None,
    ) -> Wish:
        return Wish(self._core.id(study), rater, count, policy, design, self._core.clock(), goto)

    def place(self, study: str, place: int) -> Place | None:
        known = self._core.find(study)
        if known is None:
            return None
        with self._core.database.read() as tx:
            row = tx.one(ONE, study=known.id, place=place)
        return None if row is None else as_place(row)

    def places(self, study: str, rater: int, after: int = 0, count: int = 100) -> Sequence[Place]:
        known = self._core.id(study)
        with self._core.database.read() as tx:
            rows = tx.all(PAGE, study=known, rater=rater, after=after, count=count)
        return [as_place(row) for row in rows]

    def tally(self, study: str, rater: int) -> dict[str, int]:
        known = self._core.id(study)
        with self._core.database.read() as tx:
            return dict(tx.all(TALLY, study=known, rater=rater))

    def tallies(self, study: str, raters: Sequence[int]) -> Mapping[int, Mapping[str, int]]:
        found: dict[int, dict[str, int]] = {}
        with self._core.database.read() as tx:
            rows = tx.gathered(TALLIES, study=self._core.id(study), raters=list(raters))
        for rater, state, count in rows:
            found.setdefault(rater, {})[state] = count
        return found

    def extend(self, study: str, rater: int, places: Sequence[int], seconds: float) -> None:
        known = self._core.id(study)
        late = time_in(self._core.clock() + timedelta(seconds=seconds))
        which = {"study": known, "rater": rater, "late": late}
        rows = as_rows({"place": place, **which} for place in sorted(places))

        def keep(tx: Tx) -> None:
            tx.run(KEEP, rows=rows)

        self._core.writer.call(keep, key=("rater", known, rater))

    def release(self, study: str, rater: int, places: Sequence[int] | None = None) -> int:
        known, now = self._core.id(study), self._core.now()

        def release(tx: Tx) -> int:
            held = tx.all(OPEN_HELD, study=known, rater=rater)
            chosen = held if places is None else [row for row in held if row[0] in set(places)]
            give_back(tx, known, now, chosen, "given back")
            return len(chosen)

        return self._core.writer.call(release, key=("rater", known, rater))

    def set_lists(self, study: str, lists: Mapping[str, Sequence[str]]) -> list[Problem]:
        known = self._core.id(study)
        keys = sorted({text_in(key) for listed in lists.values() for key in listed})

        def write(tx: Tx) -> list[Problem]:
            there: dict[str, int] = dict(tx.all(BY_KEY, study=known, keys=keys))
            tx.run(FORGET_LISTS, study=known)
            wrong = []
            for name, listed in lists.items():
                rows, missing = _entries(known, name, listed, there)
                tx.many(ADD_LIST, rows)
                wrong += missing
            hand_on_again(tx, known)
            return wrong

        return self._core.writer.call(write)

    def hand_on(self, study: str, rater: int, to: Sequence[int]) -> int:
        known = self._core.id(study)
        return self._core.writer.call(lambda tx: hand_on(tx, known, rater, to))


def _key(wish: Wish) -> tuple[str, int, int]:
    return "rater", wish.study, wish.rater


def _entries(
    study: int, name: str, listed: Sequence[str], there: Mapping[str, int]
) -> tuple[list[dict[str, object]], list[Problem]]:
    rows: list[dict[str, object]] = []
    wrong: list[Problem] = []
    for key in listed:
        item = there.get(text_in(key))
        if item is None:
            wrong.append(Problem(LIST_NAMES_NOTHING, got=key, details={"rater": name}))
        else:
            row = {"study": study, "name": text_in(name), "entry": len(rows) + 1, "item": item}
            rows.append(row)
    return rows, wrong


def give_back_everything(tx: Tx, study: int, rater: int, now: str) -> None:
    """What a withdrawn rater held or had rated is open to others again."""
    held = tx.all(EVERYTHING_HELD, study=study, rater=rater)
    give_back(tx, study, now, held, "the rater withdrew")
