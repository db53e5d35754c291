from __future__ import annotations

import numpy as np
import pytest

from rubrica.analysis.alpha import alpha_estimate, item_counts, patterns_of
from rubrica.analysis.alt_test import EPSILON, alt_test, closeness
from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.results import Estimate

AGREEING = Estimate(0.7, 0.6, 0.8, 50)


def study(rng, items=50, raters=4, noise=0.5, judge=0.5):
    truth = rng.integers(1, 6, items).astype(float)
    item, rater = np.divmod(np.arange(items * raters), raters)
    value = np.clip(np.round(truth[item] + rng.normal(0, noise, len(item))), 1, 5)
    score = np.clip(np.round(truth + rng.normal(0, judge, items)), 1, 5)
    return item, rater, value, score[item]


def agreement(item, value, rng) -> Estimate:
    counts = item_counts(item, value.astype(int) - 1, int(item.max()) + 1, 5)
    return alpha_estimate(patterns_of(counts), "ordinal", np.arange(5.0), Sampler(rng))


def test_a_judge_as_good_as_a_rater_passes(rng):
    item, rater, value, score = study(rng, judge=0.3)
    got = alt_test(item, rater, value, score, agreement(item, value, rng), ordered=True)
    assert got.note is None
    assert got.passes
    assert got.advantage > 0.7
    assert got.raters == 4
    assert got.epsilon == 0.15


def test_a_bad_judge_does_not(rng):
    item, rater, value, _ = study(rng)
    worst = (6 - value.reshape(-1, 4)[:, :1]).repeat(4, axis=1).ravel()
    got = alt_test(item, rater, value, worst, agreement(item, value, rng), ordered=True)
    assert got.passes is False


def test_noise_does_not_pass_for_a_judge(rng):
    # Without the gate random raters let a random judge win every time at epsilon .2.
    item, rater = np.divmod(np.arange(1_600), 4)
    value, score = rng.integers(1, 6, 1_600).astype(float), rng.integers(1, 6, 400).astype(float)[item]
    ungated = alt_test(item, rater, value, score, AGREEING, ordered=True, expertise="expert")
    assert ungated.winning == 1.0
    got = alt_test(
        item, rater, value, score, agreement(item, value, rng), ordered=True, expertise="expert"
    )
    assert (got.winning, got.passes) == (None, None)
    assert got.note.code == "R016"


def test_too_few_items_or_raters_is_refused(rng):
    for items, raters in ((29, 4), (50, 2)):
        item, rater, value, score = study(rng, items, raters)
        got = alt_test(item, rater, value, score, AGREEING, ordered=True)
        assert got.winning is None
        assert got.note.code == "R015"


def test_raters_without_company_on_any_item_are_not_tested(rng):
    item, rater = np.arange(120), np.arange(120) % 4
    got = alt_test(item, rater, np.ones(120), np.ones(120), AGREEING, ordered=True)
    assert got.raters == 0
    assert got.note.code == "R015"


def test_a_perfect_copy_has_no_spread_and_passes(rng):
    item, rater = np.divmod(np.arange(160), 4)
    value = rng.integers(1, 6, 40).astype(float)[item]
    got = alt_test(item, rater, value, value, AGREEING, ordered=True)
    assert got.winning == 1.0
    assert got.advantage == 1.0


def test_closeness_by_hand():
    # Item 0: 1, 2, 4, judge 3. Rater 1: others 2 4, distances 1 3 and 2 1.
    item, value = np.zeros(3, dtype=int), np.array([1.0, 2, 4])
    human, judge = closeness(item, value, np.full(3, 3.0), ordered=True)
    assert human[0] == pytest.approx(-(((1 + 9) / 2) ** 0.5))
    assert judge[0] == pytest.approx(-(((1 + 1) / 2) ** 0.5))
    # Names: 1, 1, 2, judge 2. Rater 1: half the others are like it, half like the judge.
    human, judge = closeness(item, np.array([1.0, 1, 2]), np.full(3, 2.0), ordered=False)
    assert human.tolist() == [0.5, 0.5, 0.0]
    assert judge.tolist() == [0.5, 0.5, 0.0]


def test_epsilons():
    assert EPSILON == {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
