"""Raters at the desk: who they are and what they did, and everything that is done about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rubrica.accounts import changes
from rubrica.accounts.model import LogEntry, Rater
from rubrica.assignment.design import policy_name
from rubrica.coordinator.endpoint import At, Endpoint, Nothing
from rubrica.coordinator.invitations_api import invitation
from rubrica.coordinator.live import Numbers, kept_numbers, known_numbers
from rubrica.coordinator.names import name_of, raters
from rubrica.coordinator.progress import day_line
from rubrica.coordinator.shapes.people import DeedLine
from rubrica.coordinator.shapes.raters import (
    ChecklistLine,
    HandedOver,
    HandOver,
    Invitation,
    RaterLine,
    RaterList,
    RaterOf,
    RatersAsked,
    RaterShown,
    Reason,
    Released,
)
from rubrica.errors import Problem
from rubrica.fieldwork.pace import all_places
from rubrica.fieldwork.ranges import as_ranges
from rubrica.fieldwork.units import number_of
from rubrica.ratings.checklist import checklist
from rubrica.review.board import Tally
from rubrica.texts import LANGUAGES, per_language

LOG_LOOKED_THROUGH = 5_000
CHECKED = 2_000
"""The closing checklist is computed for raters of up to so many ratings; longer takes too long."""


# --- the list ---------------------------------------------------------------------------------------


def rater_list(at: At, asked: RatersAsked) -> RaterList:
    numbers = known_numbers(at)
    lines = [line for line in all_lines(at, numbers) if _wanted(line, asked)]
    lines.sort(key=ORDERS[asked.sort])
    pages = max(1, -(-len(lines) // asked.count))
    start = (asked.page - 1) * asked.count
    return RaterList(
        raters=lines[start : start + asked.count],
        total=len(lines),
        page=asked.page,
        pages=pages,
        expected=_expected(at, {line.name for line in lines}),
        figures_made=numbers.made,
    )


def all_lines(at: At, numbers: Numbers) -> list[RaterLine]:
    board, name = at.site.stores.board, at.name
    at.refresh()
    done = {t.rater: t for t in board.tallies(name, "rater")}
    open_places = {h.rater: h.places for h in board.held(name)}
    people = at.site.stores.accounts.raters(name)
    return [line_of(at, r, done.get(r.number), open_places.get(r.number, 0), numbers) for r in people]


def line_of(at: At, rater: Rater, done: Tally | None, open_places: int, numbers: Numbers) -> RaterLine:
    rated, active = (done.rated, done.active_seconds) if done else (0, 0.0)
    return RaterLine(
        number=rater.number,
        name=name_of(at, rater),
        state=rater.state,
        joined=rater.joined,
        rated=rated,
        skipped=done.skipped if done else 0,
        revised=done.revised if done else 0,
        open=open_places,
        active_seconds=active,
        seconds_per_item=active / rated if rated and active else None,
        last=done.last if done else None,
        named=rater.named,
        unread=done.unread if done else 0,
        figures=numbers.figures(rater.number),
    )


def _wanted(line: RaterLine, asked: RatersAsked) -> bool:
    find = asked.find.strip().lower()
    named = find in (line.name or "").lower() or find == str(line.number)
    return (not asked.state or line.state == asked.state) and (not find or named)


def _worst(value: Callable[[RaterLine], float | None]) -> Callable[[RaterLine], Any]:
    """The largest first; those of whom it is not known last."""

    def place(line: RaterLine) -> Any:
        found = value(line)
        return found is None, -(found or 0.0), line.number

    return place


def _far(line: RaterLine) -> float | None:
    return None if line.figures.severity is None else abs(line.figures.severity)


def _apart(line: RaterLine) -> float | None:
    return None if line.figures.agreement is None else -line.figures.agreement


ORDERS: Mapping[str, Callable[[RaterLine], Any]] = {
    "agreement": _worst(_apart),
    "severity": _worst(_far),
    "straight": _worst(lambda line: line.figures.straight_lined),
    "gold": _worst(lambda line: line.figures.gold_missed),
    "number": lambda line: line.number,
    "rated": lambda line: (-line.rated, line.number),
    "speed": lambda line: (line.seconds_per_item is None, line.seconds_per_item or 0, line.number),
    "last": lambda line: (line.last is None, *(-ord(c) for c in line.last or ""), line.number),
}


def _expected(at: At, come: set[str | None]) -> list[str]:
    """Ids the study's file lists that nobody has joined with yet."""
    if not at.is_at_least("coordinator"):
        return []
    ids = at.study.desk.version.study.raters.ids
    here = {r.name for r in at.site.stores.accounts.raters(at.name)} if ids else come
    return [one for one in ids if one not in here]


