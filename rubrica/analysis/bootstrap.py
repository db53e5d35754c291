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

from rubrica.analysis.arrays import Floats, Ints, known, sums
from rubrica.analysis.notes import FRAGILE, ONE_CLUSTER, note
from rubrica.analysis.results import Estimate
from rubrica.errors import Problem

Statistic = Callable[[Floats], Floats]
"""Totals of shape (replicates, sums) to one value per replicate; NaN where undefined."""

FEW_KINDS = 1_024
MANY_ITEMS = 20_000
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
        counted = rows if times is None else rows * times[:, None]
        value = statistic(counted.sum(axis=0, keepdims=True))[0]
        many = int(len(rows) if times is None else times.sum())
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
        if times.sum() < 2:
            return None, None, note(ONE_CLUSTER)
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
    if len(rows) <= FEW_KINDS:
        return np.asarray(rng.multinomial(n, times / n, size=replicates) @ rows)
    if n <= MANY_ITEMS:
        return _drawn_one_by_one(np.repeat(rows, times, axis=0), rng, replicates)
    return _normal_limit(rows, times, rng, replicates)


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
    block = max(1, 4_000_000 // count)
    parts = []
    for start in range(0, replicates, block):
        drawn = [_counts(count, rng) for _ in range(min(block, replicates - start))]
        parts.append((table @ np.stack(drawn, axis=1)).T)
    return np.concatenate(parts)


def _independent(rows: Floats, times: Ints | None, clusters: Ints | None) -> tuple[Floats, Ints]:
    if clusters is not None:
        _, group = np.unique(clusters, return_inverse=True)
        rows = sums(group, rows, int(group.max()) + 1 if len(group) else 0)
    return rows, np.ones(len(rows), dtype=np.int64) if times is None else times


def _counts(n: int, rng: np.random.Generator) -> Floats:
    return np.bincount(rng.integers(n, size=n), minlength=n).astype(np.float64)


def _drawn_one_by_one(rows: Floats, rng: np.random.Generator, replicates: int) -> Floats:
    n = len(rows)
    return np.stack([_counts(n, rng) @ rows for _ in range(replicates)])


def _normal_limit(rows: Floats, times: Ints, rng: np.random.Generator, replicates: int) -> Floats:
    # Beyond twenty thousand items resampled totals are normal to more digits than a replicate has.
    n = times.sum()
    mean = times @ rows / n
    centred = (rows - mean) * np.sqrt(times)[:, None]
    values, vectors = np.linalg.eigh(centred.T @ centred)
    spread = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(n * mean + rng.standard_normal((replicates, rows.shape[1])) @ spread.T)
