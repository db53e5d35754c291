from __future__ import annotations

import numpy as np
import pytest

from rubrica.analysis import bootstrap
from rubrica.analysis.bootstrap import Sampler, distinct, percentiles, sparse_totals, totals


def mean(drawn: np.ndarray) -> np.ndarray:
    return drawn[:, 1] / drawn[:, 0]


def rows_of(values: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones(len(values)), values])


@pytest.mark.parametrize("n", [12, 400, 1_900, 30_000])
@pytest.mark.parametrize("kinds", [3, 5_000])
def test_every_way_to_draw_gives_the_standard_error(n, kinds):
    rng = np.random.default_rng(3)
    values = rng.integers(0, kinds, n).astype(float)
    drawn = mean(totals(rows_of(values), np.ones(n, dtype=np.int64), rng, 4_000))
    assert drawn.mean() == pytest.approx(values.mean(), abs=4 * values.std() / n**0.5 / 4_000**0.5)
    assert drawn.std() == pytest.approx(values.std() / n**0.5, rel=0.06)


def test_equal_rows_are_drawn_together():
    rows, times = distinct(np.array([[1.0, 2], [3, 4], [1, 2], [1, 2]]), np.array([1, 1, 1, 2]))
    assert {tuple(r): t for r, t in zip(rows, times, strict=True)} == {(1, 2): 4, (3, 4): 1}


def test_threads_widen_an_interval(rng):
    values = np.repeat(rng.normal(0, 1, 30), 20)
    apart = Sampler(rng).estimate(rows_of(values), mean)
    together = Sampler(rng).estimate(rows_of(values), mean, clusters=np.repeat(np.arange(30), 20))
    assert together.value == pytest.approx(apart.value)
    assert together.high - together.low > 3 * (apart.high - apart.low)


def test_sparse_cells_are_drawn_by_thread(rng):
    cell, clusters = np.array([0, 1, 1, 3]), np.array([0, 0, 1, 2])
    drawn = sparse_totals(cell, np.ones(4), 4, clusters, rng, 500)
    assert drawn.shape == (500, 4)
    assert (drawn[:, 2] == 0).all()
    assert (drawn[:, 1] >= drawn[:, 0]).all()  # cell 0 only ever comes with one of cell 1


def test_too_few_items_have_no_interval(sampler):
    got = sampler.estimate(rows_of(np.arange(5.0)), mean)
    assert (got.value, got.low, got.high, got.n) == (2.0, None, None, 5)
    assert got.note is not None
    assert got.note.code == "R004"
    assert sampler.estimate(rows_of(np.arange(6.0)), mean).low is not None


def test_undefined_replicates_are_said():
    values = np.where(np.arange(100) < 20, np.nan, np.arange(100.0))
    low, high, why = percentiles(values, 0.95)
    assert (low, high) == (pytest.approx(21.975), pytest.approx(97.025))
    assert why is not None
    assert why.message.startswith("20%")
    low, high, why = percentiles(np.where(np.arange(10) < 6, np.nan, 1.0), 0.95)
    assert (low, high) == (None, None)
    assert why is not None


def test_nothing_random_but_the_generator(rng):
    rows = rows_of(np.arange(50.0))
    one = Sampler(np.random.default_rng(7)).estimate(rows, mean)
    two = Sampler(np.random.default_rng(7)).estimate(rows, mean)
    other = Sampler(np.random.default_rng(8)).estimate(rows, mean)
    assert one == two
    assert one.low != other.low


def test_the_normal_limit_starts_where_it_holds():
    assert bootstrap.MANY_ITEMS >= 2_000
