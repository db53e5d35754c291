"""What one rater's policy asks while places are given; the statements stand in `lookup`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Select

from rubrica.assignment.contract import Place, Span, Spot
from rubrica.storage.lookup import AT, FURTHEST, GOLDEN, LISTED, MINE, OWN, PLACE, UNITS, as_place
from rubrica.storage.sight import Lost, Sight

LONGEST = 2**31 - 1


class SqlLookup:
    """Fulfils `Lookup` for one rater, inside the transaction that reserves.

    What the rater takes is written later, together with what others take: until then it stands in
    `Sight` and here. What gives nothing is asked once, for taking places only ever makes it less.
    """

    def __init__(self, sight: Sight, rater: int, lost: Sequence[Lost]) -> None:
        self._sight, self._tx = sight, sight.tx
        self._at = {"study": sight.study, "rater": rater}
        self.lost = {(one.place.item, one.again): one for one in lost}
        self.taken: list[tuple[Place, Spot]] = []
        self._mine: dict[int, bool] = {}
        self._ahead: Sequence[int] = ()
        self._no_gold = False

    def has(self, item: int) -> bool:
        return bool(self.mine([item]))

    def take(self, place: Place) -> None:
        """The rater has it from now on."""
        self.taken.append((place, self._sight.spot(place.item)))
        if place.repeat_of is None:
            self._mine[place.item] = True
        self.lost.pop((place.item, int(place.repeat_of is not None)), None)

    def spans(self) -> Sequence[Span]:
        return self._sight.spans()

    def at(self, positions: Sequence[int]) -> Sequence[Spot]:
        return self._spots(AT, positions=list(positions))

    def units(self, units: Sequence[int], first: int, last: int) -> Sequence[Spot]:
        return self._spots(UNITS, units=list(units), first=first, last=last)

    def _spots(self, statement: Select[Any], **params: Any) -> Sequence[Spot]:
        return self._sight.see(self._tx.all(statement, study=self._at["study"], **params))

    def covered(self, level: int, after: int, before: int, count: int) -> Sequence[Spot]:
        found, self._ahead = self._sight.covered(level, after, before, count)
        return found

    def returned(self, count: int) -> Sequence[Spot]:
        return self._sight.returned(count)

    def given_back(self, below: int | None, count: int) -> Sequence[Spot]:
        had = sorted((one for one in self.lost.values() if not one.again), key=lambda o: o.place.number)
        spots = ((one, self._sight.spot(one.place.item)) for one in had)
        limit = LONGEST if below is None else below
        return [s for one, s in spots if one.capacity is None or s.covered < limit][:count]

    def mine(self, items: Sequence[int]) -> frozenset[int]:
        known = self._mine
        if any(item not in known for item in items):
            # Those that the policy will look at next are asked for along with them.
            asked = [item for item in {*items, *self._ahead} if item not in known]
            there = {row[0] for row in self._tx.gathered(MINE, **self._at, items=asked)}
            known.update((item, item in there) for item in asked)
        return frozenset(item for item in items if known[item])

    def furthest(self, units: Sequence[int]) -> Mapping[int, int]:
        found: dict[int, int] = dict(self._tx.all(FURTHEST, **self._at, units=list(units)))
        for _, spot in self.taken:
            if spot.unit in units and spot.unit is not None and spot.member is not None:
                found[spot.unit] = max(found.get(spot.unit, -1), spot.member)
        return found

    def gold(self, count: int) -> Sequence[Spot]:
        if self._no_gold:
            return []
        rows = self._tx.all(GOLDEN, **self._at, count=count + len(self.taken))
        self._no_gold = not rows
        taken = {place.item for place, _ in self.taken}
        return [spot for spot in self._sight.see(rows) if spot.item not in taken][:count]

    def own(self, first: int, last: int) -> Sequence[tuple[Place, Spot]]:
        rows = self._tx.all(OWN, **self._at, first=first, last=last)
        spots = self._sight.see([row[len(PLACE) :] for row in rows])
        there = {row[0]: (as_place(row), spot) for row, spot in zip(rows, spots, strict=True)}
        new = [(p, s) for p, s in self.taken if first <= p.number <= last]
        found = [
            *(one for one in there.values() if one[0].number not in {p.number for p, _ in new}),
            *new,
        ]
        return sorted(found, key=lambda one: one[0].number)

    def listed(self, after: int, count: int) -> Sequence[tuple[int, Spot]]:
        rows = self._tx.all(LISTED, **self._at, after=after, count=count)
        spots = self._sight.see([row[1:] for row in rows])
        return [(row[0], spot) for row, spot in zip(rows, spots, strict=True)]

    def freed(self) -> int:
        return self._sight.freed()
