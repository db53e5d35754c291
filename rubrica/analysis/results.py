"""What comes out: estimates, and flat records a report can print without arithmetic."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from rubrica.errors import Problem

DIGITS = 10
"""Significant digits of a record: more than anyone reads, few enough to be the same everywhere."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval; None where it does not exist, with the reason."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    note: Problem | None = None


class Record:
    """A row of a result table."""

    __slots__ = ()

    def as_dict(self) -> dict[str, Any]:
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}  # type: ignore[arg-type]


def _plain(value: Any) -> Any:
    if isinstance(value, Problem):
        return value.message
    if isinstance(value, float):
        return _rounded(value)
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return value


def _rounded(value: float) -> float | None:
    if not math.isfinite(value):
        return None
    return float(f"{value:.{DIGITS}g}") + 0.0


@dataclass(frozen=True, slots=True)
class LeftOut(Record):
    what: str
    count: int
    why: str
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Agreement(Record):
    """`group` is None for the whole, otherwise FIELD=VALUE."""

    question: str
    group: str | None
    coefficient: str
    metric: str | None
    value: float | None
    low: float | None
    high: float | None
    items: int
    raters: int | None
    note: Problem | None = None


@dataclass(frozen=True, slots=True)
class PairAgreement(Record):
    """One cell of the rater matrix."""

    question: str
    a: str
    b: str
    coefficient: str
    value: float | None
    low: float | None
    high: float | None
    items: int
    percent: float | None
    note: Problem | None = None


@dataclass(frozen=True, slots=True)
class SystemMean(Record):
    question: str
    system: str
    n: int
    """Items, each counting once however many raters it had."""
    mean: float | None
    low: float | None
    high: float | None
    ratings: int = 0
    raters: int | None = None
    rank: float | None = None
    rank_low: float | None = None
    rank_high: float | None = None
    note: Problem | None = None


@dataclass(frozen=True, slots=True)
class Comparison(Record):
    question: str
    a: str
    b: str
    n: int
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    effect: float | None
    note: Problem | None = None
    p_bh: float | None = None
    method: str | None = None
    wins: int = 0
    ties: int = 0
    losses: int = 0
    superiority: float | None = None
    reference: bool = False
    raters: int | None = None


@dataclass(frozen=True, slots=True)
class JudgeStatistic(Record):
    question: str
    judge: str
    group: str | None
    statistic: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    missing: int
    note: Problem | None = None
    p: float | None = None
    """Of the textbook test, which takes items as independent; the interval does not."""
    ceiling: float | None = None
    """The same statistic for a left-out rater against the same others, where it exists."""
    ceiling_low: float | None = None
    ceiling_high: float | None = None
    same: float | None = None
    """The judge's value against those same others: what the ceiling may be compared with."""


@dataclass(frozen=True, slots=True)
class Mismatch(Record):
    """An item where judge and raters differ; sizes are shares of the whole scale."""

    question: str
    judge: str
    item: str
    system: str | None
    human: float
    score: float
    size: float
    ratings: int
    groups: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Confusion(Record):
    """How often raters said `human` where the judge said `score`; each item counts once."""

    question: str
    judge: str
    human: str
    score: str
    count: float
    share: float
    """Of all items."""
    within: float | None
    """Of the items at this human level; None for a level without any."""


@dataclass(frozen=True, slots=True)
class Difference(Record):
    """One point of a Bland-Altman figure: judge minus raters over their mean, times it occurs."""

    question: str
    judge: str
    mean: float
    difference: float
    count: int


@dataclass(frozen=True, slots=True)
class RaterStatistic(Record):
    rater: str
    question: str | None
    statistic: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    note: Problem | None = None


@dataclass(frozen=True, slots=True)
class Share(Record):
    """A bar of a distribution. `system` and `rater` are None for all of them."""

    question: str
    system: str | None
    level: str
    count: int
    share: float
    rater: str | None = None


@dataclass(frozen=True, slots=True)
class Effect(Record):
    """Something that should not matter and may: position in a rater's list, language of the page."""

    question: str
    effect: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    note: Problem | None = None


@dataclass(frozen=True, slots=True)
class SideBySide(Record):
    """A result with and without the raters that were excluded."""

    question: str
    what: str
    without_excluded: float | None
    with_excluded: float | None
    excluded_ratings: int


@dataclass(frozen=True, slots=True)
class Duration(Record):
    """Quantiles of the active seconds spent on an item; rater None for all."""

    rater: str | None
    n: int
    low: float
    lower_quarter: float
    median: float
    upper_quarter: float
    high: float


@dataclass(frozen=True, slots=True)
class Progress(Record):
    """Ratings up to and including one step of the time order, in at most a hundred steps."""

    step: int
    ratings: int
    items: int


@dataclass(frozen=True, slots=True)
class Results:
    """All that can be said of one study's table."""

    asked: Mapping[str, int]
    """Counts that a report begins with: items, raters, systems, ratings, answers."""
    left_out: tuple[LeftOut, ...] = ()
    agreement: tuple[Agreement, ...] = ()
    matrix: tuple[PairAgreement, ...] = ()
    systems: tuple[SystemMean, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    judges: tuple[JudgeStatistic, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    confusion: tuple[Confusion, ...] = ()
    differences: tuple[Difference, ...] = ()
    raters: tuple[RaterStatistic, ...] = ()
    shares: tuple[Share, ...] = ()
    effects: tuple[Effect, ...] = ()
    side_by_side: tuple[SideBySide, ...] = ()
    durations: tuple[Duration, ...] = ()
    progress: tuple[Progress, ...] = ()
    notes: tuple[Problem, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain lists of flat records, in the order of the fields, ready for JSON."""
        lists = {f.name: getattr(self, f.name) for f in fields(self)}
        asked, notes = dict(lists.pop("asked")), lists.pop("notes")
        flat = {name: [r.as_dict() for r in records] for name, records in lists.items()}
        return {"asked": asked, **flat, "notes": [_noted(n) for n in notes]}


def _noted(problem: Problem) -> dict[str, Any]:
    return {"code": problem.code, "level": problem.level, "text": problem.message}
