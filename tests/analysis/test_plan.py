from __future__ import annotations

import numpy as np
import pytest

from rubrica.analysis.plan import (
    Spread,
    items_for_difference,
    items_for_interval,
    piloted,
    power_for,
    simulated_power,
)

ALIKE = Spread(item_system=0.4, noise=0.7)
DIFFERENT = Spread(item_system=0.4, noise=0.7, rater_system=0.1)


@pytest.mark.parametrize(("raters", "items"), [(1, 255), (3, 127), (5, 101), (10, 82)])
def test_items_when_raters_treat_systems_alike(raters, items):
    got = items_for_difference(ALIKE, 0.2, raters)
    assert got.items == items
    assert got.reached == pytest.approx(0.8, abs=0.005)


@pytest.mark.parametrize(("raters", "items"), [(1, None), (3, None), (5, 471), (10, 135)])
def test_items_when_they_do_not(raters, items):
    got = items_for_difference(DIFFERENT, 0.2, raters)
    assert got.items == items
    if items is None:
        assert got.note is not None
        assert got.note.message.startswith(f"no number of items is enough with {raters} rater")
        assert got.reached < 0.8


def test_the_variance_by_hand():
    # (2 * .16 + 2 * .49 / 5) / 100 + 2 * .01 / 5
    assert DIFFERENT.error(100, 5) ** 2 == pytest.approx(0.516 / 100 + 0.004)


def test_an_interval_of_a_wanted_width():
    got = items_for_interval(ALIKE, 0.1, 5)
    # 1.96^2 * .516 / .01 = 198.2
    assert got.items == 199
    assert got.reached <= 0.1
    assert items_for_interval(DIFFERENT, 0.1, 5).items is None


def test_power_rises_with_items_and_is_the_level_for_no_difference():
    assert power_for(ALIKE, 0.2, 50, 5) < power_for(ALIKE, 0.2, 200, 5)
    assert power_for(ALIKE, 0.0, 50, 5) == pytest.approx(0.05)


def test_no_spread_at_all_takes_the_fewest():
    assert items_for_difference(Spread(0, 0), 0.2, 3).items == 2


def test_the_formula_against_simulation():
    # Ten raters: the t quantiles of the two-way test cost some of the formula's .8.
    got = simulated_power(ALIKE, 0.2, 82, 10, np.random.default_rng(1), times=400)
    assert 0.7 < got < 0.87


def test_a_pilot_gives_the_spreads_back():
    rng = np.random.default_rng(6)
    items, raters = 400, 40
    item, rater = np.divmod(np.arange(items * raters), raters)
    twice = 2**0.5
    value = (
        rng.normal(0, 0.4 * twice, items)[item]
        + rng.normal(0, 0.3 * twice, raters)[rater]
        + rng.normal(0, 0.7 * twice, items * raters)
    )
    got = piloted(item, rater, value)
    assert (got.item_system, got.noise) == pytest.approx((0.4, 0.7), rel=0.1)
    assert got.rater_system == pytest.approx(0.3, rel=0.25)
    assert got.note is None


def test_a_pilot_with_one_rater_says_what_it_cannot_see(rng):
    got = piloted(np.arange(20), np.zeros(20, dtype=int), rng.normal(0, 1, 20))
    assert got.rater_system == 0
    assert got.note is not None
    assert got.note.code == "R039"
