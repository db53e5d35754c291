"""How many ratings a study wants, as far as that is known, and how many of them are in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rubrica.assignment.design import policy_name
from rubrica.coordinator.site import DeskStores
from rubrica.fieldwork.desk import Desk
from rubrica.review.board import Level


@dataclass(frozen=True, slots=True)
class Goal:
    """`enough` raters for an item; `needed` ratings, of which `given` are in."""

    enough: int
    needed: int
    given: int


def goal_of(desk: Desk, stores: DeskStores) -> Goal:
    enough, board = enough_of(desk, stores), stores.board
    if _has_lists(desk):
        needed = board.listed(desk.id)
        done = sum(t.rated + t.skipped for t in board.tallies(desk.id, "rater"))
        return Goal(enough, needed, min(needed, done))
    given = sum(min(one.done, enough) * one.items for one in board.levels(desk.id))
    return Goal(enough, desk.design.items * enough, given)


def enough_of(desk: Desk, stores: DeskStores, *, whoever_joined: bool = False) -> int:
    """How many raters an item needs. Where everybody rates everything, those are waited for who have
    begun or are named in the study's file, and have not left: somebody who merely joined makes nobody's
    work less."""
    if desk.design.capacity is not None:
        return desk.design.capacity
    if _has_lists(desk):
        return max(1, round(stores.board.listed(desk.id) / max(desk.design.items, 1)))
    raters = stores.accounts.raters(desk.id)
    begun = {t.rater for t in stores.board.tallies(desk.id, "rater")}
    left = {r.name for r in raters if r.state not in ("active", "invited")}
    coming = set(desk.version.study.raters.ids) - left
    here = {r.name for r in raters if r.state == "active" and r.named}
    if not whoever_joined:
        here -= {r.name for r in raters if r.number not in begun}
    return max(1, len(coming | here))


def stages_of(levels: Sequence[Level], enough: int, items: int) -> dict[str, int]:
    """How many of these items are how far, by as many raters as are enough."""
    begun = sum(one.items for one in levels if one.done)
    done = sum(one.items for one in levels if one.done >= enough)
    return {"waiting": items - begun, "going": begun - done, "done": done}


def _has_lists(desk: Desk) -> bool:
    return policy_name(desk.version.study.raters) == "lists"
