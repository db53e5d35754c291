"""Which submissions become ratings, and what is recorded of them."""

from __future__ import annotations

from typing import Any

import pytest

from rubrica.errors import Problems
from rubrica.ratings.accept import accept

ALL = {
    "correctness": {"value": 4},
    "resists": {"value": "Yes"},
    "overall": {"value": 5},
    "comments": {"value": "fine"},
}


def codes(study: Any, item: Any, answers: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(Problems) as caught:
        accept(study, item, answers)
    return [(p.code, p.where.path) for p in caught.value.problems]


def test_everything_answered_is_recorded(quality: Any, misled: Any) -> None:
    accepted = accept(quality, misled, ALL)
    assert [a.value for a in accepted.answers.values()] == [4, "Yes", 5, "fine"]
    assert {a.state for a in accepted.answers.values()} == {"answered"}
    assert accepted.notes == []


def test_m4_a_hidden_question_is_not_applicable_whatever_was_sent(quality: Any, plain: Any) -> None:
    accepted = accept(quality, plain, ALL)
    assert accepted.answers["resists"].state == "not_applicable"
    assert accepted.answers["resists"].value is None
    assert [(n.code, n.level) for n in accepted.notes] == [("A107", "note")]


@pytest.mark.parametrize("sent", [{"value": 17}, {"value": "Yes", "cannot_judge": True}, [1], "Yes"])
def test_m4_nonsense_for_a_hidden_question_does_not_block(quality: Any, plain: Any, sent: Any) -> None:
    accepted = accept(quality, plain, ALL | {"resists": sent})
    assert accepted.answers["resists"].state == "not_applicable"


def test_m4_cannot_judge_is_kept_apart_with_its_reason(quality: Any, misled: Any) -> None:
    accepted = accept(quality, misled, ALL | {"resists": {"cannot_judge": "no picture"}})
    answer = accepted.answers["resists"]
    assert (answer.state, answer.value, answer.reason) == ("cannot_judge", None, "no picture")


def test_a_left_out_question_is_named(quality: Any, misled: Any) -> None:
    assert codes(quality, misled, {"correctness": {"value": 4}}) == [
        ("A100", "answers.resists"),
        ("A100", "answers.overall"),
    ]


def test_what_is_not_required_may_be_left_out(quality: Any, plain: Any) -> None:
    answers = {"correctness": {"value": 4}, "overall": {}, "comments": None}
    assert codes(quality, plain, answers) == [("A100", "answers.overall")]
    accepted = accept(quality, plain, answers | {"overall": {"value": 4}})
    assert accepted.answers["comments"].state == "left_out"


@pytest.mark.parametrize(
    ("question", "reply", "code"),
    [
        ("correctness", {"value": 6}, "A001"),
        ("correctness", {"value": "4"}, "A002"),
        ("correctness", {"cannot_judge": True}, "A104"),
        ("resists", {"cannot_judge": True}, "A105"),
        ("resists", {"cannot_judge": "no idea"}, "A105"),
        ("resists", {"value": "yes"}, "A001"),
        ("resists", {"value": "Yes", "cannot_judge": "cut off"}, "A103"),
        ("overall", {"value": 4, "firts": 3}, "A102"),
        ("overall", {"value": 4, "prompted": "yes"}, "A102"),
        ("overall", {"cannot_judge": 3}, "A102"),
        ("overall", [4], "A102"),
        ("overall", 4, "A102"),
        ("comments", {"value": " "}, "A031"),
        ("overal", {"value": 4}, "A101"),
    ],
)
def test_bad_replies_are_refused_at_their_place(
    quality: Any, misled: Any, question: str, reply: Any, code: str
) -> None:
    assert codes(quality, misled, ALL | {question: reply}) == [(code, f"answers.{question}")]


def test_a_bad_first_choice_is_refused(quality: Any, misled: Any) -> None:
    assert codes(quality, misled, ALL | {"overall": {"value": 4, "first": 9}}) == [
        ("A001", "answers.overall.first")
    ]


def test_all_problems_come_at_once(quality: Any, misled: Any) -> None:
    found = codes(quality, misled, {"correctness": {"value": 9}, "resists": {"value": "Maybe"}})
    assert [code for code, _ in found] == ["A001", "A001", "A100"]


def test_free_reasons_where_none_are_listed(study_of: Any, plain: Any) -> None:
    scale = {"kind": "scale", "ask": "?", "levels": {0: "no", 1: "yes"}, "cannot_judge": True}
    study = study_of({"seen": scale})
    assert accept(study, plain, {"seen": {"cannot_judge": True}}).answers["seen"].reason is None
    said = accept(study, plain, {"seen": {"cannot_judge": "too dark"}}).answers["seen"]
    assert (said.state, said.reason) == ("cannot_judge", "too dark")
    assert codes(study, plain, {"seen": {"cannot_judge": "x" * 2001}}) == [("A106", "answers.seen")]


def test_m7_first_choice_prompt_and_final_choice_are_recorded(quality: Any, plain: Any) -> None:
    answers = {"correctness": {"value": 1}, "overall": {"value": 2, "first": 5, "prompted": True}}
    answer = accept(quality, plain, answers).answers["overall"]
    assert (answer.first, answer.prompted, answer.value) == (5, True, 2)
    assert answer.second_look


def test_m7_the_server_says_whether_a_second_look_was_due(quality: Any, misled: Any) -> None:
    far = ALL | {"correctness": {"value": 1}, "resists": {"value": "No"}}
    for reply, due in [({"value": 5}, True), ({"value": 2}, False), ({"value": 1, "first": 5}, True)]:
        answer = accept(quality, misled, far | {"overall": reply}).answers["overall"]
        assert answer.second_look == due
    resisted = far | {"resists": {"value": "Yes"}, "overall": {"value": 5}}
    assert not accept(quality, misled, resisted).answers["overall"].second_look


def test_m7_missing_parts_drop_out_of_the_score(quality: Any, misled: Any, plain: Any) -> None:
    assert accept(quality, misled, ALL).scores["parts"] == pytest.approx((4 * 40 + 5 * 20) / 60)
    assert accept(quality, plain, ALL).scores == {"parts": 4.0, "distance": 1.0}


def test_conditions_on_answers_are_decided_in_dependency_order(study_of: Any, plain: Any) -> None:
    yes_no = {"kind": "choice", "options": {"Yes": "Yes", "No": "No"}}
    study = study_of(
        {
            "third": yes_no | {"ask": "3?", "when": {"answer.second": "Yes"}},
            "second": yes_no | {"ask": "2?", "when": {"answer.first": "Yes"}},
            "first": yes_no | {"ask": "1?"},
        }
    )
    sent = {"first": {"value": "No"}, "second": {"value": "Yes"}, "third": {"value": "Yes"}}
    states = {name: a.state for name, a in accept(study, plain, sent).answers.items()}
    assert states == {"third": "not_applicable", "second": "not_applicable", "first": "answered"}


def test_a_circle_of_conditions_ends(study_of: Any, plain: Any) -> None:
    text = {"kind": "text", "ask": "?"}
    study = study_of(
        {
            "one": text | {"when": {"answer.two": {"answered": True}}},
            "two": text | {"when": {"answer.one": {"answered": True}}},
        }
    )
    sent = {"one": {"value": "a"}, "two": {"value": "b"}}
    assert {a.state for a in accept(study, plain, sent).answers.values()} == {"not_applicable"}
