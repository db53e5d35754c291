"""Giving places to raters, many at once, in one transaction.

The wishes are gone through one after the other, each seeing what those before it took (`Sight`); what
was taken is then written together. Only where several processes write (PostgreSQL) can an item have
gone to somebody else meanwhile: whoever wanted it chooses again without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from rubrica.assignment.choosing import choose
from rubrica.assignment.contract import Candidate, Design, History, Place, Policy
from rubrica.assignment.store import PREFETCH_SECONDS
from rubrica.errors import Problem
from rubrica.storage.asking import SqlLookup
from rubrica.storage.codec import json_in, json_out, time_in
from rubrica.storage.ledger import Move, give_back, log_moves, reclaim
from rubrica.storage.lookup import GIVEN_BACK, PLACE, as_place
from rubrica.storage.place_statements import (
    COVER,
    DRAFTED,
    FREE,
    KEEP,
    NEW,
    OPEN,
    OPEN_HELD,
    REVIVE,
    STEP,
    WALKS,
)
from rubrica.storage.rules import UNKNOWN_RATER
from rubrica.storage.sight import Lost, Sight
from rubrica.storage.sql import Tx, as_rows


@dataclass(frozen=True, slots=True)
class Wish:
    """A rater's wish for so many open places."""

    study: int
    rater: int
    count: int
    policy: Policy
    design: Design
    now: datetime
    goto: int | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """A place that was chosen and is not yet written; `id` of a new one is 0 until then."""

    place: Place
    capacity: int | None
    why: str


def reserve(tx: Tx, wishes: Sequence[Wish]) -> Sequence[Sequence[Place] | Problem]:
    """The handler of wishes: no two of a group are one rater's."""
    answers: dict[int, Sequence[Place] | Problem] = {}
    for study, numbers in _together(wishes):
        found = Reserving(tx, study, [wishes[n] for n in numbers]).answers()
        answers.update(zip(numbers, found, strict=True))
    return [answers[n] for n in range(len(wishes))]


def _together(wishes: Sequence[Wish]) -> Iterator[tuple[int, list[int]]]:
    """Those of a study at once, but whoever goes elsewhere alone: they give places back first."""
    studies: dict[int, list[int]] = {}
    for n, wish in enumerate(wishes):
        if wish.goto is None:
            studies.setdefault(wish.study, []).append(n)
    yield from studies.items()
    yield from ((wish.study, [n]) for n, wish in enumerate(wishes) if wish.goto is not None)


@dataclass(slots=True)
class Choice:
    """One rater's places within the transaction; fulfils the `Ledger` that choosing works on."""

    wish: Wish
    before: History
    open: list[Place]
    lost: Sequence[Lost]
    sight: Sight
    after: History
    lookup: SqlLookup
    taken: list[Taken] = field(default_factory=list)
    blocked: set[int] = field(default_factory=set)
    """Items that others are just taking."""

    def choose(self) -> None:
        wish = self.wish
        missing = wish.count if wish.goto is not None else wish.count - len(self.open)
        if missing > 0:
            found = choose(wish.policy, wish.design, self.before, self.lookup, self, missing)
            self.after = found[1]
            if self.blocked and len(found[0]) < missing:
                # Not that there is nothing: what is being taken may come back.
                self.after = replace(self.after, cursor=self.before.cursor)

    def again_without(self, items: set[int]) -> bool:
        """Choose once more if any of these was chosen; whether it was."""
        if items.isdisjoint(one.place.item for one in self.taken if one.capacity is not None):
            return False
        for one in self.taken:
            if one.capacity is not None:
                self.sight.take(one.place.item, -1)
        self.taken, self.after = [], self.before
        self.lookup = SqlLookup(self.sight, self.wish.rater, self.lost)
        self.blocked |= items
        self.choose()
        return True

    def take(self, candidate: Candidate, design: Design, number: int) -> Place | None:
        again = int(candidate.repeat_of is not None)
        had = self.lookup.lost.get((candidate.item, again))
        if candidate.item in self.blocked or (not again and self.lookup.has(candidate.item)):
            return None
        counts = candidate.counts if had is None else _counts(had.place)
        capacity = design.capacity if counts else None
        if capacity is not None:
            if self.sight.spot(candidate.item).covered >= capacity:
                return None
            self.sight.take(candidate.item)
        place = self._new(candidate, number) if had is None else self._anew(had.place)
        self.lookup.take(place)
        self.taken.append(Taken(place, capacity, candidate.why))
        return place

    def _new(self, candidate: Candidate, number: int) -> Place:
        return Place(
            id=0,
            item=candidate.item,
            rater=self.wish.rater,
            number=number,
            state="reserved",
            until=self.until(self.ahead),
            repeat_of=candidate.repeat_of,
            gold=candidate.gold,
            round=candidate.round,
            at=candidate.at,
        )

    def _anew(self, place: Place) -> Place:
        return replace(place, state="reserved", until=self.until(self.ahead))

    @property
    def ahead(self) -> float:
        return min(PREFETCH_SECONDS, self.wish.design.reserve_seconds)

    def until(self, seconds: float) -> str | None:
        """Nobody waits for a place of an item that everyone rates, so it never runs out."""
        if self.wish.design.capacity is None:
            return None
        return time_in(self.wish.now + timedelta(seconds=seconds))

    def kept(self) -> list[Place]:
        """All that are open now. The first is worked on, the others wait; each is prolonged once half
        its time is gone."""
        mine = [*(one.place for one in self.taken), *self.open]
        if self.wish.goto is None:
            mine.sort(key=lambda place: place.number)
        if self.wish.design.capacity is None:
            return mine
        wanted = [self.wish.design.reserve_seconds, *[self.ahead] * (len(mine) - 1)]
        pairs = zip(mine, wanted, strict=False)
        return [self._prolonged(place, seconds) for place, seconds in pairs]

    def _prolonged(self, place: Place, seconds: float) -> Place:
        late = (place.until or "") < (self.until(seconds / 2) or "")
        return replace(place, until=self.until(seconds)) if late else place


