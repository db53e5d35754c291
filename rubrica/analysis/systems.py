"""Means of systems and differences between two, with items and raters both taken as samples.

H. H. Clark (1973) on why both must be; F. E. Satterthwaite (1946) for the degrees of freedom. Items of
one thread are not independent, so their deviations are summed before they are squared or flipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from rubrica.analysis.arrays import Floats, Ints, dense, ratio, sums

COUNTED = 1 << 20
"""Up to this many sign arrangements are counted one by one."""
DRAWN = 9_999
MANY_SIZES = 20_000
SHARED_RATERS = 5
VISIBLE = 0.10
"""Below this p the raters' spread in a difference counts as seen."""
STEPS = 200


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its standard error and degrees of freedom."""

    value: float
    error: float | None
    df: float | None
    n: int
    raters: int | None = None

    def interval(self, level: float) -> tuple[float | None, float | None]:
        if self.error is None or self.df is None:
            return None, None
        reach = float(stats.t.ppf((1 + level) / 2, self.df)) * self.error
        return self.value - reach, self.value + reach

    @property
    def p(self) -> float | None:
        """Two-sided, against zero."""
        if self.error is None or self.df is None:
            return None
        if self.error == 0:
            return 1.0 if self.value == 0 else 0.0
        return float(2 * stats.t.sf(abs(self.value) / self.error, self.df))


@dataclass(frozen=True, slots=True)
class Flipped:
    """A sign-flip test: how it was reached and its two-sided p."""

    p: float
    method: str


def item_mean(values: Floats, clusters: Ints | None = None) -> Mean:
    """The mean over items; threads instead of items are independent where they are given."""
    n = len(values)
    group = np.arange(n) if clusters is None else dense(clusters)[1]
    many = int(group.max()) + 1
    centre = float(values.mean())
    if many < 2:
        return Mean(centre, None, None, n)
    deviation = sums(group, values - centre, many)
    error = float(np.sqrt((deviation**2).sum() * many / (many - 1))) / n
    return Mean(centre, error, many - 1.0, n)


def two_way_mean(
    item: NDArray[Any], rater: NDArray[Any], value: Floats, weight: Floats | None = None
) -> Mean:
    """The mean of ratings, its variance (MS_item + MS_rater - MS_rest) / ratings.

    For a table where every rater rated every item this is the textbook variance; where cells are
    missing, item and rater sums of squares are taken over the cells there are. `weight` lets items
    with few and with many ratings count the same.
    """
    item, rater = (dense(codes)[1] for codes in (item, rater))
    items, raters = int(item.max()) + 1, int(rater.max()) + 1
    share = np.ones(len(value)) if weight is None else weight / weight.mean()
    n, centre = len(value), float((share * value).mean())
    if items < 2 or raters < 2:
        return Mean(centre, None, None, items, raters)
    off = share * (value - centre)
    of_item = float((sums(item, off, items) ** 2).sum()) / n * items / (items - 1)
    of_rater = float((sums(rater, off, raters) ** 2).sum()) / n * raters / (raters - 1)
    rest = rest_variance(item, rater, value) * float((share**2).mean())
    variance = max(of_item + of_rater - rest, of_item, of_rater) / n
    df = _satterthwaite((of_item, of_rater, rest), (items - 1, raters - 1, (items - 1) * (raters - 1)))
    return Mean(centre, float(np.sqrt(variance)), df, items, raters)


def rest_variance(item: NDArray[Any], rater: NDArray[Any], value: Floats) -> float:
    """The variance of a cell's sum left after an item and a rater effect, by alternating fits.

    Where cells are too few to fit both, the spread within is all there is to take off.
    """
    items, raters = int(item.max()) + 1, int(rater.max()) + 1
    cell = dense(item * np.int64(raters) + rater)[1]
    cells = int(cell.max()) + 1
    free = cells - items - raters + 1
    left = value - value.mean()
    if free <= 0:
        return float((sums(cell, left, cells) ** 2).sum()) / max(len(value) - 1, 1)
    left = _fitted_rest(item, rater, left)
    return float((sums(cell, left, cells) ** 2).sum()) / free * cells / len(value)


def _fitted_rest(item: NDArray[Any], rater: NDArray[Any], left: Floats) -> Floats:
    per_item, per_rater = np.bincount(item), np.bincount(rater)
    before = np.inf
    for _ in range(STEPS):
        left = left - (sums(item, left, len(per_item)) / per_item)[item]
        left = left - (sums(rater, left, len(per_rater)) / per_rater)[rater]
        now = float(left @ left)
        if before - now <= 1e-9 * max(now, 1e-12):
            break
        before = now
    return left


def rater_effect_p(item: NDArray[Any], rater: NDArray[Any], difference: Floats) -> float:
    """How surprising the raters' spread would be if they treated both systems alike (F test)."""
    item, rater = (dense(codes)[1] for codes in (item, rater))
    items, raters = int(item.max()) + 1, int(rater.max()) + 1
    rest = rest_variance(item, rater, difference)
    if rest <= 0 or raters < 2:
        return 1.0
    off = difference - difference.mean()
    per_rater = np.bincount(rater)
    spread = float((sums(rater, off, raters) ** 2 / per_rater).sum()) / (raters - 1)
    return float(stats.f.sf(spread / rest, raters - 1, len(difference) - items - raters + 1))


