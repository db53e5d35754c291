"""A. P. Dawid and A. M. Skene (1979): how good each rater is when nobody knows the truth.

Expectation and maximisation in log space, so that many raters do not underflow; smoothed, so that a
level a rater never used keeps a small chance. The estimate stands beside the ratings and never
replaces one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rubrica.analysis.arrays import Floats, Ints


@dataclass(frozen=True, slots=True)
class Skills:
    """`confusion[rater, true, said]`, the levels' shares, and each item's chances of each level."""

    priors: Floats
    confusion: Floats
    items: Floats
    likelihood: float
    steps: int
    settled: bool

    @property
    def quality(self) -> Floats:
        """Per rater, the chance to say what is true, over the levels as common as they are."""
        return np.asarray(np.einsum("k,rkk->r", self.priors, self.confusion))


def dawid_skene(
    item: NDArray[Any],
    rater: NDArray[Any],
    code: NDArray[Any],
    levels: int,
    *,
    smoothing: float = 0.01,
    steps: int = 1_000,
    tolerance: float = 1e-9,
) -> Skills:
    """From one row per answer, codes from 0."""
    items, raters = int(item.max()) + 1, int(rater.max()) + 1
    item, rater, code, times = _compact(item, rater, code)
    chance = _majority(item, code, times, items, levels)
    before, step = -np.inf, 0
    for step in range(1, steps + 1):
        priors, confusion = _maximise(chance, item, rater, code, times, raters, levels, smoothing)
        chance, value = _expect(priors, confusion, item, rater, code, times, items)
        if abs(value - before) <= tolerance * abs(value):
            return Skills(priors, confusion, chance, value, step, True)
        before = value
    return Skills(priors, confusion, chance, value, step, False)


def _compact(
    item: NDArray[Any], rater: NDArray[Any], code: NDArray[Any]
) -> tuple[Ints, Ints, Ints, Ints]:
    rows, times = np.unique(np.stack([item, rater, code]), axis=1, return_counts=True)
    return rows[0], rows[1], rows[2], times


def _majority(item: Ints, code: Ints, times: Ints, items: int, levels: int) -> Floats:
    votes = np.bincount(item * levels + code, weights=times, minlength=items * levels)
    votes = votes.reshape(items, levels)
    return np.asarray(votes / np.maximum(votes.sum(axis=1, keepdims=True), 1))


def _maximise(
    chance: Floats,
    item: Ints,
    rater: Ints,
    code: Ints,
    times: Ints,
    raters: int,
    levels: int,
    smoothing: float,
) -> tuple[Floats, Floats]:
    rated = np.unique(item)
    priors = chance[rated].sum(axis=0) + smoothing
    said = np.zeros((raters * levels, levels))
    for true in range(levels):
        weight = chance[item, true] * times
        said[:, true] = np.bincount(rater * levels + code, weights=weight, minlength=raters * levels)
    table = said.reshape(raters, levels, levels).transpose(0, 2, 1) + smoothing
    total = table.sum(axis=2, keepdims=True)
    return priors / priors.sum(), np.where(total > 0, table / np.where(total > 0, total, 1), 1 / levels)


def _expect(
    priors: Floats, confusion: Floats, item: Ints, rater: Ints, code: Ints, times: Ints, items: int
) -> tuple[Floats, float]:
    with np.errstate(divide="ignore"):
        log_said, log_prior = np.log(confusion), np.log(priors)
    log = np.zeros((items, len(priors)))
    for true, prior in enumerate(log_prior):
        given = np.maximum(log_said[rater, true, code], -1e6) * times
        log[:, true] = prior + np.bincount(item, weights=given, minlength=items)
    whole = np.logaddexp.reduce(log, axis=1)
    rated = np.bincount(item, minlength=items) > 0
    return np.exp(log - whole[:, None]), float(whole[rated].sum())
