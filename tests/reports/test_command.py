"""`rubrica report`, from the command line to the files."""

from __future__ import annotations

import json
from pathlib import Path
from string import Formatter

import pytest
from jsonschema import Draft202012Validator
from small import grid, make, rate, report

from rubrica.analysis.answered import _FLAG_SAYS
from rubrica.analysis.table import WHY_MISSING
from rubrica.cli import run
from rubrica.errors import RULES
from rubrica.reports import chinese, schema

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


def test_the_command_line_names_a_reference_and_items_to_leave_out(tmp_path: Path) -> None:
    items = [{"id": f"i{n}", "system": "ab"[n % 2], "input": n // 2} for n in range(16)]
    made = make(tmp_path / "study", items, of_items="system: system\nthread: {by: input, kind: set}")
    rate(made, grid({f"i{n}": [1 + n % 5, 1 + n % 4] for n in range(16)}))
    plain = report(made)
    assert not any(c["reference"] for c in plain.json["comparisons"])
    told = report(made, "--reference", "b", "--leave-out", "i0", "--leave-out", "nothing")
    (compared,) = told.json["comparisons"]
    assert (compared["a"], compared["b"], compared["reference"], compared["n"]) == ("a", "b", True, 7)
    assert told.json["study"]["left_out_by_name"] == ["i0", "nothing"]
    gone = told.one("left_out", why="the item was left out by name")
    assert (gone["what"], gone["count"]) == ("ratings", 2)
    assert "there is no item 'nothing'" in told.text("report.md")
    assert "Items left out by name: i0, nothing." in told.text("tables.tex")


def test_every_note_and_reason_is_there_in_chinese() -> None:
    codes = {code for code in RULES if code.startswith("R") and code < "R060"}
    assert codes <= set(chinese.NOTES)
    reasons = {*WHY_MISSING[1:], *_FLAG_SAYS.values()}
    assert reasons <= set(chinese.REASONS)
    for code, text in chinese.NOTES.items():
        names = {name for _, name, _, _ in Formatter().parse(text) if name}
        known = {name for _, name, _, _ in Formatter().parse(RULES[code].says) if name}
        assert names <= known | {"raters"}, code
