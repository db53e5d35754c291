"""`rubrica report`, from the command line to the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rubrica.cli import run
from rubrica.reports import schema

TEXTS = ("report.html", "report.md", "tables.tex", "report.json")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("studies") / "tryout"
    assert run(["new", str(folder)]) == 0
    assert run(["simulate", str(folder), "--raters", "3"]) == 0
    return folder


def test_a_report_has_every_form(study: Path) -> None:
    assert run(["report", str(study)]) == 0
    out = study / "report"
    assert all((out / name).stat().st_size > 300 for name in TEXTS)
    figures = {p.stem for p in (out / "figures").glob("*.svg")}
    assert figures == {p.stem for p in (out / "figures").glob("*.pdf")}
    found = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert found["asked"]["raters"] == 3
    assert not list(Draft202012Validator(schema.schema()).iter_errors(found))


def test_another_language_is_refused(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(study), "--lang", "eng"]) == 1
    assert "C030" in capsys.readouterr().err
    assert run(["report", str(study), "--reference", "nobody"]) == 1
    assert "C031" in capsys.readouterr().err
