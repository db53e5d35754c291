"""What every bundled study must have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from bundled_studies import NAMES, STUDIES, bundled, items, practised

from rubrica.cli import run
from rubrica.items.check import check_items
from rubrica.study.load import LoadedStudy, examine


@pytest.fixture(params=NAMES)
def loaded(request: pytest.FixtureRequest) -> LoadedStudy:
    return bundled(request.param)


TEXTS = {"ask", "label", "means", "about", "note", "says", "title", "contact", "none"}
"""Keys whose values raters read."""


def walk(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    yield key, value
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for name, part in inner:
        yield from walk(part, key if isinstance(name, int) else str(name))


def test_no_problem_is_found(loaded: LoadedStudy) -> None:
    problems = [*examine(loaded.folder).problems, *check_items(loaded)]
    assert [str(p) for p in problems if p.level != "note"] == []


@pytest.mark.parametrize("name", NAMES)
def test_rubrica_check_is_content(name: str) -> None:
    assert run(["check", str(STUDIES / name)]) == 0


def test_an_editor_finds_the_schema(loaded: LoadedStudy) -> None:
    first = loaded.file.read_text(encoding="utf-8").splitlines()[0]
    schema = first.removeprefix("# yaml-language-server: $schema=")
    assert (loaded.folder / schema).is_file()


def test_every_text_is_there_in_both_languages(loaded: LoadedStudy) -> None:
    assert loaded.study.languages == ["en", "zh"]
    alone = [
        (key, value)
        for key, value in walk(loaded.source.data)
        if key in TEXTS and isinstance(value, str)
    ]
    assert alone == []
    for _, value in walk(loaded.source.data):
        if isinstance(value, dict) and ("en" in value or "zh" in value):
            assert set(value) == {"en", "zh"}


def test_chinese_texts_are_chinese(loaded: LoadedStudy) -> None:
    for key, value in walk(loaded.source.data):
        if isinstance(value, dict) and set(value) == {"en", "zh"} and key != "guidelines":
            assert not has_chinese(value["en"]), value
            assert has_chinese(value["zh"]) or value["zh"] == value["en"], value


def has_chinese(text: str) -> bool:
    return any("一" <= character <= "鿿" for character in text)


def test_guidelines_are_complete_in_both_languages(loaded: LoadedStudy) -> None:
    english, chinese = loaded.guidelines["en"].text, loaded.guidelines["zh"].text
    assert len(english) > 3000
    assert len(chinese) > 1000
    assert english.count("\n## ") == chinese.count("\n## ")
    assert english.count("\n|---") == chinese.count("\n|---")


def test_every_level_has_a_label_and_a_meaning(loaded: LoadedStudy) -> None:
    for name, question in loaded.study.questions.items():
        declared = getattr(question, "levels", None) or getattr(question, "options", None) or {}
        for level in declared.values():
            assert level.label, name
            assert level.means, name


def test_a_morning_of_items_made_by_this_project(loaded: LoadedStudy) -> None:
    rated = [item for item in items(loaded.name) if item.rated]
    assert len(rated) >= 24
    assert len({item.system for item in rated}) >= 2


def test_practice_answers_follow_the_studys_own_rules(loaded: LoadedStudy) -> None:
    """A reference is what a rater may give, and where evidence implies a level, it is that level."""
    for example in loaded.practice:
        accepted = practised(loaded, example)
        for name, answer in accepted.answers.items():
            reference = example.answers.get(name)
            assert answer.state == "answered" or reference is None, (example.title, name)
            if answer.implied is not None:
                assert answer.implied == reference, (example.title, name)


def test_practice_gives_a_reason_for_each_level_in_both_languages(loaded: LoadedStudy) -> None:
    for example in loaded.practice:
        assert set(example.title or {}) == {"en", "zh"}
        for name in example.answers:
            question = loaded.study.questions[name]
            if question.kind in ("scale", "choice", "each"):
                assert set(example.why[name]) == {"en", "zh"}, (example.title, name)


def test_nothing_hidden_is_shown(loaded: LoadedStudy) -> None:
    hidden = {
        "m3bench": ["human_annotation", "confidence", "alder", "birch", "clover", "N/A"],
        "vtt": ["atlas", "brook", "cedar", "dune", "BLEU", "perfect"],
        "incar": [
            "Ash-V1",
            "Elm-V2",
            "chatcar",
            "drivemate",
            "impatient",
            "EXPLOIT",
            "request_omitted",
        ],
    }[loaded.name]
    for item in items(loaded.name):
        sent = json.dumps([item.shown.views, item.shown.entries, item.facts], ensure_ascii=False)
        assert [word for word in hidden if word in sent] == []


def test_every_kind_of_question_but_two_is_used_by_a_bundled_study() -> None:
    used = {q.kind for name in NAMES for q in bundled(name).study.questions.values()}
    assert used >= {"scale", "choice", "text", "each", "failures", "places"}
