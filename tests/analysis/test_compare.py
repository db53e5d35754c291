from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rubrica.analysis.answered import select, standing
from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.compare import comparisons, corrected, pilot, system_means
from rubrica.analysis.systems import two_way_mean
from rubrica.analysis.table import Options, Question


def answered_of(table, question, options=None):
    options = options or Options()
    return select(table, question, options, standing(table, options)[0])[0]


def study(values, **more):
    """values[system][input][rater]; None where nobody rated."""
    return [
        {
            "item": f"{s}-{i}",
            "system": s,
            "input": str(i),
            "rater": f"r{r}",
            "quality": v,
            **more.get(s, {}),
        }
        for s, inputs in values.items()
        for i, raters in enumerate(inputs)
        for r, v in enumerate(raters)
        if v is not None
    ]


def test_few_raters_alike_take_the_sign_flip(table_of, five, sampler):
    a, b = [4, 5, 3, 4, 5, 4], [3, 4, 3, 2, 4, 3]
    table = table_of(study({"A": [[v] for v in a], "B": [[v] for v in b]}), [five])
    got = comparisons(answered_of(table, five), Options(), sampler)[0]
    d = np.array(a) - np.array(b)
    assert (got.a, got.b, got.n) == ("A", "B", 6)
    assert got.difference == pytest.approx(d.mean())
    # Five differences that are not zero, all of one sign: 2 / 2^5
    assert got.p == pytest.approx(2 / 32)
    assert got.method == "sign-flip (exact)"
    interval = stats.ttest_1samp(d, 0).confidence_interval()
    assert (got.low, got.high) == pytest.approx((interval.low, interval.high))
    assert (got.wins, got.ties, got.losses) == (5, 1, 0)
    assert got.superiority == pytest.approx(5.5 / 6)
    assert got.effect == pytest.approx(d.mean() / d.std(ddof=1))
    assert got.note.code == "R020"


def test_five_shared_raters_take_the_two_way_variance(table_of, five, rng, sampler):
    a, b = (rng.integers(1, 6, (12, 5)) for _ in range(2))
    table = table_of(study({"A": a.tolist(), "B": b.tolist()}), [five])
    got = comparisons(answered_of(table, five), Options(), sampler)[0]
    item, rater = np.divmod(np.arange(60), 5)
    by_hand = two_way_mean(item, rater, (a - b).ravel().astype(float))
    assert got.method == "two-way"
    assert got.raters == 5
    assert got.difference == pytest.approx(by_hand.value)
    assert got.p == pytest.approx(by_hand.p)
    assert (got.low, got.high) == pytest.approx(by_hand.interval(0.95))
    assert got.note.code == "R019"


def test_three_raters_who_visibly_differ_take_it_too(table_of, five, rng, sampler):
    # One rater always prefers A, one always B, one neither.
    base = rng.integers(2, 5, 20)
    a = [[v + 1, v - 1, v] for v in base.tolist()]
    b = [[v - 1, v + 1, v] for v in base.tolist()]
    b[0][0] += 1
    got = comparisons(answered_of(table_of(study({"A": a, "B": b}), [five]), five), Options(), sampler)[
        0
    ]
    assert got.method == "two-way"
    assert got.p > 0.5


def test_different_raters_for_each_system_are_said(table_of, five, rng, sampler):
    a = [[int(v), None] for v in rng.integers(1, 6, 10)]
    b = [[None, int(v)] for v in rng.integers(1, 6, 10)]
    got = comparisons(answered_of(table_of(study({"A": a, "B": b}), [five]), five), Options(), sampler)[
        0
    ]
    assert got.method == "sign-flip (exact)"
    assert got.note.code == "R018"


def test_inputs_no_shared_rater_saw_are_not_counted(table_of, five, rng, sampler):
    a, b = (rng.integers(1, 6, (20, 5)).tolist() for _ in range(2))
    a[0], b[0] = [3, None, None, None, None], [None, 4, None, None, None]
    table = table_of(study({"A": a, "B": b}), [five])
    got = comparisons(answered_of(table, five), Options(), sampler)[0]
    assert (got.method, got.n) == ("two-way", 19)
    assert got.wins + got.ties + got.losses == 19


def test_only_common_inputs_are_compared(table_of, five, sampler):
    values = {"A": [[5], [5], [5], [None]], "B": [[None], [4], [3], [1]], "C": [[None]] * 4}
    rows = [*study(values), {"item": "C-9", "system": "C", "input": "9", "rater": "r0", "quality": 2}]
    made = comparisons(answered_of(table_of(rows, [five]), five), Options(), sampler)
    got = {(c.a, c.b): c for c in made}
    assert got["A", "B"].n == 2
    assert got["A", "B"].difference == pytest.approx(1.5)
    assert got["A", "C"].n == 0
    assert got["A", "C"].note.code == "R017"
    assert (got["A", "C"].difference, got["A", "C"].p) == (None, None)


def test_one_common_input_has_a_difference_and_no_test(table_of, five, sampler):
    got = comparisons(
        answered_of(table_of(study({"A": [[5]], "B": [[3]]}), [five]), five), Options(), sampler
    )[0]
    assert (got.difference, got.p, got.low) == (2, None, None)
    assert got.note.code == "R023"


def test_the_reference_is_the_second_of_its_pairs(table_of, five, rng, sampler):
    values = {s: rng.integers(1, 6, (8, 2)).tolist() for s in "ABC"}
    options = Options(reference="B")
    made = comparisons(answered_of(table_of(study(values), [five]), five), options, sampler)
    assert [(c.a, c.b, c.reference) for c in made] == [
        ("A", "B", True),
        ("C", "B", True),
        ("A", "C", False),
    ]


