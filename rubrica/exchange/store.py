"""How ratings made elsewhere come into a store: many at once, all or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rubrica.accounts.model import RaterState
from rubrica.assignment.contract import Round
from rubrica.ratings.model import Answer, Pace

UNNAMED = "unnamed place {number}"
"""What stands in place of an id where a layout says only that somebody rated an output."""


@dataclass(frozen=True, slots=True)
class Who:
    """Whose rating it is: an annotator id, or (without a name) one of an output's unnamed places.

    `number` is the rater's number where the rating comes from, kept where it is free; `at` the first
    unnamed place that may be taken.
    """

    name: str | None
    number: int | None = None
    at: int = 1
    state: RaterState = "active"


@dataclass(frozen=True, slots=True)
class Seat:
    """The place a rating had where it comes from. `number` is the rater's own count."""

    number: int | None = None
    at: int | None = None
    round: Round = "main"
    gold: bool = False
    repeat: bool = False


@dataclass(frozen=True, slots=True)
class Incoming:
    """One rating on its way in. `received` is the time its file gives.

    `speaks_of` are the questions its layout has: another rating that says the same about them is the
    same rating, whatever else it holds. None stands for all.
    """

    id: str
    item: int
    who: Who
    version: str
    answers: Mapping[str, Answer] | None
    skip_reason: str | None = None
    received: str | None = None
    language: str = "en"
    pace: Pace = field(default_factory=Pace)
    scores: Mapping[str, float | None] = field(default_factory=dict)
    seat: Seat = field(default_factory=Seat)
    speaks_of: frozenset[str] | None = None
    supersedes: str | None = None
    surplus: bool | None = None
    """What the file says; None: as the store finds it."""
    conflict: bool = False
    imported: bool = True


@dataclass(slots=True)
class TakenIn:
    """What an import did, counted."""

    new: int = 0
    revised: int = 0
    same: int = 0
    surplus: int = 0
    raters: int = 0
    """Raters, and unnamed places, that were not there before."""


class ImportStore(Protocol):
    def import_ratings(
        self,
        study: str,
        ratings: Iterable[Incoming],
        *,
        capacity: int | None,
        details: Mapping[str, Any],
        dry_run: bool = False,
    ) -> TakenIn:
        """Record all of them in one transaction; whatever the iterable raises undoes everything.

        A rating that is there already is counted as the same. Where its rater has said something else
        about the item, or it names what it supersedes, it revises that. Up to `capacity` of an item's
        places are taken, more are surplus. `details` go into the audit log. With `dry_run` all is done
        and undone.
        """
        ...


def says_same(
    one: Mapping[str, Answer] | None, other: Mapping[str, Answer] | None, about: frozenset[str] | None
) -> bool:
    """Whether two ratings of one rater and item say the same about these questions."""
    if one is None or other is None:
        return one is other
    names = about if about is not None else {*one, *other}
    nothing = Answer("left_out")
    pairs = ((one.get(name, nothing), other.get(name, nothing)) for name in names)
    return all((a.state, a.value) == (b.state, b.value) for a, b in pairs)
