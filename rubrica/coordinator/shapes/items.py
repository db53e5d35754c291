"""Items, their ratings, verdicts and settlements."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rubrica.coordinator.shapes.fields import Number, Short


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
