"""Every rater rates every item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rubrica.assignment.base import Base, meets, unseen
from rubrica.assignment.contract import Candidate, Design, History, Lookup, Proposal, Spot
from rubrica.assignment.orders import Order, order_of, stretches

WINDOW = 32


class Everyone(Base):
    name = "everyone"
    says = (
        "Every rater is given every item, in the given order or in one shuffled for each rater; "
        "batch after batch unless batches are mixed."
    )

    def main(self, design: Design, history: History, lookup: Lookup) -> Iterator[Proposal]:
        at = history.cursor.get("at", 0)
        for stretch in stretches(lookup.spans(), design):
            if stretch.start >= at:
                order = order_of(stretch, design, design.seed, "rater", history.rater)
                yield from self._walk(order, design, history, lookup)

    def _walk(
        self, order: Order, design: Design, history: History, lookup: Lookup
    ) -> Iterator[Proposal]:
        """What would meet its own thread is held back and comes as soon as it may."""
        here = history.cursor if history.cursor.get("at") == order.stretch.start else {}
        following, held = here.get("index", 0), list(here.get("held", []))
        passed: list[tuple[int, Spot]] = []
        for index, spot in self._ahead(order, following, held, lookup):
            following = max(following, index + 1)
            if not meets(spot, design, history):
                yield self._proposal(order, index, spot, following, held)
            elif len(passed) < WINDOW:
                passed.append((index, spot))
                held = [*held, index] if index not in held else held
            else:
                break
        for index, spot in passed:
            yield self._proposal(order, index, spot, following, held)

    def _ahead(
        self, order: Order, start: int, held: Sequence[int], lookup: Lookup
    ) -> Iterator[tuple[int, Spot]]:
        for index in tuple(held):
            yield from order.window(lookup, index, 1)
        while start < order.end:
            window = order.window(lookup, start, WINDOW)
            free = {spot.item for spot in unseen([spot for _, spot in window], lookup)}
            yield from ((i, spot) for i, spot in window if spot.item in free)
            start += WINDOW

    def _proposal(
        self, order: Order, index: int, spot: Spot, following: int, held: Sequence[int]
    ) -> Proposal:
        rest = [i for i in held if i != index]
        cursor = {"at": order.stretch.start, "index": following, **({"held": rest} if rest else {})}
        return Candidate(spot.item, f"{index + 1} in the rater's order", spot.thread), cursor


POLICY = Everyone()
