from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rubrica.analysis.ppi import ppi_mean, rogan_gladen, rogan_gladen_estimate


def test_no_trust_is_the_human_mean(rng):
    human, judge, unrated = rng.normal(3, 1, 30), rng.normal(3, 1, 30), rng.normal(9, 1, 500)
    got = ppi_mean(human, judge, unrated, trust=0.0).estimate
    assert got.value == pytest.approx(human.mean())
    theirs = stats.ttest_1samp(human, 0).confidence_interval()
    assert (got.low, got.high) == pytest.approx((theirs.low, theirs.high))


def test_full_trust_is_the_judge_corrected(rng):
    human, judge, unrated = rng.normal(3, 1, 30), rng.normal(3, 1, 30), rng.normal(9, 1, 500)
    got = ppi_mean(human, judge, unrated, trust=1.0).estimate
    assert got.value == pytest.approx(unrated.mean() + (human - judge).mean())


def test_a_good_judge_narrows_and_a_noisy_one_does_no_harm(rng):
    truth, rest = rng.normal(3, 1, 50), rng.normal(3, 1, 5_000)
    alone = ppi_mean(truth, truth, np.zeros(0)).estimate
    good = ppi_mean(truth, truth + rng.normal(0, 0.2, 50), rest + rng.normal(0, 0.2, 5_000))
    noise = ppi_mean(truth, rng.normal(0, 1, 50), rng.normal(0, 1, 5_000))
    assert good.trust > 0.8
    assert good.estimate.high - good.estimate.low < 0.5 * (alone.high - alone.low)
    assert noise.estimate.high - noise.estimate.low < 1.1 * (alone.high - alone.low)


def test_a_constant_judge_and_no_unrated_items(rng):
    human = rng.normal(3, 1, 20)
    assert ppi_mean(human, np.ones(20), np.ones(99)).trust == 0
    assert ppi_mean(human, human, np.zeros(0)).trust == 0
    assert ppi_mean(human[:1], human[:1], human).estimate.low is None
    assert ppi_mean(human[:0], human[:0], human).estimate.value is None


def test_the_interval_covers_with_twenty_rated_items():
    """Nominal .95; a normal quantile without n - 1 covers about .927."""
    rng = np.random.default_rng(2)
    hit = naive = 0
    for _ in range(1_500):
        truth = rng.normal(0, 1, 420)
        judge = truth + rng.normal(0, 0.7, 420)
        got = ppi_mean(truth[:20], judge[:20], judge[20:])
        assert got.estimate.low is not None
        hit += got.estimate.low <= 0 <= got.estimate.high
        off = truth[:20] - got.trust * judge[:20]
        error = (off.var() / 20 + got.trust**2 * judge[20:].var() / 400) ** 0.5
        naive += abs(got.estimate.value) <= 1.959964 * error
    assert hit / 1_500 > 0.935
    assert naive / 1_500 < 0.938


def test_rogan_and_gladen():
    assert rogan_gladen(0.8, 0.9, 0.85) == pytest.approx(0.866667, abs=5e-7)
    assert rogan_gladen(0.05, 0.9, 0.85) == 0.0
    assert rogan_gladen(0.5, 0.5, 0.5) is None


def test_rogan_gladen_from_data_by_hand():
    # Ten yes of which nine are called so, twenty no of which seventeen are; 80 of 100 called yes.
    human = np.array([1.0] * 10 + [0.0] * 20)
    judge = np.array([1.0] * 9 + [0.0] + [0.0] * 17 + [1.0] * 3)
    got = rogan_gladen_estimate(human, judge, np.array([1.0] * 80 + [0.0] * 20))
    assert got.value == pytest.approx(0.866667, abs=5e-7)
    # .8 * .2 / 100 + .8667^2 * .09 / 10 + .1333^2 * .1275 / 20, over .75
    spread = (0.0016 + 0.866667**2 * 0.009 + 0.133333**2 * 0.006375) ** 0.5 / 0.75
    assert got.low == pytest.approx(0.866667 - 1.959964 * spread, abs=1e-5)
    assert got.high == 1.0


def test_a_judge_no_better_than_chance_says_nothing():
    human, judge = np.array([1.0, 1, 0, 0]), np.array([1.0, 0, 1, 0])
    got = rogan_gladen_estimate(human, judge, np.ones(9))
    assert got.value is None
    assert got.note.code == "R027"
    assert rogan_gladen_estimate(np.ones(4), np.ones(4), np.ones(9)).value is None
