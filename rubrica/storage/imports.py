"""Ratings made elsewhere, with their raters and places: all in one transaction, or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
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
from rubrica.storage.sql import Row, Tx, as_rows, one_of
from rubrica.storage.submits import COVER_LATE, DROP_DRAFTS, FILL, RECORD, Sent, filled_row, rating_row
from rubrica.storage.tables import places, ratings, walks

WHY = "rated elsewhere"
AT_ONCE = 500

KNOWN = select(ratings.c.item, ratings.c.answers).where(
    ratings.c.study == bindparam("study"), ratings.c.id == bindparam("id")
)
THERE = select(ratings.c.id).where(ratings.c.study == bindparam("study"), one_of(ratings.c.id, "ids"))
HAD = select(places.c.item).where(
    places.c.study == bindparam("study"),
    places.c.rater == bindparam("rater"),
    one_of(places.c.item, "items"),
)
OF_PLACE = select(places.c.rating, places.c.capacity, places.c.surplus).where(
    places.c.id == bindparam("place")
)
ITEM_VERSIONS = select(items.c.id, items.c.version).where(one_of(items.c.id, "items"))
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
            stream = iter(ratings)
            while some := list(islice(stream, AT_ONCE)):
                one.take_all(some)
            log_all(tx, [Line(one.study, one.now, "import", "imported", details)])
            if dry_run:
                raise _Undo
        return counts


@dataclass(frozen=True, slots=True)
class _Placed:
    """A rating on its way into the record. Without a place of its own yet it makes a new one."""

    one: Incoming
    rater: int
    surplus: bool
    place: int | None = None
    standing: str | None = None
    number: int = 0
    capacity: int | None = None


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
    _last: dict[int, int] = field(default_factory=dict)
    """By rater, the number of the last place."""
    _waiting: list[_Placed] = field(default_factory=list)
    """What is surely new, to be written together."""

    def __post_init__(self) -> None:
        self.study, self.now = self.core.id(self.name), self.core.now()

    def take_all(self, some: Sequence[Incoming]) -> None:
        """One after the other, as if each were written before the next is looked at."""
        ids, on = [text_in(one.id) for one in some], list({one.item for one in some})
        there = {row[0] for row in self.tx.all(THERE, study=self.study, ids=ids)}
        had: dict[int, set[int]] = {}
        for one, id_ in zip(some, ids, strict=True):
            if not self.core.has_version(self.study, one.version):
                raise Problem(rules.UNKNOWN_VERSION, got=one.version[:80])
            new = None if id_ in there else self._surely_new(one, on, had)
            there.add(id_)
            if new is None:
                self.write()
                self._take(one)
            else:
                self._waiting.append(new)
        self.write()

    def _surely_new(self, one: Incoming, on: list[int], had: dict[int, set[int]]) -> _Placed | None:
        """A named rater's first rating of an item, whose place comes after all the rater had."""
        if one.who.name is None or one.seat.repeat or one.supersedes is not None:
            return None
        rater = self._rater(one)
        if rater not in had:
            had[rater] = {row[0] for row in self.tx.all(HAD, study=self.study, rater=rater, items=on)}
        if rater not in self._last:
            self._last[rater] = self._last_place(rater)
        number = one.seat.number or self._last[rater] + 1
        if one.item in had[rater] or number <= self._last[rater]:
            had[rater].add(one.item)
            return None
        had[rater].add(one.item)
        self._last[rater] = number
        return self._placed(one, rater, number)

    def _take(self, one: Incoming) -> None:
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
        self._last.pop(rater, None)
        if row is None or held is None:
            self._waiting = [self._placed(one, rater, self._number(one.seat, rater))]
        else:
            surplus = bool(held[2])
            if row[4] == "released":
                surplus = held[1] is not None and not self._cover(one.item, held[1])
            self._waiting = [_Placed(one, rater, surplus, row[0], standing)]
        self.write()

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

    def _placed(self, one: Incoming, rater: int, number: int) -> _Placed:
        """In a new place, which may be beyond the number asked for."""
        seat, surplus = one.seat, bool(one.surplus)
        counts = not (seat.repeat or seat.gold or seat.round != "main")
        capacity = self.capacity if counts else None
        if capacity is not None and not surplus:
            surplus = not self._cover(one.item, capacity)
        return _Placed(one, rater, surplus, number=number, capacity=capacity)

    def _number(self, seat: Seat, rater: int) -> int:
        """The rater's own count it had, if that is free."""
        own = {"study": self.study, "rater": rater}
        if seat.number is not None and not self.tx.one(NUMBERED, **own, number=seat.number):
            return seat.number
        return self._last_place(rater) + 1

    def _last_place(self, rater: int) -> int:
        return int(self.tx.value(LAST_PLACE, study=self.study, rater=rater) or 0)

    def _repeated(self, one: Incoming, rater: int) -> int | None:
        if not one.seat.repeat:
            return None
        row = self.tx.one(EXISTING, study=self.study, rater=rater, item=one.item, again=0)
        return None if row is None else int(row[0])

    def _cover(self, item: int, capacity: int) -> bool:
        return self.tx.run(COVER_LATE, of_item=item, capacity=capacity) == 1

    # --- writing ----------------------------------------------------------------------------------

    def write(self) -> None:
        """What waits, in its order."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._write_ratings(waiting, self._write_places(waiting))

    def _write_places(self, waiting: Sequence[_Placed]) -> list[int]:
        """The place of each, made where there is none."""
        new = [one for one in waiting if one.place is None]
        fresh = list(self.tx.fresh("places", "id", len(new)))
        made = [self._place_row(one, id_) for one, id_ in zip(new, fresh, strict=True)]
        self.tx.run(NEW, rows=as_rows(made))
        last = {one.rater: one.number for one in sorted(new, key=attrgetter("number"))}
        own = {"of_study": self.study}
        self.tx.many(GIVEN, [{**own, "of_rater": r, "new_given": n} for r, n in last.items()])
        moves = [
            ("surplus" if one.surplus else "given", id_, one.rater, one.one.item, WHY)
            for one, id_ in zip(new, fresh, strict=True)
        ]
        log_moves(self.tx, self.study, self.now, moves)
        ids = iter(fresh)
        return [next(ids) if one.place is None else one.place for one in waiting]

    def _place_row(self, placed: _Placed, id_: int) -> dict[str, Any]:
        one = placed.one
        return {
            "id": id_,
            "study": self.study,
            "item": one.item,
            "rater": placed.rater,
            "number": placed.number,
            "state": "rated",
            "until": None,
            "repeat_of": self._repeated(one, placed.rater),
            "again": int(one.seat.repeat),
            "gold": int(one.seat.gold),
            "round": one.seat.round,
            "at": one.seat.at,
            "capacity": placed.capacity,
            "surplus": int(placed.surplus),
        }

    def _write_ratings(self, waiting: Sequence[_Placed], at: Sequence[int]) -> None:
        on = list({placed.one.item for placed in waiting})
        versions = {row[0]: row[1] for row in self.tx.all(ITEM_VERSIONS, items=on)}
        numbers = self.tx.fresh("ratings", "number", len(waiting))
        rows = [
            self._sent(placed, place, versions[placed.one.item], number)
            for placed, place, number in zip(waiting, at, numbers, strict=True)
        ]
        self.tx.run(RECORD, rows=as_rows([rating_row(sent) for sent in rows]))
        self.tx.run(FILL, rows=as_rows([filled_row(sent) for sent in rows]))
        self.tx.run(DROP_DRAFTS, places=list(at))
        for placed in waiting:
            self.counts.new += placed.standing is None
            self.counts.revised += placed.standing is not None
            self.counts.surplus += placed.surplus

    def _sent(self, placed: _Placed, place: int, version: int, number: int) -> Sent:
        one = placed.one
        sent = Sent(
            self.study,
            _submission(one, self.name, placed.rater, place, placed.standing),
            one.received or self.now,
            one.imported,
            surplus=placed.surplus,
            conflict=one.conflict,
        )
        sent.place = (*(None,) * 8, version)
        sent.answer = Receipt(one.id, number, False, placed.surplus, one.conflict)
        return sent


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