def sign_flip(
    differences: Floats, rng: np.random.Generator, clusters: Ints | None = None, draws: int = DRAWN
) -> Flipped:
    """R. A. Fisher's test: under no difference every sign is as likely as its opposite."""
    if clusters is not None:
        group = dense(clusters)[1]
        differences = sums(group, differences, int(group.max()) + 1)
    sizes = np.abs(differences[np.abs(differences) > 1e-12])
    reached = abs(float(differences.sum())) - 1e-9 * max(1.0, float(sizes.sum()))
    if 2 ** min(len(sizes), 63) <= COUNTED:
        return Flipped(float((np.abs(arrangements(sizes)) >= reached).mean()), "exact")
    rounded = np.asarray(np.round(sizes, 12), dtype=np.float64)
    size, times = np.unique(rounded, return_counts=True)
    if len(size) > MANY_SIZES:
        spread = float(np.sqrt((sizes**2).sum()))
        return Flipped(float(2 * stats.norm.sf(reached / spread)), "normal")
    drawn = np.abs(_drawn(size, times, rng, draws)) >= reached
    return Flipped((int(drawn.sum()) + 1) / (draws + 1), "drawn")


def arrangements(sizes: Floats) -> Floats:
    """The sums of all 2**n ways to put signs before n numbers."""
    totals = np.zeros(1)
    for size in sizes:
        totals = np.concatenate([totals - size, totals + size])
    return totals


def effect_size(differences: Floats) -> float | None:
    """Cohen's d_z: the mean difference in units of its spread over items."""
    if len(differences) < 2:
        return None
    spread = float(differences.std(ddof=1))
    return float(differences.mean()) / spread if spread > 1e-12 else None


def superiority(differences: Floats) -> tuple[int, int, int, float]:
    """Wins, ties, losses, and the chance that the first is better on an item, ties half."""
    wins, losses = int((differences > 1e-9).sum()), int((differences < -1e-9).sum())
    ties = len(differences) - wins - losses
    return wins, ties, losses, (wins + ties / 2) / len(differences)


def ranks_of(totals: Floats) -> Floats:
    """Ranks (1 is best) from totals of [values..., how many...] per system, ties averaged."""
    systems = totals.shape[1] // 2
    mean = ratio(totals[:, :systems], totals[:, systems:])
    above = (mean[:, None, :] > mean[:, :, None]).sum(axis=2)
    level = (mean[:, None, :] == mean[:, :, None]).sum(axis=2)
    return np.asarray(np.where(np.isfinite(mean), 1 + above + (level - 1) / 2, np.nan))


def _drawn(size: Floats, times: NDArray[Any], rng: np.random.Generator, draws: int) -> Floats:
    # Differences of one size share their signs' count, so one binomial draw stands for them all.
    block = max(1, 4_000_000 // len(size))
    parts = [
        (2 * rng.binomial(times, 0.5, size=(min(block, draws - start), len(size))) - times) @ size
        for start in range(0, draws, block)
    ]
    return np.concatenate(parts)


def _satterthwaite(squares: tuple[float, ...], df: tuple[int, ...]) -> float:
    of_item, of_rater, rest = squares
    total = max(of_item + of_rater - rest, of_item, of_rater)
    parts = sum(s**2 / f for s, f in zip(squares, df, strict=True) if f > 0)
    return max(1.0, total**2 / parts) if parts > 0 else float(min(df[0], df[1]))
