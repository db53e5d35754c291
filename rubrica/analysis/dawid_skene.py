"""A. P. Dawid and A. M. Skene (1979): how good each rater is when nobody knows the truth.

Expectation and maximisation in log space, so that many raters do not underflow; smoothed, so that a
level a rater never used keeps a small chance. The estimate stands beside the ratings and never
replaces one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rubrica.analysis.arrays import Bools, Floats


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
    said = _said(item, rater, code, items, raters, levels)
    chance = _majority(item, code, items, levels)
    rated = np.bincount(item, minlength=items) > 0
    before, step = -np.inf, 0
    for step in range(1, steps + 1):
        priors, confusion = _maximise(chance, said, rated, levels, smoothing)
        chance, value = _expect(priors, confusion, said, rated)
        if abs(value - before) <= tolerance * abs(value):
            return Skills(priors, confusion, chance, value, step, True)
        before = value
    return Skills(priors, confusion, chance, value, step, False)


def _said(
    item: NDArray[Any], rater: NDArray[Any], code: NDArray[Any], items: int, raters: int, levels: int
) -> sparse.csr_matrix:
    """How often (column) a rater said a level of an item (row)."""
    shape = (items, raters * levels)
    return sparse.csr_matrix((np.ones(len(item)), (item, rater * levels + code)), shape=shape)


def _majority(item: NDArray[Any], code: NDArray[Any], items: int, levels: int) -> Floats:
    votes = np.bincount(item * levels + code, minlength=items * levels).reshape(items, levels)
    return np.asarray(votes / np.maximum(votes.sum(axis=1, keepdims=True), 1))


def _maximise(
    chance: Floats, said: sparse.csr_matrix, rated: Bools, levels: int, smoothing: float
) -> tuple[Floats, Floats]:
    priors = chance[rated].sum(axis=0) + smoothing
    table = np.asarray(said.T @ chance).reshape(-1, levels, levels).transpose(0, 2, 1) + smoothing
    total = table.sum(axis=2, keepdims=True)
    confusion = np.where(total > 0, table / np.where(total > 0, total, 1), 1 / levels)
    return priors / priors.sum(), confusion


def _expect(
    priors: Floats, confusion: Floats, said: sparse.csr_matrix, rated: Bools
) -> tuple[Floats, float]:
    levels = len(priors)
    # A chance of nothing counts as next to nothing, so that 0 times its logarithm stays 0.
    log_said = np.log(np.maximum(confusion, 1e-300)).transpose(0, 2, 1).reshape(-1, levels)
    log = np.asarray(said @ log_said) + np.log(np.maximum(priors, 1e-300))
    top = reduce(np.maximum, log.T)
    chance = np.exp(log - top[:, None])
    total = chance @ np.ones(levels)
    return chance / total[:, None], float((top + np.log(total))[rated].sum())
