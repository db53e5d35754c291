from __future__ import annotations

import evalica
import krippendorff
import numpy as np
import pandas as pd
import pytest

from rubrica.analysis.alpha import (
    MISSING,
    Patterns,
    alpha,
    alpha_estimate,
    alpha_of_moments,
    coincidences,
    item_counts,
    moments,
    patterns,
    patterns_of,
)
from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.chance import weights

LEVELS = np.arange(1, 6.0)


def counts_of(codes: np.ndarray, levels: int) -> np.ndarray:
    return np.stack([(codes == level).sum(axis=0) for level in range(levels)], axis=1).astype(float)


@pytest.mark.parametrize(
    ("metric", "known"),
    [("nominal", 0.743421), ("ordinal", 0.815388), ("interval", 0.849107), ("ratio", 0.797403)],
)
def test_krippendorffs_own_table(krippendorff_codes, metric, known):
    assert alpha(counts_of(krippendorff_codes, 5), metric, LEVELS) == pytest.approx(known, abs=5e-7)


def test_ordinal_is_krippendorffs_and_not_gwets(krippendorff_codes):
    # With Gwet's ordinal weights the same table gives .834: weights 1 - C(gap + 1, 2) / C(5, 2).
    counts = counts_of(krippendorff_codes, 5)
    gap = np.abs(LEVELS[:, None] - LEVELS[None, :])
    away = gap * (gap + 1) / 20
    table = coincidences(counts).sum(axis=0).reshape(5, 5)
    margin = table.sum(axis=1)
    theirs = 1 - (margin.sum() - 1) * (table * away).sum() / (margin @ away @ margin)
    assert theirs == pytest.approx(0.834, abs=5e-4)
    assert alpha(counts, "ordinal", LEVELS) == pytest.approx(0.815388, abs=5e-7)


def test_two_observers_with_two_values():
    codes = np.array([[int(c) for c in row] for row in ("0100000010", "1110010000")], dtype=np.uint8)
    assert alpha(counts_of(codes, 2), "nominal") == pytest.approx(0.095238, abs=5e-7)


def test_two_observers_with_names():
    rows = ("aabbdcccedda", "babbbccceddd")
    codes = np.array([["abcde".index(c) for c in row] for row in rows], dtype=np.uint8)
    assert alpha(counts_of(codes, 5), "nominal") == pytest.approx(0.691964, abs=5e-7)


def test_one_disagreement_in_twenty_can_give_zero(sampler):
    # Forty values, 39 ones and a two: observed 2 differing pairs, expected 2 * 39 / 39 = 2.
    counts = np.array([[2.0, 0.0]] * 19 + [[1.0, 1.0]])
    assert alpha(counts, "nominal") == pytest.approx(0.0, abs=1e-12)
    got = alpha_estimate(patterns_of(counts), "nominal", np.arange(2.0), sampler)
    assert got.value == pytest.approx(0.0, abs=1e-12)
    assert got.note is not None
    assert got.note.code == "R005"  # a third of the resampled tables have no disagreement left


def test_all_the_same_is_undefined_and_not_one(sampler):
    counts = np.array([[0.0, 3.0]] * 8)
    got = alpha_estimate(patterns_of(counts), "ordinal", np.arange(2.0), sampler)
    assert (got.value, got.low, got.high) == (None, None, None)
    assert got.note is not None
    assert got.note.code == "R003"
    assert "alpha is undefined" in got.note.message


def test_no_overlap_and_nothing_at_all(sampler):
    for counts in (np.array([[1.0, 0.0], [0.0, 1.0]]), np.zeros((0, 2)), np.zeros((3, 2))):
        got = alpha_estimate(patterns_of(counts), "nominal", np.arange(2.0), sampler)
        assert got.value is None
        assert got.note is not None
        assert got.note.code == "R002"


def test_few_items_have_a_value_but_no_interval(sampler):
    got = alpha_estimate(
        patterns_of(np.array([[2.0, 0], [1, 1], [0, 2]])), "nominal", np.arange(2.0), sampler
    )
    # n = 6, three each; observed 2, expected 2 * 9 / 5 = 3.6; 1 - 2 / 3.6
    assert got.value == pytest.approx(1 - 2 / 3.6)
    assert (got.low, got.high) == (None, None)
    assert got.note is not None
    assert got.note.code == "R004"


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize(("raters", "levels"), [(2, 3), (5, 4), (9, 6)])
def test_against_an_independent_package(rng, metric, raters, levels):
    codes = rng.integers(0, levels, (raters, 80)).astype(np.uint8)
    codes[:, :40] = codes[0, :40]
    codes[rng.random(codes.shape) < 0.3] = MISSING
    found = patterns(codes, levels)
    table = np.where(codes == MISSING, np.nan, codes + 1.0)
    values = np.arange(1.0, levels + 1)
    ours = alpha((found.counts.repeat(found.times, axis=0)), metric, values)
    theirs = krippendorff.alpha(
        reliability_data=table, level_of_measurement=metric, value_domain=values.tolist()
    )
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_against_another_independent_package(rng):
    codes = np.clip(rng.integers(0, 5, 60) + rng.integers(-1, 2, (4, 60)), 0, 4)
    frame = pd.DataFrame(codes + 1.0)
    for metric in ("nominal", "ordinal", "interval"):
        theirs = evalica.alpha(frame, distance=metric).alpha
        assert alpha(counts_of(codes, 5), metric, LEVELS) == pytest.approx(theirs)


