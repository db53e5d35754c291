from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.ranks import rank_estimates, spearman_of, tau_b_of


def test_tables_of_counts_give_the_usual_coefficients(rng):
    x, y = rng.integers(0, 4, 60), rng.integers(0, 6, 60)
    table = np.bincount(x * 6 + y, minlength=24).reshape(1, 4, 6).astype(float)
    assert spearman_of(table)[0] == pytest.approx(stats.spearmanr(x, y).statistic)
    assert tau_b_of(table)[0] == pytest.approx(stats.kendalltau(x, y).statistic)


def test_the_interval_of_free_numbers_is_the_item_bootstrap(rng):
    x = rng.normal(0, 1, 150)
    y = x + rng.normal(0, 1, 150)
    rho, tau = rank_estimates(x, y, Sampler(rng, 2_000))
    assert rho.value == pytest.approx(stats.spearmanr(x, y).statistic)
    assert tau.value == pytest.approx(stats.kendalltau(x, y).statistic)
    rows = rng.integers(150, size=(300, 150))
    naive = [stats.spearmanr(x[r], y[r]).statistic for r in rows]
    low, high = np.quantile(naive, [0.025, 0.975])
    assert (rho.low, rho.high) == pytest.approx((low, high), abs=0.05)


def test_threads_are_drawn_together(rng):
    x = np.repeat(rng.normal(0, 1, 30), 10)
    y = np.repeat(rng.normal(0, 1, 30), 10) + x
    apart, _ = rank_estimates(x, y, Sampler(rng))
    together, _ = rank_estimates(x, y, Sampler(rng), np.repeat(np.arange(30), 10))
    assert together.high - together.low > 2 * (apart.high - apart.low)


def test_constants_and_single_points_are_undefined(sampler):
    for x, y in ((np.ones(9), np.arange(9.0)), (np.ones(1), np.ones(1)), (np.zeros(0), np.zeros(0))):
        assert [e.value for e in rank_estimates(x, y, sampler)] == [None, None]
