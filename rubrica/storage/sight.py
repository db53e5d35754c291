"""What all raters who are given places in one transaction see: the database, and what was taken since.

Places that are taken are written together at the end. Until then an item that was taken counts as
covered once more here, and what the database says is corrected by that.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NamedTuple

from rubrica.assignment.contract import Place, Span, Spot
from rubrica.storage.lookup import (
    AT_ITEM,
    COVERED,
    GIVEN_UP,
    LAST_RETURN,
    LOADS,
    SPANS,
    as_span,
    as_spot,
)
from rubrica.storage.sql import Row, Tx

LAST = 2**63
AHEAD = 24
"""Items of a level read at once: several raters are given the next of them in one transaction."""


class Lost(NamedTuple):
    """A place its rater was given and lost; given again, it is the same place."""

    place: Place
    capacity: int | None
    again: int


@dataclass(slots=True)
class Window:
    """Items that are covered so often, in order; `whole` if there are no more."""

    after: int
    spots: list[Spot]
    whole: bool


@dataclass(slots=True)
class Sight:
    tx: Tx
    study: int
    _known: dict[int, Spot] = field(default_factory=dict)
    """Items as the database has them."""
    _taken: dict[int, Spot] = field(default_factory=dict)
    """Items that were taken, as they are now."""
    _raised: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """Items that were taken, by how often they are covered now: position and number."""
    _windows: dict[tuple[int, int], Window] = field(default_factory=dict)
    _spans: Sequence[Span] | None = None
    _freed: int | None = None
    _returned: tuple[int, list[Spot]] = (0, [])

    # --- taking ---

    def take(self, item: int, times: int = 1) -> None:
        """Somebody has it from now on, or, with -1, has it no longer."""
        before = self.spot(item)
        if item in self._taken:
            self._raised[before.covered].remove((before.position, item))
        now = replace(before, covered=before.covered + times)
        if now == self._known[item]:
            del self._taken[item]
        else:
            self._taken[item] = now
            insort(self._raised.setdefault(now.covered, []), (now.position, item))

    def spot(self, item: int) -> Spot:
        found = self._taken.get(item) or self._known.get(item)
        if found is None:
            (found,) = self.see(self.tx.all(AT_ITEM, study=self.study, item=item))
        return found

    def see(self, rows: Sequence[Row]) -> list[Spot]:
        """Items as they are now, given as the database has them."""
        return [self._now(self._keep(row)) for row in rows]

    def _keep(self, row: Row) -> Spot:
        known = self._known.get(row[0])
        if known is None:
            known = self._known[row[0]] = as_spot(row)
        return known

    def _now(self, spot: Spot) -> Spot:
        return self._taken.get(spot.item, spot)

    # --- looking ---

    def spans(self) -> Sequence[Span]:
        if self._spans is None:
            self._spans = [as_span(row) for row in self.tx.all(SPANS, study=self.study)]
        return self._spans

    def freed(self) -> int:
        if self._freed is None:
            returned = self.tx.value(LAST_RETURN, study=self.study) or 0
            self._freed = returned + (self.tx.value(LOADS, study=self.study) or 0)
        return self._freed

    def returned(self, count: int) -> list[Spot]:
        asked, found = self._returned
        if asked < count:
            rows = self.tx.all(GIVEN_UP, study=self.study, count=count)
            self._returned = asked, found = count, [self._keep(row) for row in rows]
        return [spot for spot in found if spot.item not in self._taken]

    def covered(self, level: int, after: int, before: int, count: int) -> tuple[list[Spot], list[int]]:
        """Those covered so often, and the numbers of more that come after them."""
        window, most = self._windows.get((level, before)), count + AHEAD
        free = [] if window is None else self._free(window, after, most)
        if window is None or window.after > after or (len(free) < count and not window.whole):
            window = self._windows[level, before] = self._read(level, after, before, count)
            free = self._free(window, after, most)
        raised = self._raised.get(level, [])
        start = bisect_right(raised, (after, LAST))
        more = [self._taken[i] for position, i in raised[start : start + most] if position < before]
        found = sorted([*free, *more], key=_position) if more else free
        return found[:count], [spot.item for spot in found[count:most]]

    def _free(self, window: Window, after: int, most: int) -> list[Spot]:
        start = bisect_right(window.spots, after, key=_position)
        left = (spot for spot in window.spots[start:] if spot.item not in self._taken)
        return list(islice(left, most))

    def _read(self, level: int, after: int, before: int, count: int) -> Window:
        size = max(count, AHEAD) + len(self._taken)
        which: dict[str, Any] = {"level": level, "after": after, "before": before, "count": size}
        rows = self.tx.all(COVERED, study=self.study, **which)
        return Window(after, [self._keep(row) for row in rows], len(rows) < size)


def _position(spot: Spot) -> int:
    return spot.position
