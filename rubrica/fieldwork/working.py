"""The workbench: what to rate next, drafts, submits, skips and revisions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any

from rubrica.accounts.model import Rater
from rubrica.assignment.contract import Place
from rubrica.errors import Problem, shown
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.model import Sent, Work
from rubrica.fieldwork.pace import all_places
from rubrica.fieldwork.rules import (
    BAD_DRAFT,
    BAD_RATING_ID,
    NO_NUMBER,
    NO_REVISING,
    SKIP_REASON,
    STOPPED,
)
from rubrica.fieldwork.stepping import ready
from rubrica.fieldwork.units import number_of, work_at
from rubrica.fieldwork.versions import Version
from rubrica.ratings.accept import Accepted, accept
from rubrica.ratings.model import Receipt, Submission

MOST_AHEAD = 10
FURTHEST = 500
"""How many places beyond the last one a rater may open at once."""
LONGEST_REASON = 2_000
LONGEST_DRAFT = 1_000_000
_RATING_ID = re.compile(r"^[A-Za-z0-9_-]{16,64}$")


def next_work(desk: Desk, rater: int, count: int = 1) -> Sequence[Work]:
    """What the rater does next: open reservations, topped up to `count`; empty when all is done."""
    ready(desk, rater)
    wanted = max(1, min(count, MOST_AHEAD))
    places = desk.stores.places.reserve(desk.id, rater, wanted, desk.policy, desk.design)
    return [work_at(desk, place) for place in places]


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


def save_draft(
    desk: Desk, rater: int, place: int, revision: int, content: Mapping[str, Any]
) -> Future[int]:
    """Keep what was typed; the newest revision wins, and comes back.

    A draft says which rating it will become. Where it has become one already it came late, and
    kept it would look like a change the rater had begun.
    """
    own = desk.own_place(_sender(desk, rater).number, place)
    size = len(json.dumps(content)) if isinstance(content, Mapping) else LONGEST_DRAFT + 1
    if size > LONGEST_DRAFT or revision < 0:
        raise Problem(BAD_DRAFT, details={"longest": LONGEST_DRAFT})
    if desk.stores.ratings.rating(desk.id, str(content.get("id"))) is not None:
        late: Future[int] = Future()
        late.set_result(revision)
        return late
    _keep_alive(desk, own)
    return desk.stores.ratings.save_draft(desk.id, rater, place, revision, content)


def submit(desk: Desk, rater: int, sent: Sent) -> Future[Receipt]:
    """Record answers, or a skip where there are none; the future is done when they are safe.

    Answers are checked against the version their page showed. What was begun while the study was
    open and the rater active is still taken from a rater who was paused since, but a closed study
    takes only repetitions of what it has.
    """
    who = _sender(desk, rater)
    place = desk.own_place(rater, sent.place)
    version = desk.version_named(sent.version)
    if not _RATING_ID.match(sent.id):
        raise Problem(BAD_RATING_ID, got=shown(sent.id))
    if desk.stores.ratings.rating(desk.id, sent.id) is None:
        desk.is_open()
        if sent.supersedes is not None and not version.study.raters.revise:
            raise Problem(NO_REVISING)
    return desk.stores.ratings.submit(_submission(desk, who, place, version, sent))


def leave(desk: Desk, rater: int) -> int:
    """Give all open reservations back to others; drafts stay. How many they were."""
    desk.rater(rater)
    return desk.stores.places.release(desk.id, rater)


def _sender(desk: Desk, rater: int) -> Rater:
    who = desk.rater(rater)
    if who.state == "invited":
        raise Problem(STOPPED)
    return who


def _submission(desk: Desk, who: Rater, place: Place, version: Version, sent: Sent) -> Submission:
    judged = None if sent.answers is None else _accepted(desk, place, version, sent.answers)
    return Submission(
        id=sent.id,
        study=desk.id,
        place=place.id,
        rater=who.number,
        item=place.item,
        version=version.hash,
        answers=None if judged is None else judged.answers,
        skip_reason=_skip_reason(sent) if judged is None else None,
        supersedes=sent.supersedes,
        language=sent.language,
        pace=sent.pace,
        scores={} if judged is None else judged.scores,
    )


def _accepted(desk: Desk, place: Place, version: Version, answers: Mapping[str, Any]) -> Accepted:
    return accept(version.study, desk.stores.items.item(desk.id, place.item), answers)


def _skip_reason(sent: Sent) -> str:
    reason = (sent.skip_reason or "").strip()
    if not 1 <= len(reason) <= LONGEST_REASON:
        raise Problem(SKIP_REASON, details={"longest": LONGEST_REASON})
    return reason


def _keep_alive(desk: Desk, place: Place) -> None:
    """Prolong a reservation that has run down by half; more often would only cost writes."""
    if place.state != "reserved" or place.until is None:
        return
    whole = timedelta(seconds=desk.design.reserve_seconds)
    if datetime.fromisoformat(place.until) - desk.clock() < whole / 2:
        desk.stores.places.extend(desk.id, place.rater, [place.id], desk.design.reserve_seconds)


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
