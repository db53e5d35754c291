"""Krippendorff's alpha.

K. Krippendorff, Content Analysis (2004), chapter 11: observed over expected disagreement, where each
item's pairs of values weigh 1/(m - 1). Only how often each level occurs in an item matters, so items
with the same counts are one row with a multiplicity, and the bootstrap draws multiplicities.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rubrica.analysis.arrays import Floats, Ints, ratio, sums
from rubrica.analysis.bootstrap import Sampler, Statistic, distinct
from rubrica.analysis.notes import NO_OVERLAP, ONE_VALUE, note
from rubrica.analysis.results import Estimate

Metric = Literal["nominal", "ordinal", "interval", "ratio"]

MISSING = 255
"""The code of an empty cell in a raters x items array."""

BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Patterns:
    """Distinct items: how often each level occurs in one, and how many items look like that."""

    counts: Floats
    times: Ints

    @property
    def pairable(self) -> Patterns:
        """Items with at least two values: the others say nothing about agreement."""
        enough = self.counts.sum(axis=1) >= 2
        return Patterns(self.counts[enough], self.times[enough])

    @property
    def items(self) -> int:
        return int(self.times.sum())


def patterns(codes: NDArray[np.uint8], levels: int) -> Patterns:
    """From a raters x items array of level codes, `MISSING` where there is none."""
    raters = codes.shape[0]
    if (levels + 1) ** raters > BLOCK:
        return _patterns_by_count(codes, levels)
    kind, counts = _kinds(raters, levels)
    seen = _tally(_position_keys(codes, levels), len(kind))
    times = np.bincount(kind, weights=seen, minlength=len(counts)).astype(np.int64)
    return Patterns(counts[times > 0], times[times > 0])


@lru_cache(maxsize=32)
def _kinds(raters: int, levels: int) -> tuple[Ints, Floats]:
    """For every way to fill the raters' cells: which pattern it is, and the patterns' counts."""
    key = np.arange((levels + 1) ** raters)
    digits = key[:, None] // (levels + 1) ** np.arange(raters) % (levels + 1)
    counts = (digits[:, :, None] == np.arange(levels)).sum(axis=1)
    unique, kind = np.unique(counts, axis=0, return_inverse=True)
    return kind.astype(np.int64), unique.astype(np.float64)


def item_counts(item: NDArray[Any], code: NDArray[Any], items: int, levels: int) -> Floats:
    """From one row per answer: an items x levels table of counts."""
    flat = np.bincount(item * levels + code, minlength=items * levels)
    return flat.reshape(items, levels).astype(np.float64)


def patterns_of(counts: Floats) -> Patterns:
    return Patterns(*distinct(counts, np.ones(len(counts), dtype=np.int64)))


def coincidences(counts: Floats) -> Floats:
    """Each item's share of the coincidence table, flat: n x (levels * levels)."""
    levels = counts.shape[1]
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs[:, np.arange(levels), np.arange(levels)] -= counts
    size = counts.sum(axis=1)
    weight = np.where(size >= 2, 1 / np.maximum(size - 1, 1), 0.0)
    return (pairs * weight[:, None, None]).reshape(len(counts), levels * levels)


def alpha_of(metric: Metric, values: Floats) -> Statistic:
    """Alpha as a function of coincidence totals, for any number of replicates at once."""

    def statistic(totals: Floats) -> Floats:
        table = totals.reshape(len(totals), len(values), len(values))
        margin = table.sum(axis=2)
        distance = distances(metric, values, margin)
        observed = (table * distance).sum(axis=(1, 2))
        expected = np.einsum("bc,bck,bk->b", margin, np.broadcast_to(distance, table.shape), margin)
        return 1 - ratio((margin.sum(axis=1) - 1) * observed, expected)

    return statistic


