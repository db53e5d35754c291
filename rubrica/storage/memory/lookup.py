"""A policy's questions, answered by looking at everything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rubrica.assignment.contract import Place, Span, Spot
from rubrica.storage.memory.world import World


class MemoryLookup:
    """Fulfils `Lookup`."""

    def __init__(self, world: World, study: str, rater: int) -> None:
        self._world, self._study, self._rater = world, study, rater
        self._state = world.study(study)

    def _spots(self, wanted: Callable[[Spot], bool]) -> list[Spot]:
        return [spot for spot in self._world.spots(self._study) if wanted(spot)]

    def _own(self) -> list[Place]:
        return self._world.own(self._study, self._rater)

    def _spot(self, item: int) -> Spot:
        spot = self._world.items[item].spot
        assert spot is not None  # noqa: S101
        return spot

    def spans(self) -> Sequence[Span]:
        return sorted(self._state.spans, key=lambda span: span.start)

    def at(self, positions: Sequence[int]) -> Sequence[Spot]:
        return self._spots(lambda s: s.position in set(positions))

    def units(self, units: Sequence[int], first: int, last: int) -> Sequence[Spot]:
        found = self._spots(lambda s: s.unit in set(units) and first <= (s.member or 0) <= last)
        return sorted(found, key=lambda s: (s.unit or 0, s.member or 0))

    def covered(self, level: int, after: int, before: int, count: int) -> Sequence[Spot]:
        return self._spots(lambda s: s.covered == level and after < s.position < before and not s.gold)[
            :count
        ]

    def returned(self, count: int) -> Sequence[Spot]:
        times = {s.item: self._world.items[s.item].returned for s in self._spots(lambda s: not s.gold)}
        back = sorted((time, item) for item, time in times.items() if time is not None)
        return [self._spot(item) for _, item in back[:count]]

    def given_back(self, below: int | None, count: int) -> Sequence[Spot]:
        lost = [p for p in self._own() if p.state == "released" and p.repeat_of is None]
        free = [
            self._spot(p.item)
            for p in lost
            if self._world.capacities[p.id] is None
            or below is None
            or self._spot(p.item).covered < below
        ]
        return free[:count]

    def mine(self, items: Sequence[int]) -> frozenset[int]:
        return frozenset(
            p.item
            for p in self._own()
            if p.item in set(items) and p.repeat_of is None and p.state != "released"
        )

    def furthest(self, units: Sequence[int]) -> Mapping[int, int]:
        found: dict[int, int] = {}
        for place in self._own():
            spot = self._spot(place.item)
            if place.state != "released" and spot.unit in set(units) and spot.unit is not None:
                found[spot.unit] = max(found.get(spot.unit, -1), spot.member or 0)
        return found

    def gold(self, count: int) -> Sequence[Spot]:
        had = {place.item for place in self._own()}
        return self._spots(lambda s: s.gold and s.item not in had)[:count]

    def own(self, first: int, last: int) -> Sequence[tuple[Place, Spot]]:
        return [(p, self._spot(p.item)) for p in self._own() if first <= p.number <= last]

    def listed(self, after: int, count: int) -> Sequence[tuple[int, Spot]]:
        name = self._state.raters[self._rater].name
        entries = sorted(self._state.lists.get(name, {}).items())
        return [(entry, self._spot(item)) for entry, item in entries if entry > after][:count]

    def freed(self) -> int:
        returned = [n for n, move in enumerate(self._state.moves, 1) if move.what == "returned"]
        return (returned[-1] if returned else 0) + self._state.loads
