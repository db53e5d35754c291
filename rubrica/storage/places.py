"""Raters' places: reserved, kept alive, given back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlalchemy import BindParameter, bindparam, case, delete, func, select, text, update

from rubrica.assignment.choosing import choose
from rubrica.assignment.contract import Design, History, Place, Policy
from rubrica.assignment.store import PREFETCH_SECONDS
from rubrica.errors import Problem
from rubrica.storage.codec import json_in, json_out, text_in, time_in
from rubrica.storage.core import Core
from rubrica.storage.handing import hand_on, hand_on_again
from rubrica.storage.item_tables import hidden, items, lists
from rubrica.storage.ledger import HELD, Ledger
from rubrica.storage.lookup import PLACE, SqlLookup, as_place
from rubrica.storage.rules import LIST_NAMES_NOTHING, UNKNOWN_RATER
from rubrica.storage.sql import Tx, insert_into, locked, one_of
from rubrica.storage.tables import drafts, places, walks

STUDY: BindParameter[Any] = bindparam("study")
RATER: BindParameter[Any] = bindparam("rater")
# Found through its partial index only where the query says the same, word for word.
RESERVED = text("places.state = 'reserved'")
_OWN = (places.c.study == STUDY, places.c.rater == RATER)

WALK = locked(
    select(walks.c.given, walks.c.cursor, walks.c.last_thread).where(
        walks.c.study == STUDY, walks.c.rater == RATER
    )
)
STEP = (
    update(walks)
    .where(walks.c.study == bindparam("of_study"), walks.c.rater == bindparam("of_rater"))
    .values(
        given=bindparam("new_given"),
        cursor=bindparam("new_cursor"),
        last_thread=bindparam("new_thread"),
    )
)
OPEN = locked(select(*PLACE).where(*_OWN, RESERVED).order_by(places.c.number), skip=True)
OPEN_HELD = locked(select(*HELD).where(*_OWN, RESERVED).order_by(places.c.number), skip=True)
EVERYTHING_HELD = locked(
    select(*HELD)
    .join_from(places, items, places.c.item == items.c.id)
    .where(*_OWN, places.c.state != "released")
    .order_by(places.c.item)
)
DRAFTED = select(drafts.c.place).where(drafts.c.study == STUDY, drafts.c.rater == RATER)
KEEP = (
    update(places)
    .where(
        places.c.id == bindparam("of_place"),
        places.c.study == bindparam("of_study"),
        places.c.rater == bindparam("of_rater"),
        places.c.state == "reserved",
    )
    .values(until=case((places.c.until > bindparam("late"), places.c.until), else_=bindparam("late")))
)
ONE = select(*PLACE).where(places.c.study == STUDY, places.c.id == bindparam("place"))
PAGE = (
    select(*PLACE)
    .where(*_OWN, places.c.number > bindparam("after"))
    .order_by(places.c.number)
    .limit(bindparam("count"))
)
TALLY = select(places.c.state, func.count()).where(*_OWN).group_by(places.c.state)

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
        known = self._core.id(study)
        return self._core.writer.call(
            lambda tx: self._reserve(tx, known, rater, count, policy, design, goto),
            key=("rater", known, rater),
        )

    def _reserve(
        self,
        tx: Tx,
        study: int,
        rater: int,
        count: int,
        policy: Policy,
        design: Design,
        goto: int | None,
    ) -> Sequence[Place]:
        walk = tx.one(WALK, study=study, rater=rater)
        if walk is None:
            raise Problem(UNKNOWN_RATER, got=str(rater))
        ahead = min(PREFETCH_SECONDS, design.reserve_seconds)
        ledger = Ledger(tx, study, rater, self._core.now(), self._until(design, ahead))
        if goto is not None:
            self._leave(tx, ledger)
        own = [as_place(row) for row in tx.all(OPEN, study=study, rater=rater)]
        if design.capacity is not None:
            ledger.reclaim()
        missing = count if goto is not None else count - len(own)
        before = History(rater, walk[0], json_out(walk[1]), walk[2], goto)
        lookup = SqlLookup(tx, study, rater)
        found, after = choose(policy, design, before, lookup, ledger, missing)
        ledger.close()
        if after != before:
            self._step(tx, study, after)
        own = [*found, *own] if goto is not None else sorted([*own, *found], key=lambda p: p.number)
        return self._kept(tx, study, rater, own, design)

    def _leave(self, tx: Tx, ledger: Ledger) -> None:
        """A rater who goes elsewhere needs what was fetched ahead no more, but what they began."""
        own = {"study": ledger.study, "rater": ledger.rater}
        begun = {row[0] for row in tx.all(DRAFTED, **own)}
        left = [row for row in tx.all(OPEN_HELD, **own) if row[0] not in begun]
        ledger.give_back(left, "the rater went elsewhere")

    def _step(self, tx: Tx, study: int, history: History) -> None:
        tx.run(
            STEP,
            of_study=study,
            of_rater=history.rater,
            new_given=history.given,
            new_cursor=json_in(history.cursor),
            new_thread=history.last_thread,
        )

    def _until(self, design: Design, seconds: float) -> str | None:
        """Nobody waits for a place of an item that everyone rates, so it never runs out."""
        if design.capacity is None:
            return None
        return time_in(self._core.clock() + timedelta(seconds=seconds))

    def _kept(
        self, tx: Tx, study: int, rater: int, own: Sequence[Place], design: Design
    ) -> Sequence[Place]:
        """The first place is worked on now, the others wait; written once half their time is gone."""
        if design.capacity is None:
            return own
        long, short = design.reserve_seconds, min(PREFETCH_SECONDS, design.reserve_seconds)
        wanted = [(p, long if n == 0 else short) for n, p in enumerate(own)]
        late = [
            {
                "of_place": p.id,
                "of_study": study,
                "of_rater": rater,
                "late": self._until(design, seconds),
            }
            for p, seconds in wanted
            if (p.until or "") < (self._until(design, seconds / 2) or "")
        ]
        tx.many(KEEP, late)
        changed: dict[Any, Any] = {row["of_place"]: row["late"] for row in late}
        return [replace(p, until=changed.get(p.id, p.until)) for p in own]

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

    def extend(self, study: str, rater: int, places: Sequence[int], seconds: float) -> None:
        known = self._core.id(study)
        late = time_in(self._core.clock() + timedelta(seconds=seconds))
        rows = [
            {"of_place": place, "of_study": known, "of_rater": rater, "late": late}
            for place in sorted(places)
        ]
        self._core.writer.call(lambda tx: tx.many(KEEP, rows), key=("rater", known, rater))

    def release(self, study: str, rater: int, places: Sequence[int] | None = None) -> int:
        known, now = self._core.id(study), self._core.now()

        def release(tx: Tx) -> int:
            held = tx.all(OPEN_HELD, study=known, rater=rater)
            chosen = held if places is None else [row for row in held if row[0] in set(places)]
            Ledger(tx, known, rater, now, None).give_back(chosen, "given back")
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
    Ledger(tx, study, rater, now, None).give_back(held, "the rater withdrew")
