"""How many items and raters a wanted difference or interval takes.

Every rater rates both systems' outputs for every input:
Var(d) = (2 s2_is + 2 s2_e / R) / N + 2 s2_rs / R.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from rubrica.analysis.arrays import Floats, dense
from rubrica.analysis.notes import NEVER_ENOUGH, SEPARATION, note
from rubrica.analysis.systems import rest_variance, two_way_mean
from rubrica.errors import Problem


@dataclass(frozen=True, slots=True)
class Spread:
    """Standard deviations: item by system, noise of one rating, rater by system."""

    item_system: float
    noise: float
    rater_system: float = 0.0
    note: Problem | None = None

    def error(self, items: float, raters: int) -> float:
        """Standard error of the difference between two systems."""
        per_item = 2 * self.item_system**2 + 2 * self.noise**2 / raters
        return math.sqrt(per_item / items + self.floor(raters) ** 2)

    def floor(self, raters: int) -> float:
        """The standard error that no number of items can go below."""
        return math.sqrt(2 * self.rater_system**2 / raters)


@dataclass(frozen=True, slots=True)
class Plan:
    raters: int
    items: int | None
    """None when no number of items is enough."""
    exact: float | None
    reached: float
    """The power, or the half width, at that number; with endless items when there is none."""
    note: Problem | None = None


def items_for_difference(
    spread: Spread, difference: float, raters: int, power: float = 0.8, level: float = 0.95
) -> Plan:
    """Items so that a true difference is found with the wanted power."""
    wanted = difference / float(stats.norm.ppf((1 + level) / 2) + stats.norm.ppf(power))
    exact = _items_for_error(spread, wanted, raters)
    if exact is None:
        floor = spread.floor(raters)
        return Plan(
            raters, None, None, _power(difference, floor, level), _never(spread, wanted, raters)
        )
    # The nearest whole number, unless rounding down would cost half a percent of power.
    items = max(2, round(exact))
    if power_for(spread, difference, items, raters, level) < power - 0.005:
        items = math.ceil(exact)
    return Plan(raters, items, exact, power_for(spread, difference, items, raters, level))


def items_for_interval(spread: Spread, half_width: float, raters: int, level: float = 0.95) -> Plan:
    """Items so that the interval of a difference reaches no further than `half_width` to each side."""
    quantile = float(stats.norm.ppf((1 + level) / 2))
    exact = _items_for_error(spread, half_width / quantile, raters)
    if exact is None:
        reached = quantile * spread.floor(raters)
        return Plan(raters, None, None, reached, _never(spread, half_width / quantile, raters))
    items = max(2, math.ceil(exact))
    return Plan(raters, items, exact, quantile * spread.error(items, raters))


def power_for(spread: Spread, difference: float, items: int, raters: int, level: float = 0.95) -> float:
    """The chance to find a true difference."""
    return _power(difference, spread.error(items, raters), level)


def piloted(item: NDArray[Any], rater: NDArray[Any], difference: Floats) -> Spread:
    """Spreads from a pilot: differences between two systems per item and rater."""
    item, rater = (dense(codes)[1] for codes in (item, rater))
    items, raters = int(item.max()) + 1, int(rater.max()) + 1
    noise = rest_variance(item, rater, difference)
    per_item = np.bincount(item, weights=difference) / np.bincount(item)
    per_rater = np.bincount(rater, weights=difference) / np.bincount(rater)
    of_items = per_item.var(ddof=1) - noise * _one_over_size(item) if items > 1 else 0.0
    of_raters = per_rater.var(ddof=1) - noise * _one_over_size(rater) if raters > 1 else 0.0
    why = note(SEPARATION) if raters < 2 or of_raters < 0 else None
    return Spread(
        item_system=math.sqrt(max(float(of_items), 0.0) / 2),
        noise=math.sqrt(max(noise, 0.0) / 2),
        rater_system=math.sqrt(max(float(of_raters), 0.0) / 2),
        note=why,
    )


def pooled(spreads: Sequence[Spread]) -> Spread | None:
    """The mean variances of several pilots."""
    if not spreads:
        return None
    each = np.array([[s.item_system, s.noise, s.rater_system] for s in spreads]) ** 2
    item, noise, rater = (math.sqrt(v) for v in each.mean(axis=0))
    return Spread(
        item, noise, rater, None if rater else next((s.note for s in spreads if s.note), None)
    )


def _one_over_size(group: NDArray[Any]) -> float:
    """The mean over groups of one over their size."""
    return float((1 / np.bincount(group)).mean())


def simulated_power(
    spread: Spread,
    difference: float,
    items: int,
    raters: int,
    rng: np.random.Generator,
    times: int = 1_000,
    level: float = 0.95,
) -> float:
    """The share of simulated studies whose two-way test finds the difference."""
    item, rater = np.divmod(np.arange(items * raters), raters)
    found = 0
    for _ in range(times):
        of_item = rng.normal(0, math.sqrt(2) * spread.item_system, items)
        of_rater = rng.normal(0, math.sqrt(2) * spread.rater_system, raters)
        noise = rng.normal(0, math.sqrt(2) * spread.noise, items * raters)
        p = two_way_mean(item, rater, difference + of_item[item] + of_rater[rater] + noise).p
        found += p is not None and p <= 1 - level
    return found / times


def _items_for_error(spread: Spread, wanted: float, raters: int) -> float | None:
    left = wanted**2 - spread.floor(raters) ** 2
    if left <= 0:
        return None
    return (2 * spread.item_system**2 + 2 * spread.noise**2 / raters) / left


def _power(difference: float, error: float, level: float) -> float:
    if error == 0:
        return 1.0
    edge = float(stats.norm.ppf((1 + level) / 2))
    shift = abs(difference) / error
    return float(stats.norm.cdf(shift - edge) + stats.norm.cdf(-shift - edge))


def _never(spread: Spread, wanted: float, raters: int) -> Problem:
    who = "1 rater" if raters == 1 else f"{raters} raters"
    return note(NEVER_ENOUGH, raters=raters, who=who, floor=spread.floor(raters), needed=wanted)
