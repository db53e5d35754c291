"""How far a study is."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Level = Literal["note", "warning"]


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
    level: Level
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
    why: dict[str, str] | None
    """Why there is none, or under which condition it holds; by language."""


class Progress(Struct):
    items: int
    done: int
    going: int
    waiting: int
    rated: int
    skipped: int
    revised: int
    needed: int
    """How many ratings are wanted, as far as that is known."""
    given: int
    """How many of them are in: without any that are more than wanted."""
    active_raters: int
    at_work: int
    """Raters who have an item open and were there a moment ago."""
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
