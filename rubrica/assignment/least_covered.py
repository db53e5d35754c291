"""So many raters an item, those with the fewest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rubrica.assignment.base import Base, apart, unseen
from rubrica.assignment.chance import draw
from rubrica.assignment.contract import Candidate, Cursor, Design, History, Lookup, Proposal, Spot
from rubrica.assignment.orders import Stretch, stretches

FIRST, CHUNK = 8, 128
"""Most raters are given one of the first few; whoever is not looks further at a time."""
BUDGET = 4
"""Chunks looked through for each level before the next level is tried: a rater who has had all that is
least covered must not wait while they are gone through."""
LONGEST = 2**31 - 1


class LeastCovered(Base):
    name = "least_covered"
    says = (
        "Each item is given to so many raters; a rater is given the item with the fewest so far, "
        "first in the given order or from a place drawn by chance."
    )

    def goes_on(self, design: Design) -> bool:
        """Shuffled, each item is looked for from a place of its own."""
        return design.order == "given" and super().goes_on(design)

    def main(self, design: Design, history: History, lookup: Lookup) -> Iterator[Proposal]:
        freed = lookup.freed()
        if history.cursor.get("nothing") == freed:
            return
        cursor = {} if "nothing" in history.cursor else history.cursor
        yield from self._of_run(design, history, cursor, lookup)
        for stretch in stretches(lookup.spans(), design):
            if stretch.start >= cursor.get("at", 0):
                yield from self._of_stretch(stretch, design, history, cursor, lookup)
        yield None, {"nothing": freed}

    def _of_stretch(
        self, stretch: Stretch, design: Design, history: History, cursor: Cursor, lookup: Lookup
    ) -> Iterator[Proposal]:
        found = self._spots(stretch, design, history, cursor, lookup)
        by_item: dict[int, Cursor] = {}
        for candidate in apart(self._candidates(found, design, by_item), design, history):
            yield candidate, by_item[candidate.item]

    def _candidates(
        self,
        found: Iterator[tuple[Spot, Cursor]],
        design: Design,
        by_item: dict[int, Cursor],
    ) -> Iterator[Candidate]:
        for spot, cursor in found:
            by_item[spot.item] = cursor
            why = f"covered {spot.covered} of {design.capacity}"
            yield Candidate(spot.item, why, spot.thread)

    def _of_run(
        self, design: Design, history: History, cursor: Cursor, lookup: Lookup
    ) -> Iterator[Proposal]:
        """Whoever has begun a sequence goes on with it."""
        if design.thread != "sequence" or "unit" not in cursor:
            return
        member = cursor["member"] + 1
        for spot in unseen(lookup.units([cursor["unit"]], member, member), lookup):
            if not spot.gold and spot.covered < (design.capacity or 0):
                why = f"next in its sequence, covered {spot.covered} of {design.capacity}"
                following = {**cursor, "member": spot.member}
                yield Candidate(spot.item, why, spot.thread), following

    def _spots(
        self, stretch: Stretch, design: Design, history: History, cursor: Cursor, lookup: Lookup
    ) -> Iterator[tuple[Spot, Cursor]]:
        """Given back by others; then a quick look at each level; then all there is."""
        levels = range(design.capacity or 0)
        after = [stretch.start - 1] * len(levels)
        if cursor.get("at") == stretch.start:
            after = list(cursor["after"])
        returned = [s for s in lookup.returned(CHUNK) if stretch.start <= s.position < stretch.end]
        free = [s for s in returned if s.covered < len(levels)]
        yield from self._fit(stretch, free, after, design, lookup)
        for level in levels:
            starts = [after[level]]
            if design.order == "shuffled":
                offset = draw(design.seed, "start", history.rater, history.given) % stretch.size
                starts = [stretch.start + offset - 1, stretch.start - 1]
            for start in starts:
                yield from self._level(level, start, BUDGET, stretch, after, design, lookup)
        for level in levels:
            start = stretch.start - 1
            yield from self._level(level, start, None, stretch, after, design, lookup)

    def _level(
        self,
        level: int,
        start: int,
        budget: int | None,
        stretch: Stretch,
        after: list[int],
        design: Design,
        lookup: Lookup,
    ) -> Iterator[tuple[Spot, Cursor]]:
        chunks, size = 0, FIRST
        while budget is None or chunks <= budget:
            spots = lookup.covered(level, start, stretch.end, size)
            yield from self._fit(stretch, spots, after, design, lookup, level)
            if len(spots) < size:
                return
            start, chunks, size = spots[-1].position, chunks + 1, CHUNK
            after[level] = start

    def _fit(
        self,
        stretch: Stretch,
        spots: Sequence[Spot],
        after: list[int],
        design: Design,
        lookup: Lookup,
        level: int | None = None,
    ) -> Iterator[tuple[Spot, Cursor]]:
        """Those the rater may have, each with the cursor that goes on behind it."""
        if design.thread == "sequence":
            spots = self._entries(spots, design, lookup)
        for spot in unseen(spots, lookup):
            behind = list(after)
            if level is not None:
                behind[level] = spot.position
            cursor: dict[str, object] = {"at": stretch.start, "after": behind}
            if design.thread == "sequence":
                cursor |= {"unit": spot.unit, "member": spot.member}
            yield spot, cursor

    def _entries(self, spots: Sequence[Spot], design: Design, lookup: Lookup) -> list[Spot]:
        """Where a rater may come into the sequences of these: at the first free one of each, and
        never before one they have had."""
        units = list(dict.fromkeys(spot.unit for spot in spots if spot.unit is not None))
        furthest = lookup.furthest(units)
        entries = {spot.item: spot for spot in spots if spot.unit is None}
        met: set[int] = set()
        for spot in lookup.units(units, 0, LONGEST):
            unit, member = spot.unit or 0, spot.member or 0
            free = not spot.gold and spot.covered < (design.capacity or 0)
            if unit not in met and free and member > furthest.get(unit, -1):
                met.add(unit)
                entries[spot.item] = spot
        return list(entries.values())


POLICY = LeastCovered()