def distances(metric: Metric, values: Floats, margin: Floats) -> Floats:
    """Squared distances between levels; the ordinal ones depend on how often each level occurs."""
    if metric == "nominal":
        return 1 - np.eye(len(values))[None]
    if metric == "ordinal":
        # Summing the counts between two levels, half of each end, is a difference of mid-ranks.
        ranks = np.cumsum(margin, axis=1) - margin / 2
        return np.asarray((ranks[:, :, None] - ranks[:, None, :]) ** 2)
    gap = values[:, None] - values[None, :]
    if metric == "interval":
        return np.asarray(gap**2)[None]
    return np.nan_to_num(ratio(gap, values[:, None] + values[None, :]))[None] ** 2


def alpha(counts: Floats, metric: Metric, values: Floats | None = None) -> float:
    """Alpha of an items x levels table of counts; NaN where it is undefined."""
    levels = np.arange(counts.shape[1], dtype=np.float64) if values is None else values
    return float(alpha_of(metric, levels)(coincidences(counts).sum(axis=0, keepdims=True))[0])


def alpha_estimate(
    items: Patterns, metric: Metric, values: Floats, sampler: Sampler, clusters: Ints | None = None
) -> Estimate:
    """Alpha with its item (or thread) bootstrap interval."""
    if not (items.counts.sum(axis=1) >= 2).any():
        return Estimate(None, note=note(NO_OVERLAP))
    if clusters is None:
        items = items.pairable
    n = int(items.times[items.counts.sum(axis=1) >= 2].sum())
    rows = coincidences(items.counts)
    times = items.times if clusters is None else None
    got = sampler.estimate(rows, alpha_of(metric, values), times=times, clusters=clusters, n=n)
    if got.value is None:
        return Estimate(None, n=n, note=note(ONE_VALUE, coefficient="alpha"))
    return got


def moments(item: NDArray[Any], value: Floats, items: int) -> Floats:
    """What interval alpha needs of each item when values are too many to count one by one."""
    centred = value - value.mean() if len(value) else value
    size = np.bincount(item, minlength=items).astype(np.float64)
    total, squares = sums(item, centred, items), sums(item, centred**2, items)
    within = (size * squares - total**2) / np.maximum(size - 1, 1)
    kept = (size >= 2).astype(np.float64)
    return np.stack([size, total, squares, within], axis=1) * kept[:, None]


def alpha_of_moments(totals: Floats) -> Floats:
    """Interval alpha from totals of `moments`."""
    n, total, squares, within = totals.T
    return 1 - ratio((n - 1) * within, n * squares - total**2, floor=1e-9)


def _position_keys(codes: NDArray[np.uint8], levels: int) -> NDArray[Any]:
    """One number per item that says what every rater gave it."""
    raters, items = codes.shape
    cell: Any = np.uint8 if (levels + 1) ** raters <= 256 else np.uint16
    lanes = 8 // np.dtype(cell).itemsize
    cells = np.full((raters, -(-items // lanes) * lanes), levels, dtype=cell)
    np.minimum(codes, np.uint8(levels), out=cells[:, :items], casting="unsafe")
    # No key overflows its cell, so eight (or four) of them are computed as one 64-bit number.
    rows = cells.view(np.uint64)
    key = rows[-1].copy()
    for row in rows[-2::-1]:
        key *= np.uint64(levels + 1)
        key += row
    return np.asarray(key.view(cell)[:items])


def _tally(key: NDArray[Any], size: int) -> Ints:
    """How often each key occurs; one-byte keys are counted two at a time."""
    if key.dtype != np.uint8 or len(key) < BLOCK:
        return np.bincount(key, minlength=size)
    even = len(key) // 2 * 2
    pairs = np.bincount(key[:even].view(np.uint16), minlength=BLOCK).reshape(256, 256)
    seen = pairs.sum(axis=0) + pairs.sum(axis=1)
    seen[key[even:]] += 1
    return np.asarray(seen[:size])


def _patterns_by_count(codes: NDArray[np.uint8], levels: int) -> Patterns:
    rater, item = np.nonzero(codes < levels)
    return patterns_of(item_counts(item, codes[rater, item], codes.shape[1], levels))
