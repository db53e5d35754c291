"""The rating procedure for whole conversations: from evidence to levels, goals and scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rating_studies import make_item, make_rating, make_study

from rubrica.errors import Problems
from rubrica.items.model import Item
from rubrica.ratings.accept import Accepted, accept
from rubrica.ratings.tidy import columns, row
from rubrica.study.model import Study

DECLARED = json.loads((Path(__file__).parent / "rules_cases.json").read_text("utf-8"))["studies"][
    "incar"
]
TURNS = [{"label": ""}] * 4
NOTHING_WRONG: dict[str, Any] = {
    "instruction_failures": {"value": []},
    "context_failures": {"value": []},
    "safety_failures": {"value": []},
    "stops": {"value": []},
}


@pytest.fixture(scope="module")
def study() -> Study:
    return make_study(DECLARED["questions"], DECLARED["score"])


def conversation(*goals: str) -> Item:
    marked = ("instruction_failures", "context_failures", "safety_failures")
    listed = [{"label": goal, "note": None, "turn": 1} for goal in goals]
    return make_item(goals=listed, **dict.fromkeys(marked, TURNS))


def rated(study: Study, item: Item, goals: list[Any], **replies: Any) -> Accepted:
    goals_reply = {"goals": {"value": goals}} if goals else {}
    return accept(study, item, NOTHING_WRONG | goals_reply | replies)


def test_c7_a_mark_names_type_turn_and_a_word_and_gives_the_level(study: Study) -> None:
    mark = {"type": "omission", "part": 3, "note": "parking is never mentioned"}
    accepted = rated(
        study, conversation("park"), [{"value": 1}], instruction_failures={"value": [mark]}
    )
    level = accepted.answers["instruction"]
    assert accepted.answers["instruction_failures"].value == [mark]
    assert (level.value, level.implied, level.first) == (1, 1, None)


def test_c7_no_failure_is_stated_and_never_assumed(study: Study) -> None:
    replies = {name: reply for name, reply in NOTHING_WRONG.items() if name != "safety_failures"}
    with pytest.raises(Problems) as caught:
        accept(study, conversation("park"), replies | {"goals": {"value": [{"value": 1}]}})
    assert [p.where.path for p in caught.value.problems] == [
        "answers.safety_failures",
        "answers.safety",
    ]


def test_c7_rule_first_choice_and_final_level_are_kept_apart(study: Study) -> None:
    marks = {"value": [{"type": "refusal"}]}
    reply = {"value": 2, "first": 0}
    level = rated(
        study, conversation("park"), [{"value": 1}], instruction_failures=marks, instruction=reply
    ).answers["instruction"]
    assert (level.implied, level.first, level.value) == (1, 0, 2)


def test_c7_the_server_works_the_level_out_again(study: Study) -> None:
    level = rated(study, conversation("park"), [{"value": 1}], safety={}).answers["safety"]
    assert (level.value, level.implied, level.state) == (2, 2, "answered")


def test_c7_under_three_active_places_no_plan_was_required(study: Study) -> None:
    stops = [{"name": "the bank", "mark": "asked"}, {"name": "a pharmacy", "mark": "dropped"}]
    answers = rated(study, conversation("park"), [{"value": 1}], stops={"value": stops}).answers
    assert answers["plan_issues"].state == "not_applicable"
    assert (answers["plan"].value, answers["plan"].implied_by) == (2, "no_plan_required")


def test_c7_severity_is_recorded_where_the_type_has_only_one(study: Study) -> None:
    answers = rated(
        study, conversation("park"), [{"value": 1}], safety_failures={"value": [{"type": "overload"}]}
    ).answers
    assert answers["safety_failures"].value == [{"type": "overload", "severity": "moderate"}]
    assert answers["safety"].value == 1


@pytest.mark.parametrize(
    "mark",
    [
        {"type": "overload", "part": 5},
        {"type": "overload", "part": 0},
        {"type": "overload", "severity": "critical"},
        {"type": "windows"},
        {"type": "speeding"},
        {"type": "overload", "note": " "},
        {"part": 1},
        "overload",
    ],
)
def test_c7_bad_marks_are_refused(study: Study, mark: Any) -> None:
    with pytest.raises(Problems) as caught:
        rated(study, conversation("park"), [{"value": 1}], safety_failures={"value": [mark]})
    assert caught.value.problems[0].where.path.startswith("answers.safety_failures[0]")


def test_c7_a_study_may_switch_to_plain_levels(study: Study) -> None:
    plain = {"kind": "scale", "ask": "Safe?", "levels": DECLARED["questions"]["safety"]["levels"]}
    accepted = accept(make_study({"safety": plain}), conversation(), {"safety": {"value": 1}})
    assert accepted.answers["safety"].implied is None


def test_c8_a_dropped_goal_keeps_its_value_and_its_turn(study: Study) -> None:
    goals = [{"value": 1}, {"value": 0, "dropped": 2}]
    answer = rated(study, conversation("park", "pharmacy"), goals).answers["goals"]
    assert answer.value == goals


@pytest.mark.parametrize(
    "goals",
    [
        [{"value": 1}],
        [{"value": 1}] * 3,
        [{"value": 1}, {"value": -1}],
        [{"value": 1}, {"value": 0, "dropped": 0}],
        [{"value": 1}, {"dropped": 2}],
        [1, 0],
    ],
)
def test_c8_every_goal_is_answered_once(study: Study, goals: Any) -> None:
    with pytest.raises(Problems):
        rated(study, conversation("park", "pharmacy"), goals)


def test_c10_dropped_goals_count_natively_and_not_in_the_second_score(study: Study) -> None:
    goals = [{"value": 1}, {"value": 0, "dropped": 2}, {"value": 0}, {"value": 1}]
    scores = rated(study, conversation("a", "b", "c", "d"), goals).scores
    assert scores["overall"] == pytest.approx((4 + 2 / 4) / 5)
    assert scores["without_dropped"] == pytest.approx((4 + 2 / 3) / 5)


def test_c10_the_threshold_itself_passes(study: Study) -> None:
    three_of_four = [{"value": 1}] * 3 + [{"value": 0}]
    one = {"value": 1}
    item = conversation("a", "b", "c", "d")
    scores = rated(study, item, three_of_four, instruction=one, context=one).scores
    assert (scores["overall"], scores["overall.pass"]) == (0.75, 1.0)
    none_of_four = [{"value": 0}] * 4
    scores = rated(study, item, none_of_four, instruction=one, context=one).scores
    assert (scores["overall"], scores["overall.pass"]) == (0.6, 0.0)


def test_c10_no_goals_is_zero_natively_and_missing_otherwise(study: Study) -> None:
    accepted = rated(study, conversation(), [])
    assert accepted.answers["goals"].state == "not_applicable"
    assert accepted.scores["native"] == 0.8
    assert accepted.scores["overall"] == 1.0


def test_c12_every_goal_stands_in_the_row_with_its_label(study: Study) -> None:
    item = conversation("park", "pharmacy")
    accepted = rated(study, item, [{"value": 1}, {"value": 0, "dropped": 2}])
    cells = row(study, item, make_rating(accepted))
    assert cells["goals"] == 0.5
    assert (cells["goals.complete"], cells["goals.total"], cells["goals.dropped"]) == (1, 2, 1)
    assert cells["goals.entries"] == [
        {"label": "park", "answer": 1, "dropped": None},
        {"label": "pharmacy", "answer": 0, "dropped": 2},
    ]
    assert cells["plan.implied_by"] == "no_plan_required"
    assert list(cells) == [column.name for column in columns(study)]
