from __future__ import annotations

import numpy as np
import pytest

from rubrica.analysis.dawid_skene import dawid_skene


def long(rows: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Forty-five patients; the first observer three times, then the second to the fifth once."""
    found = [
        (patient, max(0, column - 2), int(c) - 1)
        for patient, row in enumerate(rows)
        for column, c in enumerate(row)
    ]
    item, rater, code = np.array(found).T
    return item, rater, code


@pytest.mark.parametrize(("seventh", "likelihood"), [("1122111", -190.731), ("1222111", -192.891)])
def test_dawid_and_skenes_patients(published, seventh, likelihood):
    rows = list(published["dawid_skene_45x7_obs1x3_then_2to5"])
    rows[6] = seventh
    got = dawid_skene(*long(rows), 4, smoothing=0.0, tolerance=1e-13)
    assert got.settled
    assert got.likelihood == pytest.approx(likelihood, abs=5e-4)
    if seventh == "1122111":
        assert got.priors == pytest.approx([0.4000, 0.4216, 0.1118, 0.0667], abs=5e-5)
        assert np.bincount(got.items.argmax(axis=1)).tolist() == [18, 19, 5, 3]


def test_many_raters_do_not_underflow(rng):
    truth = rng.integers(0, 2, 20)
    item, rater = np.divmod(np.arange(20 * 3_000), 3_000)
    said = np.where(rng.random(len(item)) < 0.7, truth[item], 1 - truth[item])
    got = dawid_skene(item, rater, said, 2)
    assert np.isfinite(got.likelihood)
    assert (got.items.argmax(axis=1) == truth).all()


def test_a_careless_rater_stands_out(rng):
    truth = rng.integers(0, 3, 200)
    item, rater = np.divmod(np.arange(800), 4)
    right = np.where(rater == 3, 1 / 3, 0.85)
    said = np.where(rng.random(800) < right, truth[item], rng.integers(0, 3, 800))
    quality = dawid_skene(item, rater, said, 3).quality
    assert quality.argmin() == 3
    assert quality[:3].min() > 0.8


def test_all_the_same_answer_is_calm():
    item, rater = np.divmod(np.arange(12), 3)
    got = dawid_skene(item, rater, np.ones(12, dtype=int), 3)
    assert got.priors.argmax() == 1
    assert np.isfinite(got.confusion).all()
    assert np.isfinite(got.items).all()


def test_it_says_when_it_has_not_settled(published):
    rows = list(published["dawid_skene_45x7_obs1x3_then_2to5"])
    assert not dawid_skene(*long(rows), 4, steps=2).settled
