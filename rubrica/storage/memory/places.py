"""Places in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import timedelta

from rubrica.assignment.choosing import choose
from rubrica.assignment.contract import Candidate, Design, History, Place, Policy
from rubrica.assignment.handing import AFTER_FILES, spread
from rubrica.assignment.store import PREFETCH_SECONDS
from rubrica.errors import Problem
from rubrica.storage.codec import time_in
from rubrica.storage.memory.lookup import MemoryLookup
from rubrica.storage.memory.world import Move, StudyState, Walk, World
from rubrica.storage.rules import LIST_NAMES_NOTHING, UNKNOWN_RATER


def move(world: World, study: str, what: str, place: Place, why: str) -> int:
    moves = world.study(study).moves
    moves.append(Move(what, place.id, place.rater, place.item, why, world.now()))
    return len(moves)


def count(world: World, item: int, change: int, returned: int | None) -> None:
    kept = world.items[item]
    assert kept.spot is not None  # noqa: S101
    kept.spot = replace(kept.spot, covered=kept.spot.covered + change)
    kept.returned = returned


def give_back(world: World, study: str, places: Sequence[Place], why: str) -> None:
    for place in places:
        number = move(world, study, "returned", place, why)
        if world.capacities[place.id] is not None and not place.surplus:
            count(world, place.item, -1, number)
        world.places[place.id] = replace(place, state="released", until=None)


@dataclass(slots=True)
class MemoryLedger:
    world: World
    study: str
    rater: int
    until: str | None

    def take(self, candidate: Candidate, design: Design, number: int) -> Place | None:
        own = self.world.own(self.study, self.rater)
        again = candidate.repeat_of is not None
        had = next(
            (p for p in own if p.item == candidate.item and (p.repeat_of is not None) == again), None
        )
        if had is not None and had.state != "released":
            return None
        counts = candidate.counts
        if had is not None:
            counts = had.repeat_of is None and not had.gold and had.round == "main"
        capacity = design.capacity if counts else None
        spot = self.world.items[candidate.item].spot
        if capacity is not None:
            if spot is None or spot.covered >= capacity:
                return None
            count(self.world, candidate.item, 1, None)
        if had is not None:
            place = replace(had, state="reserved", until=self.until)
        else:
            place = Place(
                id=len(self.world.places) + 1,
                item=candidate.item,
                rater=self.rater,
                number=number,
                state="reserved",
                until=self.until,
                repeat_of=candidate.repeat_of,
                gold=candidate.gold,
                round=candidate.round,
                at=candidate.at,
            )
        self.world.places[place.id] = place
        self.world.place_study[place.id] = self.study
        self.world.capacities[place.id] = capacity
        move(self.world, self.study, "given", place, candidate.why)
        return place


class MemoryPlaces:
    """Fulfils `PlaceStore`."""

    def __init__(self, world: World) -> None:
        self._world = world

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
        with self._world.lock:
            walk = self._walk(study, rater)
            if goto is not None:
                left = [p for p in self._open(study, rater) if p.id not in self._world.drafts]
                give_back(self._world, study, left, "the rater went elsewhere")
            own = self._open(study, rater)
            if design.capacity is not None:
                self._reclaim(study, rater)
            until = self._until(design, min(PREFETCH_SECONDS, design.reserve_seconds))
            ledger = MemoryLedger(self._world, study, rater, until)
            before = History(rater, walk.given, walk.cursor, walk.last_thread, goto)
            lookup = MemoryLookup(self._world, study, rater)
            missing = count if goto is not None else count - len(own)
            found, after = choose(policy, design, before, lookup, ledger, missing)
            walk.given, walk.cursor, walk.last_thread = after.given, after.cursor, after.last_thread
            in_order = sorted([*own, *found], key=lambda p: p.number)
            return self._kept(in_order if goto is None else [*found, *own], design)

    def reserve_all(
        self, study: str, raters: Mapping[int, int], policy: Policy, design: Design
    ) -> Future[Sequence[Sequence[Place] | Problem]]:
        whole: Future[Sequence[Sequence[Place] | Problem]] = Future()
        whole.set_result([self._reserved(study, *one, policy, design) for one in raters.items()])
        return whole

    def _reserved(
        self, study: str, rater: int, count: int, policy: Policy, design: Design
    ) -> Sequence[Place] | Problem:
        try:
            return self.reserve(study, rater, count, policy, design)
        except Problem as problem:
            return problem

    def _walk(self, study: str, rater: int) -> Walk:
        walk = self._world.study(study).walks.get(rater)
        if walk is None:
            raise Problem(UNKNOWN_RATER, got=str(rater))
        return walk

    def _open(self, study: str, rater: int) -> list[Place]:
        return [p for p in self._world.own(study, rater) if p.state == "reserved"]

    def _reclaim(self, study: str, rater: int) -> None:
        now = self._world.now()
        late = [
            p
            for p in self._world.places.values()
            if self._world.place_study[p.id] == study
            and p.rater != rater
            and p.state == "reserved"
            and self._world.capacities[p.id] is not None
            and (p.until or "") < now
        ]
        late.sort(key=lambda p: (p.until or "", p.id))
        give_back(self._world, study, late, "its time ran out")

    def _until(self, design: Design, seconds: float) -> str | None:
        if design.capacity is None:
            return None
        return time_in(self._world.clock() + timedelta(seconds=seconds))

    def _kept(self, own: Sequence[Place], design: Design) -> Sequence[Place]:
        if design.capacity is None:
            return own
        kept = []
        for n, place in enumerate(own):
            seconds = design.reserve_seconds
            seconds = seconds if n == 0 else min(PREFETCH_SECONDS, seconds)
            if (place.until or "") < (self._until(design, seconds / 2) or ""):
                place = replace(place, until=self._until(design, seconds))
                self._world.places[place.id] = place
            kept.append(place)
        return kept

    def place(self, study: str, place: int) -> Place | None:
        known = self._world.place_study.get(place) == study
        return self._world.places[place] if known else None

    def places(self, study: str, rater: int, after: int = 0, count: int = 100) -> Sequence[Place]:
        self._world.study(study)
        return [p for p in self._world.own(study, rater) if p.number > after][:count]

    def tally(self, study: str, rater: int) -> dict[str, int]:
        self._world.study(study)
        return dict(Counter(p.state for p in self._world.own(study, rater)))

    def tallies(self, study: str, raters: Sequence[int]) -> Mapping[int, Mapping[str, int]]:
        found = {rater: self.tally(study, rater) for rater in raters}
        return {rater: tally for rater, tally in found.items() if tally}

    def extend(self, study: str, rater: int, places: Sequence[int], seconds: float) -> None:
        with self._world.lock:
            late = time_in(self._world.clock() + timedelta(seconds=seconds))
            for place in self._open(study, rater):
                if place.id in places and (place.until or "") < late:
                    self._world.places[place.id] = replace(place, until=late)

    def release(self, study: str, rater: int, places: Sequence[int] | None = None) -> int:
        with self._world.lock:
            self._world.study(study)
            held = [p for p in self._open(study, rater) if places is None or p.id in places]
            give_back(self._world, study, held, "given back")
            return len(held)

    def set_lists(self, study: str, lists: Mapping[str, Sequence[str]]) -> list[Problem]:
        with self._world.lock:
            state = self._world.study(study)
            state.lists, wrong = {}, []
            for name, keys in lists.items():
                for key in keys:
                    item = state.by_key.get((key, 0))
                    if item is None or self._world.items[item].spot is None:
                        wrong.append(Problem(LIST_NAMES_NOTHING, got=key, details={"rater": name}))
                    else:
                        listed = state.lists.setdefault(name, {})
                        listed[len(listed) + 1] = item
            for number, one in enumerate(state.handed, 1):
                _hand_on(state, number, *one)
            return wrong

    def hand_on(self, study: str, rater: int, to: Sequence[int]) -> int:
        with self._world.lock:
            state = self._world.study(study)
            done = {p.item for p in self._world.own(study, rater) if p.state in ("rated", "skipped")}
            name = state.raters[rater].name
            listed = {
                r.number: list(state.lists.get(r.name, {}).values()) for r in state.raters.values()
            }
            left = [item for item in listed[rater] if item not in done]
            theirs = {number: listed[number] for number in to if number in listed}
            found = [(item, name, state.raters[n].name) for item, n in spread(left, theirs)]
            for one in found:
                state.handed.append(one)
                _hand_on(state, len(state.handed), *one)
            return len(found)


def _hand_on(state: StudyState, number: int, item: int, source: str, target: str) -> None:
    listed = state.lists.get(source, {})
    for entry in [entry for entry, of in listed.items() if of == item]:
        del listed[entry]
        state.lists.setdefault(target, {})[AFTER_FILES + number] = item
