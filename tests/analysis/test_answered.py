from __future__ import annotations

import numpy as np
import pytest

from rubrica.analysis.answered import changed_answers, select, standing
from rubrica.analysis.table import Factor, Options, Question


def rows_with(**flags):
    return [
        {"item": "a", "rater": "r1", "quality": 1},
        {"item": "a", "rater": "r2", "quality": 5, **flags},
        {"item": "b", "rater": "r1", "quality": 3},
    ]


def lost_of(table, question, options=None):
    options = options or Options()
    used, lost = standing(table, options)
    answered, more = select(table, question, options, used)
    return answered, {x.why: x.count for x in [*lost, *more]}


@pytest.mark.parametrize(
    ("flag", "says"),
    [
        ("settled", "settled answers are no independent ratings"),
        ("pilot", "pilot or calibration round"),
        ("excluded", "the rater was excluded"),
        ("surplus", "surplus: the item had all its raters"),
        ("repeat", "planned repeat, used for test-retest only"),
        ("superseded", "superseded by a revision"),
    ],
)
def test_ratings_kept_apart_are_counted(table_of, five, flag, says):
    table = table_of(rows_with(**{flag: True}), [five])
    answered, lost = lost_of(table, five)
    assert len(answered) == 2
    assert lost == {says: 1}
    assert len(lost_of(table, five, Options(include=frozenset({flag})))[0]) == 3


def test_each_reason_for_a_missing_answer_is_counted_apart(table_of, five):
    given = ["not applicable", "cannot judge", "left open", "left open", 9, 2.5, 3]
    table = table_of(
        [{"item": f"i{k}", "rater": "r", "quality": v} for k, v in enumerate(given)], [five]
    )
    answered, lost = lost_of(table, five)
    assert answered.value.tolist() == [3]
    assert lost == {
        "not applicable": 1,
        "cannot judge": 1,
        "left open": 2,
        "not a level of the question": 2,
    }


def test_nan_and_infinity_are_no_answers(table_of, five):
    values = [float("nan"), float("inf"), float("-inf"), 2]
    table = table_of(
        [{"item": f"i{k}", "rater": "r", "quality": v} for k, v in enumerate(values)], [five]
    )
    answered, lost = lost_of(table, five)
    assert answered.value.tolist() == [2]
    assert lost == {"no usable value": 3}


def test_items_are_left_out_by_name(table_of, five):
    options = Options(leave_out=frozenset({"b", "never heard of"}))
    answered, lost = lost_of(table_of(rows_with(), [five]), five, options)
    assert len(answered) == 2
    assert lost["the item was left out by name"] == 1
    assert lost["to be left out by name, but there is no item 'never heard of'"] == 0


def test_the_same_rater_again_is_for_test_retest(table_of, five):
    rows = [{"item": "a", "rater": "r1", "quality": 1}, {"item": "a", "rater": "r1", "quality": 5}]
    answered, lost = lost_of(table_of(rows, [five]), five)
    assert answered.value.tolist() == [1]
    assert lost == {"the same rater had rated the item before (test-retest)": 1}


def test_unnamed_places_are_never_the_same_rater(table_of, five):
    rows = [{"item": "a", "quality": 1}, {"item": "a", "quality": 5}]
    answered, lost = lost_of(table_of(rows, [five]), five)
    assert len(answered) == 2
    assert not answered.named
    assert answered.many_raters is None
    assert lost == {}


def test_first_choices_are_analysed_unless_declared(table_of, five):
    rows = [
        {"item": "a", "rater": "r", "quality": 4, "quality first": 2},
        {"item": "b", "rater": "r", "quality": 3},
    ]
    table = table_of(rows, [five])
    assert lost_of(table, five)[0].value.tolist() == [2, 3]
    assert lost_of(table, five, Options(choice="final"))[0].value.tolist() == [4, 3]
    assert changed_answers(table, lost_of(table, five)[0]) == 1


def test_levels_are_found_exactly():
    question = Question("q", "interval", (0, 0.1, 0.5))
    assert question.codes(np.array([0.1, 0.5, 0.2, 0, 7, -1])).tolist() == [1, 2, -1, 0, -1, -1]
    assert question.fraction(np.array([0, 0.5])).tolist() == [0, 1]
    assert [question.label(k) for k in range(3)] == ["0", "0.1", "0.5"]
    assert Question("free", "interval").codes(np.array([0.3])).tolist() == [-1]


def test_names_keep_their_order():
    factor = Factor.of(["b", None, "a", "b"])
    assert factor.names == ("b", "a")
    assert factor.codes.tolist() == [0, -1, 1, 0]
    assert [factor.name(k) for k in range(3)] == ["b", None, "a"]


def test_levels_have_to_rise():
    with pytest.raises(ValueError, match="do not rise"):
        Question("q", "ordinal", (1, 3, 2))
