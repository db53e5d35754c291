from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import accuracy_score, cohen_kappa_score

from rubrica.analysis.answered import select, standing
from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.judges import accuracy_table, paired, statistics
from rubrica.analysis.table import Options, Question
from rubrica.analysis.validate import validation


def answered_of(table, question, options=None):
    options = options or Options()
    return select(table, question, options, standing(table, options)[0])[0]


def by_name(found):
    return {s.name: s for s in found}


def study(table_of, five, rng, items=60, raters=3, missing=()):
    truth = rng.integers(1, 6, items)
    rows = [
        {
            "item": f"i{i}",
            "rater": f"r{r}",
            "quality": int(np.clip(truth[i] + rng.integers(-1, 2), 1, 5)),
        }
        for i in range(items)
        for r in range(raters)
    ]
    scores = {f"i{i}": float(np.clip(truth[i] + rng.integers(-1, 2), 1, 5)) for i in range(items)}
    kept = {k: v for k, v in scores.items() if k not in missing}
    return table_of(rows, [five], judges={"bot": kept})


def test_against_the_usual_packages(table_of, five, rng, sampler):
    table = study(table_of, five, rng, raters=1)
    pairs = paired(answered_of(table, five), table.items.judges[0])
    got = by_name(statistics(pairs, sampler))
    human, score = pairs.human, pairs.score
    assert got["pearson"].got.value == pytest.approx(stats.pearsonr(human, score).statistic)
    assert got["pearson"].p == pytest.approx(stats.pearsonr(human, score).pvalue)
    assert got["spearman"].got.value == pytest.approx(stats.spearmanr(human, score).statistic)
    assert got["tau_b"].got.value == pytest.approx(stats.kendalltau(human, score).statistic)
    kappa = cohen_kappa_score(human, score, labels=[1, 2, 3, 4, 5], weights="quadratic")
    assert got["quadratic_kappa"].got.value == pytest.approx(kappa)
    assert got["accuracy"].got.value == pytest.approx(accuracy_score(human, score))
    assert got["mae"].got.value == pytest.approx(np.abs(human - score).mean())
    assert got["bias"].got.value == pytest.approx((score - human).mean())
    for one in got.values():
        assert one.got.low < one.got.value < one.got.high
        assert one.ceiling is None  # one rater has nobody to be compared with


def test_missing_is_missing(table_of, five, rng, sampler):
    gone = {f"i{i}" for i in range(0, 60, 3)}
    table = study(table_of, five, rng, missing=gone)
    pairs = paired(answered_of(table, five), table.items.judges[0])
    assert (pairs.n, pairs.missing) == (40, 20)
    whole = by_name(statistics(pairs, sampler))["pearson"].got
    assert whole.n == 40
    assert whole.value == pytest.approx(stats.pearsonr(pairs.human, pairs.score).statistic)
    # The middle of the scale in the place of what is missing would be another number.
    filled = np.where(np.isfinite(table.items.judges[0].scores), table.items.judges[0].scores, 3.0)
    everyone = answered_of(table, five)
    human = np.array([everyone.value[everyone.item == i].mean() for i in range(60)])
    assert abs(stats.pearsonr(human, filled).statistic - whole.value) > 0.02


def test_the_ceiling_uses_the_same_others(table_of, five, rng, sampler):
    table = study(table_of, five, rng, items=30, raters=4)
    answered = answered_of(table, five)
    pairs = paired(answered, table.items.judges[0])
    got = by_name(statistics(pairs, sampler))
    by_item = answered.value.reshape(30, 4)
    others = (by_item.sum(axis=1, keepdims=True) - by_item) / 3
    judge = np.repeat(pairs.score[:, None], 4, axis=1)
    same = np.corrcoef(judge.ravel(), others.ravel())[0, 1]
    ceiling = np.corrcoef(by_item.ravel(), others.ravel())[0, 1]
    assert got["pearson"].same.value == pytest.approx(same)
    assert got["pearson"].ceiling.value == pytest.approx(ceiling)
    assert got["mae"].same.value == pytest.approx(np.abs(judge - others).mean())
    assert got["mae"].ceiling.value == pytest.approx(np.abs(by_item - others).mean())


