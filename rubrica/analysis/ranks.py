"""Spearman's rho and Kendall's tau-b with intervals.

The values come from all data. For the interval both sides are put into at most 64 groups of equal
size (most human scales have fewer levels than that), so that a replicate is a small table of counts
and not a sort; how far its value lies from the ungrouped one is taken off again.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from rubrica.analysis.arrays import Floats, Ints, dense, known, ratio
from rubrica.analysis.bootstrap import FEWEST, Sampler, percentiles, sparse_totals
from rubrica.analysis.notes import FEW_CLUSTERS, note
from rubrica.analysis.results import Estimate
from rubrica.errors import Problem

GROUPS = 64
MANY_ITEMS = 20_000
BLOCK = 128


def spearman_of(tables: Floats) -> Floats:
    """Per table of counts (b x rows x columns)."""
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    x = np.cumsum(rows, axis=1) - rows / 2
    y = np.cumsum(columns, axis=1) - columns / 2
    n = rows.sum(axis=1, keepdims=True)
    x, y = x - n / 2, y - n / 2
    together = np.einsum("bi,bij,bj->b", x, tables, y)
    return ratio(together, np.sqrt((rows * x**2).sum(axis=1) * (columns * y**2).sum(axis=1)))


def tau_b_of(tables: Floats) -> Floats:
    """Per table of counts (b x rows x columns)."""
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    n = rows.sum(axis=1)
    below = np.zeros((len(tables), tables.shape[1] + 1, tables.shape[2] + 1))
    below[:, 1:, 1:] = np.cumsum(np.cumsum(tables, axis=1), axis=2)
    # Pairs in order: a cell with everything above and to the left; out of order: above and right.
    ordered = (tables * below[:, :-1, :-1]).sum(axis=(1, 2))
    right = below[:, :-1, -1:] - below[:, :-1, 1:]
    against = (tables * right).sum(axis=(1, 2))
    pairs_x = (n**2 - (rows**2).sum(axis=1)) / 2
    pairs_y = (n**2 - (columns**2).sum(axis=1)) / 2
    return ratio(ordered - against, np.sqrt(pairs_x * pairs_y))


def rank_estimates(
    x: Floats, y: Floats, sampler: Sampler, clusters: Ints | None = None, weight: Floats | None = None
) -> tuple[Estimate, Estimate]:
    """Spearman and tau-b of two columns without holes, with item or thread bootstrap intervals."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Estimate(None, n=len(x)), Estimate(None, n=len(x))
    cell, shape = _cells(x, y)
    drawn = _drawn(cell, shape[0] * shape[1], sampler, clusters, weight)
    grouped = np.bincount(cell, weights=weight, minlength=shape[0] * shape[1]).reshape(1, *shape)
    exact = _exact(x, y) if weight is None else (None, None)
    many = len(x) if clusters is None else len(np.unique(clusters))
    found = []
    for statistic, whole in zip((spearman_of, tau_b_of), exact, strict=True):
        base = float(statistic(grouped.astype(np.float64))[0])
        value = base if whole is None else whole
        blocks = [
            statistic(drawn[s : s + BLOCK].reshape(-1, *shape)) for s in range(0, len(drawn), BLOCK)
        ]
        shifted = np.clip(np.concatenate(blocks) + value - base, -1, 1)
        low, high, why = _interval(shifted, many, sampler.level)
        found.append(Estimate(known(value), low, high, len(x), why))
    return found[0], found[1]


def _interval(
    values: Floats, independent: int, level: float
) -> tuple[float | None, float | None, Problem | None]:
    if independent < FEWEST:
        return None, None, note(FEW_CLUSTERS, n=independent, needed=FEWEST)
    return percentiles(values, level)


def _exact(x: Floats, y: Floats) -> tuple[float, float]:
    return float(stats.spearmanr(x, y).statistic), float(stats.kendalltau(x, y).statistic)


def _cells(x: Floats, y: Floats) -> tuple[Ints, tuple[int, int]]:
    a, b = _grouped(x), _grouped(y)
    shape = int(a.max()) + 1, int(b.max()) + 1
    return a * shape[1] + b, shape


def _grouped(values: Floats) -> Ints:
    levels, code, size = np.unique(values, return_inverse=True, return_counts=True)
    if len(levels) <= GROUPS:
        return np.asarray(code, dtype=np.int64)
    middle = (np.cumsum(size) - size / 2) / len(values)
    groups = np.minimum((middle * GROUPS).astype(np.int64), GROUPS - 1)
    return dense(groups)[1][code].astype(np.int64)


def _drawn(
    cell: Ints, size: int, sampler: Sampler, clusters: Ints | None, weight: Floats | None
) -> Floats:
    if clusters is None and weight is None and len(cell) > MANY_ITEMS:
        seen, times = np.unique(cell, return_counts=True)
        full = np.zeros((sampler.replicates, size))
        full[:, seen] = sampler.rng.multinomial(len(cell), times / len(cell), sampler.replicates)
        return full
    of = np.arange(len(cell)) if clusters is None else dense(clusters)[1]
    many = int(of.max()) + 1
    # With so many threads the interval is narrow; a fifth of the draws places its ends well enough.
    replicates = sampler.replicates if many <= MANY_ITEMS else max(200, sampler.replicates // 5)
    each = np.ones(len(cell)) if weight is None else weight
    return sparse_totals(cell, each, size, of, sampler.rng, replicates)
