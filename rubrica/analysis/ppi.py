"""Corrected means from few human and many judge scores.

A. N. Angelopoulos, J. C. Duchi and T. Zrnic, PPI++ (2023); W. J. Rogan and B. Gladen (1978). The rated
items must be a random sample of the scored ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from rubrica.analysis.arrays import Floats
from rubrica.analysis.notes import NOT_RANDOM, ONE_OUTPUT, USELESS_JUDGE, note
from rubrica.analysis.results import Estimate


@dataclass(frozen=True, slots=True)
class Corrected:
    """The estimate, and how far the judge was trusted (0 not at all, 1 fully)."""

    estimate: Estimate
    trust: float


def ppi_mean(
    human: Floats,
    judge: Floats,
    unrated: Floats,
    trust: float | None = None,
    level: float = 0.95,
) -> Corrected:
    """The mean of what raters would say of all items: `human` and `judge` on the rated ones, `unrated`
    the judge's scores on the others. Without `trust` the one with the smallest variance is taken.
    """
    n, many = len(human), len(unrated)
    if n < 2:
        value = float(human.mean()) if n else None
        return Corrected(Estimate(value, n=n, note=note(ONE_OUTPUT, n=n)), 0.0)
    weight = _best_trust(human, judge, unrated) if trust is None else trust
    if many == 0:
        weight = 0.0
    shift = float(unrated.mean()) if many else 0.0
    value = weight * shift + float((human - weight * judge).mean())
    # With twenty rated items only a t quantile and n - 1 keep the promised coverage.
    variance = float((human - weight * judge).var(ddof=1)) / n
    if many > 1:
        variance += weight**2 * float(unrated.var(ddof=1)) / many
    reach = float(stats.t.ppf((1 + level) / 2, n - 1)) * variance**0.5
    return Corrected(Estimate(value, value - reach, value + reach, n, note(NOT_RANDOM)), weight)


def _best_trust(human: Floats, judge: Floats, unrated: Floats) -> float:
    if len(unrated) == 0:
        return 0.0
    spread = float(np.concatenate([judge, unrated]).var(ddof=1))
    if spread <= 1e-12:
        return 0.0
    together = float(np.cov(human, judge, ddof=1)[0, 1])
    return min(1.0, max(0.0, together / (spread * (1 + len(human) / len(unrated)))))


def rogan_gladen(share: float, sensitivity: float, specificity: float) -> float | None:
    """The true share behind a judge's share of yes; None for a judge no better than chance."""
    better = sensitivity + specificity - 1
    if better <= 1e-9:
        return None
    return min(1.0, max(0.0, (share + specificity - 1) / better))


def rogan_gladen_estimate(
    human: Floats, judge: Floats, scored: Floats, level: float = 0.95
) -> Estimate:
    """The share of yes among all scored items; the judge's errors are learned on the rated ones."""
    yes, no = float(human.sum()), float(len(human) - human.sum())
    if yes < 1 or no < 1 or len(scored) == 0:
        return Estimate(None, n=len(human), note=note(ONE_OUTPUT, n=int(min(yes, no))))
    hit, pass_over = float(judge[human == 1].mean()), float(1 - judge[human == 0].mean())
    share = float(scored.mean())
    value = rogan_gladen(share, hit, pass_over)
    if value is None:
        return Estimate(
            None, n=len(human), note=note(USELESS_JUDGE, sensitivity=hit, specificity=pass_over)
        )
    # Delta method (Lang and Reiczigel 2014 without their small-sample shift).
    variance = share * (1 - share) / len(scored)
    variance += value**2 * hit * (1 - hit) / yes + (1 - value) ** 2 * pass_over * (1 - pass_over) / no
    reach = float(stats.norm.ppf((1 + level) / 2)) * variance**0.5 / (hit + pass_over - 1)
    return Estimate(
        value, max(0.0, value - reach), min(1.0, value + reach), len(human), note(NOT_RANDOM)
    )
