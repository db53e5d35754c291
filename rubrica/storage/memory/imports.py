"""Ratings made elsewhere, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, fields, replace
from typing import Any

from rubrica.accounts.model import LogEntry, Rater
from rubrica.assignment.contract import Place, PlaceState
from rubrica.errors import Problem
from rubrica.exchange.store import UNNAMED, Incoming, TakenIn, says_same
from rubrica.ratings.model import Rating, Submission
from rubrica.storage.codec import answers_in, answers_out, content_digest
from rubrica.storage.imports import WHY
from rubrica.storage.memory.places import count, move
from rubrica.storage.memory.world import Walk, World
from rubrica.storage.rules import ID_TAKEN, UNKNOWN_VERSION

KEPT = ("clock", "lock")


class MemoryImports:
    """Fulfils `ImportStore`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def import_ratings(
        self,
        study: str,
        ratings: Iterable[Incoming],
        *,
        capacity: int | None,
        details: Mapping[str, Any],
        dry_run: bool = False,
    ) -> TakenIn:
        world = self._world
        with world.lock:
            world.study(study)
            names = [f.name for f in fields(world) if f.name not in KEPT]
            before = {name: deepcopy(getattr(world, name)) for name in names}
            done = False
            try:
                one = _Import(world, study, capacity, TakenIn())
                for rating in ratings:
                    one.take(rating)
                entries = world.study(study).log
                entry = (len(entries) + 1, study, world.now(), "import", "imported", dict(details))
                entries.append(LogEntry(*entry))
                done = not dry_run
            finally:
                if not done:
                    for name, value in before.items():
                        setattr(world, name, value)
            return one.counts


@dataclass(slots=True)
class _Import:
    world: World
    study: str
    capacity: int | None
    counts: TakenIn

    def take(self, one: Incoming) -> None:
        if one.version not in self.world.study(self.study).versions:
            raise Problem(UNKNOWN_VERSION, got=one.version[:80])
        known = self.world.ratings.get((self.study, one.id))
        if known is not None:
            if known.submission.item != one.item or not self._said(one.id, one):
                raise Problem(ID_TAKEN, got=one.id)
            self.counts.same += 1
            return
        rater = self._rater(one)
        held = self._held(rater, one.item, one.seat.repeat)
        standing = None if held is None else self.world.standing.get(held.id)
        if standing is not None and one.supersedes is None and self._said(standing, one):
            self.counts.same += 1
            return
        self._record(one, self._place(one, rater, held), standing)

    def _said(self, rating: str, one: Incoming) -> bool:
        known = self.world.ratings[self.study, rating]
        return says_same(known.submission.answers, one.answers, one.speaks_of)

    def _held(self, rater: int, item: int, repeat: bool) -> Place | None:
        own = self.world.own(self.study, rater)
        found = (p for p in own if p.item == item and (p.repeat_of is not None) == repeat)
        return next(found, None)

    # --- raters -----------------------------------------------------------------------------------

    def _rater(self, one: Incoming) -> int:
        if one.who.name is not None:
            number = self._numbered(one.who.name)
            return self._add(one, one.who.name) if number is None else number
        at = one.who.at
        while True:
            name = UNNAMED.format(number=at)
            number = self._numbered(name)
            if number is None:
                return self._add(one, name)
            if self._held(number, one.item, False) is None:
                return number
            at += 1

    def _numbered(self, name: str) -> int | None:
        raters = self.world.study(self.study).raters.values()
        return next((r.number for r in raters if r.name == name), None)

    def _add(self, one: Incoming, name: str) -> int:
        self.counts.raters += 1
        state, who = self.world.study(self.study), one.who
        number, named = max(state.raters, default=0) + 1, who.name is not None
        if who.number is not None and who.number not in state.raters:
            number = who.number
        joined = self.world.now()
        rater = Rater(number, self.study, name, who.state, one.language, joined=joined, named=named)
        state.raters[number], state.codes[number], state.walks[number] = rater, "", Walk()
        state.raters = dict(sorted(state.raters.items()))
        return number

    # --- places -----------------------------------------------------------------------------------

    def _place(self, one: Incoming, rater: int, held: Place | None) -> Place:
        if held is None:
            return self._new_place(one, rater)
        capacity = self.world.capacities[held.id]
        full = held.state == "released" and capacity is not None
        return replace(held, surplus=not self._cover(one.item, capacity)) if full else held

    def _new_place(self, one: Incoming, rater: int) -> Place:
        seat, own = one.seat, self.world.own(self.study, rater)
        counts = not (seat.repeat or seat.gold or seat.round != "main")
        capacity, surplus = self.capacity if counts else None, bool(one.surplus)
        if capacity is not None and not surplus:
            surplus = not self._cover(one.item, capacity)
        taken = {p.number for p in own}
        number = seat.number if seat.number not in (None, *taken) else max(taken, default=0) + 1
        first = self._held(rater, one.item, False) if seat.repeat else None
        place = Place(
            id=len(self.world.places) + 1,
            item=one.item,
            rater=rater,
            number=number or 1,
            state="rated",
            repeat_of=first.id if first else None,
            gold=seat.gold,
            round=seat.round,
            at=seat.at,
            surplus=surplus,
        )
        self.world.place_study[place.id] = self.study
        self.world.capacities[place.id] = capacity
        self.world.places[place.id] = place
        walk = self.world.study(self.study).walks[rater]
        walk.given = max(walk.given, place.number)
        move(self.world, self.study, "surplus" if surplus else "given", place, WHY)
        return place

    def _cover(self, item: int, capacity: int | None) -> bool:
        spot = self.world.items[item].spot
        if capacity is None or spot is None or spot.covered >= capacity:
            return False
        count(self.world, item, 1, None)
        return True

    # --- ratings ----------------------------------------------------------------------------------

    def _record(self, one: Incoming, place: Place, standing: str | None) -> None:
        kept = answers_in(one.answers)
        sent = Submission(
            id=one.id,
            study=self.study,
            place=place.id,
            rater=place.rater,
            item=one.item,
            version=one.version,
            answers=answers_out(kept),
            skip_reason=one.skip_reason,
            supersedes=one.supersedes or standing,
            language=one.language,
            pace=one.pace,
            scores=one.scores,
        )
        number, key = len(self.world.ratings) + 1, (self.study, one.id)
        received = one.received or self.world.now()
        self.world.ratings[key] = Rating(
            sent, number, received, place.surplus, one.conflict, one.imported
        )
        self.world.digests[key] = content_digest(sent, kept)
        self.world.standing[place.id] = one.id
        state: PlaceState = "skipped" if one.answers is None else "rated"
        self.world.places[place.id] = replace(place, state=state, until=None)
        self.world.drafts.pop(place.id, None)
        self.counts.new += standing is None
        self.counts.revised += standing is not None
        self.counts.surplus += place.surplus
