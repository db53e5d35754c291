"""How well a metric orders systems or outputs as people do.

D. Deutsch, G. Foster and M. Freitag, Ties Matter (2023), for pairwise accuracy with tie calibration;
B. Thompson et al., Improving Statistical Significance in Human Evaluation of Automatic Metrics via
Soft Pairwise Accuracy (2024), with mid-p so that the order of systems cannot matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from scipy import stats

from rubrica.analysis.arrays import Bools, Floats, Ints, dense, known
from rubrica.analysis.systems import arrangements

SAME = 1e-9
MAX_PAIRS = 2_000_000
COUNTED_UNITS = 16
MANY_UNITS = 2_000


@dataclass(frozen=True, slots=True)
class PairwiseAccuracy:
    """The share of pairs ordered as people order them, a tie matching a tie."""

    value: float | None
    pairs: int
    epsilon: float = 0.0


def pairwise_accuracy(gold: Floats, metric: Floats, epsilon: float = 0.0) -> PairwiseAccuracy:
    """All pairs of outputs; metric scores no further apart than epsilon are tied."""
    wanted, given = _pair_differences(gold, metric)
    return _accuracy(wanted, given, epsilon)


def calibrated_accuracy(gold: Floats, metric: Floats) -> PairwiseAccuracy:
    """The accuracy at its best epsilon, on the same pairs: flattering; for held-out use see below."""
    wanted, given = _pair_differences(gold, metric)
    return _accuracy(wanted, given, best_epsilon(wanted, given))


def held_out_accuracy(
    gold: Floats, metric: Floats, group: Ints, rng: np.random.Generator
) -> PairwiseAccuracy:
    """Pairs within groups (outputs for one input); epsilon is fitted on one half of the groups and
    used on the other, and the other way round.
    """
    names, code = dense(group)
    half = rng.permutation(len(names)) % 2 == 1
    wanted, given, of = _grouped_differences(gold, metric, code)
    if len(wanted) == 0 or len(names) < 2:
        return PairwiseAccuracy(None, len(wanted))
    second: Bools = half[of]
    hits, epsilons = 0.0, []
    for fit, use in ((second, ~second), (~second, second)):
        epsilon = best_epsilon(wanted[fit], given[fit])
        hits += (_accuracy(wanted[use], given[use], epsilon).value or 0.0) * int(use.sum())
        epsilons.append(epsilon)
    return PairwiseAccuracy(hits / len(wanted), len(wanted), float(np.mean(epsilons)))


def best_epsilon(wanted: Floats, given: Floats) -> float:
    """The tie threshold with most pairs in order; the smallest of the best."""
    if len(wanted) == 0:
        return 0.0
    size = np.abs(given)
    order = np.argsort(size, kind="stable")
    tied = np.abs(wanted[order]) <= SAME
    right = np.sign(wanted[order]) * np.sign(given[order]) > 0
    # Raising epsilon past a pair wins it if people tie it and loses it if it was in order.
    gain = np.cumsum(tied.astype(np.int64) - right.astype(np.int64))
    last = np.flatnonzero(np.append(np.diff(size[order]) > SAME, True))
    start = int(tied[size[order] <= SAME].sum()) if size[order][0] <= SAME else 0
    best = last[int(np.argmax(gain[last]))]
    return float(size[order][best]) if gain[best] > start else 0.0


def tau(gold: Floats, metric: Floats, variant: Literal["b", "c"] = "b") -> float | None:
    """Kendall's tau; None where a side is constant."""
    if len(gold) < 2 or np.ptp(gold) == 0 or np.ptp(metric) == 0:
        return None
    return known(stats.kendalltau(gold, metric, variant=variant).statistic)


def soft_pairwise_accuracy(
    gold: Floats,
    metric: Floats,
    rng: np.random.Generator,
    *,
    mid: bool = True,
    draws: int = 1_000,
) -> float | None:
    """How alike the confidence of people and of the metric is, over all pairs of systems.

    Both are systems x items tables without holes. Confidence is the one-sided p of a paired
    permutation test; without `mid` equal sums count in full, and the order of systems matters.
    """
    if len(gold) < 2 or gold.shape[1] == 0:
        return None
    signs = _signs(gold.shape[1], rng, draws)
    gaps = [
        abs(_confidence(gold[a] - gold[b], signs, mid) - _confidence(metric[a] - metric[b], signs, mid))
        for a, b in combinations(range(len(gold)), 2)
    ]
    return float(1 - np.mean(gaps))


def _confidence(difference: Floats, signs: Floats | None, mid: bool) -> float:
    seen, size = float(difference.sum()), float(np.abs(difference).sum())
    if size == 0:
        return 0.5 if mid else 1.0
    if len(difference) > MANY_UNITS:
        return float(stats.norm.sf(seen / float(np.sqrt((difference**2).sum()))))
    sums = arrangements(np.abs(difference)) if signs is None else signs @ difference
    slack = 1e-9 * max(1.0, size)
    equal = float((np.abs(sums - seen) <= slack).mean())
    return float((sums > seen + slack).mean()) + (equal / 2 if mid else equal)


def _signs(units: int, rng: np.random.Generator, draws: int) -> Floats | None:
    if units <= COUNTED_UNITS or units > MANY_UNITS:
        return None
    half = rng.choice([-1.0, 1.0], size=(draws, units))
    # Each draw comes with its mirror, so that a pair and its reverse are judged by one distribution.
    return np.concatenate([half, -half])


def _pair_differences(gold: Floats, metric: Floats) -> tuple[Floats, Floats]:
    a, b = np.triu_indices(len(gold), 1)
    return gold[a] - gold[b], metric[a] - metric[b]


def _grouped_differences(gold: Floats, metric: Floats, code: Ints) -> tuple[Floats, Floats, Ints]:
    """All pairs within groups; groups of one size are one table."""
    order = np.argsort(code, kind="stable")
    size = np.bincount(code)
    start = np.cumsum(size) - size
    parts = [_pairs(gold, metric, order, start[size == s], int(s)) for s in np.unique(size[size >= 2])]
    if not parts:
        return np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64)
    wanted, given, row = (np.concatenate(column) for column in zip(*parts, strict=True))
    return wanted, given, code[row]


def _pairs(
    gold: Floats, metric: Floats, order: Ints, start: Ints, size: int
) -> tuple[Floats, Floats, Ints]:
    a, b = np.triu_indices(size, 1)
    start = start[: max(1, MAX_PAIRS // len(a))]
    rows = order[start[:, None] + np.arange(size)]
    first, second = rows[:, a].ravel(), rows[:, b].ravel()
    return gold[first] - gold[second], metric[first] - metric[second], first


def _accuracy(wanted: Floats, given: Floats, epsilon: float) -> PairwiseAccuracy:
    if len(wanted) == 0:
        return PairwiseAccuracy(None, 0, epsilon)
    called = np.where(np.abs(given) <= epsilon + SAME, 0.0, np.sign(given))
    truth = np.where(np.abs(wanted) <= SAME, 0.0, np.sign(wanted))
    return PairwiseAccuracy(float((called == truth).mean()), len(wanted), epsilon)
