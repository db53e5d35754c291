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
        taken, history, ended = _take(policy, design, history, lookup, ledger, count - len(found))
        found += taken
        if ended or not taken:
            break
    return found, history


def _take(
    policy: Policy, design: Design, history: History, lookup: Lookup, ledger: Ledger, count: int
) -> tuple[list[Place], History, bool]:
    """What the policy proposes from here on: one place, or more where the rest would be proposed again
    the same. Also whether it has nothing more."""
    taken: list[Place] = []
    most = count if history.goto is None and policy.goes_on(design) else 1
    for candidate, cursor in policy.propose(design, history, lookup):
        if candidate is None:
            return taken, replace(history, cursor=cursor), True
        place = ledger.take(candidate, design, history.given + 1)
        if place is not None:
            given = max(history.given, place.number)
            history = History(history.rater, given, cursor, candidate.thread)
            taken.append(place)
            if len(taken) == most:
                break
    return taken, history, False