class Reserving:
    """The wishes of one study."""

    def __init__(self, tx: Tx, study: int, wishes: Sequence[Wish]) -> None:
        self.tx, self.study, self.wishes = tx, study, wishes
        self.now = time_in(max(wish.now for wish in wishes))
        self.raters = sorted(wish.rater for wish in wishes)

    def answers(self) -> Sequence[Sequence[Place] | Problem]:
        chosen = self._choices()
        for choice in chosen.values():
            choice.choose()
        while taken := self._taken_by_others(chosen.values()):
            for choice in chosen.values():
                choice.again_without(taken)
        places_ = self._write(chosen)
        return [
            places_.get(wish.rater, Problem(UNKNOWN_RATER, got=str(wish.rater))) for wish in self.wishes
        ]

    def _choices(self) -> Mapping[int, Choice]:
        asked: dict[str, Any] = {"study": self.study, "raters": self.raters}
        walked = {row[0]: row for row in self.tx.gathered(WALKS, **asked)}
        for wish in self.wishes:
            if wish.goto is not None and wish.rater in walked:
                self._leave(wish.rater)
        own = self.tx.gathered(OPEN, **asked)
        if any(wish.design.capacity is not None for wish in self.wishes):
            reclaim(self.tx, self.study, self.now, self.raters)
        lost = self.tx.gathered(GIVEN_BACK, **asked)
        sight = Sight(self.tx, self.study)
        return {
            wish.rater: self._choice(wish, walked[wish.rater], _by(own, wish.rater), lost, sight)
            for wish in self.wishes
            if wish.rater in walked
        }

    def _choice(
        self, wish: Wish, walk: Any, own: Sequence[Any], lost: Sequence[Any], sight: Sight
    ) -> Choice:
        _, given_, cursor, thread = walk
        before = History(wish.rater, given_, json_out(cursor), thread, wish.goto)
        had = [_lost(row, sight) for row in _by(lost, wish.rater)]
        open_ = sorted((as_place(row) for row in own), key=lambda place: place.number)
        lookup = SqlLookup(sight, wish.rater, had)
        return Choice(wish, before, open_, had, sight, before, lookup)

    def _leave(self, rater: int) -> None:
        """A rater who goes elsewhere needs what was fetched ahead no more, but what they began."""
        own = {"study": self.study, "rater": rater}
        begun = {row[0] for row in self.tx.all(DRAFTED, **own)}
        left = [row for row in self.tx.all(OPEN_HELD, **own) if row[0] not in begun]
        give_back(self.tx, self.study, self.now, left, "the rater went elsewhere")

    def _taken_by_others(self, chosen: Iterable[Choice]) -> set[int]:
        """Those of the items that cannot be had; the others are nobody else's from now on."""
        if self.tx.sqlite:
            return set()
        wanted = _wanted(chosen)
        rows = self.tx.all(FREE, rows=as_rows(wanted)) if wanted else []
        return {row["item"] for row in wanted} - {row[0] for row in rows}

    def _write(self, chosen: Mapping[int, Choice]) -> Mapping[int, Sequence[Place]]:
        """Everything that was chosen, by a handful of statements."""
        if wanted := _wanted(chosen.values()):
            self.tx.run(COVER, rows=as_rows(wanted))
        mine = {rater: choice.kept() for rater, choice in chosen.items()}
        self._add([one for choice in chosen.values() for one in choice.taken], mine)
        self._step([choice for choice in chosen.values() if choice.after != choice.before])
        self._prolong(chosen, mine)
        return mine

    def _add(self, taken: Sequence[Taken], mine: Mapping[int, list[Place]]) -> None:
        """Add or revive what was taken, and log it; new places get their number here."""
        fresh = iter(self.tx.fresh("places", "id", sum(not one.place.id for one in taken)))
        rows: list[dict[str, Any]] = []
        moves: list[Move] = []
        for one in taken:
            own = mine[one.place.rater]
            at, place = next((n, p) for n, p in enumerate(own) if p.number == one.place.number)
            if place.id:
                values = {"of_place": place.id, "late": place.until, "k": one.capacity}
                self.tx.run(REVIVE, **values)
            else:
                place = own[at] = replace(place, id=next(fresh))
                rows.append(_row(self.study, place, one.capacity))
            moves.append(("given", place.id, place.rater, place.item, one.why))
        if rows:
            self.tx.run(NEW, rows=as_rows(rows))
        log_moves(self.tx, self.study, self.now, moves)

    def _step(self, moved: Sequence[Choice]) -> None:
        rows = [
            {
                "study": self.study,
                "rater": choice.wish.rater,
                "given": choice.after.given,
                "cursor": json_in(choice.after.cursor),
                "last_thread": choice.after.last_thread,
            }
            for choice in moved
        ]
        if rows:
            self.tx.run(STEP, rows=as_rows(rows))

    def _prolong(self, chosen: Mapping[int, Choice], mine: Mapping[int, Sequence[Place]]) -> None:
        before = {p.id: p.until for choice in chosen.values() for p in choice.open}
        rows = [
            {"place": p.id, "study": self.study, "rater": p.rater, "late": p.until}
            for own in mine.values()
            for p in own
            if p.id in before and p.until != before[p.id]
        ]
        if rows:
            self.tx.run(KEEP, rows=as_rows(rows))


