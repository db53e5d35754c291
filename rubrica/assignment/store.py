"""How places are kept: reserved atomically, with an expiry that gives them back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rubrica.assignment.contract import Design, Place, Policy


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
        the policy plans a repeat. Expired reservations of others are reclaimed first.
        """
        ...

    def place(self, study: str, place: int) -> Place | None: ...

    def places(self, study: str, rater: int, after: int = 0, count: int = 100) -> Sequence[Place]:
        """A rater's places by their own number."""
        ...

    def tally(self, study: str, rater: int) -> dict[str, int]:
        """How many of the rater's places are in each state."""
        ...

    def extend(self, study: str, rater: int, places: Sequence[int], seconds: float) -> None:
        """Keep reservations alive while the rater works on them."""
        ...

    def release(self, study: str, rater: int, places: Sequence[int] | None = None) -> int:
        """Give reservations back, all of the rater's unless named; how many is returned."""
        ...
