"""From what a study declares to the plain values a policy works with."""

from __future__ import annotations

from rubrica.assignment.contract import Design, Policy
from rubrica.kinds.registry import find
from rubrica.study.model import Raters, Study

GROUP = "rubrica.policies"


def design_of(study: Study, items: int) -> Design:
    """`items` is how many items raters can be given."""
    raters, thread, gold = study.raters, study.items.thread, study.items.gold
    repeats = raters.repeats
    return Design(
        seed=study.seed,
        items=items,
        capacity=_capacity(raters),
        order=raters.order,
        batches=raters.batches,
        thread=None if thread is None else thread.kind,
        reserve_seconds=raters.reserve_minutes * 60,
        repeat_share=repeats.share if repeats else 0.0,
        repeat_apart=repeats.apart if repeats else 0,
        gold_every=None if gold is None else gold.every,
        calibration=raters.calibration,
    )


def _capacity(raters: Raters) -> int | None:
    """How many raters an item may have; None where everybody rates all that is theirs."""
    if raters.places is not None:
        return raters.places
    return raters.per_item if isinstance(raters.per_item, int) else None


def policy_name(raters: Raters) -> str:
    """The policy a study names, or the one that follows from what it declares."""
    if raters.policy is not None:
        return raters.policy
    if raters.lists is not None:
        return "lists"
    if raters.places is not None:
        return "places"
    return "everyone" if raters.per_item == "all" else "least_covered"


def policy_of(study: Study) -> Policy:
    found: Policy = find(GROUP, "policy", policy_name(study.raters))
    return found