def _wanted(chosen: Iterable[Choice]) -> list[dict[str, Any]]:
    """The items that are taken, how often, and how many may have them."""
    capacities: dict[int, list[int]] = {}
    for choice in chosen:
        for one in choice.taken:
            if one.capacity is not None:
                capacities.setdefault(one.place.item, []).append(one.capacity)
    return [
        {"item": item, "times": len(each), "capacity": min(each)}
        for item, each in sorted(capacities.items())
    ]


def _row(study: int, place: Place, capacity: int | None) -> dict[str, Any]:
    return {
        "id": place.id,
        "study": study,
        "item": place.item,
        "rater": place.rater,
        "number": place.number,
        "state": "reserved",
        "until": place.until,
        "repeat_of": place.repeat_of,
        "again": int(place.repeat_of is not None),
        "gold": int(place.gold),
        "round": place.round,
        "at": place.at,
        "capacity": capacity,
        "surplus": 0,
    }


def _by(rows: Sequence[Any], rater: int) -> list[Any]:
    """Those of one rater, in rows that begin as `PLACE` does."""
    return [row for row in rows if row[2] == rater]


def _lost(row: Any, sight: Sight) -> Lost:
    capacity, again = row[len(PLACE) : len(PLACE) + 2]
    sight.see([row[len(PLACE) + 2 :]])
    return Lost(as_place(row), capacity, again)


def _counts(place: Place) -> bool:
    """Whether it takes one of its item's k."""
    return place.repeat_of is None and not place.gold and place.round == "main"
