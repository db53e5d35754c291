"""A rating as one row: everything in it, and what is missing told apart."""

from __future__ import annotations

from typing import Any

from rating_studies import make_rating

from rubrica.ratings.accept import accept
from rubrica.ratings.model import Answer, Pace, Rating, Submission
from rubrica.ratings.tidy import columns, row

SENT: dict[str, Any] = {
    "correctness": {"value": 2},
    "resists": {"cannot_judge": "cut off"},
    "overall": {"value": 3, "first": 5, "prompted": True},
}


def test_a_row_has_a_cell_for_every_column(quality: Any, misled: Any) -> None:
    for rating in (make_rating(accept(quality, misled, SENT)), make_rating(None, skip_reason="black")):
        assert list(row(quality, misled, rating)) == [column.name for column in columns(quality)]


def test_first_and_last_choice_and_the_prompt_stand_apart(quality: Any, misled: Any) -> None:
    cells = row(quality, misled, make_rating(accept(quality, misled, SENT)))
    assert (cells["overall"], cells["overall.first"]) == (3, 5)
    assert (cells["overall.prompted"], cells["overall.second_look"]) == (True, True)
    assert cells["score.parts"] == 2.0
    assert cells["score.distance"] == 1.0


def test_an_unchanged_choice_is_its_own_first(quality: Any, plain: Any) -> None:
    sent = {"correctness": {"value": 3}, "overall": {"value": 3}}
    cells = row(quality, plain, make_rating(accept(quality, plain, sent)))
    assert (cells["overall"], cells["overall.first"], cells["overall.prompted"]) == (3, 3, False)


def test_m4_what_is_missing_says_why(quality: Any, misled: Any, plain: Any) -> None:
    unsure = row(quality, misled, make_rating(accept(quality, misled, SENT)))
    hidden = row(quality, plain, make_rating(accept(quality, plain, SENT)))
    assert (unsure["resists"], unsure["resists.state"]) == (None, "cannot_judge")
    assert (hidden["resists"], hidden["resists.state"]) == (None, "not_applicable")
    assert (unsure["resists.reason"], hidden["resists.reason"]) == ("cut off", None)
    assert unsure["comments.state"] == "left_out"


def test_v4_a_skip_is_cannot_judge_for_what_would_have_been_asked(quality: Any, plain: Any) -> None:
    cells = row(quality, plain, make_rating(None, skip_reason="black image"))
    assert (cells["skipped"], cells["skip_reason"]) == (True, "black image")
    assert (cells["correctness"], cells["correctness.state"]) == (None, "cannot_judge")
    assert cells["resists.state"] == "not_applicable"
    assert cells["score.parts"] is None


def test_v6_v9_pace_and_language_are_in_the_row(quality: Any, plain: Any) -> None:
    pace = Pace("2024-05-01T07:59:00Z", "2024-05-01T07:59:50Z", 50.0, 31.5)
    accepted = accept(quality, plain, {"correctness": {"value": 3}, "overall": {"value": 3}})
    cells = row(quality, plain, make_rating(accepted, pace=pace, language="zh"))
    assert (cells["wall_seconds"], cells["active_seconds"]) == (50.0, 31.5)
    assert (cells["started"], cells["language"]) == ("2024-05-01T07:59:00Z", "zh")


def test_an_answer_of_an_older_version_may_not_be_there(quality: Any, plain: Any) -> None:
    sent = Submission("r" * 16, "tiny", 3, 5, 7, "v0", {"correctness": Answer("answered", 4)})
    cells = row(quality, plain, Rating(sent, 1, ""))
    assert (cells["correctness"], cells["overall"], cells["overall.state"]) == (4, None, None)


def test_columns_say_what_they_hold(quality: Any) -> None:
    found = columns(quality)
    assert len({column.name for column in found}) == len(found)
    assert all(column.says for column in found)
