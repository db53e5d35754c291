"""Raters, what they did, and what is done about them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from rubrica.coordinator.shapes.fields import Day, Number, Short
from rubrica.coordinator.shapes.people import DeedLine
from rubrica.coordinator.shapes.progress import DayLine


class Figures(Struct):
    """What the last statistics say of a rater; of several questions, the one where it is worst."""

    agreement: float | None = None
    """Correlation with the others on the same items: the lowest."""
    severity: float | None = None
    """Levels above or below the others on the same items: the furthest."""
    straight_lined: float | None = None
    """Of their ratings: so many give every question the same level."""
    gold_missed: float | None = None
    """Of the known answers they met."""
    pace: float | None = None
    """Time beside what others took for the same items; 1 is the same."""


class RaterLine(Struct):
    number: int
    name: str | None
    """Only for coordinators; reviewers see numbers."""
    state: str
    joined: str
    rated: int
    skipped: int
    revised: int
    open: int
    active_seconds: float
    seconds_per_item: float | None
    last: str | None
    named: bool
    unread: int
    """Ratings that came sooner than the item can be read."""
    figures: Figures


class RaterOf(Struct):
    study: str
    number: Number


class RatersAsked(Struct):
    study: str
    state: Literal["", "invited", "active", "paused", "excluded", "withdrawn"] = ""
    find: Short = ""
    sort: Literal["number", "rated", "speed", "last", "agreement", "severity", "straight", "gold"] = (
        "number"
    )
    page: Annotated[int, Meta(ge=1, le=100_000)] = 1
    count: Annotated[int, Meta(ge=1, le=500)] = 50


class RaterList(Struct):
    raters: list[RaterLine]
    total: int
    page: int
    pages: int
    expected: list[str]
    """Ids the study's file lists that nobody has joined with yet."""
    figures_made: str | None
    """When the statistics were computed; None if they have not been yet."""


class NumberShown(Struct):
    name: str
    question: str | None
    value: float | None
    low: float | None
    high: float | None
    n: int
    why: dict[str, str] | None
    """Why there is none, or under which condition it holds; by language."""


class ChecklistLine(Struct):
    says: dict[str, str]
    broken: list[str]
    """The public ids of the items it names."""


class RaterShown(Struct):
    rater: RaterLine
    crowd: dict[str, str]
    done: str
    """The numbers that are done, as ranges."""
    skipped: str
    days: list[DayLine]
    numbers: list[NumberShown]
    numbers_made: str | None
    checklist: list[ChecklistLine]
    log: list[DeedLine]


class Invitations(Struct, forbid_unknown_fields=True):
    """Annotator ids to invite."""

    names: Annotated[list[Short], Meta(min_length=1, max_length=2_000)]


class Invitation(Struct):
    name: str
    rater: int | None
    code: str | None
    """The resume code, shown only now."""
    link: str | None
    problem: str | None = None


class InvitationsAsCsv(Struct, forbid_unknown_fields=True):
    """A list of people: an id a line, or a table with a column of ids."""

    csv: Annotated[str, Meta(min_length=1, max_length=2_000_000)]


class InvitationList(Struct):
    invitations: list[Invitation]
    csv: str
    """The same as a table with whole addresses, for printing or for a program that mails."""


class Reason(Struct, forbid_unknown_fields=True):
    reason: Annotated[str, Meta(max_length=2_000)]


class Released(Struct):
    places: int


class HandOver(Struct, forbid_unknown_fields=True):
    to: Annotated[list[Number], Meta(max_length=1_000)] = msgspec.field(default_factory=list)
    """Who takes over what is left of a fixed list; everybody who works, if nobody is named."""


class HandedOver(Struct):
    rater: RaterLine
    places: int
    """Reserved items that others can be given now."""
    items: int
    """Items of the rater's fixed list that stand on others' lists now."""


class TimesheetFile(Struct):
    study: str
    by: Literal["rater", "day"] = "rater"
    since: Day = ""
    until: Day = ""


class TimesheetAsked(TimesheetFile):
    page: Annotated[int, Meta(ge=1, le=100_000)] = 1
    count: Annotated[int, Meta(ge=1, le=500)] = 100


class TimesheetLine(Struct):
    rater: int
    name: str | None
    day: str | None
    """None in a line for all of a rater's days."""
    rated: int
    skipped: int
    active_minutes: float
    first: str
    last: str


class Timesheet(Struct):
    lines: list[TimesheetLine]
    total: int
    page: int
    pages: int
    active_minutes: float
    """Of all lines, on whatever page they stand."""
