from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.chance import (
    chance_of,
    chance_rows,
    coefficient,
    conger,
    gwet_alpha,
    kappa,
    kappa_of,
    pair_counts,
    scott,
    weights,
)

FIVE = np.arange(1, 6.0)


def same(levels: int) -> np.ndarray:
    return np.eye(levels)


def test_gwets_four_raters_ac1(gwet_counts):
    got = coefficient("gwet", gwet_counts, same(5))
    assert got.value == pytest.approx(0.77544, abs=5e-6)
    assert got.error == pytest.approx(0.14295, abs=5e-6)
    low, high = got.interval()
    assert low == pytest.approx(0.46081, abs=5e-6)
    assert high == 1.0


@pytest.mark.parametrize(
    ("kind", "value", "error"), [("quadratic", 0.91400, 0.10396), ("linear", 0.85874, 0.11733)]
)
def test_gwets_four_raters_ac2(gwet_counts, kind, value, error):
    got = coefficient("gwet", gwet_counts, weights(kind, FIVE))
    assert got.value == pytest.approx(value, abs=5e-6)
    assert got.error == pytest.approx(error, abs=5e-6)


def test_gwets_four_raters_other_coefficients(gwet_counts, gwet_codes):
    assert coefficient("fleiss", gwet_counts, same(5)).value == pytest.approx(0.76117, abs=5e-6)
    assert coefficient("brennan-prediger", gwet_counts, same(5)).value == pytest.approx(
        0.77273, abs=5e-6
    )
    table = np.where(gwet_codes == 255, np.nan, gwet_codes.astype(float))
    assert conger(table, 5, same(5)) == pytest.approx(0.76282, abs=5e-6)
    alpha = gwet_alpha(gwet_counts, same(5))
    assert alpha.value == pytest.approx(0.74342, abs=5e-6)
    assert alpha.error == pytest.approx(0.14557, abs=5e-6)


def test_two_abstractors():
    table = np.array([[13, 0, 0], [0, 20, 7], [0, 4, 56]], dtype=float)
    got = kappa(table, same(3))
    assert got.value == pytest.approx(0.79641, abs=5e-6)
    assert got.error == pytest.approx(0.05891, abs=5e-6)
    assert scott(table, same(3)) == pytest.approx(0.79624, abs=5e-6)
    assert coefficient("gwet", pair_counts(table), same(3)).value == pytest.approx(0.84933, abs=5e-6)


@pytest.mark.parametrize(
    ("kind", "known"), [("identity", 0.43150), ("linear", 0.40681), ("quadratic", 0.38319)]
)
def test_diagnosis(kind, known):
    table = np.array([[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]], dtype=float)
    assert kappa(table, weights(kind, np.arange(4.0))).value == pytest.approx(known, abs=5e-6)


@pytest.mark.parametrize(
    ("table", "known"),
    [([[20, 5], [10, 15]], 0.4), ([[45, 15], [25, 15]], 0.1304), ([[25, 35], [5, 35]], 0.2593)],
)
def test_cohens_small_tables(table, known):
    assert kappa(np.array(table, dtype=float), same(2)).value == pytest.approx(known, abs=5e-5)


def test_fleiss_1971(published):
    counts = np.array([[int(c) for c in row] for row in published["fleiss1971_30x5"]], dtype=float)
    assert coefficient("fleiss", counts, same(5)).value == pytest.approx(0.430245, abs=5e-7)


def test_weighted_kappa_takes_the_full_scale():
    # Nobody chose 2 or 3. Over places 0 1 2 of what was seen, 1 and 4 are neighbours: .75. On the
    # scale they are three apart. Two pairs of 1 and 4: observed 2 * 9 = 18; shares 1/3 each on both
    # sides, expected 6 * (2 * (9 + 16 + 1)) / 9 = 104/3; 1 - 18 * 3 / 104 = .480769.
    a, b = np.array([4, 4, 5, 5, 1, 1]), np.array([4, 1, 5, 5, 1, 4])
    table = np.zeros((5, 5))
    np.add.at(table, (a - 1, b - 1), 1)
    assert kappa(table, weights("quadratic", FIVE)).value == pytest.approx(0.480769, abs=5e-7)
    assert cohen_kappa_score(a, b, weights="quadratic") == pytest.approx(0.75)
    whole = cohen_kappa_score(a, b, labels=[1, 2, 3, 4, 5], weights="quadratic")
    assert whole == pytest.approx(0.480769, abs=5e-7)


def test_kappa_of_many_tables_is_kappa_of_each(rng):
    tables = rng.integers(0, 9, (6, 3, 3)).astype(float)
    weight = weights("linear", np.arange(3.0))
    many = kappa_of(weight)(tables.reshape(6, 9))
    assert many == pytest.approx([kappa(t, weight).value for t in tables])


@pytest.mark.parametrize("kind", ["linear", "quadratic", None])
def test_against_an_independent_package(rng, kind):
    a, b = rng.integers(0, 4, 70), rng.integers(0, 4, 70)
    table = np.bincount(a * 4 + b, minlength=16).reshape(4, 4).astype(float)
    ours = kappa(table, weights(kind or "identity", np.arange(4.0))).value
    assert ours == pytest.approx(cohen_kappa_score(a, b, labels=[0, 1, 2, 3], weights=kind))


def test_percent_by_hand(sampler):
    # Items 2-0, 1-1, 3-1: pairs that agree 1/1, 0/1, 3/6.
    counts = np.array([[2, 0], [1, 1], [3, 1], [1, 0]], dtype=float)
    assert coefficient("percent", counts, same(2)).value == pytest.approx((1 + 0 + 0.5) / 3)


def test_constant_answers_have_percent_but_no_kappa():
    table = np.array([[9, 0], [0, 0]], dtype=float)
    assert kappa(table, same(2)).value is None
    assert scott(table, same(2)) is None
    assert coefficient("fleiss", pair_counts(table), same(2)).value is None
    assert coefficient("percent", pair_counts(table), same(2)).value == 1.0
    assert coefficient("gwet", pair_counts(table), same(2)).value == 1.0


def test_empty_and_single():
    for counts in (np.zeros((0, 3)), np.array([[1.0, 0, 0]])):
        got = coefficient("gwet", counts, same(3))
        assert got.value is None
        assert got.interval() == (None, None)
    assert gwet_alpha(np.zeros((0, 3)), same(3)).value is None
    assert conger(np.full((1, 3), np.nan), 2, same(2)) is None


def test_skewed_answers_hurt_kappa_and_not_ac1(rng):
    # 118 of 125 agree; Gwet's point: kappa is low although raters hardly ever differ.
    table = np.array([[118, 5], [2, 0]], dtype=float)
    ac1 = coefficient("gwet", pair_counts(table), same(2)).value
    assert ac1 == pytest.approx(0.9408, abs=5e-5)
    assert kappa(table, same(2)).value == pytest.approx(-0.0234, abs=5e-5)
    rows = chance_rows(pair_counts(table), same(2))
    got = Sampler(rng).estimate(rows, chance_of("gwet", same(2)))
    assert got.value == pytest.approx(ac1)
    assert got.low is not None
    assert got.low < ac1 < got.high
