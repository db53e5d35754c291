"""How many ratings a study wants, as far as that is known, and how many of them are in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rubrica.accounts.model import Rater
from rubrica.assignment.design import policy_name
from rubrica.coordinator.site import DeskStores
from rubrica.fieldwork.desk import Desk
from rubrica.review.board import Level, Tally


@dataclass(frozen=True, slots=True)
class Goal:
    """`enough` raters for an item; `needed` ratings, of which `given` are in."""

    enough: int
    needed: int
    given: int


def goal_of(
    desk: Desk,
    stores: DeskStores,
    raters: Sequence[Rater],
    levels: Sequence[Level],
    by_rater: Sequence[Tally],
) -> Goal:
    """Somebody who merely joined makes nobody's work less: they count from their first rating on."""
    items = desk.design.items
    if policy_name(desk.version.study.raters) == "lists":
        listed = stores.board.listed(desk.id)
        given = min(listed, sum(t.rated + t.skipped for t in by_rater))
        return Goal(max(1, round(listed / max(items, 1))), listed, given)
    enough = enough_of(desk, raters, {t.rater for t in by_rater})
    return Goal(enough, items * enough, sum(min(one.done, enough) * one.items for one in levels))


def enough_of(desk: Desk, raters: Sequence[Rater], begun: Collection[int | None]) -> int:
    """How many raters an item needs: where everybody rates everything, whoever has begun or is named
    in the study's file, unless they have left."""
    if desk.design.capacity is not None:
        return desk.design.capacity
    left = {r.name for r in raters if r.state not in ("active", "invited")}
    coming = set(desk.version.study.raters.ids) - left
    here = {r.name for r in raters if r.state == "active" and r.named and r.number in begun}
    return max(1, len(coming | here))