def test_both_ways_to_patterns_agree(rng):
    codes = rng.integers(0, 3, (4, 50)).astype(np.uint8)
    codes[rng.random(codes.shape) < 0.3] = MISSING
    rater, item = np.nonzero(codes != MISSING)
    long = patterns_of(item_counts(item, codes[rater, item], 50, 3))
    fast = patterns(codes, 3)
    assert long.items == fast.items == 50
    for one, other in ((long, fast), (fast, long)):
        listed = {tuple(c): t for c, t in zip(other.counts, other.times, strict=True)}
        assert all(listed[tuple(c)] == t for c, t in zip(one.counts, one.times, strict=True))


@pytest.mark.parametrize("items", [1, 7, 8, 9, 70_001])
@pytest.mark.parametrize("raters", [1, 3, 5])
def test_no_item_is_lost_in_the_fast_path(rng, items, raters):
    codes = rng.integers(0, 5, (raters, items)).astype(np.uint8)
    codes[rng.random(codes.shape) < 0.2] = MISSING
    got = patterns(codes, 5)
    assert got.items == items
    assert (got.times @ got.counts).tolist() == [(codes == level).sum() for level in range(5)]
    slow = patterns_of(counts_of(codes, 5))
    assert sorted(map(tuple, np.column_stack([got.counts, got.times]).tolist())) == sorted(
        map(tuple, np.column_stack([slow.counts, slow.times]).tolist())
    )


def test_free_numbers_agree_with_counted_levels(rng):
    item = np.repeat(np.arange(30), 3)
    code = rng.integers(0, 5, 90)
    rows = moments(item, code + 1.0, 30)
    assert alpha_of_moments(rows.sum(axis=0, keepdims=True))[0] == pytest.approx(
        alpha(item_counts(item, code, 30, 5), "interval", LEVELS)
    )


def test_free_numbers_that_never_differ_are_undefined():
    rows = moments(np.repeat(np.arange(5), 2), np.full(10, 1e9 / 3), 5)
    assert np.isnan(alpha_of_moments(rows.sum(axis=0, keepdims=True))[0])


def test_the_interval_is_the_item_bootstrap(rng):
    codes = np.clip(rng.integers(0, 4, 60) + rng.integers(-1, 2, (3, 60)), 0, 4).astype(np.uint8)
    counts = counts_of(codes, 5)
    got = alpha_estimate(patterns(codes, 5), "ordinal", LEVELS, Sampler(rng, 4000))
    naive = [alpha(counts[rng.integers(60, size=60)], "ordinal", LEVELS) for _ in range(2000)]
    low, high = np.quantile(naive, [0.025, 0.975])
    assert got.low == pytest.approx(low, abs=0.02)
    assert got.high == pytest.approx(high, abs=0.02)


def test_the_interval_covers_where_resampling_pairs_does_not():
    """Five raters, forty items, alpha's true value from a million: nominal .95."""
    rng = np.random.default_rng(5)

    def study(items: int) -> np.ndarray:
        truth = rng.normal(0, 1, items)
        seen = truth[:, None] + rng.normal(0, 0.8, (items, 5))
        return item_counts(
            np.repeat(np.arange(items), 5), np.digitize(seen, [-1, 0, 1]).ravel(), items, 4
        )

    metric, levels = "interval", np.arange(4.0)
    true = alpha(study(200_000), metric, levels)
    items_hit = pairs_hit = 0
    for _ in range(300):
        counts = study(40)
        got = alpha_estimate(patterns_of(counts), metric, levels, Sampler(rng, 300))
        assert got.low is not None
        assert got.high is not None
        items_hit += got.low <= true <= got.high
        low, high = _pair_bootstrap(counts, levels, rng)
        pairs_hit += low <= true <= high
    assert items_hit / 300 > 0.91
    assert pairs_hit / 300 < items_hit / 300 - 0.03


def _pair_bootstrap(
    counts: np.ndarray, levels: np.ndarray, rng: np.random.Generator
) -> tuple[float, float]:
    """What not to do: resample pairs of values, with the expected disagreement held fixed."""
    table = coincidences(counts).sum(axis=0).reshape(4, 4)
    margin, n = table.sum(axis=1), table.sum()
    away = (levels[:, None] - levels[None, :]) ** 2
    expected = margin @ away @ margin / (n * (n - 1))
    drawn = rng.multinomial(int(n * 2), (table / n).ravel(), size=300) / (n * 2)
    low, high = np.quantile(1 - (drawn @ away.ravel()) / expected, [0.025, 0.975])
    return float(low), float(high)


def test_threads_are_resampled_together(rng):
    # Twenty threads of ten equal items carry as much as twenty items, not two hundred.
    one = item_counts(np.repeat(np.arange(20), 3), rng.integers(0, 3, 60), 20, 3)
    counts, threads = np.repeat(one, 10, axis=0), np.repeat(np.arange(20), 10)
    levels = np.arange(3.0)
    apart = alpha_estimate(patterns_of(counts), "nominal", levels, Sampler(rng))
    everyone = np.ones(len(counts), dtype=np.int64)
    together = alpha_estimate(Patterns(counts, everyone), "nominal", levels, Sampler(rng), threads)
    assert together.value == pytest.approx(apart.value)
    assert together.high - together.low > 2 * (apart.high - apart.low)


def test_quadratic_weights_and_interval_alpha_tell_the_same_distances():
    gap = (LEVELS[:, None] - LEVELS[None, :]) ** 2
    assert np.allclose(1 - weights("quadratic", LEVELS), gap / gap.max())
