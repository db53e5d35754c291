"""Who worked how long, to be paid by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rubrica.coordinator.endpoint import At, Endpoint, File
from rubrica.coordinator.names import name_of, raters
from rubrica.coordinator.shapes.raters import Timesheet, TimesheetAsked, TimesheetFile, TimesheetLine
from rubrica.coordinator.tables import csv_file
from rubrica.review.board import EVER, By, Tally

BYS: Mapping[str, By] = {"rater": "rater", "day": "rater and day"}


def timesheet(at: At, asked: TimesheetAsked) -> Timesheet:
    found = _tallies(at, asked)
    start = (asked.page - 1) * asked.count
    return Timesheet(
        lines=_lines(at, found[start : start + asked.count]),
        total=len(found),
        page=asked.page,
        pages=max(1, -(-len(found) // asked.count)),
        active_minutes=round(sum(one.active_seconds for one in found) / 60, 1),
    )


def timesheet_csv(at: At, asked: TimesheetFile) -> File:
    names = TimesheetLine.__struct_fields__
    lines = _lines(at, _tallies(at, asked))
    return csv_file("timesheet.csv", [names, *([getattr(one, n) for n in names] for one in lines)])


def _tallies(at: At, asked: TimesheetFile) -> Sequence[Tally]:
    at.refresh()
    days = (asked.since or EVER[0], asked.until or EVER[1])
    return at.site.stores.board.tallies(at.name, BYS[asked.by], days=days)


def _lines(at: At, found: Sequence[Tally]) -> list[TimesheetLine]:
    names = {number: name_of(at, rater) for number, rater in raters(at).items()}
    return [_line(names, one) for one in found]


def _line(names: Mapping[int, str | None], tally: Tally) -> TimesheetLine:
    return TimesheetLine(
        rater=tally.rater or 0,
        name=names.get(tally.rater or 0),
        day=tally.day,
        rated=tally.rated,
        skipped=tally.skipped,
        active_minutes=round(tally.active_seconds / 60, 1),
        first=tally.first,
        last=tally.last,
    )


ENDPOINTS = [
    Endpoint(
        "GET",
        "/studies/{study}/timesheet",
        "Who worked how long: a line for each rater, or for each of their days.",
        timesheet,
        Timesheet,
        asks=TimesheetAsked,
        who="coordinator",
    ),
    Endpoint(
        "GET",
        "/studies/{study}/timesheet.csv",
        "The whole timesheet as a file.",
        timesheet_csv,
        "text/csv",
        asks=TimesheetFile,
        who="coordinator",
    ),
]
