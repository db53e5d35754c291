"""Numbered places: all raters share one order, and each starts at any number of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rubrica.assignment.base import Base, meets, unseen
from rubrica.assignment.contract import Candidate, Cursor, Design, History, Lookup, Proposal, Spot
from rubrica.assignment.orders import Order, order_of, stretches

CHUNK = 128
BUDGET = 16
"""Chunks of full numbers walked over before the free ones are looked for through their index."""


class Numbered(Base):
    name = "places"
    says = (
        "Every item has a number in one order for all, and so many places; a rater starts at any "
        "number and is given the next ones that have a place left, from the end on to the beginning."
    )

    def _lost(self, design: Design, lookup: Lookup) -> Iterator[Candidate]:
        """A rater who went to another number goes on there; what they left comes at its turn."""
        return (candidate for candidate in super()._lost(design, lookup) if candidate.gold)

    def main(self, design: Design, history: History, lookup: Lookup) -> Iterator[Proposal]:
        freed = lookup.freed()
        if history.goto is None and history.cursor.get("nothing") == freed:
            return
        orders = [
            order_of(stretch, design, design.seed, "numbers", numbered=True)
            for stretch in stretches(lookup.spans(), design)
        ]
        if not orders:
            return
        size = orders[-1].stretch.end
        first = history.goto if history.goto is not None else history.cursor.get("number", 0)
        first %= size
        yield from self._walk([(first, size), (0, first)], orders, design, history, lookup)
        yield from self._free(first, size, orders, design, lookup)
        yield None, {"number": first, "nothing": freed}

    def _walk(
        self,
        spans: Sequence[tuple[int, int]],
        orders: Sequence[Order],
        design: Design,
        history: History,
        lookup: Lookup,
    ) -> Iterator[Proposal]:
        """Number after number, as far as the budget goes."""
        chunks = 0
        for start, end in spans:
            while start < end and chunks < BUDGET:
                last = min(start + CHUNK, end)
                found = numbered(orders, start, last, lookup)
                yield from self._fit(found, design, history, lookup)
                start, chunks = last, chunks + 1

    def _fit(
        self,
        found: Sequence[tuple[int, Spot]],
        design: Design,
        history: History,
        lookup: Lookup,
    ) -> Iterator[Proposal]:
        free = [(n, s) for n, s in found if not s.gold and s.covered < (design.capacity or 0)]
        mine = {spot.item for spot in unseen([spot for _, spot in free], lookup)}
        left = [(n, spot) for n, spot in free if spot.item in mine]
        for wanted in (False, True):
            for number, spot in left:
                if meets(spot, design, history) == wanted:
                    yield proposal(number, spot, design)

    def _free(
        self, first: int, size: int, orders: Sequence[Order], design: Design, lookup: Lookup
    ) -> Iterator[Proposal]:
        """All that have a place left, the next after `first` in front as far as one look goes."""
        for level in range(design.capacity or 0):
            after = -1
            while spots := lookup.covered(level, after, size, CHUNK):
                after = spots[-1].position
                found = [(number_of(orders, spot), spot) for spot in unseen(spots, lookup)]
                for number, spot in sorted(found, key=lambda f: (f[0] - first) % size):
                    yield proposal(number, spot, design)


def numbered(
    orders: Sequence[Order], start: int, end: int, lookup: Lookup
) -> Sequence[tuple[int, Spot]]:
    """The items with the numbers from `start` to before `end`."""
    found: list[tuple[int, Spot]] = []
    for order in orders:
        begin = order.stretch.start
        low, high = max(start, begin), min(end, order.stretch.end)
        if low < high:
            window = order.window(lookup, low - begin, high - low)
            found += [(begin + index, spot) for index, spot in window]
    return found


def number_of(orders: Sequence[Order], spot: Spot) -> int:
    order = next(o for o in orders if o.stretch.start <= spot.position < o.stretch.end)
    return order.stretch.start + order.index(spot)


def proposal(number: int, spot: Spot, design: Design) -> Proposal:
    why = f"number {number}, {spot.covered} of {design.capacity} places taken"
    cursor: Cursor = {"number": number + 1}
    return Candidate(spot.item, why, spot.thread, at=number), cursor


POLICY = Numbered()
