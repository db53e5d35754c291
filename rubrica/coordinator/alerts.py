"""What needs a look, in words: each alert says what to do."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from rubrica.accounts.model import Rater
from rubrica.coordinator.live import Found
from rubrica.coordinator.shapes.progress import Alert, Level
from rubrica.review.board import Mark, Tally

MANY_SKIPS, SKIPS_FROM = 0.2, 5
HURRIED, HURRIED_FROM = 1 / 3, 10
UNREAD = 0.1
SEVERAL = 2


@dataclass(frozen=True, slots=True)
class Said:
    """An alert in words; names in braces are filled from its values."""

    level: Level
    says: str
    do: str
    link: str | None = None
    """Below the study's pages; without one it leads to the rater."""


_ASK = "Look at their ratings and agreement; pause them and ask, before you exclude anybody."
_COMPARE = "Compare some of their ratings with the others'; ask them how they go about it."
_LOOK = f"items?mark=skipped&skips={SEVERAL}"

SAYS: Mapping[str, Said] = {
    # from the counts
    "flags": Said(
        "warning",
        "Items reported by raters: {n}",
        "Look at them; take a broken item out, or answer the rater.",
        "items?mark=flags",
    ),
    "questions": Said(
        "warning",
        "Questions that wait for an answer: {n}",
        "Answer them: the rater may be waiting before going on.",
        "messages?open=1",
    ),
    "skipped_by_several": Said(
        "warning",
        "Items skipped by several raters: {n}",
        "Look at them: such an item is broken, or the question does not fit it.",
        _LOOK,
    ),
    "many_skips": Said(
        "warning",
        "Rater {rater} skipped {n} of {done} items",
        "Read the reasons; ask whether something is unclear.",
    ),
    "hurried": Said("warning", "Rater {rater} takes {own} s for an item, the others {usual} s", _ASK),
    "unread": Said(
        "warning",
        "Rater {rater} sent {n} of {done} ratings sooner than the item can be read",
        _COMPARE,
    ),
    # from the statistics
    "hurried_often": Said(
        "warning",
        "Rater {rater} took less than a third of the others' time for {percent}% of {n} items",
        _ASK,
    ),
    "straight_lining": Said(
        "warning",
        "Rater {rater} gave every question the same level in {percent}% of {n} ratings",
        _COMPARE,
    ),
    "one_level": Said(
        "note",
        "Rater {rater} answered {question} with the same level in {percent}% of {n} ratings",
        "Compare with the others: the items may be like that, or the rater does not look.",
    ),
    "drift": Said(
        "note",
        "Rater {rater} moved away from the others in {question}, by {value} since their first items",
        "Remind them of the guidelines, or let them practise again.",
    ),
    "gold_failures": Said(
        "warning",
        "Rater {rater} missed {failed} of {n} items with known answers",
        "See which ones; if the known answers are right, pause the rater and ask.",
    ),
}
"""Every code, with its words."""


def alerts(
    tallies: Sequence[Tally],
    raters: Sequence[Rater],
    marks: Mapping[Mark, int],
    skips: Mapping[int, int],
    found: Sequence[Found],
    questions: int = 0,
) -> list[Alert]:
    """From the counts, which are never old, and from the last statistics; nobody is told of twice
    for the same thing, and nobody who does not work any more."""
    active = {r.number for r in raters if r.state == "active" and r.named}
    paces = sorted(pace for t in tallies if (pace := _seconds(t)) is not None)
    counted = [one for t in tallies if t.rater in active for one in _of_rater(t, paces)]
    hurried = {one.rater for one in counted if one.code == "hurried"}
    told = [
        _alert(one.code, one.rater, **one.values)
        for one in found
        if one.rater in active and not (one.code == "hurried_often" and one.rater in hurried)
    ]
    asked = [_alert("questions", n=questions)] if questions else []
    return [*asked, *counted, *told, *_of_items(marks, skips)]


def _alert(code: str, rater: int | None = None, **values: Any) -> Alert:
    said = SAYS[code]
    about = values if rater is None else {"rater": rater, **values}
    return Alert(code, said.level, said.says, said.do, about, rater, said.link)


def _of_items(marks: Mapping[Mark, int], skips: Mapping[int, int]) -> Iterator[Alert]:
    if n := marks.get("flags"):
        yield _alert("flags", n=n)
    if n := sum(items for times, items in skips.items() if times >= SEVERAL):
        yield _alert("skipped_by_several", n=n)


def _of_rater(tally: Tally, paces: Sequence[float]) -> Iterator[Alert]:
    done = tally.rated + tally.skipped
    if tally.skipped >= max(SKIPS_FROM, MANY_SKIPS * done):
        yield _alert("many_skips", tally.rater, n=tally.skipped, done=done)
    own = _seconds(tally) if tally.rated >= HURRIED_FROM else None
    if own is not None and own < HURRIED * (usual := _usual(own, paces)):
        yield _alert("hurried", tally.rater, own=round(own), usual=round(usual))
    if tally.unread and tally.unread >= UNREAD * tally.rated:
        yield _alert("unread", tally.rater, n=tally.unread, done=tally.rated)


def _usual(own: float, paces: Sequence[float]) -> float:
    """What the others take, of all paces in order; nothing is usual before there are two of them."""
    place = bisect_left(paces, own)
    others = [*paces[:place], *paces[place + 1 :]]
    return median(others) if len(others) >= 2 else 0.0


def _seconds(tally: Tally) -> float | None:
    return tally.active_seconds / tally.rated if tally.rated and tally.active_seconds else None