def test_the_mean_of_all_raters_flatters_a_judge(table_of, five, rng, sampler):
    # A judge exactly as noisy as a rater: against the mean of all it looks better than against the
    # others a rater is compared with, where the two are equal.
    truth = rng.normal(3, 1, 400)
    rows = [
        {
            "item": f"i{i}",
            "rater": f"r{r}",
            "quality": int(np.clip(round(truth[i] + rng.normal()), 1, 5)),
        }
        for i in range(400)
        for r in range(3)
    ]
    scores = {f"i{i}": float(np.clip(round(truth[i] + rng.normal()), 1, 5)) for i in range(400)}
    table = table_of(rows, [five], judges={"twin": scores})
    got = by_name(statistics(paired(answered_of(table, five), table.items.judges[0]), sampler))[
        "pearson"
    ]
    assert got.got.value > got.ceiling.value + 0.02
    assert got.same.value == pytest.approx(got.ceiling.value, abs=0.05)


def test_unequal_numbers_of_raters_count_items_once(table_of, five, sampler):
    # Item a has three ratings that all miss, b one that hits: accuracy is one half, not a quarter.
    rows = [{"item": "a", "rater": f"r{k}", "quality": 1} for k in range(3)]
    rows.append({"item": "b", "rater": "r0", "quality": 5})
    table = table_of(rows, [five], judges={"bot": {"a": 5.0, "b": 5.0}})
    pairs = paired(answered_of(table, five), table.items.judges[0])
    assert by_name(statistics(pairs, sampler))["accuracy"].got.value == pytest.approx(0.5)
    assert accuracy_table(pairs)[:, 4].tolist() == [1.0, 0, 0, 0, 1.0]


def test_a_constant_judge_has_no_correlation_but_an_error(table_of, five, sampler):
    rows = [{"item": f"i{i}", "rater": "r", "quality": 1 + i % 5} for i in range(20)]
    table = table_of(rows, [five], judges={"flat": {f"i{i}": 3.0 for i in range(20)}})
    got = by_name(statistics(paired(answered_of(table, five), table.items.judges[0]), sampler))
    for name in ("pearson", "spearman", "tau_b"):
        assert got[name].got.value is None
        assert got[name].got.note.code == "R010"
    assert got["mae"].got.value == pytest.approx(1.2)


def test_two_pairs_are_too_few(table_of, five, sampler):
    rows = [{"item": f"i{i}", "rater": "r", "quality": 1 + i} for i in range(2)]
    table = table_of(rows, [five], judges={"bot": {"i0": 1.0, "i1": 2.0}})
    got = by_name(statistics(paired(answered_of(table, five), table.items.judges[0]), sampler))
    assert got["pearson"].got.value is None
    assert got["pearson"].got.note.code == "R011"


def test_fractions_are_compared_with_fractions(table_of, five, sampler):
    rows = [{"item": f"i{i}", "rater": "r", "quality": 1 + i % 5} for i in range(10)]
    scores = {f"i{i}": (i % 5) / 4 for i in range(10)}
    table = table_of(rows, [five], judges={"bot": scores}, scale="fraction")
    got = by_name(statistics(paired(answered_of(table, five), table.items.judges[0]), sampler))
    assert got["mae"].got.value == pytest.approx(0)
    assert got["quadratic_kappa"].got.value == pytest.approx(1)


def test_a_metric_of_its_own_scale_has_order_only(table_of, five, rng, sampler):
    rows = [{"item": f"i{i}", "rater": "r", "quality": 1 + i % 5} for i in range(20)]
    table = table_of(rows, [five], judges={"bleu": {f"i{i}": i / 7 for i in range(20)}}, scale="own")
    names = [
        s.name for s in statistics(paired(answered_of(table, five), table.items.judges[0]), sampler)
    ]
    assert names == ["pearson", "spearman", "tau_b"]


def test_scores_between_levels_have_no_table(table_of, five, sampler):
    rows = [{"item": f"i{i}", "rater": "r", "quality": 1 + i % 5} for i in range(20)]
    table = table_of(rows, [five], judges={"bot": {f"i{i}": 1.5 for i in range(20)}})
    got = by_name(statistics(paired(answered_of(table, five), table.items.judges[0]), sampler))
    assert got["quadratic_kappa"].got.note.code == "R013"


