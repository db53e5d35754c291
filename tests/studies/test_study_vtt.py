"""Facts of the study of visual change."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from bundled_studies import bundled, items, lines

from rubrica.study.views import SequenceView

STUDY = bundled("vtt")
QUESTIONS = STUDY.study.questions
RESULTS = [line for file in sorted((STUDY.folder / "results").iterdir()) for line in lines(file)]
RATED = {"fluency", "relevance", "logical_soundness", "start_time", "end_time", "duration", "normal"}
PREDICTED = {"category_pred", "category_target", "topic_pred", "topic_target"}


def test_v1_images_and_texts_of_a_sequence() -> None:
    view = next(v for v in STUDY.study.items.show if isinstance(v, SequenceView))
    assert view.per_row == 6
    sizes = Counter[int]()
    for item in items("vtt"):
        shown = item.shown.views[-1]
        assert all((STUDY.folder / "images" / name).is_file() for name in shown["images"])
        sizes[len(shown["texts"]) - (len(shown["images"]) - 1)] += 1
    assert sizes[0] > sizes[1] > 0


def test_v1_twelve_or_more_inputs_and_one_longer_than_a_row() -> None:
    images = {item.thread: len(item.shown.views[-1]["images"]) for item in items("vtt")}
    assert len(images) >= 12
    assert max(images.values()) > 6


def test_v2_two_numbered_places() -> None:
    assert STUDY.study.raters.places == 2


@pytest.mark.parametrize("name", ["fluency", "relevance", "logical_soundness"])
def test_v3_three_scales_from_1_to_5(name: str) -> None:
    assert sorted(QUESTIONS[name].levels) == [1, 2, 3, 4, 5]


def test_v3_severity_decides_about_relevance() -> None:
    means = {level: text.means["en"] for level, text in QUESTIONS["relevance"].levels.items()}
    assert "extremely" in means[1]
    assert "most sentences are severely" in means[1]
    assert "Several" in means[2]
    assert "severely" in means[2]
    assert "Many" in means[3]
    assert "isolated one severely" in means[3]
    assert "mildly" in means[4]
    about = QUESTIONS["relevance"].rubric.about
    assert [about["en"].count(f"**{w}**") for w in ("extreme", "severe", "mild")] == [1, 2, 1]
    assert [about["zh"].count(f"**{w}**") for w in ("极度", "非常", "一般")] == [1, 2, 1]


def test_v3_kinds_of_logical_fault_are_at_hand() -> None:
    rubric = QUESTIONS["logical_soundness"].rubric
    assert all(f"{n}. " in rubric.about["en"] and f"{n}. " in rubric.about["zh"] for n in (1, 2, 3, 4))
    assert "credit" in rubric.about["en"]
    assert "reasonable repetition" in rubric.not_a_failure[0]["en"]


def test_v4_reasons_to_skip() -> None:
    assert len(STUDY.study.skip_reasons) == 3


def test_v8_outputs_for_one_input_are_a_set() -> None:
    assert STUDY.study.items.thread.kind == "set"
    assert STUDY.study.raters.order == "shuffled"
    assert set(Counter(item.thread for item in items("vtt")).values()) == {4}


def test_v10_results_have_the_fields_of_the_real_file(shared_data: Path) -> None:
    real = next(lines(shared_data / "vtt" / "ttnet.jsonl"))
    wanted = [name for name in real if name not in RATED]
    for line in RESULTS:
        names = [n for n in wanted if n in line or n not in PREDICTED]
        assert list(line) == names
        assert all(type(line[name]) is type(real[name]) for name in line)
    sample = next(lines(shared_data / "vtt" / "vtt_test.jsonl"))
    assert all(list(line) == list(sample) for line in lines(STUDY.folder / "vtt_demo.jsonl"))


def test_v12_every_metric_is_compared() -> None:
    assert list(STUDY.study.items.verdict) == [
        "BLEU-4",
        "ROUGE",
        "METEOR",
        "CIDEr",
        "SPICE",
        "BERTScore",
    ]


def test_v12_systems_differ_in_their_metrics() -> None:
    means = {
        name: sum(sum(r["BLEU_4"]) / len(r["BLEU_4"]) for r in RESULTS if r["exp"] == name)
        for name in ("atlas", "brook", "dune")
    }
    assert means["atlas"] > means["brook"] > means["dune"]


def test_practice_covers_the_scales() -> None:
    assert len(STUDY.practice) >= 4
    for name in ("relevance", "logical_soundness"):
        assert {example.answers[name] for example in STUDY.practice} >= {1, 2, 5}
