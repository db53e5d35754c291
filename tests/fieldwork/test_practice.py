from __future__ import annotations

from typing import Any

import pytest
from fieldwork_bench import GOOD, Bench, refused

from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.joining import join
from rubrica.fieldwork.practice import answer_example, exercises, standing
from rubrica.fieldwork.stepping import step

EXAMPLES = """\
- title: {en: First, zh: 第一}
  item: {answer: All true}
  answers: {correct: 3, helps: Yes}
  why: {correct: {en: It holds., zh: 成立。}}
- item: {answer: Half true}
  answers: {correct: 1, helps: null, note: any words}
"""
HALF = {"correct": {"value": 2}, "helps": {"cannot_judge": True}, "note": {"value": "half"}}
BAD = {"correct": {"value": 1}, "helps": {"value": "No"}}


def practising(bench: Bench, rules: str = "") -> tuple[Desk, int]:
    extra = f"practice: {{from: practice.yaml{rules}}}"
    desk = bench.desk(extra=extra, practice_yaml=EXAMPLES)
    return desk, join(desk, "Ann").rater.number


def now(desk: Desk, rater: int) -> Any:
    return standing(desk, desk.rater(rater))


def test_m9_feedback_says_own_reference_and_why(bench: Bench) -> None:
    desk, rater = practising(bench)
    first, second = exercises(desk, rater)
    assert (first.title, first.shown.views[0]["text"]) == ({"en": "First", "zh": "第一"}, "All true")
    assert (first.feedback, second.title) == ((), None)
    told, after = answer_example(desk, rater, 0, BAD)
    assert [(f.question, f.own, f.reference, f.agreed) for f in told] == [
        ("correct", 1, 3, False),
        ("helps", "No", "Yes", False),
    ]
    assert told[0].why == {"en": "It holds.", "zh": "成立。"}
    assert (after.answered, after.examples, after.passed) == ([0], 2, None)
    assert list(exercises(desk, rater)[0].feedback) == told


def test_null_means_no_value_is_right_and_words_are_not_compared(bench: Bench) -> None:
    desk, rater = practising(bench, ", within: 1")
    told, _ = answer_example(desk, rater, 1, HALF)
    assert {f.question: f.agreed for f in told} == {"correct": True, "helps": True, "note": None}


def test_without_a_pass_mark_one_round_is_enough(bench: Bench) -> None:
    desk, rater = practising(bench)
    answer_example(desk, rater, 1, HALF)
    answer_example(desk, rater, 0, BAD)
    assert (now(desk, rater).passed, now(desk, rater).rounds) == (True, None)
    assert step(desk, rater).page == "workbench"


def test_a_failed_round_is_repeated_until_there_are_no_more(bench: Bench) -> None:
    desk, rater = practising(bench, ", pass_at: 0.8, retries: 1")
    for number, answers in ((0, BAD), (1, HALF)):
        answer_example(desk, rater, number, answers)
    again = now(desk, rater)
    assert (again.round, again.rounds, again.answered, again.passed) == (2, 2, [], None)
    assert again.share == pytest.approx(1 / 4)
    for number, answers in ((0, BAD), (1, HALF)):
        answer_example(desk, rater, number, answers)
    assert (now(desk, rater).passed, now(desk, rater).round) == (False, 2)
    assert (step(desk, rater).page, step(desk, rater).reason) == ("stopped", "practice")
    assert refused(answer_example, desk, rater, 0, GOOD) == "F063"


def test_a_round_that_reaches_the_mark_passes(bench: Bench) -> None:
    desk, rater = practising(bench, ", pass_at: 0.75, retries: 0")
    answer_example(desk, rater, 0, GOOD)
    assert answer_example(desk, rater, 1, HALF)[1].passed is True
    assert step(desk, rater).page == "workbench"


def test_each_example_once_a_round_and_checked_like_a_rating(bench: Bench) -> None:
    desk, rater = practising(bench)
    assert "A100" in refused(answer_example, desk, rater, 0, {})
    assert now(desk, rater).answered == []
    answer_example(desk, rater, 0, GOOD)
    for number in (0, 2, -1):
        assert refused(answer_example, desk, rater, number, GOOD) == "F063"


def test_practice_is_no_rating(bench: Bench) -> None:
    desk, rater = practising(bench)
    answer_example(desk, rater, 0, GOOD)
    answer_example(desk, rater, 1, HALF)
    assert list(desk.stores.ratings.ratings(desk.id)) == []
    assert desk.stores.places.tally(desk.id, rater).get("rated", 0) == 0


def test_changed_examples_are_practised_again(bench: Bench) -> None:
    desk, rater = practising(bench)
    answer_example(desk, rater, 0, GOOD)
    answer_example(desk, rater, 1, HALF)
    changed = bench.desk(
        extra="practice: {from: practice.yaml}", practice_yaml=EXAMPLES.replace("All", "Quite")
    )
    assert step(changed, rater).page == "practice"


def test_an_example_may_have_earlier_turns(bench: Bench) -> None:
    text = "- {item: {answer: now, model: x}, earlier: [{answer: before}], answers: {correct: 3}}"
    desk = bench.desk(extra="practice: {from: practice.yaml}", practice_yaml=text)
    (exercise,) = exercises(desk, join(desk, "Ann").rater.number)
    assert [e.shown.views[0]["text"] for e in exercise.context] == ["before"]