def test_yes_and_no(table_of, yes_no, rng):
    human = [1] * 10 + [0] * 20
    judge = [1] * 9 + [0] + [0] * 17 + [1] * 3
    rows = [{"item": f"i{k}", "rater": "r", "safe": v} for k, v in enumerate(human)]
    scores = {f"i{k}": float(v) for k, v in enumerate(judge)}
    scores |= {f"more{k}": float(k < 63) for k in range(70)}
    table = table_of(
        rows, [yes_no], judges={"bot": scores}, more_items=[{"item": f"more{k}"} for k in range(70)]
    )
    got = validation(answered_of(table, yes_no), table.items.judges[0], Options(), Sampler(rng))
    values = {r.statistic: r for r in got.statistics}
    assert values["sensitivity"].value == pytest.approx(0.9)
    assert values["specificity"].value == pytest.approx(0.85)
    # The judge says yes to 12 + 63 of 100: (.75 + .85 - 1) / .75
    assert values["rogan_gladen"].value == pytest.approx(0.8)
    assert values["ppi_mean"].value is not None
    assert values["ppi_mean"].note.code == "R026"


def test_a_judge_misses_only_what_it_was_asked(table_of, five, rng):
    rows = [{"item": f"i{k}", "rater": "r", "quality": 1 + k % 5} for k in range(10)]
    table = table_of(rows, [five], judges={"bot": {f"i{k}": float(1 + k % 4) for k in range(5)}})
    judge = replace(table.items.judges[0], asked=np.arange(10) < 6)
    got = validation(answered_of(table, five), judge, Options(), Sampler(rng)).statistics[0]
    assert (got.n, got.missing) == (5, 1)


def test_names_without_order_have_tables_only(table_of, rng, sampler):
    kinds = Question("kind", "nominal", (0, 1, 2), ("a", "b", "c"))
    rows = [{"item": f"i{i}", "rater": f"r{r}", "kind": i % 3} for i in range(12) for r in range(2)]
    table = table_of(rows, [kinds], judges={"bot": {f"i{i}": float(i % 3) for i in range(12)}})
    got = by_name(statistics(paired(answered_of(table, kinds), table.items.judges[0]), sampler))
    assert set(got) == {"kappa", "AC1", "accuracy"}
    assert got["kappa"].got.value == 1.0
    assert got["kappa"].ceiling.value == 1.0


def test_mismatches_are_shares_of_the_scale_and_sorted(table_of, five, rng):
    quality = [1, 5, 3, 2, 4]
    scores = {"i0": 3.0, "i1": 1.0, "i2": 3.0, "i3": 4.0, "i4": 2.5}
    rows = [
        {"item": f"i{k}", "rater": "r", "quality": v, "kind": "xy"[k % 2]}
        for k, v in enumerate(quality)
    ]
    table = table_of(rows, [five], fields=["kind"], judges={"bot": scores})
    options = Options(groups=("kind",))
    got = validation(answered_of(table, five), table.items.judges[0], options, Sampler(rng))
    assert [(m.item, m.size) for m in got.mismatches] == [("i1", 1.0), ("i0", 0.5), ("i3", 0.5)]
    assert got.mismatches[0].groups == {"kind": "y"}
    shares = {r.group: r.value for r in got.statistics if r.statistic == "mismatch_share"}
    assert shares == {None: pytest.approx(0.6), "kind=x": pytest.approx(1 / 3), "kind=y": 1.0}


def test_a_judge_that_scored_nothing(table_of, five, rng):
    rows = [{"item": "a", "rater": "r", "quality": 1}]
    table = table_of(rows, [five], judges={"silent": {}})
    got = validation(
        answered_of(table, five), table.items.judges[0], Options(groups=("system",)), Sampler(rng)
    )
    assert [(r.statistic, r.value, r.n, r.missing) for r in got.statistics] == [("pearson", None, 0, 1)]
    assert got.statistics[0].note.code == "R011"
    assert got.mismatches == got.confusion == got.differences == []


def test_systems_are_ordered_by_the_judge(table_of, five, rng):
    rows, scores = [], {}
    for s, level in enumerate((1, 2, 3, 4)):
        for i in range(12):
            item = f"{s}-{i}"
            rows.append(
                {
                    "item": item,
                    "system": f"s{s}",
                    "input": str(i),
                    "rater": "r",
                    "quality": level + i % 2,
                }
            )
            scores[item] = float(level)
    table = table_of(rows, [five], judges={"bot": scores})
    got = validation(answered_of(table, five), table.items.judges[0], Options(), Sampler(rng))
    values = {r.statistic: r for r in got.statistics}
    assert values["system_pearson"].value == pytest.approx(1.0)
    assert values["system_tau_b"].value == pytest.approx(1.0)
    assert values["system_pairwise_accuracy"].value == 1.0
    assert values["system_pairwise_accuracy"].n == 4
    assert values["soft_pairwise_accuracy"].value > 0.9
    assert values["pairwise_accuracy"].value == 1.0
