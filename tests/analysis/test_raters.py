from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rubrica.analysis.answered import select, standing
from rubrica.analysis.effects import effects, shares
from rubrica.analysis.pace import durations, pace, straight_lines
from rubrica.analysis.raters import longest_run, positions, rater_statistics, regression
from rubrica.analysis.table import Options


def answered_of(table, question):
    options = Options()
    return select(table, question, options, standing(table, options)[0])[0]


def found(records):
    return {(r.rater, r.statistic): r for r in records}


def study(rng, items=60, off=(0, 0, -1), drift=0.0):
    truth = rng.integers(2, 5, items)
    return [
        {
            "item": f"i{i}",
            "rater": f"r{k}",
            "quality": int(np.clip(truth[i] + shift + drift * (k == 0) * i // items, 1, 5)),
        }
        for i in range(items)
        for k, shift in enumerate(off)
    ]


def test_severity_by_hand(table_of, five):
    rows = [
        {"item": "a", "rater": "r0", "quality": 1},
        {"item": "a", "rater": "r1", "quality": 3},
        {"item": "a", "rater": "r2", "quality": 4},
        {"item": "b", "rater": "r0", "quality": 2},
        {"item": "b", "rater": "r1", "quality": 2},
    ]
    table = table_of(rows, [five])
    got = found(rater_statistics(answered_of(table, five), table, 0.95))
    # r0: 1 - 3.5 and 2 - 2; r1: 3 - 2.5 and 0; r2: 4 - 2
    assert got["r0", "severity"].value == pytest.approx(-1.25)
    assert got["r1", "severity"].value == pytest.approx(0.25)
    assert got["r2", "severity"].value == pytest.approx(2)
    assert got["r2", "severity"].low is None
    assert got["r0", "agreement_with_rest"].note.code == "R030"


def test_a_severe_rater_and_a_follower(table_of, five, rng):
    table = table_of(study(rng), [five])
    got = found(rater_statistics(answered_of(table, five), table, 0.95))
    assert got["r2", "severity"].high < 0
    assert got["r0", "severity"].low > 0
    assert got["r0", "agreement_with_rest"].value == pytest.approx(1)
    assert got["r0", "levels_used"].value == 3


def test_a_drifting_rater(table_of, five, rng):
    table = table_of(study(rng, drift=2.0, off=(0, 0, 0)), [five])
    got = found(rater_statistics(answered_of(table, five), table, 0.95))
    assert got["r0", "drift"].low > 0.5
    assert got["r1", "drift"].high < got["r0", "drift"].low


def test_alone_on_every_item(table_of, five):
    rows = [{"item": f"i{k}", "rater": "r", "quality": 1 + k % 5} for k in range(12)]
    table = table_of(rows, [five])
    got = found(rater_statistics(answered_of(table, five), table, 0.95))
    assert got["r", "severity"].value is None
    assert got["r", "severity"].note.code == "R031"
    assert got["r", "most_used_share"].value == pytest.approx(3 / 12)


def test_unnamed_places_have_no_habits(table_of, five):
    table = table_of([{"item": "a", "quality": 1}, {"item": "a", "quality": 2}], [five])
    assert rater_statistics(answered_of(table, five), table, 0.95) == []


def test_always_the_same_answer(table_of, five, rng):
    rows = [r if r["rater"] != "r2" else {**r, "quality": 3} for r in study(rng)]
    table = table_of(rows, [five])
    got = found(rater_statistics(answered_of(table, five), table, 0.95))
    assert got["r2", "longest_run"].value == 60
    assert got["r2", "most_used_share"].value == 1
    assert got["r2", "agreement_with_rest"].note.code == "R010"


def test_quality_by_dawid_and_skene(table_of, five, rng):
    truth = rng.integers(1, 6, 150)
    rows = [
        {
            "item": f"i{i}",
            "rater": f"r{k}",
            "quality": int(truth[i] if rng.random() < q else rng.integers(1, 6)),
        }
        for i in range(150)
        for k, q in enumerate((0.9, 0.9, 0.9, 0.1))
    ]
    table = table_of(rows, [five])
    got = found(rater_statistics(answered_of(table, five), table, 0.95))
    assert got["r3", "dawid_skene_quality"].value < 0.5 < 0.8 < got["r0", "dawid_skene_quality"].value


def test_runs_and_places():
    assert longest_run(np.array([1.0, 1, 2, 2, 2, 1])) == 3
    assert longest_run(np.array([4.0])) == 1
    assert longest_run(np.zeros(0)) == 0
    # Two raters, in time order 10 20 30 and 5
    place = positions(np.array([0, 0, 1, 0]), np.array([30, 10, 5, 20]))
    assert place.tolist() == [1, 0, 0, 0.5]


def test_regression_is_the_usual_one(rng):
    x, y = rng.normal(0, 1, 30), rng.normal(0, 1, 30)
    got, theirs = regression(x, y), stats.linregress(x, y)
    assert (got.value, got.error, got.p) == pytest.approx((theirs.slope, theirs.stderr, theirs.pvalue))
    assert regression(np.ones(5), np.arange(5.0)) is None


def test_pace_beside_the_others(table_of, five):
    rows = [
        {"item": f"i{i}", "rater": r, "quality": 3, "seconds": s}
        for i in range(8)
        for r, s in (("slow", 60.0), ("usual", 40.0), ("quick", 5.0))
    ]
    table = table_of(rows, [five])
    got = found(pace(table, np.ones(len(table), dtype=bool)))
    assert got["usual", "median_seconds"].value == 40
    assert got["slow", "relative_pace"].value == pytest.approx(60 / 200**0.5)
    assert got["quick", "hurried_share"].value == 1
    assert got["usual", "hurried_share"].value == 0
    times = {d.rater: d.median for d in durations(table, np.ones(len(table), dtype=bool))}
    assert times == {None: 40, "slow": 60, "usual": 40, "quick": 5}


def test_no_times_at_all(table_of, five):
    table = table_of([{"item": "a", "rater": "r", "quality": 1}], [five])
    assert pace(table, np.ones(1, dtype=bool)) == []
    assert durations(table, np.ones(1, dtype=bool)) == []


def test_straight_lines(table_of, five):
    rows = [{"item": f"i{k}", "rater": "r", "quality": 3} for k in range(4)]
    table = table_of(rows, [five])
    line, other = np.full(4, 0.5), np.array([0.5, 0.5, 0.25, np.nan])
    got = straight_lines(table, [line, line, other], np.ones(4, dtype=bool))
    assert [(r.rater, r.value, r.n) for r in got] == [("r", pytest.approx(2 / 3), 3)]
    assert straight_lines(table, [line, line], np.ones(4, dtype=bool)) == []


def test_a_language_effect_by_hand(table_of, five):
    rows = []
    for i, (en, zh) in enumerate([(3, 4), (2, 4), (5, 5), (1, 2)]):
        rows.append({"item": f"i{i}", "rater": "e", "language": "en", "quality": en})
        rows.append({"item": f"i{i}", "rater": "z", "language": "zh", "quality": zh})
    rows.append({"item": "alone", "rater": "z", "language": "zh", "quality": 5})
    table = table_of(rows, [five])
    got = {e.effect: e for e in effects(answered_of(table, five), table, 0.95)}
    effect = got["language zh against en"]
    assert (effect.value, effect.n) == (pytest.approx(1), 4)
    interval = stats.ttest_1samp([1, 2, 0, 1], 0).confidence_interval()
    assert (effect.low, effect.high) == pytest.approx((interval.low, interval.high))


def test_a_position_effect(table_of, five, rng):
    rows = []
    for r in range(6):
        order = rng.permutation(40)
        for place, i in enumerate(order.tolist()):
            rows.append(
                {
                    "item": f"i{i}",
                    "rater": f"r{r}",
                    "quality": 2 + (place > 20) + int(rng.integers(0, 2)),
                }
            )
    table = table_of(rows, [five])
    got = {e.effect: e for e in effects(answered_of(table, five), table, 0.95)}["position"]
    assert got.low > 0.5


def test_shares_add_up(table_of, five):
    rows = [
        {"item": "a", "system": "A", "rater": "r0", "quality": 1},
        {"item": "b", "system": "B", "rater": "r0", "quality": 1},
        {"item": "b", "system": "B", "rater": "r1", "quality": 5},
    ]
    got = shares(answered_of(table_of(rows, [five]), five), by_rater=True)
    assert len(got) == 5 * (1 + 2 + 2)
    whole = {s.level: (s.count, s.share) for s in got if s.system is None and s.rater is None}
    assert whole["1"] == (2, pytest.approx(2 / 3))
    assert {s.level: s.share for s in got if s.system == "B"}["5"] == 0.5
