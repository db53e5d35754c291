from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from rubrica.analysis.agreement import (
    agreement_records,
    rater_matrix,
    repeated,
    retest,
    too_many_groups,
)
from rubrica.analysis.answered import select, standing
from rubrica.analysis.icc import icc
from rubrica.analysis.table import Options, Question


def answered_of(table, question, options=None):
    options = options or Options()
    return select(table, question, options, standing(table, options)[0])[0]


def rated(values, question="quality", **more):
    """A table of items x raters as rows; None where there is no rating."""
    return [
        {"item": f"i{i}", "rater": f"r{r}", question: v, **{k: f(i) for k, f in more.items()}}
        for i, row in enumerate(values)
        for r, v in enumerate(row)
        if v is not None
    ]


def values_of(records, group=None):
    return {r.coefficient: r for r in records if r.group == group}


def test_the_scale_chooses_the_coefficients(table_of, five, yes_no, rng, sampler):
    table = table_of(rated(rng.integers(1, 6, (20, 3)).tolist()), [five])
    got = values_of(agreement_records(answered_of(table, five), Options(), sampler))
    assert {k: r.metric for k, r in got.items()} == {
        "alpha": "ordinal",
        "percent": None,
        "AC2": "quadratic",
        "ICC(A,1)": "absolute",
        "ICC(A,k)": "absolute",
        "ICC(1)": "absolute",
        "ICC(k)": "absolute",
    }
    table = table_of(rated(rng.integers(0, 2, (20, 3)).tolist(), "safe"), [yes_no])
    got = values_of(agreement_records(answered_of(table, yes_no), Options(), sampler))
    assert {k: r.metric for k, r in got.items()} == {
        "alpha": "nominal",
        "percent": None,
        "AC1": "identity",
    }


def test_icc_of_a_full_table(table_of, five, rng, sampler):
    values = np.clip(rng.integers(1, 6, (30, 1)) + rng.integers(-1, 2, (30, 3)), 1, 5)
    table = table_of(rated(values.tolist()), [five])
    got = values_of(agreement_records(answered_of(table, five), Options(), sampler))
    for form in ("ICC(A,1)", "ICC(A,k)", "ICC(1)", "ICC(k)"):
        assert got[form].value == pytest.approx(icc(values.astype(float), form))
        assert got[form].low < got[form].value < got[form].high


def test_raters_that_differ_from_item_to_item_have_no_two_way_icc(table_of, five, rng, sampler):
    rows = [
        {"item": f"i{i}", "rater": f"r{(i + k) % 9}", "quality": int(rng.integers(1, 6))}
        for i in range(30)
        for k in range(2)
    ]
    got = values_of(agreement_records(answered_of(table_of(rows, [five]), five), Options(), sampler))
    assert got["ICC(A,1)"].value is None
    assert got["ICC(A,1)"].note.code == "R007"
    assert got["ICC(1)"].value is not None


def test_places_are_not_raters(table_of, five, rng, sampler):
    rows = [{"item": f"i{i}", "quality": int(rng.integers(1, 6))} for i in range(20) for _ in range(2)]
    answered = answered_of(table_of(rows, [five]), five)
    got = values_of(agreement_records(answered, Options(), sampler))
    assert set(got) == {"alpha", "percent", "AC2", "ICC(1)", "ICC(k)"}
    assert got["alpha"].raters is None
    matrix, why = rater_matrix(answered, Options(), sampler)
    assert matrix == []
    assert why.code == "R006"


def test_groups_are_listed_and_cut(table_of, five, rng, sampler):
    values = rng.integers(1, 6, (40, 2)).tolist()
    table = table_of(rated(values, batch=lambda i: f"b{i % 10}"), [five], fields=["batch"])
    options = Options(groups=("batch", "unknown"), groups_shown=3)
    answered = answered_of(table, five)
    groups = {r.group for r in agreement_records(answered, options, sampler)} - {None}
    assert groups == {"batch=b0", "batch=b1", "batch=b2"}
    assert [n.code for n in too_many_groups(answered, options)] == ["R021"]
    assert too_many_groups(answered, Options(groups=("batch",))) == []


def test_the_matrix_is_pair_kappa(table_of, five, rng, sampler):
    values = np.clip(rng.integers(1, 6, (40, 1)) + rng.integers(-1, 2, (40, 3)), 1, 5)
    table = table_of(rated(values.tolist()), [five])
    pairs, cut = rater_matrix(answered_of(table, five), Options(), sampler)
    assert cut is None
    assert [(p.a, p.b) for p in pairs] == [("r0", "r1"), ("r0", "r2"), ("r1", "r2")]
    for pair, (a, b) in zip(pairs, ((0, 1), (0, 2), (1, 2)), strict=True):
        scale = [1, 2, 3, 4, 5]
        kappa = cohen_kappa_score(values[:, a], values[:, b], labels=scale, weights="quadratic")
        assert pair.value == pytest.approx(kappa)
        assert pair.percent == pytest.approx((values[:, a] == values[:, b]).mean())
        assert pair.low < pair.value < pair.high


