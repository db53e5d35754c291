"""What all bundled policies share.

All begin alike: calibration items, then what is due between (gold, repeats), then places of the rater's
own that were lost. What comes after that is the policy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import ClassVar

from rubrica.assignment import extras
from rubrica.assignment.contract import (
    Candidate,
    Design,
    History,
    Lookup,
    Proposal,
    Spot,
)

LOST = 64


class Base(ABC):
    name: ClassVar[str]
    says: ClassVar[str]

    def goes_on(self, design: Design) -> bool:
        """What may come between, and what keeps members of a set apart, depends on what was given."""
        between = design.calibration or design.gold_every or design.repeat_share
        return not between and design.thread is None

    def propose(self, design: Design, history: History, lookup: Lookup) -> Iterator[Proposal]:
        if history.goto is not None:
            yield from self.main(design, history, lookup)
            return
        first = chain(
            extras.calibration(design, history, lookup),
            extras.gold(design, history, lookup),
            extras.repeats(design, history, lookup),
            self._lost(design, lookup),
        )
        yield from ((c, history.cursor) for c in apart(first, design, history))
        yield from self.main(design, history, lookup)

    @abstractmethod
    def main(self, design: Design, history: History, lookup: Lookup) -> Iterator[Proposal]:
        """What the policy itself proposes."""

    def _lost(self, design: Design, lookup: Lookup) -> Iterator[Candidate]:
        for spot in lookup.given_back(design.capacity, LOST):
            yield Candidate(spot.item, "had been given and was lost", spot.thread, gold=spot.gold)


def apart(candidates: Iterable[Candidate], design: Design, history: History) -> Iterator[Candidate]:
    """In a set, those of the thread given last come after the others."""
    if design.thread != "set" or history.last_thread is None:
        yield from candidates
        return
    same: list[Candidate] = []
    for candidate in candidates:
        if candidate.thread == history.last_thread:
            same.append(candidate)
        else:
            yield candidate
    yield from same


def unseen(spots: Sequence[Spot], lookup: Lookup) -> list[Spot]:
    """Those the rater may still be given as ordinary items."""
    mine = lookup.mine([spot.item for spot in spots])
    return [spot for spot in spots if spot.item not in mine]


def meets(spot: Spot, design: Design, history: History) -> bool:
    """Whether it would stand beside a member of its own set."""
    in_set = design.thread == "set" and spot.thread is not None
    return in_set and spot.thread == history.last_thread
