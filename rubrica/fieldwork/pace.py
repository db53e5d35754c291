"""How far a rater is, when a break is due, and the list of their items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import floor

from rubrica.assignment.contract import Place
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.model import BreakReason, Listed, Progress
from rubrica.fieldwork.ranges import as_ranges
from rubrica.fieldwork.units import number_of
from rubrica.study.model import Breaks

PAGE = 500


def progress(desk: Desk, rater: int) -> Progress:
    desk.rater(rater)
    return progress_of(desk, [rater])[rater]


def progress_of(desk: Desk, raters: Sequence[int]) -> Mapping[int, Progress]:
    """The same for several raters that are known."""
    tallies = desk.stores.places.tallies(desk.id, raters)
    active = desk.stores.ratings.active_seconds(desk.id, raters)
    return {rater: _progress(desk, tallies.get(rater, {}), active[rater]) for rater in raters}


def _progress(desk: Desk, tally: Mapping[str, int], active: float) -> Progress:
    rated, skipped, open_ = (tally.get(state, 0) for state in ("rated", "skipped", "reserved"))
    total = _total(desk, rated + skipped + open_)
    return Progress(
        rated=rated,
        skipped=skipped,
        open=open_,
        total=total,
        active_seconds=active,
        numbers=_numbers(desk, total),
    )


def _total(desk: Desk, given: int) -> int | None:
    """All items and the repeats planned among them; known where everybody rates everything."""
    design = desk.design
    if desk.policy.name != "everyone":
        return None
    repeats = floor(max(0, design.items - design.repeat_apart) * design.repeat_share)
    return max(design.items + repeats, given)


def _numbers(desk: Desk, total: int | None) -> tuple[int, int] | None:
    if desk.policy.name == "places":
        return 0, desk.design.items - 1
    return None if total is None else (1, total)


def active_seconds(desk: Desk, rater: int) -> float:
    """The seconds the rater really worked, revisions included."""
    return desk.stores.ratings.active_seconds(desk.id, [rater])[rater]


def my_items(desk: Desk, rater: int, after: int = 0, count: int = 100) -> Sequence[Listed]:
    """The rater's items with their state, in the order they were given; `after` is a `Listed.count`."""
    desk.rater(rater)
    places = desk.stores.places.places(desk.id, rater, after, max(1, min(count, PAGE)))
    drafts = {d.place for d in desk.stores.ratings.drafts(desk.id, rater)}
    return [
        Listed(p.id, number_of(p), p.state, p.id in drafts, p.number)
        for p in places
        if p.state != "released"
    ]


def all_places(desk: Desk, rater: int) -> Iterator[Place]:
    """All of a rater's places, read page by page."""
    after = 0
    while page := desk.stores.places.places(desk.id, rater, after, PAGE):
        yield from page
        after = page[-1].number


def numbers_done(desk: Desk, rater: int) -> str:
    """The numbers of the items the rater is done with, as ranges."""
    desk.rater(rater)
    return as_ranges(number_of(p) for p in all_places(desk, rater) if p.state in ("rated", "skipped"))


def breaks_due(breaks: Breaks, done: int, active: float, spent: float) -> list[BreakReason]:
    """Why a break is due after the item that made `done` and took `spent` of `active` seconds."""
    due: list[BreakReason] = []
    if breaks.every_items and done and done % breaks.every_items == 0:
        due.append("items")
    span = (breaks.every_minutes or 0) * 60
    if span and floor(active / span) > floor((active - spent) / span):
        due.append("minutes")
    return due


def break_after(desk: Desk, rater: int, place: int) -> Sequence[BreakReason]:
    """Why a break is due after this place, which the rater has just done; revisions need none."""
    own = desk.own_place(rater, place)
    latest = desk.stores.ratings.latest(desk.id, own.id)
    if latest is None or latest.submission.supersedes is not None:
        return ()
    breaks, now = desk.version.study.breaks, progress(desk, rater)
    spent = latest.submission.pace.active_seconds or 0.0
    due = breaks_due(breaks, now.done, now.active_seconds, spent)
    return [*due, "batch"] if breaks.after_batch and batch_ended(desk, own) else due


def batch_ended(desk: Desk, place: Place) -> bool:
    """Whether the place was the last of its batch, and another batch follows."""
    if desk.design.batches != "in_turn" or len(desk.batches) < 2:
        return False
    mine = desk.stores.items.item(desk.id, place.item).batch
    open_places = (p for p in all_places(desk, place.rater) if p.state == "reserved")
    batches = [desk.stores.items.item(desk.id, p.item).batch for p in open_places]
    return bool(batches) and mine not in batches
