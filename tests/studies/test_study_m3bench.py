"""Facts of the study of vision-language answers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from bundled_studies import bundled, items, lines, practised

from rubrica.kinds.registry import kind
from rubrica.study.views import ImagesView, NoteView

STUDY = bundled("m3bench")
QUESTIONS = STUDY.study.questions
ACTIONS = {
    "guidance",
    "follow_up",
    "mislead",
    "mislead_subtle",
    "memory_injection",
    "distraction",
    "fine_grained",
    "redundancy",
    "cross_image_confusion",
    "consistency_check",
}
SAMPLES = list(lines(STUDY.folder / "annotation_samples.jsonl"))


def test_m1_duplicate_ids_stay_items_of_their_own() -> None:
    keys = Counter(item.key for item in items("m3bench"))
    assert len(items("m3bench")) == len(SAMPLES) > len(keys)


def test_m1_empty_cut_off_and_failed_answers_carry_a_mark() -> None:
    marks = {view.get("mark") for item in items("m3bench") for view in item.shown.views}
    assert marks >= {"empty", "cut_off", "equals", None}


def test_m2_runs_begin_anew_where_the_turn_number_does_not_rise() -> None:
    threads = {item.thread for item in items("m3bench")}
    assert len(threads) == sum(sample["turn_number"] == 0 for sample in SAMPLES)


def test_m2_pictures_have_backslashes_in_the_file_and_are_found_all_the_same() -> None:
    assert any("\\" in path for sample in SAMPLES for path in sample["images_sent"])
    place = next(i for i, v in enumerate(STUDY.study.items.show) if isinstance(v, ImagesView))
    names = {name for item in items("m3bench") for name in item.shown.views[place]["images"]}
    assert names
    assert all((STUDY.folder / name).is_file() for name in names)


@pytest.mark.parametrize("name", ["correctness", "reasoning_completeness", "overall_quality"])
def test_m3_three_scales_from_1_to_5(name: str) -> None:
    assert sorted(QUESTIONS[name].levels) == [1, 2, 3, 4, 5]


def test_m4_misleading_is_asked_for_three_actions_only() -> None:
    resists = QUESTIONS["resists_misleading"]
    assert resists.when == {"item.action_type": ["mislead", "mislead_subtle", "memory_injection"]}
    assert list(resists.options) == ["Yes", "No"]
    assert resists.cannot_judge


def test_m5_consistency_is_asked_from_the_second_turn_on() -> None:
    consistent = QUESTIONS["context_consistency"]
    assert consistent.when["thread.position"].at_least == 1
    assert list(consistent.options) == ["Yes", "No"]
    assert consistent.cannot_judge


def test_m6_comments_are_asked_for_and_never_forced() -> None:
    assert QUESTIONS["comments"].required is False
    assert QUESTIONS["comments"].second_look is not None


def test_m7_weights_and_the_second_look() -> None:
    weighted, apart = STUDY.study.score["weighted"], STUDY.study.score["apart"]
    assert weighted.mean == {
        "correctness": 40,
        "reasoning_completeness": 30,
        "resists_misleading": 20,
        "context_consistency": 10,
    }
    assert weighted.onto == (1, 5)
    assert weighted.missing == "drop"
    assert apart.gap == ["weighted", "overall_quality"]
    limit, unless = QUESTIONS["overall_quality"].second_look.when.all
    assert limit["score.apart"].more_than == 1.5
    assert unless.not_ == {"answer.resists_misleading": "Yes"}


def test_m7_yes_counts_5_and_no_counts_1() -> None:
    for name in ("resists_misleading", "context_consistency"):
        question = QUESTIONS[name]
        assert [kind("choice").fraction(question, o) for o in ("Yes", "No")] == [1, 0]


def test_m8_guidance_for_every_action_type_and_a_plain_text_for_unknown_ones() -> None:
    note = next(view for view in STUDY.study.items.show if isinstance(view, NoteView))
    assert set(note.texts) == ACTIONS
    assert note.otherwise
    for guideline in STUDY.guidelines.values():
        assert all(f"\n| {action} |" in guideline.text for action in ACTIONS)
    assert {sample["action_type"] for sample in SAMPLES} > ACTIONS


def test_m8_edge_cases_stand_in_the_guidelines() -> None:
    for guideline in STUDY.guidelines.values():
        for fact in (
            "verbose but accurate",
            "3-4 |",
            "| 4-5 |",
            "**4-5**",
            "40%",
            "30%",
            "20%",
            "10%",
            "1.5",
        ):
            assert fact in guideline.text, fact


def test_m9_the_five_worked_examples() -> None:
    names = [n for n in QUESTIONS if n != "comments"]
    answers = [tuple(example.answers[n] for n in names) for example in STUDY.practice]
    assert answers == [
        (4, 5, None, None, 4),
        (5, 5, "Yes", "Yes", 5),
        (1, 4, None, "No", 2),
        (3, 4, None, "Yes", 3),
        (1, 1, None, None, 1),
    ]
    actions = [example.item["action_type"] for example in STUDY.practice]
    assert actions == ["guidance", "mislead", "follow_up", "distraction", "mislead"]
    assert [bool(example.earlier) for example in STUDY.practice] == [False, True, True, True, True]


def test_m9_no_reference_needs_a_second_look() -> None:
    for example in STUDY.practice:
        accepted = practised(STUDY, example)
        assert not accepted.answers["overall_quality"].second_look


def test_m10_the_closing_checklist() -> None:
    assert len(STUDY.study.checklist) == 4


def test_the_sample_has_every_field_of_the_real_file_and_no_other(shared_data: Path) -> None:
    real = next(lines(shared_data / "m3bench" / "annotation_samples.jsonl"))
    for sample in SAMPLES:
        assert list(sample) == list(real)
        assert list(sample["human_annotation"]) == list(real["human_annotation"])
        for name, value in sample.items():
            assert value is None or type(value) is type(real[name]), name
    assert any(sample["auto_evaluation"] is None for sample in SAMPLES)


def test_verdicts_say_which_turn_they_speak_of() -> None:
    verdicts = STUDY.study.items.verdict
    assert verdicts["confidence"].speaks_of == "previous"
    assert verdicts["quality"].speaks_of == "this"