# --- one rater --------------------------------------------------------------------------------------


def rater(at: At, asked: RaterOf) -> RaterShown:
    known = _known(at, asked.number)
    at.refresh()
    board, numbers = at.site.stores.board, known_numbers(at)
    own = board.tallies(at.name, "rater", known.number)
    held = {h.rater: h.places for h in board.held(at.name)}
    places = list(all_places(at.study.desk, known.number))
    return RaterShown(
        rater=line_of(at, known, own[0] if own else None, held.get(known.number, 0), numbers),
        crowd=dict(known.crowd) if at.is_at_least("coordinator") else {},
        done=as_ranges(number_of(p) for p in places if p.state == "rated"),
        skipped=as_ranges(number_of(p) for p in places if p.state == "skipped"),
        days=[day_line(t) for t in board.tallies(at.name, "rater and day", known.number)],
        numbers=numbers.of_rater(known.number),
        numbers_made=numbers.made,
        checklist=_checklist(at, known, len(places)),
        log=[deed_line(e) for e in _about(at, known.number)],
    )


def _known(at: At, number: int) -> Rater:
    found = at.site.stores.accounts.rater(at.name, number)
    if found is None:
        raise Problem(changes.NO_RATER, got=str(number))
    return found


def _checklist(at: At, rater: Rater, places: int) -> list[ChecklistLine]:
    if rater.state == "withdrawn" or places > CHECKED or not at.study.desk.version.study.checklist:
        return []
    desk = at.study.desk
    found = desk.stores.ratings.of_rater(at.name, rater.number)
    rated = [(desk.stores.items.item(at.name, one.submission.item), one) for one in found]
    public = {one.submission.id: item.public for item, one in rated}
    return [
        ChecklistLine(
            per_language(line.says, LANGUAGES), [public[one.submission.id] for one in line.broken]
        )
        for line in checklist(desk.version.study, rated)
    ]


def _about(at: At, number: int) -> list[LogEntry]:
    newest = at.site.stores.accounts.newest_log(at.name, None, LOG_LOOKED_THROUGH)
    who = f"rater {number}"
    return [e for e in newest if e.who == who or e.details.get("rater") == number]


def deed_line(entry: LogEntry) -> DeedLine:
    return DeedLine(entry.number, entry.when, entry.who, entry.what, dict(entry.details))


# --- what is done about them ------------------------------------------------------------------------


def _line(at: At, rater: Rater) -> RaterLine:
    own = at.site.stores.board.tallies(at.name, "rater", rater.number)
    held = {h.rater: h.places for h in at.site.stores.board.held(at.name)}
    return line_of(at, rater, own[0] if own else None, held.get(rater.number, 0), kept_numbers(at))


def pause(at: At, of: RaterOf, asked: Nothing) -> RaterLine:
    return _line(at, changes.pause(at.site.stores.accounts, at.name, of.number, at.me.who))


def readmit(at: At, of: RaterOf, asked: Nothing) -> RaterLine:
    return _line(at, changes.readmit(at.site.stores.accounts, at.name, of.number, at.me.who))


def exclude(at: At, of: RaterOf, asked: Reason) -> RaterLine:
    accounts = at.site.stores.accounts
    return _line(at, changes.exclude(accounts, at.name, of.number, at.me.who, asked.reason))


def release(at: At, of: RaterOf, asked: Nothing) -> Released:
    rater = _known(at, of.number)
    places = _give_back(at, rater)
    return Released(places)


