"""Loading: a folder or a file, in one go, with places for whoever comes after."""

from __future__ import annotations

from pathlib import Path

import pytest
from study_texts import whole

from rubrica.errors import Problems
from rubrica.study.load import examine, load_study


def write(folder: Path, part: str = "", name: str = "study.yaml") -> Path:
    file = folder / name
    file.write_text(whole(part), "utf-8")
    return file


def test_a_folder_means_its_study_file(tmp_path: Path) -> None:
    file = write(tmp_path)
    assert load_study(tmp_path).study == load_study(file).study == load_study(str(file)).study
    assert load_study(tmp_path).name == tmp_path.name
    assert load_study(write(tmp_path, name="pilot.yaml")).name == "pilot"


def test_rooms_above_find_the_place_of_anything(tmp_path: Path) -> None:
    file = write(tmp_path, "items:\n  from: a.jsonl\n  show:\n    - text: answer\n")
    loaded = load_study(file)
    assert str(loaded.where("items", "show", 0, "text")) == f"{file}:4:13 items.show[0].text"
    assert loaded.folder == tmp_path
    assert loaded.file == file


def test_problems_are_raised_together(tmp_path: Path) -> None:
    write(tmp_path, "titel: x\nminutes: soon")
    with pytest.raises(Problems) as raised:
        load_study(tmp_path)
    assert [p.code for p in raised.value.problems] == ["S010", "S012"]


def test_warnings_do_not_stop_a_study(tmp_path: Path) -> None:
    write(tmp_path, "languages: [en, zh]\nabout: {en: About}")
    assert [p.code for p in load_study(tmp_path).warnings] == ["S120"]


def test_texts_a_kind_brings_itself_are_not_asked_to_be_translated(tmp_path: Path) -> None:
    part = "questions: {marks: {kind: failures, ask: What failed?, types: {omission: Omission}}}"
    write(tmp_path, part)
    assert load_study(tmp_path).warnings == ()


def test_a_part_with_faults_is_not_spoken_of_twice(tmp_path: Path) -> None:
    part = """\
questions:
  a: {kind: scael, ask: A?}
  b: {kind: text, ask: B?, when: {answer.a: 1}}
score: {s: {mean: {a: 1}}}
items: {from: a, show: [{txt: a}], verdict: {a: {path: x, question: a}}}
"""
    write(tmp_path, part)
    assert sorted(p.code for p in examine(tmp_path).problems) == ["S016", "S020"]


@pytest.mark.parametrize(
    "name", ["/etc/hostname", "../x.md", "a/../../x.md", "C:\\x.md", "..\\x.md", "~/x"]
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    write(tmp_path, f"guidelines: '{name}'")
    assert [p.code for p in examine(tmp_path).problems] == ["S041"]


def test_no_link_leads_out_of_the_folder(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("secret", "utf-8")
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "guide.md").symlink_to(outside)
    write(folder, "guidelines: guide.md")
    assert [p.code for p in examine(folder).problems] == ["S041"]


def test_guidelines_that_are_not_utf8_are_told_at_their_own_line(tmp_path: Path) -> None:
    write(tmp_path, "guidelines: guide.md")
    (tmp_path / "guide.md").write_bytes(b"one\ntwo \xff\n")
    (found,) = examine(tmp_path).problems
    assert (found.code, str(found.where)) == ("S003", f"{tmp_path}/guide.md:2:5")


@pytest.mark.parametrize(
    ("practice", "code", "place"),
    [
        ("item: {}", "S008", "practice.yaml:1:1"),
        ("- {item: {a: 1}}", "S011", "practice.yaml:1:3 [0].answers"),
        ("- {item: {a: 1}, answers: {good: 1}, answer: 2}", "S010", "practice.yaml:1:38 [0].answer"),
        ("- [", "S004", "practice.yaml"),
        ("- {item: 5, answers: {good: 1}}", "S012", "practice.yaml:1:10 [0].item"),
    ],
)
def test_faults_of_practice_stand_in_its_own_file(
    tmp_path: Path, practice: str, code: str, place: str
) -> None:
    write(tmp_path, "practice: {from: practice.yaml}")
    (tmp_path / "practice.yaml").write_text(practice, "utf-8")
    found = examine(tmp_path).problems
    assert [p.code for p in found] == [code]
    assert str(found[0].where).startswith(f"{tmp_path}/{place}")


def test_practice_may_answer_a_list_of_the_items_own(tmp_path: Path) -> None:
    part = """\
practice: {from: practice.yaml}
questions:
  goals: {kind: each, ask: All?, over: keys(targets), answer: {kind: scale, levels: {0: No, 1: Yes}}}
"""
    write(tmp_path, part)
    example = "- {item: {targets: {a: 1, b: 2}}, answers: {goals: [{value: 1}, {value: 0}]}}\n"
    (tmp_path / "practice.yaml").write_text(example, "utf-8")
    assert examine(tmp_path).problems == ()
    (tmp_path / "practice.yaml").write_text(example.replace(", {value: 0}", ""), "utf-8")
    assert [p.where.line for p in examine(tmp_path).problems] == [1]
