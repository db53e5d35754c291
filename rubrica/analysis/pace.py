"""How long raters take, and whether they give every question the same level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rubrica.analysis import notes
from rubrica.analysis.arrays import Bools, Floats, Ints, ratio, runs, sorted_by, sums
from rubrica.analysis.notes import note
from rubrica.analysis.results import Duration, RaterStatistic
from rubrica.analysis.table import Table

HURRIED = 1 / 3
"""Of the time others take for the same item."""


def pace(table: Table, used: Bools) -> list[RaterStatistic]:
    """Seconds per item, and beside what others took for the same items."""
    rows = np.flatnonzero(used & (table.rater.codes >= 0) & _timed(table))
    if len(rows) == 0 or table.seconds is None:
        return []
    seconds, rater = table.seconds[rows], table.rater.codes[rows]
    relative = ratio(seconds, _usual(table.item[rows], seconds))
    found = []
    for who, mine in runs(rater, sorted_by(rater, np.arange(len(rater)))):
        made = _pace(seconds[mine], relative[mine])
        found += [replace(r, rater=table.rater.names[who], n=len(mine)) for r in made]
    return found


def _pace(seconds: Floats, relative: Floats) -> Iterator[RaterStatistic]:
    low, middle, high = (float(q) for q in np.quantile(seconds, [0.25, 0.5, 0.75]))
    yield RaterStatistic("", None, "median_seconds", middle, low, high, 0)
    shared = relative[np.isfinite(relative)]
    usual = float(np.median(shared)) if len(shared) else None
    quick = float((shared < HURRIED).mean()) if len(shared) else None
    why = None if len(shared) else note(notes.NO_COMPANY)
    yield RaterStatistic("", None, "relative_pace", usual, None, None, 0, why)
    yield RaterStatistic("", None, "hurried_share", quick, None, None, 0, why)


def straight_lines(table: Table, answers: list[Floats], used: Bools) -> list[RaterStatistic]:
    """The share of a rater's ratings that give every question the same level; `answers` as shares
    of each question's scale, three questions or more.
    """
    rows = np.flatnonzero(used & (table.rater.codes >= 0))
    if len(answers) < 3 or len(rows) == 0:
        return []
    given = np.stack([a[rows] for a in answers])
    whole = np.isfinite(given).all(axis=0)
    flat = whole & (np.where(whole, given.max(axis=0) - given.min(axis=0), 1.0) < 1e-9)
    rater, many = table.rater.codes[rows], len(table.rater.names)
    size = np.bincount(rater[whole], minlength=many)
    share = ratio(sums(rater, flat.astype(np.float64), many), size.astype(np.float64))
    return [
        RaterStatistic(
            table.rater.names[k],
            None,
            "straight_lined_share",
            float(share[k]),
            None,
            None,
            int(size[k]),
        )
        for k in np.flatnonzero(size)
    ]


def durations(table: Table, used: Bools) -> list[Duration]:
    """Quantiles of active seconds for all and per rater."""
    rows = np.flatnonzero(used & _timed(table))
    if len(rows) == 0 or table.seconds is None:
        return []
    seconds, rater = table.seconds[rows], table.rater.codes[rows]
    found = [_duration(None, seconds)]
    for who, mine in runs(rater, sorted_by(rater, np.arange(len(rater)))):
        if who >= 0:
            found.append(_duration(table.rater.names[who], seconds[mine]))
    return found


def _duration(rater: str | None, seconds: Floats) -> Duration:
    points = np.quantile(seconds, [0.05, 0.25, 0.5, 0.75, 0.95])
    return Duration(rater, len(seconds), *(float(p) for p in points))


def _timed(table: Table) -> Bools:
    if table.seconds is None:
        return np.zeros(len(table), dtype=bool)
    return np.isfinite(table.seconds) & (table.seconds >= 0)


def _usual(item: Ints, seconds: Floats) -> Floats:
    """Per rating, the geometric mean of what the item's other raters took; NaN where alone."""
    log = np.log(np.maximum(seconds, 0.1))
    many = int(item.max()) + 1
    size = np.bincount(item, minlength=many)[item]
    return np.asarray(np.exp(ratio(sums(item, log, many)[item] - log, (size - 1).astype(np.float64))))
