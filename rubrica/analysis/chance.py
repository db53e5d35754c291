"""Agreement beside alpha: percent, AC1 and AC2, Fleiss, Brennan-Prediger, Conger, and kappas of pairs.

K. L. Gwet, Handbook of Inter-Rater Reliability (4th ed., 2014), chapters 4 to 6; J. L. Fleiss,
J. Cohen and B. S. Everitt (1969) for the standard error of kappa. Every weighted coefficient takes
the weights of the question's full scale: levels nobody chose still set how far the others are apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from rubrica.analysis.arrays import Floats, known, ratio
from rubrica.analysis.bootstrap import Statistic

Weighting = Literal["identity", "linear", "quadratic"]
Chance = Literal["percent", "gwet", "fleiss", "brennan-prediger"]


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient with its large-sample standard error, where one is known."""

    value: float | None
    error: float | None
    n: int

    def interval(self, level: float = 0.95) -> tuple[float | None, float | None]:
        """A t interval over items, cut at 1."""
        if self.value is None or self.error is None or self.n < 2:
            return None, None
        reach = float(stats.t.ppf((1 + level) / 2, self.n - 1)) * self.error
        return self.value - reach, min(1.0, self.value + reach)


def weights(kind: Weighting, values: Floats) -> Floats:
    """How much two levels agree: 1 on the diagonal, 0 (unless identity) between the ends."""
    if kind == "identity" or len(values) < 2:
        return np.eye(len(values))
    gap = np.abs(values[:, None] - values[None, :]) / (values.max() - values.min())
    return np.asarray(1 - (gap if kind == "linear" else gap**2))


def chance_rows(counts: Floats, weight: Floats) -> Floats:
    """Per item: has a pair, its agreement, has a value, its shares of the levels."""
    size = counts.sum(axis=1)
    paired, rated = size >= 2, size >= 1
    agreeing = (counts * (counts @ weight - 1)).sum(axis=1)
    agree = np.where(paired, agreeing / np.maximum(size * (size - 1), 1), 0.0)
    shares = counts / np.maximum(size, 1)[:, None]
    return np.column_stack([paired, agree, rated, shares])


def chance_of(kind: Chance, weight: Floats) -> Statistic:
    """The coefficient as a function of totals of `chance_rows`."""

    def statistic(totals: Floats) -> Floats:
        agree = ratio(totals[:, 1], totals[:, 0])
        if kind == "percent":
            return agree
        expected = _expected(kind, weight, totals[:, 3:] / np.maximum(totals[:, 2:3], 1))
        return ratio(agree - expected, 1 - expected)

    return statistic


def coefficient(kind: Chance, counts: Floats, weight: Floats) -> Coefficient:
    """The coefficient with Gwet's standard error over items."""
    rows = chance_rows(counts[counts.sum(axis=1) >= 1], weight)
    value = float(chance_of(kind, weight)(rows.sum(axis=0, keepdims=True))[0])
    if not np.isfinite(value):
        return Coefficient(None, None, len(rows))
    per_item = _per_item(kind, rows, weight, value)
    return Coefficient(value, _error(per_item, value), len(rows))


def gwet_alpha(counts: Floats, weight: Floats) -> Coefficient:
    """Krippendorff's alpha in Gwet's form, for its standard error."""
    counts = counts[counts.sum(axis=1) >= 2]
    size, n = counts.sum(axis=1), len(counts)
    if n == 0:
        return Coefficient(None, None, 0)
    mean, spare = size.mean(), 1 / size.sum()
    agree = (counts * (counts @ weight - 1)).sum(axis=1) / (mean * (size - 1))
    share = counts.sum(axis=0) / (n * mean)
    expected = float(share @ weight @ share)
    if expected >= 1:
        return Coefficient(None, None, n)
    raw = (agree.mean() - expected) / (1 - expected)
    lifted = (1 - spare) * agree.mean() + spare
    value = (lifted - expected) / (1 - expected)
    excess = (size - mean) / mean
    agree_of = agree - lifted * excess
    expected_of = counts @ weight @ share / mean - expected * excess
    per_item = (agree_of - expected - 2 * (1 - raw) * (expected_of - expected)) / (1 - expected)
    return Coefficient(float(value), _error(per_item, float(raw)), n)


