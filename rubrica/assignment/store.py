"""How places are kept: reserved atomically, with an expiry that gives them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol

from rubrica.assignment.contract import Design, Place, Policy
from rubrica.errors import Problem

PREFETCH_SECONDS = 600.0
"""How long a place fetched ahead is kept: shorter than one worked on, so it comes back first."""


class PlaceStore(Protocol):
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
        """The rater's open reservations, topped up to `count` by what the policy proposes.

        Never more raters to an item than `design.capacity`, never one item twice to a rater unless
        the policy plans a repeat. Expired reservations of others are reclaimed first. The first place
        is kept for `design.reserve_seconds`, those fetched ahead for ten minutes. With `goto`, open
        reservations without a draft are given back and new ones begin at that number.
        """
        ...

    def reserve_all(
        self, study: str, raters: Mapping[int, int], policy: Policy, design: Design
    ) -> Future[Sequence[Sequence[Place] | Problem]]:
        """The same for many raters, each with how many places they wish to have open."""
        ...

    def place(self, study: str, place: int) -> Place | None: ...

    def places(self, study: str, rater: int, after: int = 0, count: int = 100) -> Sequence[Place]:
        """A rater's places by their own number."""
        ...

    def tally(self, study: str, rater: int) -> dict[str, int]:
        """How many of the rater's places are in each state."""
        ...

    def tallies(self, study: str, raters: Sequence[int]) -> Mapping[int, Mapping[str, int]]:
        """The same for several raters; whoever has no places is left out."""
        ...

    def extend(self, study: str, rater: int, places: Sequence[int], seconds: float) -> None:
        """Keep reservations alive while the rater works on them."""
        ...

    def release(self, study: str, rater: int, places: Sequence[int] | None = None) -> int:
        """Give reservations back, all of the rater's unless named; how many is returned."""
        ...

    def set_lists(self, study: str, lists: Mapping[str, Sequence[str]]) -> list[Problem]:
        """Keep fixed lists (annotator id: item keys) for the policy `lists`; what names no item."""
        ...

    def hand_on(self, study: str, rater: int, to: Sequence[int]) -> int:
        """Put what a rater of a fixed list has not done on the lists of others, evenly.

        Nobody gets an item that is on their list already; what nobody can take stays where it is.
        How many items went. The files the lists come from stay as they are, and are read again at
        the next start: what was handed on then stays handed on.
        """
        ...