def _give_back(at: At, rater: Rater) -> int:
    places = at.site.stores.places.release(at.name, rater.number)
    details = {"rater": rater.number, "places": places}
    at.site.stores.accounts.log(at.name, at.me.who, "handed places back", details)
    return places


def hand_over(at: At, of: RaterOf, asked: HandOver) -> HandedOver:
    """The rater stops; what they hold, and what is left of a fixed list, goes to others."""
    accounts = at.site.stores.accounts
    stopped = changes.pause(accounts, at.name, of.number, at.me.who)
    places = _give_back(at, stopped)
    there = raters(at)
    to = [n for n in asked.to if n != of.number] or [
        r.number
        for r in there.values()
        if r.state in ("active", "invited") and r.named and r.number != of.number
    ]
    listed = policy_name(at.study.desk.version.study.raters) == "lists"
    items = at.site.stores.places.hand_on(at.name, of.number, to) if listed else 0
    details = {"rater": of.number, "items": items, "to": to if listed else []}
    accounts.log(at.name, at.me.who, "handed a list on", details)
    return HandedOver(_line(at, stopped), places, items)


def reissue(at: At, of: RaterOf, asked: Nothing) -> Invitation:
    """Whoever has the old code, or is signed in with it, is out."""
    made = changes.reissue_code(at.site.stores.accounts, at.name, of.number, at.me.who)
    _sign_out(at, of.number)
    return invitation(at, made)


def forget(at: At, of: RaterOf, asked: Nothing) -> RaterLine:
    """Their name goes, and what could tell who they were; their ratings stay."""
    _give_back(at, _known(at, of.number))
    rater = changes.forget(at.site.stores.accounts, at.name, of.number, at.me.who)
    _sign_out(at, of.number)
    return _line(at, rater)


def withdraw(at: At, of: RaterOf, asked: Nothing) -> RaterLine:
    rater = changes.withdraw(at.site.stores.accounts, at.name, of.number, at.me.who)
    _sign_out(at, of.number)
    return _line(at, rater)


def _sign_out(at: At, number: int) -> None:
    at.site.stores.sessions.end_sessions("rater", at.name, number)


def _change(
    path: str, does: str, call: Callable[..., Any], gives: Any, takes: Any = Nothing, **more: Any
) -> Endpoint:
    """Something that is done about one rater."""
    who = {"who": "coordinator", "needs": "write", **more}
    whole = f"/studies/{{study}}/raters/{{number}}/{path}"
    return Endpoint("POST", whole, does, call, gives, asks=RaterOf, takes=takes, **who)


ENDPOINTS = [
    Endpoint(
        "GET",
        "/studies/{study}/raters",
        "The raters of a study, and how much each has done.",
        rater_list,
        RaterList,
        asks=RatersAsked,
    ),
    Endpoint(
        "GET",
        "/studies/{study}/raters/{number}",
        "One rater: what they did when, how they rate, what was done about them.",
        rater,
        RaterShown,
        asks=RaterOf,
    ),
    _change("pause", "Let a rater get no more items for now.", pause, RaterLine),
    _change("readmit", "Let a paused or excluded rater go on.", readmit, RaterLine),
    _change(
        "exclude",
        "Keep a rater's answers out of results, for a reason the report states.",
        exclude,
        RaterLine,
        Reason,
    ),
    _change("release", "Hand back the places a rater holds.", release, Released),
    _change(
        "hand-over",
        "A rater stops: what is left goes to others.",
        hand_over,
        HandedOver,
        HandOver,
    ),
    _change("code", "A new resume code for a rater who lost theirs.", reissue, Invitation),
    _change(
        "forget",
        "Erase who a rater was; their ratings stay, of a number only.",
        forget,
        RaterLine,
        who="owner",
        needs="manage",
    ),
    _change(
        "withdraw",
        "A rater took their consent back: their ratings leave every result, their name is erased.",
        withdraw,
        RaterLine,
        who="owner",
        needs="manage",
    ),
]
