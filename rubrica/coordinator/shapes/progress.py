"""How far a study is."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct


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
