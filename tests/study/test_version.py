"""A version is a hash of meaning."""

from __future__ import annotations

from pathlib import Path

import pytest
from study_texts import whole

from rubrica.study.load import LoadedStudy, guidelines_from, load_study, practice_from, study_from

STUDY = """\
rubrica: 1
title: {en: Answers, zh: 回答}
languages: [en, zh]
items: {from: items.jsonl, show: [{text: answer, label: Answer}, {text: question}]}
questions:
  good:
    kind: scale
    ask: How good?
    levels: {0: Poor, 1: Fair, 2: Good}
  which:
    kind: choice
    ask: Which?
    options: {a: A, b: B}
raters: {per_item: 3}
"""
SAME = """\
# The same study, written otherwise.
raters: {per_item: 3}   # three
languages:
  - en
  - zh
title:
  zh: "回答"
  en: 'Answers'
questions:
  good: {levels: {2: Good, "1": Fair, 0: Poor}, ask: "How good?", kind: scale}
  which: {ask: Which?, options: {a: A, b: B}, kind: choice}
items: {show: [{label: Answer, text: answer}, {text: question}], from: items.jsonl}
rubrica: 1
"""


def load(folder: Path, text: str, **files: str) -> LoadedStudy:
    folder.mkdir(exist_ok=True)
    (folder / "study.yaml").write_text(text, "utf-8")
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_bytes(content.encode())
    return load_study(folder)


def test_comments_order_of_keys_and_spelling_do_not_change_a_version(tmp_path: Path) -> None:
    one, other = load(tmp_path, STUDY), load(tmp_path, SAME)
    assert one.version.hash == other.version.hash
    assert one.version.question_hashes == other.version.question_hashes


def test_another_label_leaves_a_question_the_same(tmp_path: Path) -> None:
    one = load(tmp_path, STUDY).version
    other = load(
        tmp_path, STUDY.replace("    ask: How good?", "    label: Goodness\n    ask: How good?")
    ).version
    assert one.hash != other.hash
    assert one.question_hashes == other.question_hashes


def test_a_version_stays_what_it_was(tmp_path: Path) -> None:
    """Ratings name it: a new release must find the same hash for an old file."""
    version = load(tmp_path, STUDY).version
    assert version.hash == "2a8af6261412e163"
    assert version.question_hashes == {"good": "987c5fc1920753e9", "which": "5658138c8b8d22c2"}


@pytest.mark.parametrize(
    ("old", "new", "questions"),
    [
        ("Fair", "Middling", {"good"}),
        ("{a: A, b: B}", "{b: B, a: A}", {"which"}),
        ("per_item: 3", "per_item: 2", set()),
        ("[{text: answer, label: Answer}, {text: question}]", "[{text: question}]", set()),
        ("raters: {per_item: 3}", "raters: {per_item: 3}\nseed: 1", set()),
    ],
)
def test_what_changes_the_meaning_changes_the_version(
    tmp_path: Path, old: str, new: str, questions: set[str]
) -> None:
    before, after = load(tmp_path, STUDY).version, load(tmp_path, STUDY.replace(old, new)).version
    assert before.hash != after.hash
    pairs = zip(before.question_hashes.items(), after.question_hashes.items(), strict=True)
    assert {name for (name, was), (_, now) in pairs if was != now} == questions


def test_the_order_of_questions_counts_for_the_study_but_not_for_the_question(tmp_path: Path) -> None:
    good, which = STUDY.index("  good:"), STUDY.index("  which:")
    end = STUDY.index("raters:")
    turned = STUDY[:good] + STUDY[which:end] + STUDY[good:which] + STUDY[end:]
    before, after = load(tmp_path, STUDY).version, load(tmp_path, turned).version
    assert before.hash != after.hash
    assert before.question_hashes == after.question_hashes


def test_guidelines_and_practice_belong_to_the_meaning(tmp_path: Path) -> None:
    text = whole("guidelines: guide.md\npractice: {from: practice.yaml}")
    files = {"guide_md": "Read me.\n", "practice_yaml": "- {item: {answer: x}, answers: {good: 1}}\n"}
    first = load(tmp_path, text, **files).version.hash
    assert load(tmp_path, text, **files | {"guide_md": "Read me.\r\n"}).version.hash == first
    assert load(tmp_path, text, **files | {"guide_md": "Read me well.\n"}).version.hash != first
    again = files["practice_yaml"].replace("good: 1", "good: 2")
    assert load(tmp_path, text, **files | {"practice_yaml": again}).version.hash != first


def test_a_version_declares_all_that_a_server_needs_later(tmp_path: Path) -> None:
    text = whole("guidelines: {en: guide.md}\npractice: {from: practice.yaml}")
    practice = "- {item: {answer: x}, answers: {good: 1}, why: {good: Half of it holds.}}\n"
    loaded = load(tmp_path, text, guide_md="Read me.\n", practice_yaml=practice)
    declared = loaded.version.declared
    assert study_from(declared) == loaded.study
    assert guidelines_from(declared) == loaded.guidelines
    assert practice_from(declared) == loaded.practice
    assert loaded.practice[0].answers == {"good": 1}
    assert loaded.guidelines["en"].text == "Read me.\n"
