"""Orders of items: given or shuffled, and what threads ask of them.

An order is cut into stretches (a batch, or all batches of a load where they are mixed). Inside a
stretch each item has an index; indexes are found in both directions by arithmetic and an index of the
database, whatever the number of items.

- Without threads, an index stands for a position.
- In a *set*, members must not meet. The order goes round by round: the first member of every thread,
  then the second, and so on. Inside a round no thread comes twice; where two rounds meet, the first two
  of the later round change places if need be. So no two members are ever adjacent as long as two
  threads have as many members as the largest.
- In a *sequence*, shuffled, whole threads are shuffled and each is gone through in its own order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from rubrica.assignment.chance import Permutation
from rubrica.assignment.contract import Design, Lookup, Span, Spot

Place = tuple[int, Spot]
"""An index and what stands there."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Spans that are ordered together."""

    spans: tuple[Span, ...]

    @property
    def start(self) -> int:
        return self.spans[0].start

    @property
    def size(self) -> int:
        return sum(span.size for span in self.spans)

    @property
    def end(self) -> int:
        return self.start + self.size

    def rounds(self) -> list[int]:
        """How many threads have a first member, a second, ..."""
        longest = max((len(span.rounds) for span in self.spans), default=0)
        return [sum(_round(span, r) for span in self.spans) for r in range(longest)]

    def unit(self, index: int, member: int) -> int:
        """The `index`th of the threads that have such a member."""
        ends = list(accumulate(_round(span, member) for span in self.spans))
        at = bisect_right(ends, index)
        return self.spans[at].unit_start + index - (ends[at - 1] if at else 0)

    def unit_index(self, unit: int, member: int) -> int:
        """The other way round."""
        before = 0
        for span in self.spans:
            if span.unit_start <= unit < span.unit_start + _round(span, 0):
                return before + unit - span.unit_start
            before += _round(span, member)
        raise ValueError(f"no thread {unit} in this stretch")


def _round(span: Span, member: int) -> int:
    return span.rounds[member] if member < len(span.rounds) else 0


def stretches(spans: Sequence[Span], design: Design) -> list[Stretch]:
    """In the order in which they are gone through."""
    if design.batches == "in_turn":
        return [Stretch((span,)) for span in spans]
    loads = groupby(spans, key=lambda span: span.load)
    return [Stretch(tuple(group)) for _, group in loads]


class Order(ABC):
    """The order of one stretch. `key` decides the shuffle; None leaves it as given."""

    dense = True
    """Whether indexes have no holes, so that they can serve as numbers."""

    def __init__(self, stretch: Stretch, key: tuple[int | str, ...] | None) -> None:
        self.stretch = stretch
        self.key = key

    @property
    def end(self) -> int:
        return self.stretch.size

    @abstractmethod
    def window(self, lookup: Lookup, start: int, count: int) -> Sequence[Place]:
        """What stands at the indexes from `start` on, `count` of them at most."""

    @abstractmethod
    def index(self, spot: Spot) -> int:
        """Where an item of the stretch stands."""

    def _permutation(self, size: int, *part: int | str) -> Permutation | None:
        return None if self.key is None else Permutation(size, *self.key, self.stretch.start, *part)


class Plain(Order):
    def window(self, lookup: Lookup, start: int, count: int) -> Sequence[Place]:
        indexes = range(start, min(start + count, self.end))
        shuffle = self._permutation(self.end)
        at = {self.stretch.start + (shuffle(i) if shuffle else i): i for i in indexes}
        return sorted((at[spot.position], spot) for spot in lookup.at(list(at)))

    def index(self, spot: Spot) -> int:
        offset = spot.position - self.stretch.start
        shuffle = self._permutation(self.end)
        return shuffle.index(offset) if shuffle else offset


class Sets(Order):
    def __init__(self, stretch: Stretch, key: tuple[int | str, ...] | None) -> None:
        super().__init__(stretch, key)
        self._sizes = stretch.rounds()
        self._ends = list(accumulate(self._sizes))

    def window(self, lookup: Lookup, start: int, count: int) -> Sequence[Place]:
        found: list[Place] = []
        for member, size in enumerate(self._sizes):
            before = self._ends[member] - size
            inside = range(max(start, before), min(start + count, self._ends[member]))
            if inside:
                at = {self.stretch.unit(self._thread(member, i - before), member): i for i in inside}
                spots = lookup.units(list(at), member, member)
                found += [(at[spot.unit], spot) for spot in spots if spot.unit is not None]
        return sorted(found, key=lambda place: place[0])

    def index(self, spot: Spot) -> int:
        unit, member = _in_thread(spot)
        place = self._shuffled_back(member, self.stretch.unit_index(unit, member))
        if place < 2 and self._swapped(member):
            place = 1 - place
        return self._ends[member] - self._sizes[member] + place

    def _thread(self, member: int, place: int) -> int:
        """Which thread stands at this place of a round."""
        if place < 2 and self._swapped(member):
            place = 1 - place
        return self._shuffled(member, place)

    def _shuffled(self, member: int, place: int) -> int:
        shuffle = self._permutation(self._sizes[member], "round", member)
        return shuffle(place) if shuffle else place

    def _shuffled_back(self, member: int, thread: int) -> int:
        shuffle = self._permutation(self._sizes[member], "round", member)
        return shuffle.index(thread) if shuffle else thread

    def _swapped(self, member: int) -> bool:
        """Whether a round would begin with the thread the round before ends with."""
        if member == 0 or self._sizes[member] < 2:
            return False
        before = member - 1
        last = self._thread(before, self._sizes[before] - 1)
        return self._shuffled(member, 0) == last


class Sequences(Order):
    """Threads shuffled whole. Threads differ in length, so indexes have holes at their ends."""

    dense = False

    def __init__(self, stretch: Stretch, key: tuple[int | str, ...] | None) -> None:
        super().__init__(stretch, key)
        rounds = stretch.rounds()
        self._longest = max(1, len(rounds))
        self._threads = rounds[0] if rounds else 0

    @property
    def end(self) -> int:
        return self._threads * self._longest

    def window(self, lookup: Lookup, start: int, count: int) -> Sequence[Place]:
        last = min(start + count, self.end)
        threads = range(start // self._longest, -(-last // self._longest))
        shuffle = self._permutation(self._threads)
        at = {self.stretch.unit(shuffle(i) if shuffle else i, 0): i for i in threads}
        found = [
            (at[spot.unit] * self._longest + spot.member, spot)
            for spot in lookup.units(list(at), 0, self._longest)
            if spot.unit is not None and spot.member is not None
        ]
        return sorted((p for p in found if start <= p[0] < last), key=lambda place: place[0])

    def index(self, spot: Spot) -> int:
        unit, member = _in_thread(spot)
        thread = self.stretch.unit_index(unit, 0)
        shuffle = self._permutation(self._threads)
        return (shuffle.index(thread) if shuffle else thread) * self._longest + member


def _in_thread(spot: Spot) -> tuple[int, int]:
    if spot.unit is None or spot.member is None:
        raise ValueError(f"item {spot.item} stands in no thread")
    return spot.unit, spot.member


def order_of(stretch: Stretch, design: Design, *key: int | str, numbered: bool = False) -> Order:
    """The order a design asks for. A `numbered` one has no holes: sequences then stay as given."""
    shuffled = design.order == "shuffled"
    threads = any(span.rounds for span in stretch.spans)
    if threads and design.thread == "set":
        return Sets(stretch, key if shuffled else None)
    if threads and design.thread == "sequence" and shuffled:
        return Plain(stretch, None) if numbered else Sequences(stretch, key)
    return Plain(stretch, key if shuffled else None)
