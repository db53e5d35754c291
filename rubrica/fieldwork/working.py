"""The workbench: what to rate next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rubrica.assignment.contract import Place
from rubrica.errors import Problem
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.model import Given, Opened, Work
from rubrica.fieldwork.pace import all_places, progress_of
from rubrica.fieldwork.rules import NO_NUMBER
from rubrica.fieldwork.sending import keep_alive
from rubrica.fieldwork.stepping import ready, ready_all
from rubrica.fieldwork.units import number_of, work_at

MOST_AHEAD = 10
FURTHEST = 500
"""How many places beyond the last one a rater may open at once."""


def next_work(desk: Desk, rater: int, count: int = 1) -> Sequence[Work]:
    """What the rater does next: open reservations, topped up to `count`; empty when all is done."""
    ready(desk, rater)
    wanted = max(1, min(count, MOST_AHEAD))
    places = desk.stores.places.reserve(desk.id, rater, wanted, desk.policy, desk.design)
    return [work_at(desk, place) for place in places]


def next_all(desk: Desk, asked: Sequence[tuple[int, int]]) -> Sequence[Given | Problem]:
    """The same for many raters, each with a count: what is open to them, without what items show."""
    hindered = ready_all(desk, [rater for rater, _ in asked])
    counts = {
        rater: max(1, min(count, MOST_AHEAD))
        for (rater, count), problem in zip(asked, hindered, strict=True)
        if problem is None
    }
    reserved = desk.stores.places.reserve_all(desk.id, counts, desk.policy, desk.design)
    places = dict(zip(counts, reserved.result(), strict=True))
    given = _given(desk, {r: own for r, own in places.items() if not isinstance(own, Problem)})
    refused = {rater: own for rater, own in places.items() if isinstance(own, Problem)}
    return [
        problem or refused.get(rater) or given[rater]
        for (rater, _), problem in zip(asked, hindered, strict=True)
    ]


def _given(desk: Desk, places: Mapping[int, Sequence[Place]]) -> Mapping[int, Given]:
    raters = list(places)
    drafts = desk.stores.ratings.drafts_of(desk.id, raters)
    progress = progress_of(desk, raters)
    news = desk.stores.messages.newest(desk.id, raters)
    return {
        rater: Given(
            [Opened(place, number_of(place), drafts.get(place.id)) for place in own],
            progress[rater],
            news[rater],
        )
        for rater, own in places.items()
    }


def open_work(desk: Desk, rater: int, place: int) -> Work:
    """One of the rater's places, done or not; an open one is theirs for its full time again."""
    ready(desk, rater)
    own = desk.own_place(rater, place)
    _keep_alive(desk, own)
    return work_at(desk, own)


def go_to(desk: Desk, rater: int, number: int) -> Work:
    """The item of this number: the rater's own place, or a free one, or the next that is free."""
    ready(desk, rater)
    own = _own_numbered(desk, rater, number)
    lost = own is None or own.state == "released"
    place = (_free_numbered(desk, rater, number) or own) if lost else own
    if place is None:
        raise Problem(NO_NUMBER, got=str(number))
    _keep_alive(desk, place)
    return work_at(desk, place)


def leave(desk: Desk, rater: int) -> int:
    """Give all open reservations back to others; drafts stay. How many they were."""
    desk.rater(rater)
    return desk.stores.places.release(desk.id, rater)


def _keep_alive(desk: Desk, place: Place) -> None:
    if place.state == "reserved":
        keep_alive(desk, place.rater, place.id, place.until)


def _own_numbered(desk: Desk, rater: int, number: int) -> Place | None:
    return next((p for p in all_places(desk, rater) if number_of(p) == number), None)


def _free_numbered(desk: Desk, rater: int, number: int) -> Place | None:
    """A place the rater does not have yet: by its number, or by taking all up to it.

    The second is for studies in which everybody rates everything, where it keeps nothing from others.
    """
    reserve = desk.stores.places.reserve
    if desk.policy.name == "places":
        if not 0 <= number < desk.design.items:
            return None
        places = reserve(desk.id, rater, 1, desk.policy, desk.design, goto=number)
        return max(places, key=lambda p: (number_of(p) == number, p.number), default=None)
    given = max((p.number for p in all_places(desk, rater)), default=0)
    if desk.policy.name != "everyone" or not given < number <= given + FURTHEST:
        return None
    waiting = desk.stores.places.tally(desk.id, rater).get("reserved", 0)
    places = reserve(desk.id, rater, waiting + number - given, desk.policy, desk.design)
    return next((p for p in places if p.number == number), None)
