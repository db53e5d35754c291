"""Topping up a rater's places: ask the policy, take what can be taken, ask again.

The same steps for every store; only how a candidate is taken differs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from rubrica.assignment.contract import Candidate, Design, History, Lookup, Place, Policy


class Ledger(Protocol):
    """What a store does for one rater inside one transaction."""

    def take(self, candidate: Candidate, design: Design, number: int) -> Place | None:
        """Reserve this item, under this own number if it is a new place; None: it cannot be had."""
        ...


def choose(
    policy: Policy, design: Design, history: History, lookup: Lookup, ledger: Ledger, count: int
) -> tuple[list[Place], History]:
    """Up to `count` new places, and the history as it stands then."""
    found: list[Place] = []
    while len(found) < count:
        place, history = _next(policy, design, history, lookup, ledger)
        if place is None:
            break
        found.append(place)
    return found, history


def _next(
    policy: Policy, design: Design, history: History, lookup: Lookup, ledger: Ledger
) -> tuple[Place | None, History]:
    for candidate, cursor in policy.propose(design, history, lookup):
        if candidate is None:
            return None, replace(history, cursor=cursor)
        place = ledger.take(candidate, design, history.given + 1)
        if place is not None:
            given = max(history.given, place.number)
            thread = candidate.thread
            return place, History(history.rater, given, cursor, thread)
    return None, history
