"""Ratings made elsewhere, with their raters and places: all in one transaction, or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import bindparam, func, select, update

from rubrica.errors import Problem
from rubrica.exchange.store import UNNAMED, Incoming, Seat, TakenIn, Who, says_same
from rubrica.ratings.model import Receipt, Submission
from rubrica.storage import rules
from rubrica.storage.accounts import TAKEN, Line, Newcomer, add_raters, log_all
from rubrica.storage.codec import answers_out, maybe_out, text_in
from rubrica.storage.core import Core
from rubrica.storage.item_tables import items
from rubrica.storage.ledger import EXISTING, log_moves
from rubrica.storage.place_statements import NEW
from rubrica.storage.sql import Row, Tx, as_rows
from rubrica.storage.submits import COVER_LATE, DROP_DRAFTS, FILL, RECORD, Sent, filled_row, rating_row
from rubrica.storage.tables import places, ratings, walks

WHY = "rated elsewhere"

KNOWN = select(ratings.c.item, ratings.c.answers).where(
    ratings.c.study == bindparam("study"), ratings.c.id == bindparam("id")
)
OF_PLACE = select(places.c.rating, places.c.capacity, places.c.surplus).where(
    places.c.id == bindparam("place")
)
ITEM_VERSION = select(items.c.version).where(items.c.id == bindparam("item"))
LAST_PLACE = select(func.max(places.c.number)).where(
    places.c.study == bindparam("study"), places.c.rater == bindparam("rater")
)
NUMBERED = select(places.c.id).where(
    places.c.study == bindparam("study"),
    places.c.rater == bindparam("rater"),
    places.c.number == bindparam("number"),
)
GIVEN = (
    update(walks)
    .where(
        walks.c.study == bindparam("of_study"),
        walks.c.rater == bindparam("of_rater"),
        walks.c.given < bindparam("new_given"),
    )
    .values(given=bindparam("new_given"))
)


class _Undo(Exception):
    """Ends a transaction that was only meant to show what it would do."""


class Imports:
    """Fulfils `ImportStore`."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def import_ratings(
        self,
        study: str,
        ratings: Iterable[Incoming],
        *,
        capacity: int | None,
        details: Mapping[str, Any],
        dry_run: bool = False,
    ) -> TakenIn:
        counts = TakenIn()
        with suppress(_Undo), self._core.database.write() as tx:
            one = _Import(tx, self._core, study, capacity, counts)
            for rating in ratings:
                one.take(rating)
            log_all(tx, [Line(one.study, one.now, "import", "imported", details)])
            if dry_run:
                raise _Undo
        return counts