def test_pairs_that_never_met_or_never_differed(table_of, five, sampler):
    rows = rated([[3, 3, None]] * 8 + [[None, None, 2]])
    pairs, _ = rater_matrix(answered_of(table_of(rows, [five]), five), Options(), sampler)
    assert (pairs[0].value, pairs[0].percent, pairs[0].note.code) == (None, 1.0, "R003")
    assert (pairs[1].value, pairs[1].items, pairs[1].note.code) == (None, 0, "R002")


def test_a_large_matrix_shows_the_busiest(table_of, five, rng, sampler):
    table = table_of(rated(rng.integers(1, 6, (6, 8)).tolist()), [five])
    pairs, cut = rater_matrix(answered_of(table, five), Options(raters_shown=3), sampler)
    assert len(pairs) == 3
    assert cut.code == "R029"


def test_skewed_answers_are_said(table_of, five, sampler):
    values = [[5, 5, 5]] * 28 + [[5, 5, 4], [4, 5, 5]]
    got = values_of(
        agreement_records(answered_of(table_of(rated(values), [five]), five), Options(), sampler)
    )
    assert got["alpha"].value < 0.1
    assert got["AC2"].value > 0.95
    assert got["alpha"].note.code == "R008"


def test_one_rater_and_one_value(table_of, five, sampler):
    one = agreement_records(
        answered_of(table_of(rated([[1], [2], [3]]), [five]), five), Options(), sampler
    )
    assert [(r.coefficient, r.value, r.note.code) for r in one] == [("alpha", None, "R034")]
    same = agreement_records(
        answered_of(table_of(rated([[4, 4]] * 9), [five]), five), Options(), sampler
    )
    got = values_of(same)
    assert (got["alpha"].value, got["alpha"].note.code) == (None, "R003")
    assert got["percent"].value == 1.0
    assert got["ICC(1)"].value is None
    assert got["ICC(1)"].note.code == "R003"


def test_free_numbers(table_of, rng, sampler):
    score = Question("score", "interval")
    truth = rng.normal(0, 1, (30, 1))
    values = (truth + rng.normal(0, 0.5, (30, 3))).tolist()
    got = values_of(
        agreement_records(
            answered_of(table_of(rated(values, "score"), [score]), score), Options(), sampler
        )
    )
    assert set(got) == {"alpha"}
    assert got["alpha"].metric == "interval"
    assert 0.5 < got["alpha"].value < 1


def test_test_retest_by_hand(table_of, five, sampler):
    rows = []
    for k, (first, again) in enumerate([(1, 1), (2, 2), (3, 4), (4, 4), (5, 4)]):
        rows.append({"item": f"i{k}", "rater": "r", "quality": first})
        rows.append({"item": f"i{k}", "rater": "r", "quality": again, "repeat": True})
    rows.append({"item": "i0", "rater": "other", "quality": 1})
    table = table_of(rows, [five])
    assert len(repeated(table, Options())[0]) == 5
    got = {
        (r.rater, r.statistic): r
        for r in retest(table, five, Options(), repeated(table, Options()), sampler)
    }
    assert got["r", "test-retest percent"].value == pytest.approx(3 / 5)
    assert got["r", "test-retest distance"].value == pytest.approx(2 / 5)
    scale = [1, 2, 3, 4, 5]
    kappa = cohen_kappa_score([1, 2, 3, 4, 5], [1, 2, 4, 4, 4], labels=scale, weights="quadratic")
    assert got["*", "test-retest kappa"].value == pytest.approx(kappa)
    assert not any(who == "other" for who, _ in got)
    alone = table_of(rows[:1], [five])
    assert retest(alone, five, Options(), repeated(alone, Options()), sampler) == []


def test_settled_answers_never_enter_agreement(table_of, five, sampler):
    values = [[1, 5], [2, 4], [3, 1], [5, 2], [4, 1], [1, 3], [2, 5]]
    rows = rated(values)
    settled = [
        {"item": f"i{i}", "rater": "chair", "quality": a, "settled": True}
        for i, (a, _) in enumerate(values)
    ]
    with_it = agreement_records(answered_of(table_of(rows + settled, [five]), five), Options(), sampler)
    without = agreement_records(answered_of(table_of(rows, [five]), five), Options(), sampler)
    assert values_of(with_it)["alpha"].value == values_of(without)["alpha"].value
