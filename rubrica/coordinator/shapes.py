"""What the API takes and gives."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from rubrica.accounts.people import Scope, StudyRole

Struct = msgspec.Struct
Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Short = Annotated[str, Meta(max_length=200)]
Role = StudyRole


# --- people ---------------------------------------------------------------------------------------


class SignIn(Struct, forbid_unknown_fields=True):
    """A name with its password, or the secret of a link."""

    name: Short = ""
    password: Annotated[str, Meta(max_length=1_000)] = ""
    link: Short = ""


class Me(Struct):
    number: int
    name: str
    roles: dict[str, Role]
    """By study; the role under the empty name holds for all."""
    has_password: bool
    choose_password: bool = False
    """The link that was used is for choosing a password."""


class NewPassword(Struct, forbid_unknown_fields=True):
    password: Annotated[str, Meta(max_length=1_000)]
    old: Annotated[str, Meta(max_length=1_000)] = ""
    name: Short | None = None


class SessionLine(Struct):
    id: str
    used: float
    here: bool


class SessionOf(Struct):
    id: Short


class TokenLine(Struct):
    number: int
    name: str
    scope: Scope
    made: str
    until: float
    ended: bool


class NewToken(Struct, forbid_unknown_fields=True):
    name: Short
    scope: Scope = "read"
    days: float = 90


class MadeToken(Struct):
    token: TokenLine
    secret: str
    """Shown only now."""


class TokenOf(Struct):
    number: Number


class PersonLine(Struct):
    number: int
    name: str
    state: str
    roles: dict[str, Role]
    has_password: bool
    added: str


class NewPerson(Struct, forbid_unknown_fields=True):
    name: Short
    role: Role = "reviewer"
    study: Short = ""
    """Empty for all studies."""


class Invited(Struct):
    person: PersonLine
    link: str
    """Lets them choose a password; works once."""


class PersonOf(Struct):
    number: Number


class NewRole(Struct, forbid_unknown_fields=True):
    study: Short = ""
    role: Role | None = None
    """None takes the role away."""


class Member(Struct):
    number: int
    name: str
    state: str
    role: Role | None
    """The highest they have in this study."""
    own: Role | None
    """The role given in this study, if it is not one in all studies that counts."""


class NewMember(Struct, forbid_unknown_fields=True):
    name: Short
    role: Role = "reviewer"


class AddedMember(Struct):
    member: Member
    link: str | None
    """Lets them choose a password; None for somebody who has an account."""


class MemberOf(Struct):
    study: str
    number: Number


class MemberRole(Struct, forbid_unknown_fields=True):
    role: Role | None = None
    """None takes the role away."""


class DeedLine(Struct):
    number: int
    when: str
    who: str
    what: str
    details: dict[str, Any]


class Before(Struct):
    before: Number | None = None
    count: Annotated[int, Meta(ge=1, le=200)] = 50


# --- studies --------------------------------------------------------------------------------------


class StudyOf(Struct):
    study: str


class StudyLine(Struct):
    study: str
    title: dict[str, str]
    role: Role
    items: int
    rated: int
    skipped: int
    raters: int
    closed: bool
    last: str | None


class VersionLine(Struct):
    hash: str
    added: str
    ratings: int
    now: bool
    changed: list[str]
    """What differs from the version before."""


class StudyShown(Struct):
    study: str
    title: dict[str, str]
    version: str
    declared: dict[str, Any]
    guidelines: dict[str, str]
    versions: list[VersionLine]
    closed: bool
    holes: list[str]
    policy: str
    per_item: int | None
    calibration: int


# --- progress -------------------------------------------------------------------------------------


class BatchLine(Struct):
    number: int | None
    name: str | None
    items: int
    done: int
    going: int
    ratings: int
    skipped: int


class DayLine(Struct):
    day: str
    rated: int
    skipped: int
    hours: float


class Alert(Struct):
    code: str
    level: Literal["note", "warning"]
    says: str
    do: str
    values: dict[str, Any]
    rater: int | None = None
    link: str | None = None


class AgreementLine(Struct):
    question: str
    name: str
    value: float | None
    low: float | None
    high: float | None
    raters: int | None
    items: int | None
    why: str | None


class Progress(Struct):
    items: int
    done: int
    going: int
    waiting: int
    rated: int
    skipped: int
    revised: int
    needed: int | None
    """How many ratings the design asks for, where that can be known."""
    active_raters: int
    open_places: int
    active_seconds: float
    per_day: float | None
    finish: str | None
    days: list[DayLine]
    batches: list[BatchLine]
    agreement: list[AgreementLine]
    agreement_made: str | None
    computing: bool
    """Newer numbers are being computed."""
    alerts: list[Alert]
    uncounted: int
    """Ratings that came in and are not in these numbers yet."""
    revision: int


# --- raters ---------------------------------------------------------------------------------------


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


class RaterOf(Struct):
    study: str
    number: Number


class RatersAsked(Struct):
    study: str
    state: Literal["", "invited", "active", "paused", "excluded", "withdrawn"] = ""
    find: Short = ""
    sort: Literal["number", "rated", "speed", "last"] = "number"
    page: Annotated[int, Meta(ge=1, le=100_000)] = 1
    count: Annotated[int, Meta(ge=1, le=500)] = 50


class RaterList(Struct):
    raters: list[RaterLine]
    total: int
    page: int
    pages: int
    expected: list[str]
    """Ids the study's file lists that nobody has joined with yet."""


class NumberShown(Struct):
    name: str
    question: str | None
    value: float | None
    low: float | None
    high: float | None
    n: int
    why: str | None


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


