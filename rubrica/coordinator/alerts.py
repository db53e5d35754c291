"""What needs a look, in words: each alert says what to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from rubrica.accounts.model import Rater
from rubrica.coordinator.live import Found
from rubrica.coordinator.shapes.progress import Alert
from rubrica.review.board import Mark, Tally

MANY_SKIPS, SKIPS_FROM = 0.2, 5
HURRIED, HURRIED_FROM = 1 / 3, 10
SEVERAL = 2


def alerts(
    tallies: Sequence[Tally],
    raters: Sequence[Rater],
    marks: Mapping[Mark, int],
    skips: Mapping[int, int],
    found: Sequence[Found],
) -> list[Alert]:
    """From the counts, which are never old, and from the last statistics; nobody is told of twice
    for the same thing, and nobody who does not work any more."""
    active = {r.number for r in raters if r.state == "active" and r.named}
    counted = [a for t in tallies if t.rater in active for a in (_skips(t), _hurry(t, tallies)) if a]
    hurried = {a.rater for a in counted if a.code == "hurried"}
    told = [
        SAYS[one.code](one)
        for one in found
        if one.rater in active and not (one.code == "hurried_often" and one.rater in hurried)
    ]
    return [*counted, *told, *_items(marks, skips)]


# --- from the counts --------------------------------------------------------------------------------


def _items(marks: Mapping[Mark, int], skips: Mapping[int, int]) -> list[Alert]:
    found = []
    if n := marks.get("flags"):
        found.append(
            Alert(
                "flags",
                "warning",
                "Items reported by raters: {n}",
                "Look at them; take a broken item out, or answer the rater.",
                {"n": n},
                link="items?mark=flags",
            )
        )
    if n := sum(items for times, items in skips.items() if times >= SEVERAL):
        found.append(
            Alert(
                "skipped_by_several",
                "warning",
                "Items skipped by several raters: {n}",
                "Look at them: such an item is broken, or the question does not fit it.",
                {"n": n},
                link=f"items?mark=skipped&skips={SEVERAL}",
            )
        )
    return found


def _skips(tally: Tally) -> Alert | None:
    done = tally.rated + tally.skipped
    if tally.skipped < SKIPS_FROM or tally.skipped < MANY_SKIPS * done:
        return None
    return Alert(
        "many_skips",
        "warning",
        "Rater {rater} skipped {n} of {done} items",
        "Read the reasons; ask whether something is unclear.",
        {"rater": tally.rater, "n": tally.skipped, "done": done},
        rater=tally.rater,
    )


def _hurry(tally: Tally, others: Sequence[Tally]) -> Alert | None:
    own = _seconds(tally)
    usual = [s for t in others if t.rater != tally.rater and (s := _seconds(t)) is not None]
    if own is None or len(usual) < 2 or tally.rated < HURRIED_FROM or own >= HURRIED * median(usual):
        return None
    return Alert(
        "hurried",
        "warning",
        "Rater {rater} takes {own} s for an item, the others {usual} s",
        "Look at their ratings and agreement; pause them and ask, before you exclude anybody.",
        {"rater": tally.rater, "own": round(own), "usual": round(median(usual))},
        rater=tally.rater,
    )


def _seconds(tally: Tally) -> float | None:
    return tally.active_seconds / tally.rated if tally.rated and tally.active_seconds else None


# --- from the statistics ----------------------------------------------------------------------------


def _values(one: Found) -> dict[str, Any]:
    return {"rater": one.rater, **one.values}


def _hurried_often(one: Found) -> Alert:
    return Alert(
        "hurried_often",
        "warning",
        "Rater {rater} took less than a third of the others' time for {percent}% of {n} items",
        "Look at their ratings and agreement; pause them and ask, before you exclude anybody.",
        _values(one),
        rater=one.rater,
    )


def _straight_lining(one: Found) -> Alert:
    return Alert(
        "straight_lining",
        "warning",
        "Rater {rater} gave every question the same level in {percent}% of {n} ratings",
        "Compare some of their ratings with the others'; ask them how they go about it.",
        _values(one),
        rater=one.rater,
    )


def _one_level(one: Found) -> Alert:
    return Alert(
        "one_level",
        "note",
        "Rater {rater} answered {question} with the same level in {percent}% of {n} ratings",
        "Compare with the others: the items may be like that, or the rater does not look.",
        _values(one),
        rater=one.rater,
    )


def _drift(one: Found) -> Alert:
    return Alert(
        "drift",
        "note",
        "Rater {rater} moved away from the others in {question}, by {value} since their first items",
        "Remind them of the guidelines, or let them practise again.",
        _values(one),
        rater=one.rater,
    )


def _gold_failures(one: Found) -> Alert:
    return Alert(
        "gold_failures",
        "warning",
        "Rater {rater} missed {failed} of {n} items with known answers",
        "See which ones; if the known answers are right, pause the rater and ask.",
        _values(one),
        rater=one.rater,
    )


SAYS: Mapping[str, Callable[[Found], Alert]] = {
    "hurried_often": _hurried_often,
    "straight_lining": _straight_lining,
    "one_level": _one_level,
    "drift": _drift,
    "gold_failures": _gold_failures,
}
"""Every code the statistics can find, with its words."""
