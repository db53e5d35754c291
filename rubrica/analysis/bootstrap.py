"""Intervals by resampling items, or whole threads where items share one.

Nearly every statistic of this room is a function of sums over items. Resampling items is then
drawing how often each item counts; items with the same sums can be drawn together, and the function
runs once over all replicates. This gives exactly the item bootstrap, much faster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from rubrica.analysis.arrays import Floats, Ints, dense, known, sums
from rubrica.analysis.notes import FEW_CLUSTERS, FRAGILE, note
from rubrica.analysis.results import Estimate
from rubrica.errors import Problem

Statistic = Callable[[Floats], Floats]
"""Totals of shape (replicates, sums) to one value per replicate; NaN where undefined."""

FEW_KINDS = 256
MANY_ITEMS = 2_000
FEWEST = 6
"""Independent items below which a resampled interval would be an ornament."""
BLOCK = 1_000_000
FRAGILE_FROM = 0.05


@dataclass(frozen=True, slots=True)
class Sampler:
    """The generator and how much it is asked for."""

    rng: np.random.Generator
    replicates: int = 1_000
    level: float = 0.95

    def estimate(
        self,
        rows: Floats,
        statistic: Statistic,
        *,
        times: Ints | None = None,
        clusters: Ints | None = None,
        n: int | None = None,
    ) -> Estimate:
        """The statistic of all rows with its percentile interval; `times` counts equal rows."""
        once = np.ones(len(rows)) if times is None else times.astype(np.float64)
        value, many = statistic((once @ rows)[None])[0], int(once.sum())
        low, high, why = self.interval(rows, statistic, times=times, clusters=clusters)
        if not np.isfinite(value):
            return Estimate(None, n=many if n is None else n)
        return Estimate(known(value), low, high, many if n is None else n, why)

    def interval(
        self,
        rows: Floats,
        statistic: Statistic,
        *,
        times: Ints | None = None,
        clusters: Ints | None = None,
    ) -> tuple[float | None, float | None, Problem | None]:
        rows, times = _independent(rows, times, clusters)
        if times.sum() < FEWEST:
            return None, None, note(FEW_CLUSTERS, n=int(times.sum()), needed=FEWEST)
        drawn = totals(rows, times, self.rng, self.replicates)
        return percentiles(statistic(drawn), self.level)


def percentiles(values: Floats, level: float) -> tuple[float | None, float | None, Problem | None]:
    """The middle `level` of the defined values; what was undefined is said, not guessed."""
    defined = values[np.isfinite(values)]
    lost = 1 - len(defined) / len(values)
    if lost > 0.5:
        return None, None, note(FRAGILE, share=lost)
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high), note(FRAGILE, share=lost) if lost > FRAGILE_FROM else None


def totals(rows: Floats, times: Ints, rng: np.random.Generator, replicates: int) -> Floats:
    """Sums of resampled rows, one line per replicate."""
    n = int(times.sum())
    if len(rows) > FEW_KINDS:
        rows, times = distinct(rows, times)
    if len(rows) <= FEW_KINDS and 4 * len(rows) <= n:
        return np.asarray(rng.multinomial(n, times / n, size=replicates) @ rows)
    if n <= MANY_ITEMS:
        return drawn_counts(times, rng, replicates) @ rows
    return _normal_limit(rows, times, rng, replicates)


def drawn_counts(times: Ints, rng: np.random.Generator, replicates: int) -> Floats:
    """How often each kind of item is drawn, one item at a time."""
    n, kinds = int(times.sum()), len(times)
    kind = np.repeat(np.arange(kinds), times)
    block = max(1, BLOCK // n)
    parts = []
    for start in range(0, replicates, block):
        lines = min(block, replicates - start)
        drawn = kind[rng.integers(n, size=(lines, n))] + np.arange(lines)[:, None] * kinds
        parts.append(np.bincount(drawn.ravel(), minlength=lines * kinds).reshape(lines, kinds))
    return np.concatenate(parts).astype(np.float64)


def distinct(rows: Floats, times: Ints) -> tuple[Floats, Ints]:
    """The different rows and how often each counts."""
    # Rows are told apart by one projection: sorting numbers is far cheaper than sorting rows.
    key = rows @ np.sqrt(np.arange(2, 2 + rows.shape[1], dtype=np.float64))
    _, first, kind = np.unique(key, return_index=True, return_inverse=True)
    return rows[first], np.bincount(kind, weights=times).astype(np.int64)


def sparse_totals(
    cell: Ints, weight: Floats, size: int, clusters: Ints, rng: np.random.Generator, replicates: int
) -> Floats:
    """`totals` for tables with many cells of which each item fills one: sums of `weight` per cell."""
    count = int(clusters.max()) + 1
    table = sparse.csr_matrix((weight, (cell, clusters)), shape=(size, count))
    once = np.ones(count, dtype=np.int64)
    block = max(1, BLOCK // count)
    parts = [
        (table @ drawn_counts(once, rng, min(block, replicates - start)).T).T
        for start in range(0, replicates, block)
    ]
    return np.concatenate(parts)


def _independent(rows: Floats, times: Ints | None, clusters: Ints | None) -> tuple[Floats, Ints]:
    if clusters is not None:
        _, group = dense(clusters)
        rows = sums(group, rows, int(group.max()) + 1 if len(group) else 0)
    return rows, np.ones(len(rows), dtype=np.int64) if times is None else times


def _normal_limit(rows: Floats, times: Ints, rng: np.random.Generator, replicates: int) -> Floats:
    # Beyond some two thousand items resampled totals are normal to more digits than a replicate has.
    n = times.sum()
    mean = times @ rows / n
    centred = (rows - mean) * np.sqrt(times)[:, None]
    values, vectors = np.linalg.eigh(centred.T @ centred)
    spread = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(n * mean + rng.standard_normal((replicates, rows.shape[1])) @ spread.T)