class TimesheetLine(Struct):
    rater: int
    name: str | None
    day: str
    rated: int
    skipped: int
    active_minutes: float
    first: str
    last: str


# --- items ----------------------------------------------------------------------------------------


class ItemsAsked(Struct):
    study: str
    stage: Literal["", "waiting", "going", "done"] = ""
    mark: Literal["", "skipped", "comments", "flags", "split", "settled"] = ""
    """With `split`, those their raters disagree about most come first."""
    batch: Number | None = None
    thread: Short = ""
    skips: Number = 0
    """Only items skipped so often, at least."""
    find: Short = ""
    after: Short = ""
    count: Annotated[int, Meta(ge=1, le=200)] = 50


class ItemRow(Struct):
    id: str
    number: int
    key: str
    copy: int
    batch: str | None
    system: str | None
    wave: str | None
    done: int
    skipped: int
    comments: int
    flags: int
    split: float
    settled: bool


class ItemList(Struct):
    items: list[ItemRow]
    after: str | None
    searched: int | None
    per_item: int | None
    marks: dict[str, int]
    stages: dict[str, int]


class ItemOf(Struct):
    study: str
    item: Short


class AnswerShown(Struct):
    state: str
    value: Any
    reason: str | None
    first: Any
    says: dict[str, str]
    """The answer in words, by language."""


class RatingShown(Struct):
    id: str
    rater: int
    name: str | None
    version: str
    received: str
    active_seconds: float | None
    skip_reason: str | None
    answers: dict[str, AnswerShown] | None
    scores: dict[str, float | None]
    supersedes: str | None
    superseded: bool
    surplus: bool
    language: str
    excluded: bool
    """Its rater's answers are kept out of results."""


class TurnMark(Struct):
    turn: int
    rater: int
    question: str
    says: dict[str, str]


class SettledShown(Struct):
    question: str
    value: Any
    says: dict[str, str]
    note: str
    who: str
    when: str
    stands: bool


class ContextShown(Struct):
    """An earlier turn of the same thread, as raters see it beside the item."""

    item: str
    turn: int
    views: list[Any]


class VerdictShown(Struct):
    verdict: str
    question: str | None
    judge: str | None
    value: Any
    speaks_of: str
    """`this` item, or the `previous` one of its thread."""


VerdictsWhy = Literal["none", "role", "ratings", "closed", "ask"]


class MediaOf(Struct):
    study: str
    media: Short


class MessageShown(Struct):
    number: int
    kind: str
    text: str
    rater: int | None
    name: str | None
    item: str | None
    item_key: str | None
    answers: int | None
    sent: str


class ItemShown(Struct):
    row: ItemRow
    thread: str | None
    turn: int
    views: list[Any]
    """What raters see, one entry for each view the study declares."""
    context: list[ContextShown]
    questions: dict[str, dict[str, str]]
    """The questions asked, by language."""
    ratings: list[RatingShown]
    marks: list[TurnMark]
    splits: dict[str, float]
    settled: list[SettledShown]
    flags: list[MessageShown]
    """What raters reported and asked about it, with the answers."""
    verdicts: list[VerdictShown] | None
    """None where they may not be seen (yet); `verdicts_why` says why."""
    verdicts_why: VerdictsWhy | None
    """`none` are declared; the `role` is not enough; `ratings` are not in yet; the study has to be
    `closed` first; or one has to `ask` for them, and the look is logged."""


class Settle(Struct, forbid_unknown_fields=True):
    question: Short
    value: Any
    note: Annotated[str, Meta(max_length=4_000)] = ""


# --- messages -------------------------------------------------------------------------------------


class MessagesAsked(Struct):
    study: str
    open: bool = False
    """Only what nobody has answered."""
    before: Number | None = None
    count: Annotated[int, Meta(ge=1, le=200)] = 50


class MessageList(Struct):
    messages: list[MessageShown]
    open: list[int]
    """The numbers of questions and flags nobody has answered."""
    more: bool


class NewMessage(Struct, forbid_unknown_fields=True):
    """An answer to a message, or without `answers` a notice to one rater or to all."""

    text: Annotated[str, Meta(max_length=4_000)]
    answers: Number | None = None
    rater: Number | None = None


# --- results --------------------------------------------------------------------------------------


class ResultsShown(Struct):
    made: str | None
    current: bool
    """Whether nothing has changed since."""
    computing: bool
    failed: str | None
    """Why the last computation gave nothing."""
    looked: int
    """How often somebody looked while the study was open."""
    open: bool
    report: dict[str, Any] | None


class ResultsFile(Struct):
    study: str
    name: Short
    language: Literal["en", "zh"] = "en"


class ExportChoices(Struct):
    tidy: list[str]
    native: list[str]
    says: dict[str, str]
    """What each layout is."""


class ExportAsked(Struct):
    study: str
    layout: Short = "tidy"
    """`tidy`, `native`, or the name of a layout."""
    format: Literal["jsonl", "csv", "xlsx", "parquet"] = "jsonl"
    """Of the tidy table; another layout has its own."""
    names: bool = False
    """With annotator ids; without, raters are numbers."""
    all_revisions: bool = False
    rater: Short = ""


class AgainAsked(Struct):
    study: str
    version: Short


class AgainLine(Struct):
    rater: int
    name: str | None
    numbers: str
    """As ranges, by the rater's own numbers."""
    items: int


class AskAgain(Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=2_000)]


class StudyLog(Struct):
    study: str
    before: Number | None = None
    count: Annotated[int, Meta(ge=1, le=200)] = 50


class Trial(Struct):
    address: str
