from __future__ import annotations

import numpy as np
import pytest

from rubrica.analysis.metrics import (
    best_epsilon,
    calibrated_accuracy,
    held_out_accuracy,
    pairwise_accuracy,
    soft_pairwise_accuracy,
    tau,
)

GOLD, METRIC = np.array([1.0, 2, 2, 3, 4]), np.array([2.0, 1, 1.5, 5, 3])


def test_tau():
    assert tau(GOLD, METRIC) == pytest.approx(0.316228, abs=5e-7)
    assert tau(GOLD, METRIC, "c") == pytest.approx(0.32)
    assert tau(GOLD, np.ones(5)) is None
    assert tau(GOLD[:1], METRIC[:1]) is None


def test_pairwise_accuracy_and_its_calibration():
    assert pairwise_accuracy(GOLD, METRIC).value == pytest.approx(0.6)
    got = calibrated_accuracy(GOLD, METRIC)
    assert got.value == pytest.approx(0.7)
    assert got.epsilon == pytest.approx(0.5)
    assert pairwise_accuracy(GOLD[:1], METRIC[:1]).value is None


def test_best_epsilon_stays_at_zero_when_ties_do_not_help():
    assert best_epsilon(np.array([1.0, -1]), np.array([0.2, -0.3])) == 0
    assert best_epsilon(np.zeros(0), np.zeros(0)) == 0


def test_best_epsilon_against_trying_them_all(rng):
    for _ in range(50):
        gold, metric = rng.integers(0, 3, 12).astype(float), rng.integers(0, 6, 12) / 5
        tried = [pairwise_accuracy(gold, metric, e).value for e in np.arange(0, 1.1, 0.1)]
        assert calibrated_accuracy(gold, metric).value == pytest.approx(max(tried))


def test_calibration_on_the_same_pairs_flatters(rng):
    # Noise against noise with ties: on its own pairs the best epsilon always gains something.
    group = np.repeat(np.arange(60), 4)
    held, same = [], []
    for _ in range(30):
        gold, metric = rng.integers(0, 3, 240).astype(float), rng.normal(0, 1, 240)
        held.append(held_out_accuracy(gold, metric, group, rng).value)
        a, b = np.triu_indices(4, 1)
        of = gold.reshape(60, 4), metric.reshape(60, 4)
        wanted, given = ((x[:, a] - x[:, b]).ravel() for x in of)
        epsilon = best_epsilon(wanted, given)
        called = np.where(np.abs(given) <= epsilon, 0, np.sign(given))
        same.append(float((called == np.sign(wanted)).mean()))
    assert np.mean(same) > np.mean(held)


def test_held_out_pairs_stay_within_their_group(rng):
    # Within an input the metric is right, between inputs it is upside down.
    group = np.repeat(np.arange(10), 3)
    gold = np.tile([1.0, 2, 3], 10)
    got = held_out_accuracy(gold, gold - 100 * group, group, rng)
    assert got.value == 1.0
    assert got.pairs == 30


def test_nothing_to_compare(rng):
    assert held_out_accuracy(GOLD, METRIC, np.arange(5), rng).value is None
    assert held_out_accuracy(np.zeros(0), np.zeros(0), np.zeros(0, dtype=int), rng).value is None


def test_soft_pairwise_accuracy_by_exact_enumeration(rng):
    gold, metric = np.array([[1.0, 2, 3], [2, 3, 4]]), np.array([[2.0, 2, 4], [1, 3, 5]])
    # Differences -1 -1 -1 and 1 -1 -1: P(>=) is 8/8 and 7/8, so .875.
    assert soft_pairwise_accuracy(gold, metric, rng, mid=False) == pytest.approx(0.875)
    # Mid-p: 7/8 + 1/16 and 4/8 + 3/16, so 1 - 1/4.
    assert soft_pairwise_accuracy(gold, metric, rng) == pytest.approx(0.75)


@pytest.mark.parametrize("inputs", [8, 60, 3_000])
def test_the_order_of_systems_does_not_matter_when_scores_tie(inputs):
    rng = np.random.default_rng(4)
    gold = rng.normal(0, 1, (6, inputs)) + 0.3 * np.arange(6)[:, None]
    constant = np.ones((6, inputs))
    one = soft_pairwise_accuracy(gold, constant, np.random.default_rng(1))
    other = soft_pairwise_accuracy(gold[::-1], constant, np.random.default_rng(1))
    assert one == pytest.approx(other, abs=1e-9)
    assert 0.5 <= one < 0.75
    if inputs < 3_000:
        whole = [
            soft_pairwise_accuracy(g, constant, np.random.default_rng(1), mid=False)
            for g in (gold, gold[::-1])
        ]
        assert abs(whole[0] - whole[1]) > 0.5


def test_one_system_has_no_order(rng):
    assert soft_pairwise_accuracy(np.ones((1, 4)), np.ones((1, 4)), rng) is None
    assert soft_pairwise_accuracy(np.ones((3, 0)), np.ones((3, 0)), rng) is None