def test_the_family_is_what_was_declared(table_of, five, rng, sampler):
    other = Question("other", "ordinal", (1, 2, 3, 4, 5))
    rows = study({s: rng.integers(1, 6, (12, 1)).tolist() for s in "AB"})
    for row in rows:
        row["other"] = int(rng.integers(1, 6))
    table = table_of(rows, [five, other])
    made = [c for q in (five, other) for c in comparisons(answered_of(table, q), Options(), sampler)]
    alone = corrected(made, Options(family="question"))
    assert [c.p_holm for c in alone] == [c.p for c in made]
    together = corrected(made, Options(family="study"))
    assert min(c.p_holm for c in together) == pytest.approx(min(1, 2 * min(c.p for c in made)))


def test_waves_are_said(table_of, five, rng, sampler):
    values = {s: rng.integers(1, 6, (8, 2)).tolist() for s in "AB"}
    table = table_of(study(values, A={"wave": "one"}, B={"wave": "two"}), [five])
    got = comparisons(answered_of(table, five), Options(), sampler)[0]
    assert got.note.code == "R022"
    assert "one / two" in got.note.message


def test_means_count_items_once(table_of, five, sampler):
    # Three ratings of 1 and one of 5: the mean of the two items is 3.
    got = system_means(
        answered_of(table_of(study({"A": [[1, 1, 1], [5, None, None]]}), [five]), five),
        Options(),
        sampler,
    )
    assert (got[0].mean, got[0].n, got[0].ratings, got[0].raters) == (3, 2, 4, 3)


def test_means_stay_within_their_scale_and_say_for_whom(table_of, five, sampler):
    table = table_of(study({"A": [[5], [5], [4]], "B": [[1], [2], [1]]}), [five])
    a, b = system_means(answered_of(table, five), Options(), sampler)
    assert a.high == 5
    assert b.low == 1
    assert a.note.code == "R020"
    assert (a.rank, b.rank) == (1, 2)


def test_means_of_many_raters_carry_their_differences(table_of, five, rng, sampler):
    # Raters a level apart: the mean over other raters is far less certain than items alone say.
    severity = np.array([0, 0, 1, 2, 2])
    values = np.clip(rng.integers(2, 4, (60, 1)) + severity - 1, 1, 5)
    got = system_means(
        answered_of(table_of(study({"A": values.tolist()}), [five]), five), Options(), sampler
    )[0]
    of_items = stats.sem(values.mean(axis=1)) * 2
    assert got.high - got.low > 6 * of_items
    assert got.note.code == "R019"


def test_ranks_have_intervals_over_inputs(table_of, five, rng):
    values = {
        "A": rng.integers(1, 4, (40, 2)),
        "B": rng.integers(1, 4, (40, 2)),
        "C": rng.integers(4, 6, (40, 2)),
    }
    rows = study({s: v.tolist() for s, v in values.items()})
    a, b, c = system_means(answered_of(table_of(rows, [five]), five), Options(), Sampler(rng))
    assert (c.rank, c.rank_low, c.rank_high) == (1, 1, 1)
    assert {a.rank, b.rank} == {2, 3}
    assert (a.rank_low, a.rank_high) == (2, 3)


def test_systems_without_answers_or_order(table_of, five, sampler):
    rows = [
        *study({"A": [[3], [4]]}),
        {"item": "B-0", "system": "B", "input": "0", "rater": "r", "quality": "cannot judge"},
    ]
    _, b = system_means(answered_of(table_of(rows, [five]), five), Options(), sampler)
    assert (b.n, b.mean, b.note.code) == (0, None, "R001")
    kinds = Question("kind", "nominal", (0, 1, 2), ("x", "y", "z"))
    rows = [{"item": "1", "system": "A", "rater": "r", "kind": 2}]
    answered = answered_of(table_of(rows, [kinds]), kinds)
    assert system_means(answered, Options(), sampler)[0].note.code == "R009"
    assert comparisons(answered, Options(), sampler) == []


def test_threads_widen_a_difference(table_of, five, rng, sampler):
    rows = []
    for t in range(8):
        gap = int(rng.integers(0, 3))
        for k in range(6):
            for s, v in (("A", 2 + gap), ("B", 2)):
                rows.append(
                    {
                        "item": f"{s}{t}-{k}",
                        "system": s,
                        "input": f"{t}-{k}",
                        "thread": f"{s}{t}",
                        "rater": "r",
                        "quality": v,
                    }
                )
    with_threads = comparisons(answered_of(table_of(rows, [five]), five), Options(), sampler)[0]
    for row in rows:
        del row["thread"]
    without = comparisons(answered_of(table_of(rows, [five]), five), Options(), sampler)[0]
    assert with_threads.difference == pytest.approx(without.difference)
    assert with_threads.high - with_threads.low > 1.8 * (without.high - without.low)
    assert with_threads.p > without.p


def test_a_pilot_of_three_systems_gives_spreads(table_of, five, rng):
    values = {s: rng.integers(1, 6, (30, 4)).tolist() for s in "ABC"}
    got = pilot(answered_of(table_of(study(values), [five]), five))
    # Independent answers on 1..5: no item or rater by system, noise of variance 2.
    assert got.noise == pytest.approx(2**0.5, rel=0.1)
    assert got.item_system < 0.5
    assert got.rater_system < 0.3


def test_no_pilot_without_shared_raters_or_systems(table_of, five):
    alone = study({"A": [[3, None], [4, None]], "B": [[None, 3], [None, 2]]})
    assert pilot(answered_of(table_of(alone, [five]), five)) is None
    unnamed = [{k: v for k, v in row.items() if k != "rater"} for row in alone]
    assert pilot(answered_of(table_of(unnamed, [five]), five)) is None
    assert (
        pilot(answered_of(table_of([{"item": "a", "rater": "r", "quality": 1}], [five]), five)) is None
    )