@dataclass(slots=True)
class _Import:
    tx: Tx
    core: Core
    name: str
    capacity: int | None
    counts: TakenIn
    study: int = 0
    now: str = ""
    _raters: dict[Who, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.study, self.now = self.core.id(self.name), self.core.now()

    def take(self, one: Incoming) -> None:
        if not self.core.has_version(self.study, one.version):
            raise Problem(rules.UNKNOWN_VERSION, got=one.version[:80])
        known = self.tx.one(KNOWN, study=self.study, id=text_in(one.id))
        if known is not None:
            self._same(one, known)
            return
        rater = self._rater(one)
        again = int(one.seat.repeat)
        row = self.tx.one(EXISTING, study=self.study, rater=rater, item=one.item, again=again)
        held = None if row is None else self.tx.one(OF_PLACE, place=row[0])
        standing = None if held is None else held[0]
        if standing is not None and one.supersedes is None and self._said(standing, one):
            self.counts.same += 1
            return
        place, surplus = self._place(one, rater, row, held)
        self._record(one, rater, place, standing, surplus)

    def _same(self, one: Incoming, known: Row) -> None:
        if known[0] != one.item or not says_same(answers_out(known[1]), one.answers, one.speaks_of):
            raise Problem(rules.ID_TAKEN, got=one.id)
        self.counts.same += 1

    def _said(self, rating: str, one: Incoming) -> bool:
        row = self.tx.one(KNOWN, study=self.study, id=rating)
        return row is not None and says_same(answers_out(row[1]), one.answers, one.speaks_of)

    # --- raters -----------------------------------------------------------------------------------

    def _rater(self, one: Incoming) -> int:
        if one.who.name is None:
            return self._unnamed(one)
        if one.who not in self._raters:
            self._raters[one.who] = self._named(one.who, one.language)
        return self._raters[one.who]

    def _named(self, who: Who, language: str) -> int:
        number = self.tx.value(TAKEN, study=self.study, name=text_in(who.name or ""))
        return self._add(who, who.name or "", language, named=True) if number is None else int(number)

    def _unnamed(self, one: Incoming) -> int:
        """The first unnamed place of the item that nobody has, from the one asked for on."""
        at = one.who.at
        while True:
            name = UNNAMED.format(number=at)
            number = self.tx.value(TAKEN, study=self.study, name=name)
            if number is None:
                return self._add(one.who, name, one.language, named=False)
            if not self.tx.one(EXISTING, study=self.study, rater=number, item=one.item, again=0):
                return int(number)
            at += 1

    def _add(self, who: Who, name: str, language: str, *, named: bool) -> int:
        self.counts.raters += 1
        more: dict[str, Any] = {"state": who.state, "named": named, "number": who.number}
        (added,) = add_raters(self.tx, [Newcomer(self.study, self.now, name, language, **more)])
        assert added is not None  # noqa: S101
        return added

    # --- places -----------------------------------------------------------------------------------

    def _place(self, one: Incoming, rater: int, row: Row | None, held: Row | None) -> tuple[int, bool]:
        """The place it fills, and whether that is beyond the number asked for."""
        if row is None or held is None:
            return self._new_place(one, rater)
        if row[4] != "released":
            return row[0], bool(held[2])
        return row[0], held[1] is not None and not self._cover(one.item, held[1])

    def _new_place(self, one: Incoming, rater: int) -> tuple[int, bool]:
        seat, number = one.seat, self._number(one.seat, rater)
        counts = not (seat.repeat or seat.gold or seat.round != "main")
        capacity = self.capacity if counts else None
        surplus = bool(one.surplus)
        if capacity is not None and not surplus:
            surplus = not self._cover(one.item, capacity)
        (fresh,) = self.tx.fresh("places", "id", 1)
        place = {
            "id": fresh,
            "study": self.study,
            "item": one.item,
            "rater": rater,
            "number": number,
            "state": "rated",
            "until": None,
            "repeat_of": self._repeated(one, rater),
            "again": int(seat.repeat),
            "gold": int(seat.gold),
            "round": seat.round,
            "at": seat.at,
            "capacity": capacity,
            "surplus": int(surplus),
        }
        self.tx.run(NEW, rows=as_rows([place]))
        self.tx.run(GIVEN, of_study=self.study, of_rater=rater, new_given=number)
        what = "surplus" if surplus else "given"
        log_moves(self.tx, self.study, self.now, [(what, fresh, rater, one.item, WHY)])
        return fresh, surplus

    def _number(self, seat: Seat, rater: int) -> int:
        """The rater's own count it had, if that is free."""
        own = {"study": self.study, "rater": rater}
        if seat.number is not None and not self.tx.one(NUMBERED, **own, number=seat.number):
            return seat.number
        return int(self.tx.value(LAST_PLACE, **own) or 0) + 1

    def _repeated(self, one: Incoming, rater: int) -> int | None:
        if not one.seat.repeat:
            return None
        row = self.tx.one(EXISTING, study=self.study, rater=rater, item=one.item, again=0)
        return None if row is None else int(row[0])

    def _cover(self, item: int, capacity: int) -> bool:
        return self.tx.run(COVER_LATE, of_item=item, capacity=capacity) == 1

    # --- ratings ----------------------------------------------------------------------------------

    def _record(
        self, one: Incoming, rater: int, place: int, standing: str | None, surplus: bool
    ) -> None:
        (number,) = self.tx.fresh("ratings", "number", 1)
        sent = Sent(
            self.study,
            _submission(one, self.name, rater, place, standing),
            one.received or self.now,
            one.imported,
            surplus=surplus,
            conflict=one.conflict,
        )
        sent.place = (*(None,) * 8, self.tx.value(ITEM_VERSION, item=one.item))
        sent.answer = Receipt(one.id, number, False, surplus, one.conflict)
        self.tx.run(RECORD, rows=as_rows([rating_row(sent)]))
        self.tx.run(FILL, rows=as_rows([filled_row(sent)]))
        self.tx.run(DROP_DRAFTS, places=[place])
        self.counts.new += standing is None
        self.counts.revised += standing is not None
        self.counts.surplus += surplus


def _submission(one: Incoming, study: str, rater: int, place: int, standing: str | None) -> Submission:
    return Submission(
        id=one.id,
        study=study,
        place=place,
        rater=rater,
        item=one.item,
        version=one.version,
        answers=one.answers,
        skip_reason=one.skip_reason,
        supersedes=one.supersedes or maybe_out(standing),
        language=one.language,
        pace=one.pace,
        scores=one.scores,
    )
