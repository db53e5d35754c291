"""One short name for a question, wherever people read of it."""

from __future__ import annotations

from pathlib import Path

from study_texts import whole

from rubrica.study.called import question_called, score_called
from rubrica.study.load import load_study
from rubrica.study.model import Study

QUESTIONS = """\
languages: [en, zh]
questions:
  well_said: {kind: text, label: {en: Wording, zh: 措辞}, ask: "Is it well said?"}
  in_order: {kind: scale, ask: {en: "Is it in order?", zh: 顺序对吗？}, levels: {0: No, 1: Yes}}
  at_length: {kind: text, ask: {en: "Is it?", zh: 这里写了很长很长很长很长很长很长很长很长很长的话吗？}}
score:
  all_in_all: {mean: {in_order: 1}}
  named: {mean: {in_order: 1}, label: {en: Total, zh: 总分}}
"""


def study(tmp_path: Path, text: str = QUESTIONS) -> Study:
    (tmp_path / "study.yaml").write_text(whole(text), "utf-8")
    return load_study(tmp_path).study


def test_a_label_is_the_name_and_without_one_what_reads_best(tmp_path: Path) -> None:
    named = study(tmp_path)
    names = ("well_said", "in_order", "at_length", "unknown_one")
    assert [question_called(named, n, "en") for n in names] == [
        "Wording",
        "In order",
        "At length",
        "Unknown one",
    ]
    assert [question_called(named, n, "zh") for n in names] == [
        "措辞",
        "顺序对吗？",
        "At length",
        "Unknown one",
    ]


def test_scores_have_a_name_too(tmp_path: Path) -> None:
    named = study(tmp_path)
    assert [score_called(named, n, "zh") for n in ("all_in_all", "named")] == ["All in all", "总分"]


def test_a_study_in_one_language_asks_in_that(tmp_path: Path) -> None:
    text = "languages: [zh]\nquestions:\n  good: {kind: scale, ask: 好吗？, levels: {0: 否, 1: 是}}\n"
    assert question_called(study(tmp_path, text), "good", "zh") == "好吗？"
    assert question_called(study(tmp_path, text), "good", "en") == "Good"
