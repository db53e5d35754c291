"""What comes between a rater's items, whatever the policy: calibration, gold, repeats.

When one is due follows from the seed, the rater and the rater's own number alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from rubrica.assignment.chance import draw, fraction
from rubrica.assignment.contract import Candidate, Design, History, Lookup, Place

MANY_GOLD = 64
LATE = 50
"""How many numbers beyond its due one a repeat may still come, where it was not yet rated."""


def calibration(design: Design, history: History, lookup: Lookup) -> Iterator[Candidate]:
    """The first items, the same for everyone, in the given order."""
    if history.given >= design.calibration:
        return
    spots = [s for s in lookup.at(range(design.calibration + MANY_GOLD)) if not s.gold]
    first = spots[: design.calibration]
    mine = lookup.mine([s.item for s in first])
    for number, spot in enumerate(first, 1):
        if spot.item not in mine:
            why = f"calibration {number} of {len(first)}"
            yield Candidate(spot.item, why, spot.thread, round="calibration")


def gold(design: Design, history: History, lookup: Lookup) -> Iterator[Candidate]:
    """One gold item in each block of so many, at a place that cannot be foreseen."""
    every, number = design.gold_every, history.given
    if not every or number < design.calibration:
        return
    block = number // every
    if number % every != draw(design.seed, "gold", history.rater, block) % every:
        return
    left = lookup.gold(MANY_GOLD)
    if left:
        spot = left[draw(design.seed, "which gold", history.rater, block) % len(left)]
        yield Candidate(spot.item, f"gold in block {block + 1}", spot.thread, gold=True)


def repeats(design: Design, history: History, lookup: Lookup) -> Iterator[Candidate]:
    """What was rated long enough ago and was chosen to be rated again."""
    newest = history.given + 1 - design.repeat_apart
    if not design.repeat_share or newest < 1:
        return
    own = lookup.own(max(1, newest - LATE), history.given)
    again = {place.repeat_of for place, _ in own}
    for place, spot in own:
        if place.number <= newest and place.id not in again and _repeatable(design, place):
            why = f"repeat of number {place.number}"
            yield Candidate(place.item, why, spot.thread, repeat_of=place.id)


def _repeatable(design: Design, place: Place) -> bool:
    plain = place.state == "rated" and place.repeat_of is None and not place.gold
    return plain and place.round == "main" and chosen_for_repeat(design, place.rater, place.number)


def chosen_for_repeat(design: Design, rater: int, number: int) -> bool:
    """Evenly spread over a rater's numbers, so that the share is right for short lists too."""
    phase = fraction(design.seed, "repeat", rater)
    share = design.repeat_share
    return floor(number * share + phase) > floor((number - 1) * share + phase)
