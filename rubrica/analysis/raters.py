"""Raters of one question, seen against the others on the same items.

Nothing here corrects a rating: it tells a coordinator where to look.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from rubrica.analysis import notes
from rubrica.analysis.answered import Answered
from rubrica.analysis.arrays import Floats, Ints, dense, known, ratio, runs, sorted_by, sums
from rubrica.analysis.dawid_skene import dawid_skene
from rubrica.analysis.notes import note
from rubrica.analysis.results import RaterStatistic
from rubrica.analysis.systems import Mean, item_mean
from rubrica.analysis.table import Table
from rubrica.errors import Problem

ENOUGH = 10
"""Answers from which on a habit may be spoken of."""
SKENE_STEPS = 60


@dataclass(frozen=True, slots=True)
class Against:
    """Per answer: how far it lies from the mean of the item's other answers; NaN where alone."""

    others: Floats
    off: Floats
    position: Floats
    """Between 0 (the rater's first answer) and 1 (the last)."""


def against_others(answered: Answered, times: Ints) -> Against:
    size = np.bincount(answered.item)[answered.item]
    total = sums(answered.item, answered.value, int(answered.item.max(initial=-1)) + 1)
    others = ratio(total[answered.item] - answered.value, (size - 1).astype(np.float64))
    return Against(others, answered.value - others, positions(answered.rater, times))


def positions(rater: Ints, times: Ints) -> Floats:
    """Where in its rater's own sequence each answer stands, from 0 to 1."""
    order = sorted_by(rater, times)
    size = np.bincount(rater)
    start = np.cumsum(size) - size
    place = np.empty(len(rater))
    place[order] = np.arange(len(rater)) - start[rater[order]]
    return place / np.maximum(size[rater] - 1, 1)


def rater_statistics(answered: Answered, table: Table, level: float) -> list[RaterStatistic]:
    """Severity, drift, agreement with the rest, use of the scale, long runs, Dawid-Skene quality."""
    if not answered.named:
        return []
    times = table.times[answered.row]
    against = against_others(answered, times)
    order = sorted_by(answered.rater, times)
    found: list[RaterStatistic] = []
    for who, rows in runs(answered.rater, order):
        name, question = answered.raters[who], answered.question.name
        made = _one(answered, against, rows, level)
        found += [replace(r, rater=name, question=question) for r in made]
    return found + _qualities(answered)


def _one(answered: Answered, against: Against, rows: Ints, level: float) -> Iterator[RaterStatistic]:
    value, off = answered.value[rows], against.off[rows]
    shared = np.isfinite(off)
    if answered.question.numeric:
        yield _severity(off[shared], level)
        yield _drift(off[shared], against.position[rows][shared], level)
        yield _follows(value[shared], against.others[rows][shared], level)
    yield from _use(value)


def _severity(off: Floats, level: float) -> RaterStatistic:
    """Negative: lower levels than the others on the same items."""
    if len(off) == 0:
        return _row("severity", None, None, None, 0, note(notes.NO_COMPANY))
    mean = item_mean(off)
    return _row("severity", mean.value, *mean.interval(level), len(off))


def _drift(off: Floats, position: Floats, level: float) -> RaterStatistic:
    """How much the distance to the others changes from the rater's first answer to the last."""
    slope = regression(position, off)
    if len(off) < ENOUGH or slope is None:
        why = note(notes.FEW_ANSWERS, n=len(off), what="drift", needed=ENOUGH)
        return _row("drift", None, None, None, len(off), why)
    return _row("drift", slope.value, *slope.interval(level), len(off))


def _follows(value: Floats, others: Floats, level: float) -> RaterStatistic:
    """Correlation with the mean of the others, Fisher's interval."""
    n = len(value)
    if n < ENOUGH:
        why = note(notes.FEW_ANSWERS, n=n, what="agreement with the rest", needed=ENOUGH)
        return _row("agreement_with_rest", None, None, None, n, why)
    if np.ptp(value) <= 1e-12 or np.ptp(others) <= 1e-12:
        why = note(notes.CONSTANT, side="one side")
        return _row("agreement_with_rest", None, None, None, n, why)
    r = float(np.corrcoef(value, others)[0, 1])
    reach = float(stats.norm.ppf((1 + level) / 2)) / (n - 3) ** 0.5
    low, high = np.tanh(np.arctanh(np.clip(r, -1 + 1e-12, 1 - 1e-12)) + np.array([-reach, reach]))
    return _row("agreement_with_rest", r, float(low), float(high), n)


def _use(value: Floats) -> Iterator[RaterStatistic]:
    """`value` in time order."""
    levels, size = np.unique(value, return_counts=True)
    yield _row("levels_used", float(len(levels)), None, None, len(value))
    yield _row("most_used_share", float(size.max() / len(value)), None, None, len(value))
    yield _row("longest_run", float(longest_run(value)), None, None, len(value))


def longest_run(value: Floats) -> int:
    """The most equal answers in a row."""
    if len(value) == 0:
        return 0
    edges = np.flatnonzero(np.diff(value, prepend=np.nan, append=np.nan) != 0)
    return int(np.diff(edges).max())


def _row(
    name: str,
    value: float | None,
    low: float | None,
    high: float | None,
    n: int,
    why: Problem | None = None,
) -> RaterStatistic:
    return RaterStatistic("", None, name, value, low, high, n, why)


def _qualities(answered: Answered) -> list[RaterStatistic]:
    """The chance that a rater says what is true, by Dawid and Skene, where raters overlap."""
    question, levels = answered.question, answered.question.levels
    if levels is None or (answered.many_raters or 0) < 3:
        return []
    items, item = dense(answered.item)
    raters, rater = dense(answered.rater)
    if len(answered) < 1.5 * len(items):
        return []
    skills = dawid_skene(item, rater, answered.code, len(levels), steps=SKENE_STEPS, tolerance=1e-6)
    why = None if skills.settled else note(notes.NOT_CONVERGED, steps=skills.steps)
    return [
        RaterStatistic(
            answered.raters[who],
            question.name,
            "dawid_skene_quality",
            known(quality),
            None,
            None,
            int(n),
            why,
        )
        for who, quality, n in zip(raters, skills.quality, np.bincount(rater), strict=True)
    ]


def regression(x: Floats, y: Floats) -> Mean | None:
    """The slope of y on x."""
    if len(x) < 3 or np.ptp(x) <= 0:
        return None
    off = x - x.mean()
    slope = float(off @ y / (off @ off))
    rest = y - y.mean() - slope * off
    df = len(x) - 2
    return Mean(slope, float(np.sqrt(rest @ rest / df / (off @ off))), float(df), len(x))
