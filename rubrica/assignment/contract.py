"""What a policy is given and what it answers.

A policy never sees all items: it asks a `Lookup` questions that an index answers at once, so that the
next of a million items is found without scanning them. The store runs it inside the transaction that
reserves what it proposes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol

PlaceState = Literal["reserved", "rated", "skipped", "released"]
Round = Literal["main", "calibration"]
Cursor = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """A rater's place for one item. `number` is the rater's own count, from 1, in given order.

    `at` is the item's number in the order that all raters share, where places are numbered: what a
    rater names with `goto`. A `surplus` place was filled by others before its rating came.
    """

    id: int
    item: int
    rater: int
    number: int
    state: PlaceState
    until: str | None = None
    repeat_of: int | None = None
    gold: bool = False
    round: Round = "main"
    at: int | None = None
    surplus: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item a policy proposes. `why` is logged, so that every choice can be replayed.

    `repeat_of` is the place that is rated a second time.
    """

    item: int
    why: str
    thread: int | None = None
    at: int | None = None
    repeat_of: int | None = None
    gold: bool = False
    round: Round = "main"

    @property
    def counts(self) -> bool:
        """Whether it takes one of the item's k: repeats, gold and calibration items do not."""
        return self.repeat_of is None and not self.gold and self.round == "main"


@dataclass(frozen=True, slots=True)
class Design:
    """The study's rules for raters, in plain values: what `raters:` declares, plus sizes and seed."""

    seed: int
    items: int
    capacity: int | None
    order: Literal["given", "shuffled"] = "given"
    batches: Literal["in_turn", "mixed"] = "in_turn"
    thread: Literal["sequence", "set"] | None = None
    reserve_seconds: float = 3600
    repeat_share: float = 0.0
    repeat_apart: int = 20
    gold_every: int | None = None
    calibration: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class History:
    """What a policy may know of the rater: counts, a cursor it left, the thread given last."""

    rater: int
    given: int
    cursor: Cursor = field(default_factory=dict)
    last_thread: int | None = None
    goto: int | None = None
    """The number the rater asked to start from, where places are numbered."""


@dataclass(frozen=True, slots=True)
class Spot:
    """An item as a policy sees it: where it stands in the study's order, and how covered it is.

    `position` counts without holes over the items that are rated; `unit` is its thread's place among
    the threads of its span and `member` its own place in that thread, both None without threads.
    """

    item: int
    position: int
    batch: int | None = None
    thread: int | None = None
    unit: int | None = None
    member: int | None = None
    covered: int = 0
    gold: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """Positions that belong together: one batch of one load, `start` to `start + size`.

    Items added later are a span of their own, so that no order already begun ever changes. Threads
    are numbered by falling size from `unit_start`; `rounds[r]` says how many have more than r members,
    so the threads of round r are the first `rounds[r]` ones. A batch cuts a thread: each part counts
    as one of its own.
    """

    start: int
    size: int
    batch: int | None = None
    load: int = 1
    unit_start: int = 0
    rounds: tuple[int, ...] = ()


class Lookup(Protocol):
    """Indexed questions about the study's items; "mine" and "own" speak of the rater at hand."""

    def spans(self) -> Sequence[Span]:
        """By their start: load after load, and in each its batches in turn."""
        ...

    def at(self, positions: Sequence[int]) -> Sequence[Spot]:
        """The spots at these positions, by position; positions beyond the end are left out."""
        ...

    def units(self, units: Sequence[int], first: int, last: int) -> Sequence[Spot]:
        """The spots of these units, from their `first` to their `last` member, by unit and member."""
        ...

    def covered(self, level: int, after: int, before: int, count: int) -> Sequence[Spot]:
        """Spots covered exactly `level` times with a position between, by position; never gold."""
        ...

    def returned(self, count: int) -> Sequence[Spot]:
        """Spots that lost a reservation which nobody has taken since, oldest first."""
        ...

    def given_back(self, below: int | None, count: int) -> Sequence[Spot]:
        """Own spots whose reservation was lost, covered less than `below`, by own number."""
        ...

    def mine(self, items: Sequence[int]) -> frozenset[int]:
        """Those of these items the rater has."""
        ...

    def furthest(self, units: Sequence[int]) -> Mapping[int, int]:
        """The last member of each of these units that the rater has."""
        ...

    def gold(self, count: int) -> Sequence[Spot]:
        """Gold items this rater has not had, by position."""
        ...

    def own(self, first: int, last: int) -> Sequence[tuple[Place, Spot]]:
        """The rater's places with these own numbers, by number."""
        ...

    def listed(self, after: int, count: int) -> Sequence[tuple[int, Spot]]:
        """The rater's own fixed list after an entry: entry and spot."""
        ...

    def freed(self) -> int:
        """Grows whenever places come back or items are added: until then, nothing stays nothing."""
        ...


Proposal = tuple[Candidate | None, Cursor]
"""A candidate and the cursor to keep if it is taken; None: nothing more, but keep this cursor."""


class Policy(Protocol):
    """A registered way to assign items, under the entry points `rubrica.policies`."""

    name: ClassVar[str]
    says: ClassVar[str]

    def goes_on(self, design: Design) -> bool:
        """Whether `propose`, asked anew after one of its candidates was taken, would go on with those
        that follow it: then several places are taken of one call."""
        ...

    def propose(self, design: Design, history: History, lookup: Lookup) -> Iterator[Proposal]:
        """Candidates in order of preference; the first that can be taken is."""
        ...
