from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rubrica.analysis.multiple import benjamini_hochberg, benjamini_yekutieli, holm
from rubrica.analysis.systems import (
    arrangements,
    effect_size,
    item_mean,
    ranks_of,
    rater_effect_p,
    rest_variance,
    sign_flip,
    superiority,
    two_way_mean,
)

DARWIN = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], dtype=float)
P = [0.01, 0.04, 0.03, 0.005]


def test_darwins_maize(rng):
    sums = arrangements(np.abs(DARWIN))
    assert len(sums) == 32_768
    assert int((sums >= 314).sum()) == 863
    got = sign_flip(DARWIN, rng)
    assert got.method == "exact"
    assert got.p == pytest.approx(0.052673, abs=5e-7)


def test_drawn_and_normal_sign_flips_agree_with_the_exact_one(rng):
    exact = sign_flip(DARWIN, rng).p
    sizes = np.abs(DARWIN)
    drawn = 2 * rng.integers(0, 2, (40_000, 15)) - 1
    assert (np.abs(drawn @ sizes) >= 314).mean() == pytest.approx(exact, abs=0.005)
    many = np.concatenate([DARWIN] * 4)
    got = sign_flip(many, rng)
    assert got.method == "drawn"
    assert got.p == pytest.approx(2 * stats.norm.sf(many.sum() / np.sqrt((many**2).sum())), abs=0.004)
    far = rng.normal(0.01, 1, 30_000)
    assert sign_flip(far, rng).method == "normal"


def test_no_difference_at_all_is_no_finding(rng):
    assert sign_flip(np.zeros(12), rng).p == 1.0
    assert sign_flip(np.zeros(0), rng).p == 1.0


def test_threads_flip_together(rng):
    # Four threads: the smallest p there is is 2 / 16, however many items they hold.
    difference, threads = np.ones(40), np.repeat(np.arange(4), 10)
    assert sign_flip(difference, rng, threads).p == pytest.approx(2 / 16)


def test_corrections():
    assert holm(P) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert benjamini_hochberg(P) == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert benjamini_yekutieli(P) == pytest.approx([0.04167, 0.08333, 0.08333, 0.04167], abs=5e-6)
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert benjamini_yekutieli([0.9, 0.99]) == [1.0, 1.0]
    assert holm([]) == benjamini_hochberg([]) == benjamini_yekutieli([]) == []


def test_item_mean_is_the_t_interval():
    got = item_mean(DARWIN)
    low, high = got.interval(0.95)
    theirs = stats.ttest_1samp(DARWIN, 0).confidence_interval(0.95)
    assert (low, high) == pytest.approx((theirs.low, theirs.high))
    assert got.p == pytest.approx(stats.ttest_1samp(DARWIN, 0).pvalue)


def test_item_mean_by_thread_by_hand():
    # Threads (1, 2) and (3, 4, 5): mean 3, deviations -3 and 3; error sqrt(18 * 2 / 1) / 5
    got = item_mean(np.array([1.0, 2, 3, 4, 5]), np.array([0, 0, 1, 1, 1]))
    assert got.error == pytest.approx(36**0.5 / 5)
    assert got.df == 1


def test_one_item_has_a_mean_and_no_interval():
    got = item_mean(np.array([4.0]))
    assert (got.value, got.error, got.p) == (4.0, None, None)
    assert got.interval(0.95) == (None, None)


def test_two_way_by_hand():
    # Items x raters [[1, 3], [2, 6], [3, 3]]: grand 3; items 2 4 3, raters 2 4
    # MS_item 2 * (1 + 1 + 0) / 2 = 2; MS_rater 3 * (1 + 1) / 1 = 6
    # rest 0 0 / -1 1 / 1 -1: MS 4 / 2 = 2; variance (2 + 6 - 2) / 6 = 1
    item, rater = np.divmod(np.arange(6), 2)
    value = np.array([1.0, 3, 2, 6, 3, 3])
    assert rest_variance(item, rater, value) == pytest.approx(2)
    got = two_way_mean(item, rater, value)
    assert got.value == 3
    assert got.error == pytest.approx(1)
    # Satterthwaite: 6^2 / (2^2/2 + 6^2/1 + 2^2/2) = .9, never below one
    assert got.df == 1
    # F = 6 / 2 on 1 and 2
    assert rater_effect_p(item, rater, value) == pytest.approx(stats.f.sf(3, 1, 2))


def test_two_way_with_gaps_counts_items_once():
    item, rater = np.array([0, 0, 0, 1, 2, 2]), np.array([0, 1, 2, 0, 1, 2])
    value = np.array([1.0, 1, 1, 5, 3, 3])
    weight = np.array([1 / 3, 1 / 3, 1 / 3, 1, 1 / 2, 1 / 2])
    assert two_way_mean(item, rater, value, weight).value == pytest.approx(3)


def test_type_one_error_when_raters_treat_systems_differently():
    """Five raters, interaction SD .15 a system: pooled and item-mean t tests find what is not there."""
    rng = np.random.default_rng(11)
    items, raters, times = 60, 5, 250
    item, rater = np.divmod(np.arange(items * raters), raters)
    two_way = item_means = pooled = 0
    for _ in range(times):
        a, b = (
            rng.normal(0, 0.3, items)[item]
            + rng.normal(0, 0.15, raters)[rater]
            + rng.normal(0, 0.5, items * raters)
            for _ in range(2)
        )
        difference = a - b
        two_way += two_way_mean(item, rater, difference).p < 0.05
        item_means += item_mean(difference.reshape(items, raters).mean(axis=1)).p < 0.05
        pooled += stats.ttest_ind(a, b).pvalue < 0.05
    assert two_way / times < 0.09
    assert item_means / times > 0.15
    assert pooled / times > 0.15


def test_effects_by_hand():
    difference = np.array([1.0, -1, 0, 2])
    # mean .5, variance (0.25 + 2.25 + 0.25 + 2.25) / 3 = 5/3
    assert effect_size(difference) == pytest.approx(0.5 / (5 / 3) ** 0.5)
    assert superiority(difference) == (2, 1, 1, 0.625)
    assert effect_size(np.ones(4)) is None
    assert effect_size(np.ones(1)) is None


def test_ranks_share_ties_and_know_holes():
    # Three systems; sums of values, then how many: means 4, 4, nothing
    totals = np.array([[8.0, 4, 0, 2, 1, 0]])
    assert ranks_of(totals)[0][:2] == pytest.approx([1.5, 1.5])
    assert np.isnan(ranks_of(totals)[0][2])
