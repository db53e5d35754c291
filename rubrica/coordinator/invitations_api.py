"""Inviting raters: one, many, or everybody on a list; what comes back can be printed or mailed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from rubrica.accounts import changes
from rubrica.accounts.model import Joined
from rubrica.coordinator.endpoint import At, Endpoint
from rubrica.coordinator.rules import NO_NAMES, TOO_MANY
from rubrica.coordinator.shapes.raters import Invitation, InvitationList, Invitations, InvitationsAsCsv
from rubrica.coordinator.shapes.studies import StudyOf
from rubrica.coordinator.tables import csv_text
from rubrica.errors import Problem
from rubrica.fieldwork.joining import annotator_id

MOST = 2_000
NAMED = ("annotator_id", "annotator id", "annotator", "rater", "rater_id", "id", "name", "participant")
"""What the column of ids may be called; the first of these that is there, else the first column."""


@dataclass(frozen=True)
class Guest:
    """One line of a list: an id, and whatever stands beside it, to be given back with the link."""

    name: str
    beside: Mapping[str, str] = field(default_factory=dict)


def invite(at: At, of: StudyOf, asked: Invitations) -> InvitationList:
    return _invite(at, [Guest(name) for name in asked.names])


def invite_list(at: At, of: StudyOf, asked: InvitationsAsCsv) -> InvitationList:
    return _invite(at, list(read_guests(asked.csv)))


def _invite(at: At, guests: Sequence[Guest]) -> InvitationList:
    if len(guests) > MOST:
        raise Problem(TOO_MANY, details={"most": MOST})
    made = [_one(at, guest) for guest in guests]
    return InvitationList(made, _as_csv(at, guests, made))


def _one(at: At, guest: Guest) -> Invitation:
    try:
        name = annotator_id(guest.name)
        return invitation(at, changes.invite(at.site.stores.accounts, at.name, name, at.me.who))
    except Problem as problem:
        return Invitation(guest.name, None, None, None, problem.message)


def invitation(at: At, joined: Joined) -> Invitation:
    """The code stands behind the #: it is in no log, and no server is asked for it."""
    rater, code = joined.rater, joined.resume_code
    assert code is not None  # noqa: S101
    link = f"{at.study.raters_base}#id={quote(rater.name, safe='')}&code={code}"
    return Invitation(rater.name, rater.number, code, link)


def _as_csv(at: At, guests: Sequence[Guest], made: Sequence[Invitation]) -> str:
    """The list as it was given, with a link and a code on each line, for a program that mails."""
    beside = list(dict.fromkeys(column for guest in guests for column in guest.beside))
    rows: list[list[object]] = [["annotator_id", *beside, "link", "code", "problem"]]
    for guest, one in zip(guests, made, strict=True):
        link = "" if one.link is None else f"{at.origin}{one.link}"
        given = [guest.beside.get(column, "") for column in beside]
        rows.append([one.name, *given, link, one.code, one.problem])
    return csv_text(rows)


def read_guests(text: str) -> Iterator[Guest]:
    """A line each; with a heading where one names the column of ids, the other columns go along."""
    rows = [
        [cell.strip() for cell in row]
        for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), _dialect(text))
    ]
    rows = [row for row in rows if any(row)]
    if not rows:
        raise Problem(NO_NAMES)
    head = [cell.lower() for cell in rows[0]]
    column = next((head.index(name) for name in NAMED if name in head), None)
    if column is None:
        yield from (Guest(row[0]) for row in rows if row[0])
        return
    for row in rows[1:]:
        cells = dict(zip(rows[0], row, strict=False))
        if column < len(row) and row[column]:
            yield Guest(row[column], {k: v for k, v in cells.items() if k != rows[0][column]})


def _dialect(text: str) -> type[csv.Dialect]:
    """Spreadsheets write commas, semicolons or tabs, as the country has it."""
    first = text.partition("\n")[0]

    class Written(csv.excel):
        delimiter = max(",;\t", key=first.count)

    return Written


ENDPOINTS = [
    Endpoint(
        "POST",
        "/studies/{study}/raters/invite",
        "Keep annotator ids for people; each gets a link that is shown only now.",
        invite,
        InvitationList,
        asks=StudyOf,
        takes=Invitations,
        who="coordinator",
        needs="write",
    ),
    Endpoint(
        "POST",
        "/studies/{study}/raters/invite-list",
        "The same for a list as a CSV text; other columns, such as mail addresses, come back with it.",
        invite_list,
        InvitationList,
        asks=StudyOf,
        takes=InvitationsAsCsv,
        who="coordinator",
        needs="write",
    ),
]
