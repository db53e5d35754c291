"""Exports of Label Studio come in as ratings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from answers_elsewhere import answers_study, exported

from rubrica.cli import run


def region(control: str, type_: str, **value: Any) -> dict[str, Any]:
    return {"from_name": control, "to_name": "text", "type": type_, "value": value}


def annotation(who: Any, *regions: dict[str, Any], **more: Any) -> dict[str, Any]:
    made = {"created_at": "2026-05-31T09:15:00.123456Z", "lead_time": 30.5, "was_cancelled": False}
    return {"completed_by": who, "result": list(regions), **made, **more}


def task(number: int, *annotations: dict[str, Any], **data: Any) -> dict[str, Any]:
    return {"id": number, "data": {"id": f"a{number}", **data}, "annotations": list(annotations)}


GOOD = (
    region("quality", "rating", rating=3),
    region("Tone", "choices", choices=["Polite"]),
    region("faults", "choices", choices=["Long", "False"]),
    region("comment", "textarea", text=["One line.", "Another."]),
)
TASKS = [
    task(1, annotation(7, *GOOD), annotation({"id": 8, "email": "ben@example.org"}, *GOOD[:2])),
    task(2, annotation(7, was_cancelled=True)),
    task(3),
]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return answers_study(tmp_path)


def written(study: Path, tasks: Any) -> str:
    file = study / "project-1-at-2026-05-31.json"
    file.write_text(json.dumps(tasks), encoding="utf-8")
    return str(file)


def test_annotations_become_ratings(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["import", str(study), written(study, TASKS)]) == 0
    assert "3 ratings came in" in capsys.readouterr().out
    first, second, skipped = exported(study)
    assert (first["quality"], first["tone"]) == (3, "Polite")
    assert sorted(first["faults"]) == ["False", "Long"]
    assert first["comment"] == "One line.\nAnother."
    assert first["wall_seconds"] == 30.5
    assert (second["quality"], second["comment"]) == (3, None)
    assert skipped["skip_reason"] == "skipped in Label Studio"
    assert first["rater"] == skipped["rater"] != second["rater"]


def test_items_may_be_the_export_itself(study: Path) -> None:
    file = study / "study.yaml"
    declared = file.read_text("utf-8").replace("items.jsonl", "export.json")
    file.write_text(declared.replace("{text: answer", "{text: data.answer"), encoding="utf-8")
    tasks = [task(1, annotation(7, *GOOD), answer="Yes."), task(2, answer="No.")]
    (study / "export.json").write_text(json.dumps(tasks), encoding="utf-8")
    assert run(["import", str(study), str(study / "export.json")]) == 0
    assert [row["item"] for row in exported(study)] == ["1"]


def test_controls_that_are_no_questions_are_said(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spans = region("label", "labels", start=0, end=4, labels=["Name"])
    tasks = [task(1, annotation(7, *GOOD, spans))]
    assert run(["import", str(study), written(study, tasks)]) == 0
    assert "the control 'label' is no question" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tasks", "code"),
    [
        ([task(1, annotation(7, region("quality", "rating", rating=9), *GOOD[1:]))], "A001"),
        ([task(1, annotation(7, region("other", "rating", rating=1)))], "X052"),
        ([task(1, annotation(7, *GOOD, created_at="noon"))], "X029"),
        ([task(1, annotation(7, *GOOD)), {"annotations": {}, "data": {}}], "X020"),
        ([task(9, annotation(7, *GOOD))], "X013"),
    ],
)
def test_bad_exports_bring_nothing_in(
    study: Path, capsys: pytest.CaptureFixture[str], tasks: Any, code: str
) -> None:
    assert run(["import", str(study), written(study, tasks)]) == 1
    assert code in capsys.readouterr().err
    assert exported(study) == []
