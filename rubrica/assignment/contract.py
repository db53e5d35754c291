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


@dataclass(frozen=True, slots=True)
class Place:
    """A rater's place for one item. `number` is the rater's own count, from 1, in given order."""

    id: int
    item: int
    rater: int
    number: int
    state: PlaceState
    until: str | None = None
    repeat_of: int | None = None
    gold: bool = False
    round: Literal["main", "calibration"] = "main"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item a policy proposes. `why` is logged, so that every choice can be replayed."""

    item: int
    why: str
    repeat_of: int | None = None
    gold: bool = False
    round: Literal["main", "calibration"] = "main"


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
    cursor: Mapping[str, Any] = field(default_factory=dict)
    last_thread: int | None = None
    goto: int | None = None
    """The number the rater asked to start from, where places are numbered."""


@dataclass(frozen=True, slots=True)
class Spot:
    """An item as a policy sees it: where it stands in the study's order, and how covered it is."""

    item: int
    position: int
    batch: int | None
    thread: int | None
    covered: int
    gold: bool = False


class Lookup(Protocol):
    """Indexed questions about the study's items; `mine` are those this rater has had."""

    def at(self, position: int) -> Spot | None: ...

    def run(self, start: int, count: int) -> Sequence[Spot]:
        """The spots from a position on, at most `count`."""
        ...

    def least_covered(self, below: int, after: tuple[int, int], count: int) -> Sequence[Spot]:
        """Spots covered less than `below`, ordered by (covered, position), after such a pair."""
        ...

    def returned(self, count: int) -> Sequence[Spot]:
        """Spots whose reservation was given back or ran out, oldest first."""
        ...

    def mine(self, items: Sequence[int]) -> frozenset[int]:
        """Those of these items the rater has had already."""
        ...

    def gold(self, count: int) -> Sequence[Spot]:
        """Gold items this rater has not had."""
        ...

    def rated_at(self, number: int) -> Spot | None:
        """The item the rater was given as their own `number`th, for planned repeats."""
        ...


class Policy(Protocol):
    """A registered way to assign items, under the entry points `rubrica.policies`."""

    name: ClassVar[str]
    says: ClassVar[str]

    def propose(
        self, design: Design, history: History, lookup: Lookup
    ) -> Iterator[tuple[Candidate, Mapping[str, Any]]]:
        """Candidates in order of preference, each with the cursor to keep if it is taken."""
        ...
