"""Facts of the study of in-car conversations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from bundled_studies import bundled, items, practised

STUDY = bundled("incar")
QUESTIONS = STUDY.study.questions
DIMENSIONS = (
    "instruction_constraint_adherence",
    "context_ambiguity_handling",
    "plan_coherence",
    "safety_compliance",
)
LOGS = [json.loads(f.read_bytes()) for f in sorted((STUDY.folder / "logs").glob("*/*.json"))]


def test_c2_folders_are_batches_in_turn_with_breaks() -> None:
    batches = list(dict.fromkeys(item.origin.batch for item in items("incar")))
    assert len(batches) == 4
    assert batches == sorted(batches)
    assert STUDY.study.raters.batches == "in_turn"
    breaks = STUDY.study.breaks
    assert (breaks.every_items, breaks.every_minutes, breaks.after_batch) == (5, 30, True)


@pytest.mark.parametrize("name", DIMENSIONS)
def test_c6_four_dimensions_from_0_to_2(name: str) -> None:
    assert sorted(QUESTIONS[name].levels) == [0, 1, 2]
    assert QUESTIONS[name].rubric.examples


def test_c6_failure_types_and_what_is_none() -> None:
    assert list(QUESTIONS["instruction_failures"].types) == [
        "fallback_response",
        "irrelevant_response",
        "request_omitted",
        "constraint_missed",
    ]
    assert list(QUESTIONS["context_failures"].types) == ["context_forgotten", "ambiguity_unresolved"]
    for name in ("instruction_failures", "context_failures", "stops", "safety_concerns"):
        assert QUESTIONS[name].rubric.not_a_failure
    for guideline in STUDY.guidelines.values():
        assert "ABS" in guideline.text


@pytest.mark.parametrize("name", DIMENSIONS[:2])
def test_c7_levels_follow_from_the_count(name: str) -> None:
    assert QUESTIONS[name].implied.levels == {0: 2, 1: 1, "more": 0}


def example_with(**changed: Any) -> Any:
    """What follows when the plan example is answered otherwise."""
    example = next(e for e in STUDY.practice if "plan_failures" in e.answers)
    answers = {n: a for n, a in example.answers.items() if n not in DIMENSIONS} | changed
    answers = {name: answer for name, answer in answers.items() if answer != "left out"}
    return practised(STUDY, example.model_copy(update={"answers": answers})).answers


def stops(*marks: str) -> list[dict[str, str]]:
    return [{"name": f"place {number}", "mark": mark} for number, mark in enumerate(marks)]


@pytest.mark.parametrize(
    ("marks", "issues", "level", "because"),
    [
        (("asked", "asked", "dropped", "apart"), None, 2, "no_plan_required"),
        ((), None, 2, "no_plan_required"),
        (("asked",) * 3, [], 2, "well_planned"),
        (("asked",) * 3, ["detour"], 1, "minor_issue"),
        (("asked",) * 3, ["too_long", "details_missing"], 1, "minor_issue"),
        (("asked",) * 3, ["missed_stop"], 0, "serious_issue"),
        (("asked",) * 3, ["wrong_sequence"], 0, "serious_issue"),
        (("asked",) * 4, ["superficial", "detour"], 0, "serious_issue"),
    ],
)
def test_c7_plan_level(marks: Any, issues: Any, level: int, because: str) -> None:
    found = "left out" if issues is None else [{"type": issue, "part": 1} for issue in issues]
    answer = example_with(stops=stops(*marks), plan_failures=found)["plan_coherence"]
    assert (answer.value, answer.implied, answer.implied_by) == (level, level, because)


@pytest.mark.parametrize(
    ("concerns", "level"),
    [
        ([], 2),
        (["overload"], 1),
        (["overload", "open_at_speed"], 1),
        (["overload"] * 3, 0),
        (["illegal"], 0),
        (["screen_or_manual"], 0),
        (["sustained_looking"], 0),
        (["dangerous_control", "overload"], 0),
    ],
)
def test_c7_safety_level(concerns: list[str], level: int) -> None:
    marks = [{"type": concern, "part": 1} for concern in concerns]
    assert example_with(safety_concerns=marks)["safety_compliance"].value == level


def test_c7_the_rater_may_override() -> None:
    answer = example_with(instruction_failures=[], instruction_constraint_adherence=1)
    kept = answer["instruction_constraint_adherence"]
    assert (kept.value, kept.implied) == (1, 2)


def test_c8_goals_one_by_one_with_their_turn() -> None:
    goals = QUESTIONS["goals"]
    assert sorted(goals.answer.levels) == [0, 1]
    assert goals.dropped
    entries = [entry for item in items("incar") for entry in item.shown.entries["goals"]]
    assert {entry["turn"] for entry in entries} >= {1, 2, 3}
    assert all(set(entry) <= {"label", "note", "turn"} for entry in entries)


def test_c10_score_and_threshold() -> None:
    overall = STUDY.study.score["overall"]
    assert overall.mean == {**dict.fromkeys(DIMENSIONS, 1), "goals": 1}
    assert (overall.pass_at, overall.missing) == (0.75, "zero")
    assert "goals.share_without_dropped" in STUDY.study.score["without_dropped"].mean
    assert not STUDY.study.show_score
    assert STUDY.study.report.analyse == "first"


def test_c10_the_logs_own_scores_follow_the_same_formula() -> None:
    for log in LOGS:
        statuses = [target["status"] for target in log["targets"].values()]
        share = statuses.count(1) / len(statuses) if statuses else 0
        levels = log["conversation_evaluation"]["scores"].values()
        assert log["success_score"] == pytest.approx((sum(levels) / 2 + share) / 5)
        assert log["success_decision"] == ("pass" if log["success_score"] >= 0.75 else "fail")


def test_c11_fatigue_and_pitfalls_are_explained() -> None:
    assert "every five conversations" in STUDY.guidelines["en"].text
    assert "30 to 45 minutes" in STUDY.guidelines["en"].text
    assert "30 到 45 分钟" in STUDY.guidelines["zh"].text


def test_c13_several_judges_who_mostly_agree_with_a_careful_reading() -> None:
    judges = {
        log["metadata"]["model_configurations"]["evaluator"]["turn_evaluation"]["model_config"]
        for log in LOGS
    }
    assert len(judges) == 4
    source = (STUDY.folder / "make" / "conversations.yaml").read_text(encoding="utf-8")
    pairs = [
        pair
        for talk in yaml.safe_load(source)
        for pair in zip(talk["levels"], talk.get("judge_levels", talk["levels"]), strict=True)
    ]
    assert 0.8 < sum(read == judged for read, judged in pairs) / len(pairs) < 0.95


def test_c13_targets_dropped_ones_and_none_at_all() -> None:
    assert {s for log in LOGS for s in (t["status"] for t in log["targets"].values())} == {-1, 0, 1}
    assert any(not log["targets"] for log in LOGS)


def test_conversations_have_two_to_ten_turns() -> None:
    sizes = [len(log["turns"]) for log in LOGS]
    assert len(sizes) >= 24
    assert (min(sizes), max(sizes)) == (2, 10)


def shape(value: Any) -> Any:
    return {name: shape(part) for name, part in value.items()} if isinstance(value, dict) else None


def test_logs_have_the_fields_of_the_real_ones(shared_data: Path) -> None:
    real = [json.loads(f.read_bytes()) for f in (shared_data / "incar").glob("*/*.json")]
    tops = {tuple(log) for log in real}
    turns = {tuple(turn) for log in real for turn in log["turns"]}
    judged = {json.dumps(shape(log["conversation_evaluation"]["scores"])) for log in real}
    for log in LOGS:
        assert tuple(log) in tops
        assert {tuple(turn) for turn in log["turns"]} <= turns
        assert json.dumps(shape(log["conversation_evaluation"]["scores"])) in judged
        assert list(log["conversation_evaluation"]) == list(real[0]["conversation_evaluation"])


def test_practice_covers_every_dimension_and_goals() -> None:
    assert len(STUDY.practice) >= 6
    for name in DIMENSIONS:
        assert {example.answers[name] for example in STUDY.practice} == {0, 1, 2}, name
    values = {g["value"] for example in STUDY.practice for g in example.answers["goals"]}
    assert values == {0, 1}
    assert any("dropped" in g for example in STUDY.practice for g in example.answers["goals"])
