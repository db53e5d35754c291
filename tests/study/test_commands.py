"""`rubrica check` and `rubrica schema`, as a person and as a program reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from study_texts import whole

from rubrica.cli import run
from rubrica.study.schema import schema_text


def write(folder: Path, part: str = "", items: str = '{"answer": "yes"}\n') -> str:
    (folder / "study.yaml").write_text(whole(part), "utf-8")
    (folder / "items.jsonl").write_text(items, "utf-8")
    return str(folder)


def test_a_good_study_is_called_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", write(tmp_path)]) == 0
    assert "no problems" in capsys.readouterr().out


def test_every_problem_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", write(tmp_path, "titel: x\nminutes: soon")]) == 1
    told = capsys.readouterr().out
    assert f"error   S010 {tmp_path}/study.yaml:1:1 titel" in told
    assert f"error   S012 {tmp_path}/study.yaml:2:10 minutes" in told
    assert "did you mean: title" in told
    assert "2 errors" in told


def test_problems_of_items_follow_those_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = "languages: [en, zh]\nabout: {en: x}"
    assert run(["check", write(tmp_path, part, '{"answer": "yes"}\n{oops\n')]) == 1
    told = capsys.readouterr().out
    assert told.index("S120") < told.index("I005")
    assert f"error   I005 {tmp_path}/items.jsonl:2:" in told
    assert "1 error, 1 warning" in told


def test_a_warning_alone_is_no_failure(tmp_path: Path) -> None:
    assert run(["check", write(tmp_path, "languages: [en, zh]\nabout: {en: x}")]) == 0


def test_a_program_reads_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", write(tmp_path, "titel: x"), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["errors"], told["warnings"], told["items_checked"]) == (1, 0, False)
    (problem,) = told["problems"]
    assert problem["code"] == "S010"
    assert problem["where"] == {
        "file": f"{tmp_path}/study.yaml", "line": 1, "column": 1, "path": "titel",
    }  # fmt: skip
    assert problem["nearest"] == "title"


def test_a_folder_without_a_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(tmp_path / "nowhere")]) == 1
    assert "S001" in capsys.readouterr().out


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check"]) == 2
    assert run(["check", "x", "--no-such-option"]) == 2


def test_the_schema_is_printed_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema"]) == 0
    assert capsys.readouterr().out == schema_text()
    assert run(["schema", "--out", str(tmp_path / "s.json")]) == 0
    assert (tmp_path / "s.json").read_text("utf-8") == schema_text()