def conger(codes: Floats, levels: int, weight: Floats) -> float | None:
    """Conger's kappa of a raters x items table of level codes, NaN where there is none."""
    counts = np.stack([(codes == level).sum(axis=0) for level in range(levels)], axis=1)
    rows = chance_rows(counts.astype(np.float64), weight)
    agree = float(rows[:, 1].sum() / max(rows[:, 0].sum(), 1))
    used = codes[np.isfinite(codes).any(axis=1)]
    if len(used) < 2:
        return None
    share = np.stack([(used == level).sum(axis=1) for level in range(levels)], axis=1)
    share = share / share.sum(axis=1, keepdims=True)
    mean, raters = share.mean(axis=0), len(used)
    spread = (share.T @ share - raters * np.outer(mean, mean)) / (raters - 1)
    expected = float((weight * (np.outer(mean, mean) - spread / raters)).sum())
    return known(ratio(np.array(agree - expected), np.array(1 - expected)).item())


def kappa_of(weight: Floats) -> Statistic:
    """Weighted kappa as a function of flat two-rater tables."""

    def statistic(totals: Floats) -> Floats:
        agree, expected = _table_agreement(totals, weight)
        return ratio(agree - expected, 1 - expected)

    return statistic


def kappa(table: Floats, weight: Floats) -> Coefficient:
    """Kappa of a levels x levels table with the standard error of Fleiss, Cohen and Everitt."""
    n = float(table.sum())
    value = float(kappa_of(weight)(table.reshape(1, -1))[0])
    if not np.isfinite(value):
        return Coefficient(None, None, int(n))
    share = table / n
    rows, columns = share.sum(axis=1), share.sum(axis=0)
    expected = float(rows @ weight @ columns)
    reach = (weight @ columns)[:, None] + (rows @ weight)[None, :]
    inner = float((share * (weight - reach * (1 - value)) ** 2).sum())
    variance = (inner - (value - expected * (1 - value)) ** 2) / (n * (1 - expected) ** 2)
    return Coefficient(value, float(np.sqrt(max(variance, 0.0))), int(n))


def scott(table: Floats, weight: Floats) -> float | None:
    """Scott's pi: like kappa, with one distribution for both raters."""
    share = table / table.sum()
    both = (share.sum(axis=0) + share.sum(axis=1)) / 2
    agree, expected = float((share * weight).sum()), float(both @ weight @ both)
    return known(ratio(np.array(agree - expected), np.array(1 - expected)).item())


def pair_counts(table: Floats) -> Floats:
    """A two-rater table as items x levels counts, for the coefficients of many raters."""
    a, b = np.indices(table.shape).reshape(2, -1)
    each = np.eye(len(table))[a] + np.eye(len(table))[b]
    return np.repeat(each, table.ravel().astype(np.int64), axis=0)


def _expected(kind: Chance, weight: Floats, share: Floats) -> Floats:
    levels = weight.shape[0]
    if kind == "gwet":
        spread = (share * (1 - share)).sum(axis=1)
        return np.asarray(weight.sum() / (levels * max(levels - 1, 1)) * spread)
    if kind == "brennan-prediger":
        return np.full(len(share), weight.sum() / levels**2)
    return np.asarray(np.einsum("bi,ij,bj->b", share, weight, share))


def _per_item(kind: Chance, rows: Floats, weight: Floats, value: float) -> Floats:
    paired, agree, shares = rows[:, 0], rows[:, 1], rows[:, 3:]
    scale = len(rows) / paired.sum()
    if kind == "percent":
        return np.asarray(scale * agree)
    share, levels = shares.mean(axis=0), weight.shape[0]
    expected = float(_expected(kind, weight, share[None])[0])
    agree_of = scale * (agree - expected * paired) / (1 - expected)
    if kind == "brennan-prediger":
        return np.asarray(agree_of)
    each = weight @ share if kind == "fleiss" else weight.sum() / (levels * (levels - 1)) * (1 - share)
    return np.asarray(agree_of - 2 * (1 - value) * (shares @ each - expected) / (1 - expected))


def _error(per_item: Floats, value: float) -> float | None:
    n = len(per_item)
    if n < 2:
        return None
    return float(np.sqrt(((per_item - value) ** 2).sum() / (n * (n - 1))))


def _table_agreement(totals: Floats, weight: Floats) -> tuple[Floats, Floats]:
    levels = len(weight)
    table = totals.reshape(len(totals), levels, levels)
    n = np.maximum(table.sum(axis=(1, 2)), 1e-12)
    agree = (table * weight).sum(axis=(1, 2)) / n
    rows, columns = table.sum(axis=2), table.sum(axis=1)
    return agree, np.einsum("bi,ij,bj->b", rows, weight, columns) / n**2
